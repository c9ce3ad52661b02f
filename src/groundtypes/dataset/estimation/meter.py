"""`Meter`: answers the questions of some rows in the place of the engines, and counts them.

LLMs are never called: they get the replies of a `ReplyModel`, which have the right form, except
where the engine has the real reply in its cache. NLI engines that run a model on this machine are
called, since their time is part of the measured rate; of others the pairs are counted, since
somebody may be paid for them.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from groundtypes.backends.nli_engine import NLIEngine
from groundtypes.backends.request_batching import ask_together
from groundtypes.dataset.check.row_auditor import LineResult, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.ledger import SettledCache, engines_replaced
from groundtypes.prompts.response_models import (
    Alignment,
    Claim,
    ClaimLabel,
    ClaimLabels,
    Claims,
    Judgement,
    NumberedLabel,
    ReplyKind,
    Sentence,
    Sentences,
    StatementLabel,
    Statements,
)
from groundtypes.row_files.json_lines import Line
from groundtypes.scoring import LLM, NLIScores, Pair, Question, Reply, asked_engine

#: The most items that our response models accept in a list, and the longest text in one.
_MAX_ITEMS: Final = 200
_MAX_TEXT: Final = 400
_MAX_DEPTH: Final = 8
_END: Final = re.compile(r"^\[end ([0-9a-f]+)\]$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_REASON: Final = "The passages say the same in other words, with the same numbers and names."


@dataclass(frozen=True, slots=True)
class ReplyModel:
    """How much modelled replies have: claims and statements of a sentence, reasons of a judgement.

    `unlabelled` is in which share of the questions a statement stays without a label, so that a
    second question follows.
    """

    claims: int = 2
    statements: int = 1
    unlabelled: float = 0.3
    reasons: int = 1

    def reply(self, question: Question) -> BaseModel:
        """Return a reply to a question, always the same."""
        build = _BUILDERS.get(question.response_model)
        return _instance(question.response_model) if build is None else build(self, question)

    def leaves_open(self, question: Question) -> bool:
        """Return whether the reply to a question leaves a statement without a label."""
        digest = hashlib.blake2b(question.content.encode("utf-8", "replace"), digest_size=4)
        return int.from_bytes(digest.digest(), "big") < self.unlabelled * 2**32


EXPECTED: Final = ReplyModel()
FEWEST: Final = ReplyModel(claims=1, unlabelled=0.0, reasons=0)
MOST: Final = ReplyModel(claims=4, statements=2, unlabelled=1.0, reasons=3)


def _section(question: Question, *names: str) -> str:
    """Return the text that a question shows under the first of these names that it has."""
    ends = _END.findall(question.content)
    code = ends[-1] if ends else ""
    for name in names:
        _, mark, rest = question.content.rpartition(f"[{name} {code}]\n")
        if mark:
            return rest.partition(f"\n[end {code}]")[0]
    return ""


def _lines(question: Question, *names: str) -> list[str]:
    return _NUMBERED.findall(_section(question, *names))[:_MAX_ITEMS]


def _parts(text: str, count: int) -> list[str]:
    """Return the words of a text in so many parts, fewer if it is short."""
    words = text.split()
    count = max(1, min(count, len(words) // 3))
    ends = [len(words) * number // count for number in range(count + 1)]
    return [" ".join(words[ends[at] : ends[at + 1]]) for at in range(count)]


def _claims(model: ReplyModel, question: Question) -> BaseModel:
    claims = []
    for number, sentence in enumerate(_lines(question, "sentences"), 1):
        for part in _parts(sentence, model.claims):
            pieces = [piece[:_MAX_TEXT] for piece in _parts(part, 3)]
            subject, predicate, object_ = [*pieces, "", ""][:3]
            claims.append(
                Claim(sentence=number, subject=subject, predicate=predicate, object=object_)
            )
    return Claims(claims=claims[:_MAX_ITEMS])


def _statements(model: ReplyModel, question: Question) -> BaseModel:
    # A statement that is supported by no passage counts as one without a label.
    first = None if model.leaves_open(question) else 1
    labels: list[StatementLabel] = []
    for number, sentence in enumerate(_lines(question, "sentences"), 1):
        parts = _parts(sentence, model.statements)
        for part in parts:
            labels.append(
                StatementLabel(
                    sentence=number,
                    statement=part[:1_000] if len(parts) > 1 else None,
                    label="supported",
                    passage=first if not labels else 1,
                )
            )
    return Statements(labels=labels[:_MAX_ITEMS])


def _labels(_: ReplyModel, question: Question) -> BaseModel:
    lines = _lines(question, "claims", "sentences")
    return ClaimLabels(
        labels=[
            NumberedLabel(claim=number, label="supported", passage=1)
            for number in range(1, len(lines) + 1)
        ]
    )


def _pronouns(_: ReplyModel, question: Question) -> BaseModel:
    lines = _lines(question, "sentences")
    return Sentences(
        sentences=[
            Sentence(number=number, text=text[:2_000]) for number, text in enumerate(lines, 1)
        ]
    )


_BUILDERS: Final[Mapping[type[BaseModel], Callable[[ReplyModel, Question], BaseModel]]] = {
    Claims: _claims,
    Statements: _statements,
    ClaimLabels: _labels,
    ClaimLabel: lambda *_: ClaimLabel(label="supported", passage=1),
    Judgement: lambda model, _: Judgement(reasons=[_REASON] * model.reasons, holds=True),
    Alignment: lambda model, _: Alignment(
        reasons=[_REASON] * model.reasons, answers_question=True, citations_support_answer=True
    ),
    ReplyKind: lambda model, _: ReplyKind(reason=_REASON * bool(model.reasons), kind="answer"),
    Sentences: _pronouns,
}


# --- replies of models that are not ours --------------------------------------------------------


def _instance(model: type[BaseModel]) -> BaseModel:
    """Return an instance of a model that is as small as its JSON schema allows."""
    try:
        schema = model.model_json_schema()
        return model.model_validate(_value(schema, schema.get("$defs", {}), 0))
    except (ValidationError, RecursionError, KeyError, TypeError) as error:
        raise DatasetError(
            f"The estimate finds no example of {model.__name__}, which a check asks an LLM for. "
            "Its schema may name some as `examples`."
        ) from error


def _value(schema: Mapping[str, Any], known: Mapping[str, Any], depth: int) -> Any:
    """Return a small value that fits a JSON schema."""
    if depth > _MAX_DEPTH:
        raise RecursionError
    if "default" in schema:
        return schema["default"]
    if "$ref" in schema:
        return _value(known[schema["$ref"].rpartition("/")[2]], known, depth + 1)
    for key in ("const", "enum", "examples"):
        if key in schema:
            return schema[key] if key == "const" else schema[key][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return _value(schema[key][0], known, depth + 1)
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        names = schema.get("required", ())
        return {name: _value(properties[name], known, depth + 1) for name in names}
    if schema.get("type") == "array":
        items = schema.get("items", {})
        return [_value(items, known, depth + 1) for _ in range(min(20, schema.get("minItems", 0)))]
    if schema.get("type") in ("integer", "number"):
        return schema.get("minimum", schema.get("exclusiveMinimum", 0))
    if schema.get("type") == "boolean":
        return True
    return "x" * min(_MAX_TEXT, schema.get("minLength", 1)) if "type" in schema else None


_NEUTRAL: Final = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
#: What a request has around each of its messages and its schema, in bytes.
_ENVELOPE: Final = 16


class Meter:
    """Counts what the ledgers of one batch ask; of pairs and questions it has digests.

    `calls` are the questions without a cached reply, by prompt, and `bytes_in` and `bytes_out` the
    sizes of their requests and replies. `untimed` are the NLI engines that were not called.
    """

    def __init__(self, reply: Callable[[Question], BaseModel], *, scores: bool = True) -> None:
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
