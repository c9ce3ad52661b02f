"""Verdicts as events `gen_ai.evaluation.result`.

The names are those of the semantic conventions for generative AI (status: development):
https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-events.md
`gen_ai.evaluation.target` is not among them; Pydantic Logfire groups evaluations by it. What they
have no name for begins with `groundtypes.`.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any, Final, NamedTuple

from groundtypes.backends.observing import ObservedCall, ObservedRun, Operation
from groundtypes.integrations.telemetry.fault_fields import schema_faults
from groundtypes.integrations.telemetry.texts import clean_text, code_text, model_name
from groundtypes.verdicts import Verdict

EVENT_NAME: Final = "gen_ai.evaluation.result"
#: How long an explanation is, in characters.
_MAX_EXPLANATION: Final = 2_000
_MAX_ID: Final = 128


class Event(NamedTuple):
    """One event: its attributes, a line for people, and whether it is an error."""

    attributes: dict[str, Any]
    body: str
    is_error: bool = False


class Judged(NamedTuple):
    """A verdict with what is needed to tell of it.

    Attributes:
        verdict: The verdict.
        check: The name of the check.
        field: The field, such as `Answer.quote`.
        slug: The error code of a fault.
        label: The label of the verdict.
    """

    verdict: Verdict
    check: str
    field: str
    slug: str | None
    label: str | None


def judged_verdicts(run: ObservedRun) -> Iterator[Judged]:
    """Yield the verdicts of the checks."""
    for call in run.calls():
        if not call.verdicts:
            continue
        field = code_text(call.group.field.label)
        # A check of somebody else's may take its words from a model or a server.
        text = code_text if _is_ours(call) else clean_text
        for verdict in call.verdicts:
            slug, label = verdict.slug, verdict.label
            yield Judged(
                verdict,
                text(verdict.check),
                field,
                text(slug) if slug else None,
                text(label) if label else None,
            )


def judged_schema(run: ObservedRun, operation: Operation) -> Iterator[Judged]:
    """Yield a verdict of the check `schema` for each fault that no check has found."""
    error: Any = run.error
    if error is not None:
        lines = error.errors(include_url=False, include_input=False)
        name = model_name(operation.model)
        for field, slug in schema_faults(lines, operation.model, operation.schema, name):
            yield Judged(Verdict(check="schema", ok=False, slug=slug), "schema", field, slug, None)


def _is_ours(call: ObservedCall) -> bool:
    return all(type(check).__module__.startswith("groundtypes.") for check in call.group.checks)


def verdict_event(judged: Judged, common: dict[str, Any], *, explained: bool) -> Event:
    """Return the event of a verdict.

    Args:
        judged: The verdict.
        common: The attributes of all events of the answer.
        explained: Whether the explanation is wanted, which quotes the answer and its references.
    """
    verdict = judged.verdict
    label = "pass" if verdict.ok else "fail"
    attributes: dict[str, Any] = {
        **common,
        "gen_ai.evaluation.name": judged.check,
        "gen_ai.evaluation.score.value": _score(verdict),
        "gen_ai.evaluation.score.label": label,
    }
    if judged.field:
        attributes["groundtypes.field"] = judged.field
    if judged.label is not None:
        attributes["groundtypes.label"] = judged.label
    if judged.slug is not None:
        attributes["groundtypes.slug"] = judged.slug
    if (threshold := _number(verdict.threshold)) is not None:
        attributes["groundtypes.threshold"] = threshold
    if verdict.dropped:
        attributes["groundtypes.dropped"] = True
    if explained and (parts := [part for part in (verdict.message, verdict.reason) if part]):
        explanation = clean_text("\n".join(parts), _MAX_EXPLANATION)
        attributes["gen_ai.evaluation.explanation"] = explanation
    return Event(attributes, f"{judged.check} {label}")


def _score(verdict: Verdict) -> float:
    """Return the score; for a check without scores, 1 if it holds, else 0."""
    score = _number(verdict.score)
    return float(bool(verdict.ok)) if score is None else score


def _number(value: object) -> float | None:
    """Return a finite number that can be exported; a check of somebody else's may give anything."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def error_events(run: ObservedRun, common: dict[str, Any], error: BaseException) -> Iterator[Event]:
    """Yield an event for each check that has no verdict, because of a mistake."""
    kind = code_text(type(error).__name__)
    for call in run.calls():
        if call.verdicts:
            continue
        for check in call.group.checks:
            name = code_text(check.name) if _is_ours(call) else clean_text(check.name)
            attributes = {
                **common,
                "gen_ai.evaluation.name": name,
                "groundtypes.field": code_text(call.group.field.label),
                "error.type": kind,
            }
            yield Event(attributes, f"{name} not judged: {kind}", is_error=True)


def common_attributes(model: str, response_id: str | None, row: int | None) -> dict[str, Any]:
    """Return the attributes of all events of an answer to a model, which may be one of many."""
    attributes: dict[str, Any] = {"gen_ai.evaluation.target": model}
    if response_id is not None:
        # A server may repeat a key anywhere.
        attributes["gen_ai.response.id"] = clean_text(response_id, _MAX_ID)
    if row is not None:
        attributes["groundtypes.row"] = row
    return attributes
