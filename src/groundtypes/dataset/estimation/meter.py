"""`Meter`: answers the questions of some rows in the place of the engines, and counts them.

LLMs are never called: they get replies that are made up by the schema of the reply, except where
the engine has the real reply in its cache. NLI engines that run a model on this machine are called,
since their time is part of the measured rate; of others the pairs are counted, since somebody may
be paid for them.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from groundtypes.backends.nli_engine import NLIEngine
from groundtypes.backends.request_batching import ask_together
from groundtypes.dataset.check.row_auditor import LineResult, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.ledger import SettledCache, engines_replaced
from groundtypes.prompts.response_models import ClaimLabels, Claims, Sentences, Statements
from groundtypes.row_files.json_lines import Line
from groundtypes.scoring import LLM, NLIScores, Pair, Question, Reply, asked_engine

_END: Final = re.compile(r"^\[end ([0-9a-f]+)\]$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_REASON: Final = "The passages say the same in other words, with the same numbers and names."
#: How many claims a sentence has, and the texts of one.
_CLAIMS: Final = 2
_CLAIM: Final = ("subject", "predicate", "object")
#: The most items that our response models accept in a list, and the longest text in one.
_MAX_ITEMS: Final = 200
_MAX_TEXT: Final = 400
#: In which share of the questions a statement stays without a label, so that another one follows.
_UNLABELLED: Final = 0.3
_NEUTRAL: Final = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
#: What a request has around each of its messages and its schema, in bytes.
_ENVELOPE: Final = 16


@dataclass(slots=True)
class Meter:
    """Counts what the ledgers of one batch ask; of pairs and questions it has digests.

    `calls` are the questions without a cached reply, by prompt, of which so many as `first` do not
    depend on a reply that is made up. `bytes_in` and `bytes_out` are the sizes of the requests and
    replies. `untimed` are the NLI engines that were not called.
    """

    pairs: set[bytes] = field(default_factory=set)
    questions: set[bytes] = field(default_factory=set)
    calls: Counter[str] = field(default_factory=Counter)
    first: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    concurrency: int = 1
    budget: int | None = None
    untimed: set[str] = field(default_factory=set)

    def process(self, processor: RowProcessor, lines: Iterable[Line]) -> list[LineResult]:
        """Return what became of each line, with this meter in the place of all engines."""
        with engines_replaced(self._ask, SettledCache()):
            return list(processor.process(lines))

    def _ask(self, engine: Any, questions: list[Any]) -> Sequence[Any]:
        """Return one result for each question, in their order."""
        if isinstance(engine, LLM):
            return self._replies(engine, questions)
        engine = asked_engine(engine)
        if not all(isinstance(question, Pair) for question in questions):
            raise DatasetError(
                f"{type(engine).__name__} is neither an NLI engine nor an LLM, so that what it "
                "takes cannot be estimated."
            )
        self.pairs.update(_digest(pair.premise, pair.hypothesis) for pair in questions)
        if isinstance(engine, NLIEngine):
            return ask_together(engine, questions)
        self.untimed.add(type(engine).__name__)
        return [_NEUTRAL] * len(questions)

    def _replies(self, engine: Any, questions: Sequence[Question]) -> list[Reply]:
        look_up = getattr(engine, "cached_replies", None)
        cached = [None] * len(questions) if look_up is None else look_up(questions)
        self.concurrency = max(self.concurrency, getattr(engine, "concurrency", 1))
        self.budget = getattr(getattr(engine, "budget", None), "calls", self.budget)
        is_first = not self.calls
        replies = []
        for question, known in zip(questions, cached, strict=True):
            self.questions.add(_digest(question.prompt, question.instructions, question.content))
            if known is None:
                reply = Reply(modelled_reply(question))
                self.calls[question.prompt] += 1
                self.first += is_first
                self.bytes_in += _request_bytes(question)
                self.bytes_out += len(reply.answer.model_dump_json().encode())
            else:
                reply = Reply(known.answer)
            replies.append(reply)
        return replies


def modelled_reply(question: Question) -> BaseModel:
    """Return a reply to a question, always the same."""
    model = question.response_model
    lines = dict(enumerate(_numbered_lines(question, "claims", "sentences"), 1))
    if model is Claims:
        parts = [(line, part) for line, text in lines.items() for part in _parts(text, _CLAIMS)]
        items = [
            {"sentence": line, **dict(zip(_CLAIM, _parts(text, len(_CLAIM)), strict=True))}
            for line, text in parts
        ]
        return Claims.model_validate({"claims": items[:_MAX_ITEMS]})
    if model is Sentences:
        texts = [{"number": line, "text": text[:_MAX_TEXT]} for line, text in lines.items()]
        return Sentences.model_validate({"sentences": texts})
    if model in (Statements, ClaimLabels):
        key = "sentence" if model is Statements else "claim"
        labels = [{key: line, "label": "supported", "passage": 1} for line in lines]
        if labels and model is Statements and _is_left_open(question):
            labels[0]["passage"] = None  # which counts as no label
        return model.model_validate({"labels": labels})
    try:
        schema = model.model_json_schema()
        return model.model_validate(_value(schema, schema.get("$defs", {})))
    except (ValidationError, RecursionError, KeyError, TypeError) as error:
        raise DatasetError(
            f"The estimate finds no example of {model.__name__}, which a check asks an LLM for. "
            "Its schema may name some as `examples`."
        ) from error


def _numbered_lines(question: Question, *names: str) -> list[str]:
    """Return the lines that a question shows under the first of these names that it has."""
    ends = _END.findall(question.content)
    code = ends[-1] if ends else ""
    for name in names:
        _, mark, rest = question.content.rpartition(f"[{name} {code}]\n")
        if mark:
            return _NUMBERED.findall(rest.partition(f"\n[end {code}]")[0])[:_MAX_ITEMS]
    return []


def _parts(text: str, number: int) -> list[str]:
    """Return the words of a text in so many parts."""
    words = text.split()
    ends = [len(words) * end // number for end in range(number + 1)]
    return [" ".join(words[ends[at] : ends[at + 1]])[:_MAX_TEXT] for at in range(number)]


def _is_left_open(question: Question) -> bool:
    """Return whether the reply to a question leaves a statement without a label."""
    digest = hashlib.blake2b(question.content.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") < _UNLABELLED * 2**32


def _value(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """Return a small value that fits a JSON schema."""
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    if "$ref" in schema:
        return _value(known[schema["$ref"].rpartition("/")[2]], known)
    for key in ("enum", "examples", "anyOf", "oneOf", "allOf"):
        if key in schema:
            return _value(schema[key][0], known) if key.endswith("Of") else schema[key][0]
    kind = schema.get("type")
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: _value(fields[name], known) for name in schema.get("required", ())}
    if kind == "array":
        items = schema.get("items", {})
        least = 1 if items.get("type") == "string" else 0
        return [_value(items, known)] * max(least, schema.get("minItems", 0))
    if kind in ("integer", "number"):
        return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
    if kind == "string":
        return _REASON[: schema.get("maxLength", _MAX_TEXT)]
    return True if kind == "boolean" else None


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
