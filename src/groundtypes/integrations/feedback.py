"""Audits as feedback: what platforms of evaluation store of an answer, one score for each check.

LangSmith and openevals take dictionaries with `key`, `score` and `comment`, and call evaluators
with the inputs and outputs of a run. Nothing of them is imported here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from groundtypes.errors import ContextError
from groundtypes.judges import Judges, judges_for
from groundtypes.references import Span
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.one_answer import audit
from groundtypes.verdicts import Verdict

_LONGEST: Final = 4_000


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one check says of an answer.

    Attributes:
        key: The name of the check; `schema` for what Pydantic itself found.
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


def feedback_of(audited: Audit[Any]) -> list[Feedback]:
    """Return the feedback of each check of an answer, in the order of their first verdicts.

    Raises:
        Mistake: The answer could not be judged: that is no feedback on it.
    """
    if audited.mistake is not None:
        raise audited.mistake
    checks: dict[str, list[Verdict]] = {}
    for verdict in audited.verdicts:
        checks.setdefault(verdict.check, []).append(verdict)
    return [_feedback(name, verdicts) for name, verdicts in checks.items()]


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


def evaluator(
    model: Any,
    *,
    references: str | Callable[[Mapping[str, Any], Mapping[str, Any]], Any] = "references",
    answer: str | None = None,
    question: str | None = None,
    judges: Judges | str | None = None,
) -> Callable[..., dict[str, Any]]:
    """Return an evaluator for LangSmith: it audits the outputs of a run.

    Args:
        model: The answer model.
        references: The key of the outputs, or else of the inputs, with the references; or a
            function that returns them for inputs and outputs.
        answer: The key of the outputs with the answer; by default all of them are the answer.
        question: The key of the inputs with the user's question.
        judges: The engines, or the name of an NLI engine.

    Examples:
        >>> from groundtypes import Quote
        >>> from pydantic import create_model
        >>> grounded = evaluator(create_model("Answer", quote=(Quote, ...)))
        >>> found = grounded({"references": ["It is tall."]}, {"quote": "It is wide"})
        >>> [(each["key"], each["score"]) for each in found["results"]]
        [('Quoted', 0.0)]

    Raises:
        ContextError: When it is called: a key is missing.
        Mistake: When it is called: the answer cannot be judged.
    """

    def evaluate(inputs: Mapping[str, Any], outputs: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        read = references if callable(references) else partial(_named, references)
        context: dict[str, Any] = {"references": read(inputs, outputs)}
        if question is not None:
            context["question"] = _value(question, inputs)
        if (chosen := judges_for(model, judges)) is not None:
            context["judges"] = chosen
        data = outputs if answer is None else _value(answer, outputs)
        results = [each.to_dict() for each in feedback_of(audit(model, data, context=context))]
        return {"results": results}

    return evaluate


def _named(key: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    return _value(key, outputs, inputs)


def _value(key: str, *mappings: Mapping[str, Any]) -> Any:
    for mapping in mappings:
        if key in mapping:
            return mapping[key]
    raise ContextError(f"Neither inputs nor outputs of the run have the key {key!r}.")
