"""`Meter`: answers the questions of some rows in the place of the engines, and counts them.

LLMs are never called: they get modelled replies, except where the engine has the real reply in its
cache. NLI engines that run a model on this machine are called, since their time is part of the
measured rate; of others the pairs are counted, since somebody may be paid for them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from groundtypes.backends.nli_engine import NLIEngine
from groundtypes.backends.request_batching import ask_together
from groundtypes.dataset.check.processing import LineResult, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.ledger import SettledCache, engines_replaced
from groundtypes.row_files.json_lines import Line
from groundtypes.scoring import LLM, NLIScores, Pair, Question, Reply, asked_engine

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
        concurrency: How many requests of the LLM run at the same time.
        budget: How many requests the LLM engine may send; `None` if there is no limit.
        untimed: The names of the NLI engines that were not called.
    """

    def __init__(self, reply: Callable[[Question], BaseModel], *, scores: bool = True) -> None:
        """Take a function that models replies; without `scores` no NLI engine is called."""
        self._reply = reply
        self._scores = scores
        self.pairs: set[bytes] = set()
        self.questions: set[bytes] = set()
        self.calls: Counter[str] = Counter()
        self.bytes_in = 0
        self.bytes_out = 0
        self.concurrency = 1
        self.budget: int | None = None
        self.untimed: set[str] = set()

    def process(self, processor: RowProcessor, lines: Iterable[Line]) -> list[LineResult]:
        """Return what became of each line, with this meter in the place of all engines.

        Raises:
            Mistake: As the processor.
        """
        with engines_replaced(self._ask, SettledCache()):
            return list(processor.process(lines))

    def _ask(self, engine: Any, questions: list[Any]) -> Sequence[Any]:
        """Return one result for each question, in their order.

        Raises:
            DatasetError: The engine is of a kind whose results are not known here.
            BackendError: An NLI engine failed.
        """
        if isinstance(engine, LLM):
            return self._replies(engine, questions)
        engine = asked_engine(engine)
        if not all(isinstance(question, Pair) for question in questions):
            raise DatasetError(
                f"{type(engine).__name__} is neither an NLI engine nor an LLM, so that what it "
                "takes cannot be estimated."
            )
        self.pairs.update(_digest(pair.premise, pair.hypothesis) for pair in questions)
        if isinstance(engine, NLIEngine) and self._scores:
            return ask_together(engine, questions)
        if not isinstance(engine, NLIEngine):
            self.untimed.add(type(engine).__name__)
        return [_NEUTRAL] * len(questions)

    def _replies(self, engine: Any, questions: Sequence[Question]) -> list[Reply]:
        look_up = getattr(engine, "cached_replies", None)
        cached = [None] * len(questions) if look_up is None else look_up(questions)
        self.concurrency = max(self.concurrency, getattr(engine, "concurrency", 1))
        self.budget = getattr(getattr(engine, "budget", None), "calls", self.budget)
        replies = []
        for question, known in zip(questions, cached, strict=True):
            self.questions.add(_digest(question.prompt, question.instructions, question.content))
            if known is None:
                reply = Reply(self._reply(question))
                self.calls[question.prompt] += 1
                self.bytes_in += _request_bytes(question)
                self.bytes_out += len(reply.answer.model_dump_json().encode())
            else:
                reply = Reply(known.answer)
            replies.append(reply)
        return replies


def _digest(*texts: str) -> bytes:
    """Return 8 bytes that stand for some texts."""
    content = json.dumps(texts).encode()
    return hashlib.blake2b(content, digest_size=8).digest()


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
