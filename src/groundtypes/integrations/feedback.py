"""Audits as feedback: what platforms of evaluation store of an answer, one score for each check.

The modules for the platforms, beside this one, build on `Feedback` and `Auditing`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from pydantic import BaseModel, RootModel
from pydantic_core import from_json

from groundtypes.errors import ContextError
from groundtypes.judges import Judges, judges_for
from groundtypes.references import Span
from groundtypes.text.fenced_json import json_text
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.instances import key_of_field
from groundtypes.validation.one_answer import audit
from groundtypes.verdicts import Verdict

_LONGEST: Final = 4_000
#: Platforms show metadata beside a score, and some limit it.
_MOST_SPANS: Final = 20


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one check says of an answer.

    Attributes:
        key: The name of the check; `schema` for what Pydantic itself found, or did not.
        ok: Whether all its verdicts hold.
        score: The share of its verdicts that hold.
        label: The slug of its first fault, or `holds`.
        comment: The messages of its faults, each with its place in the answer.
        spans: The evidence of its verdicts.
    """

    key: str
    ok: bool
    score: float
    label: str
    comment: str
    spans: tuple[Span, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what LangSmith and openevals take."""
        return {"key": self.key, "score": self.score, "value": self.label, "comment": self.comment}

    def metadata(self) -> dict[str, Any]:
        """Return score, label and the first twenty spans of the evidence as data for JSON."""
        spans = [
            {name: value for name, value in asdict(span).items() if value is not None}
            for span in self.spans[:_MOST_SPANS]
        ]
        return {"score": self.score, "label": self.label, "evidence": spans}


@dataclass(frozen=True, slots=True)
class Auditing:
    """How the outputs of a platform's run are audited.

    Attributes:
        model: The answer model. Text that is no JSON, also in a fenced block, becomes its only
            required field.
        references: The key of the inputs or other data with the references, or of the outputs if
            `answer` is a part of them; or a function that returns them, whose arguments depend on
            the platform.
        answer: The key of the outputs with the answer; by default all of them are the answer.
        question: The key of the user's question, looked up in the same way.
        judges: The engines, or the name of an NLI engine.
    """

    model: Any
    references: str | Callable[..., Any] = "references"
    answer: str | None = None
    question: str | None = None
    judges: Judges | str | None = None

    def feedback(self, outputs: Any, *places: Any, source: tuple[Any, ...]) -> list[Feedback]:
        """Return the feedback of each check on the outputs of a run.

        Args:
            outputs: The answer, or a mapping with the answer: data, JSON, or a model's instance.
            *places: Where the references and the question are looked up.
            source: The arguments for a function that returns the references.

        Raises:
            ContextError: A key is missing, or there is no answer.
            Mistake: The answer cannot be judged.
        """
        # An answer brings no references of its own: it would hold against anything.
        everything = places if self.answer is None else (outputs, *places)
        if callable(self.references):
            references = self.references(*source)
        else:
            references = _value(self.references, *everything)
        context: dict[str, Any] = {"references": references}
        if self.question is not None:
            context["question"] = _value(self.question, *everything)
        if (chosen := judges_for(self.model, self.judges)) is not None:
            context["judges"] = chosen
        data = outputs if self.answer is None else _value(self.answer, outputs)
        if data is None:
            raise ContextError("There is no answer: the output is None.")
        return feedback_of(audit(self.model, _readable(self.model, data), context=context))

    def needed_feedback(
        self, outputs: Any, *places: Any, source: tuple[Any, ...]
    ) -> list[Feedback]:
        """Return what `feedback` does, for platforms on which no feedback would be a full score.

        Raises:
            ContextError: A key is missing, or no check has judged anything.
            Mistake: The answer cannot be judged.
        """
        if found := self.feedback(outputs, *places, source=source):
            return found
        raise ContextError("No check of the model has judged anything of the answer.")


def feedback_of(audited: Audit[Any]) -> list[Feedback]:
    """Return the feedback of each check of an answer, in the order of their first verdicts.

    `schema` is among them, also where Pydantic found nothing, if anything was judged.

    Raises:
        Mistake: The answer could not be judged: that is no feedback on it.
    """
    if audited.mistake is not None:
        raise audited.mistake
    checks: dict[str, list[Verdict]] = {}
    for verdict in audited.verdicts:
        checks.setdefault(verdict.check, []).append(verdict)
    found = [_feedback(name, verdicts) for name, verdicts in checks.items()]
    if found and "schema" not in checks:
        # Without it, the mean over many answers would be that of the faulty ones alone.
        found.append(Feedback("schema", ok=True, score=1.0, label="holds", comment="", spans=()))
    return found


def _feedback(name: str, verdicts: list[Verdict]) -> Feedback:
    faults = [verdict for verdict in verdicts if not verdict.ok]
    lines = [f"{'.'.join(map(str, fault.loc)) or '(answer)'}: {fault.message}" for fault in faults]
    spans = [span for each in verdicts for span in each.spans or (each.span,) if span is not None]
    return Feedback(
        key=name,
        ok=not faults,
        score=(len(verdicts) - len(faults)) / len(verdicts),
        label=(faults[0].slug or "fails") if faults else "holds",
        comment=clip("\n".join(lines), _LONGEST),
        spans=tuple(dict.fromkeys(spans)),
    )


def _readable(model: Any, data: Any) -> Any:
    """Return an answer as the model reads it."""
    # A root model may take any JSON, also a text.
    is_model = (
        isinstance(model, type)
        and issubclass(model, BaseModel)
        and not issubclass(model, RootModel)
    )
    if isinstance(data, BaseModel):
        # What an instance leaves out or renames when it is dumped is part of the answer.
        is_answer = is_model and isinstance(data, model)
        return data if is_answer else data.model_dump(mode="json", by_alias=True)
    if not isinstance(data, str):
        return data
    text = json_text(data)
    if not is_model:
        return _parsed(data if text is None else text)
    required = [name for name, field in model.model_fields.items() if field.is_required()]
    # A sentence may begin with a bracket, such as that of a citation marker.
    is_object = text is not None and text.lstrip().startswith("{")
    if is_object or len(required) != 1:
        return data if text is None else text
    [name] = required
    return {key_of_field(name, model.model_fields[name], model.model_config): data}


def _parsed(text: str) -> Any:
    """Return the object or list that a text is as JSON, or the text itself."""
    try:
        value = from_json(text)
    except (ValueError, TypeError):  # a lone surrogate is a TypeError
        return text
    return value if isinstance(value, dict | list) else text


def _value(key: str, *places: Any) -> Any:
    for place in places:
        if isinstance(place, Mapping) and key in place:
            return place[key]
        if isinstance(place, BaseModel) and key in type(place).model_fields:
            return getattr(place, key)
    raise ContextError(
        f"Neither the inputs of the run nor its outputs beside the answer have the key {key!r}."
    )
