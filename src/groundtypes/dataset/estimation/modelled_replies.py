"""What an LLM might reply to a question: replies of the right form, which no LLM has given.

An estimate asks no LLM. Where later questions depend on a reply, as the labels of claims depend on
the claims, it goes on with a reply from here. A `ReplyModel` says how much the replies have:
`EXPECTED` is what we have seen of LLMs, `FEWEST` and `MOST` are the bounds that an interval covers.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from groundtypes.errors import DatasetError
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
from groundtypes.scoring import Question
from groundtypes.text.message_excerpts import clip

#: The most items that our response models accept in a list, and the longest text in one.
_MAX_ITEMS: Final = 200
_MAX_TEXT: Final = 400
_MAX_DEPTH: Final = 8
_END: Final = re.compile(r"^\[end ([0-9a-f]+)\]$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_REASON: Final = "The passages say the same in other words, with the same numbers and names."


@dataclass(frozen=True, slots=True)
class ReplyModel:
    """How much modelled replies have.

    Attributes:
        claims: The claims that are extracted from a sentence.
        statements: The statements that are labelled of a sentence, in one call.
        unlabelled: In which share of the questions a statement stays without a label, so that a
            second question follows.
        reasons: The reasons of a judgement.
    """

    claims: int = 2
    statements: int = 1
    unlabelled: float = 0.3
    reasons: int = 1

    def reply(self, question: Question) -> BaseModel:
        """Return a reply to a question, always the same.

        Raises:
            DatasetError: It is of a kind that cannot be modelled.
        """
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
    """Return an instance of a model that is as small as its JSON schema allows.

    Raises:
        DatasetError: None is found.
    """
    try:
        schema = model.model_json_schema()
        return model.model_validate(_value(schema, schema.get("$defs", {}), 0))
    except (ValidationError, RecursionError, KeyError, TypeError) as error:
        raise DatasetError(
            f"The estimate finds no example of {model.__name__}, which a check asks an LLM for. "
            "Pass `reply`, a function that returns one for a question."
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


# --- replies of a function of the user's --------------------------------------------------------

#: How a message begins that blames the function, and neither the model nor a row.
REPLY_FAULT: Final = "`reply`"


@dataclass(frozen=True, slots=True)
class GivenReplies:
    """Calls a function that models the replies of an LLM, and checks what it returns."""

    function: Callable[[Question], Any]

    def __call__(self, question: Question) -> BaseModel:
        """Return the reply to a question.

        Raises:
            DatasetError: The function raised, or returned something else than a reply.
        """
        prompt = f"for a question of the prompt {question.prompt}"
        try:
            answer = self.function(question)
        except Exception as error:
            raise DatasetError(
                f"{REPLY_FAULT} raised {type(error).__name__} {prompt}: {clip(str(error), 300)}"
            ) from error
        wanted = question.response_model
        if not isinstance(answer, wanted):
            raise DatasetError(
                f"{REPLY_FAULT} returned an object of type {type(answer).__name__} {prompt}; it "
                f"must return a {wanted.__name__}"
            )
        return answer
