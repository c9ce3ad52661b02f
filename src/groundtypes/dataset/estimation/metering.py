"""`Meter`: answers questions in the place of the engines, and counts them.

LLMs are never called: they get modelled replies, except where the engine has the real reply in its
cache. NLI engines that run a model on this machine are called and timed; of others the pairs are
counted, since somebody may be paid for them.
"""

import hashlib
import json
import pickle
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from groundtypes.backends.nli_engine import NLIEngine
from groundtypes.errors import DatasetError
from groundtypes.gathering import ask_together
from groundtypes.scoring import LLM, NLIScores, Pair, Question, Reply, asked_engine

__all__ = ["Meter", "digest", "schema_bytes"]

_NEUTRAL: Final = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
#: What a request has around each of its messages and its schema, in bytes.
_ENVELOPE: Final = 16


class Meter:
    """Counts what the ledgers of one batch ask.

    Attributes:
        pairs: Digests of the pairs for NLI engines.
        questions: Digests of the questions to LLMs.
        calls: How many of these have no cached reply, by prompt.
        bytes_in: The size of these requests, in bytes.
        bytes_out: The size of the replies to them, in bytes.
        waits: How often the batch would have to wait for an LLM.
        concurrency: How many requests of the LLM run at the same time.
        budget: How many requests the LLM engine may send; `None` if there is no limit.
        nli_seconds: How long NLI engines took.
        seconds_aside: How long it took to count, which a run would not do.
        untimed: The names of the NLI engines that were not called.
    """

    def __init__(self, reply: Callable[[Question], BaseModel], *, scores: bool = True) -> None:
        """Take a function that models replies; without `scores` no NLI engine is called."""
        self._reply = reply
        self._scores = scores
        self._copies: dict[int, tuple[Any, Any]] = {}
        self.pairs: set[str] = set()
        self.questions: set[str] = set()
        self.calls: Counter[str] = Counter()
        self.bytes_in = 0
        self.bytes_out = 0
        self.waits = 0
        self.concurrency = 1
        self.budget: int | None = None
        self.nli_seconds = 0.0
        self.seconds_aside = 0.0
        self.untimed: set[str] = set()

    def ask(self, engine: Any, questions: list[Any]) -> Sequence[Any]:
        """Return one result for each question, in their order.

        Raises:
            DatasetError: The engine is of a kind whose results are not known here.
            BackendError: An NLI engine failed.
        """
        began = time.perf_counter()
        try:
            if isinstance(engine, LLM):
                return self._replies(engine, questions)
            engine = asked_engine(engine)
            if not all(isinstance(question, Pair) for question in questions):
                raise DatasetError(
                    f"{type(engine).__name__} is neither an NLI engine nor an LLM, so that what it "
                    "takes cannot be estimated."
                )
            self.pairs.update(digest(pair.premise, pair.hypothesis) for pair in questions)
            if not isinstance(engine, NLIEngine):
                self.untimed.add(type(engine).__name__)
            if not self._scores or not isinstance(engine, NLIEngine):
                return [_NEUTRAL] * len(questions)
        finally:
            self.seconds_aside += time.perf_counter() - began
        began = time.perf_counter()
        try:
            return ask_together(self._copy(engine), questions)
        finally:
            self.nli_seconds += time.perf_counter() - began

    def _replies(self, engine: Any, questions: Sequence[Question]) -> list[Reply]:
        look_up = getattr(engine, "cached_replies", None)
        cached = [None] * len(questions) if look_up is None else look_up(questions)
        self.concurrency = max(self.concurrency, getattr(engine, "concurrency", 1))
        self.budget = getattr(getattr(engine, "budget", None), "calls", self.budget)
        self.waits += any(reply is None for reply in cached)
        replies = []
        for question, known in zip(questions, cached, strict=True):
            self.questions.add(digest(question.prompt, question.instructions, question.content))
            if known is None:
                reply = Reply(self._reply(question))
                self.calls[question.prompt] += 1
                self.bytes_in += _request_bytes(question)
                self.bytes_out += len(reply.answer.model_dump_json().encode())
            else:
                reply = Reply(known.answer)
            replies.append(reply)
        return replies

    def _copy(self, engine: NLIEngine) -> NLIEngine:
        """Return an engine with the same model that has no scores in memory.

        A pair that an earlier batch, or another run of this process, has asked would take no time.
        """
        if id(engine) not in self._copies:
            try:
                copy: Any = pickle.loads(pickle.dumps(engine))  # noqa: S301 # just pickled
            except Exception:  # noqa: BLE001 # a cache or calibration of the user's own
                copy = engine
            # With the engine itself, so that no other object gets its `id`.
            self._copies[id(engine)] = engine, copy
        copied: NLIEngine = self._copies[id(engine)][1]
        return copied


def digest(*texts: str) -> str:
    """Return 16 hexadecimal digits that stand for some texts."""
    hashed = hashlib.blake2b(digest_size=8)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        hashed.update(len(data).to_bytes(8, "big"))
        hashed.update(data)
    return hashed.hexdigest()


def _request_bytes(question: Question) -> int:
    """Return the size of what an LLM reads: the messages, and the schema of the reply."""
    texts = [question.instructions, question.content]
    texts += [text for example in question.examples for text in example]
    size = sum(len(text.encode("utf-8", "replace")) + _ENVELOPE for text in texts)
    return size + schema_bytes(question.response_model)


@lru_cache(maxsize=256)
def schema_bytes(model: Any) -> int:
    """Return the size of a model's JSON schema, as a request has it."""
    return len(json.dumps(model.model_json_schema())) + _ENVELOPE
