"""Verdicts as events `gen_ai.evaluation.result`, whose texts are bounded and without secrets.

The names are those of the semantic conventions for generative AI (status: development):
https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-events.md
`gen_ai.evaluation.target` is not among them; Pydantic Logfire groups evaluations by it. What they
have no name for begins with `groundtypes.`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from math import isfinite
from typing import Any, Final, NamedTuple

from groundtypes.backends.observing import ObservedCall, ObservedRun
from groundtypes.backends.redaction import redact_pieces
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.core_schemas import schema_parts
from groundtypes.verdicts import Verdict

EVENT_NAME: Final = "gen_ai.evaluation.result"
CHECK: Final = "gen_ai.evaluation.name"
LABEL: Final = "gen_ai.evaluation.score.label"
MODEL: Final = "gen_ai.evaluation.target"
ERROR: Final = "error.type"
#: How long explanations, ids and names are, in characters.
_MAX_EXPLANATION: Final = 2_000
_MAX_ID: Final = 128
_MAX_NAME: Final = 80
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: Where the schema of a class has its name, by its type.
_NAMES: Final = {
    "model-fields": "model_name",
    "dataclass-args": "dataclass_name",
    "typed-dict": "cls_name",
}


class Judged(NamedTuple):
    """A verdict, with the name of its check, its field (such as `Answer.quote`), slug and label."""

    verdict: Verdict
    check: str
    field: str
    slug: str | None
    label: str | None

    @property
    def outcome(self) -> str:
        """`pass` or `fail`."""
        return "pass" if self.verdict.ok else "fail"


@lru_cache(maxsize=4096)
def code_text(text: str) -> str:
    """Return a word that stands in somebody's program, such as a slug or the name of a field."""
    return _encodable(clip(text, _MAX_NAME))


def clean_text(text: str, limit: int = _MAX_NAME) -> str:
    """Return what may come from a model, a server or a user, without the secrets in it."""
    return _encodable(clip(redact_pieces(text), limit))


def _encodable(text: str) -> str:
    """Return the text with U+FFFD for lone surrogates, with which no record can be exported."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def model_name(model: Any) -> str:
    """Return the name of what answers are validated by."""
    if isinstance(model, str):
        return code_text(model)
    model = getattr(model, "_type", model)  # of a TypeAdapter
    if hasattr(model, "__metadata__"):  # Annotated
        model = model.__origin__
    # The parameters of a generic alias may be markers with long rules.
    arguments: Iterable[Any] = getattr(model, "__args__", ())
    name = getattr(model, "__name__", None) or type(model).__name__
    named = [part.__name__ for part in arguments if isinstance(part, type)]
    return code_text(f"{name}[{', '.join(named)}]" if named and "[" not in name else name)


def judged_verdicts(run: ObservedRun) -> list[Judged]:
    """Return the verdicts of the checks."""
    found = []
    for call in run.calls():
        # A check of somebody else's may take its words from a model or a server.
        text = code_text if _is_ours(call) else clean_text
        for verdict in call.verdicts:
            field = code_text(call.group.field.label)
            slug, label = (text(word) if word else None for word in (verdict.slug, verdict.label))
            found.append(Judged(verdict, text(verdict.check), field, slug, label))
    return found


def judged_schema(
    run: ObservedRun, model: str, declared: Callable[[], Mapping[Any, str]]
) -> list[Judged]:
    """Return a verdict of the check `schema` for each fault that no check has found.

    Its field is the innermost of its location that is declared, or the model. A location may have
    words of the answer: an unknown key, or the key of a mapping. They would be text of the user,
    and a metric would get a new series for each.
    """
    found = []
    for line in run.error.errors(include_url=False, include_input=False):
        if "check" not in line.get("ctx", ()):
            labels = declared()
            field = next((labels[step] for step in reversed(line["loc"]) if step in labels), model)
            slug = code_text(line["type"])
            verdict = Verdict(check="schema", ok=False, slug=slug)
            found.append(Judged(verdict, "schema", field, slug, None))
    return found


def _is_ours(call: ObservedCall) -> bool:
    return all(type(check).__module__.startswith("groundtypes.") for check in call.group.checks)


def common_attributes(model: str, response_id: str | None, row: int | None) -> dict[str, Any]:
    """Return the attributes of all events of an answer to a model, which may be one of many."""
    # A server may repeat a key anywhere.
    id_ = None if response_id is None else clean_text(response_id, _MAX_ID)
    return _present({MODEL: model, "gen_ai.response.id": id_, "groundtypes.row": row})


def verdict_attributes(judged: Judged, *, explained: bool) -> dict[str, Any]:
    """Return the attributes of a verdict; its explanation quotes the answer and its references."""
    verdict = judged.verdict
    score = _number(verdict.score)
    explanation = None
    if explained and (parts := [part for part in (verdict.message, verdict.reason) if part]):
        explanation = clean_text("\n".join(parts), _MAX_EXPLANATION)
    return _present(
        {
            CHECK: judged.check,
            # For a check without scores, 1 if it holds, else 0.
            "gen_ai.evaluation.score.value": float(bool(verdict.ok)) if score is None else score,
            LABEL: judged.outcome,
            "groundtypes.field": judged.field or None,
            "groundtypes.label": judged.label,
            "groundtypes.slug": judged.slug,
            "groundtypes.threshold": _number(verdict.threshold),
            "groundtypes.dropped": verdict.dropped or None,
            "gen_ai.evaluation.explanation": explanation,
        }
    )


def unjudged_attributes(run: ObservedRun, error: BaseException) -> Iterator[dict[str, Any]]:
    """Yield the attributes of each check that has no verdict, because of a mistake."""
    kind = code_text(type(error).__name__)
    for call in run.calls():
        for check in () if call.verdicts else call.group.checks:
            name = code_text(check.name) if _is_ours(call) else clean_text(check.name)
            yield {CHECK: name, "groundtypes.field": code_text(call.group.field.label), ERROR: kind}


def _present(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def _number(value: object) -> float | None:
    """Return a finite number that can be exported; other checks may give anything."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


# --- the fields of faults that Pydantic itself has found -----------------------------------------


def declared_fields(schema: Any) -> Mapping[Any, str]:
    """Return the names and aliases of all fields in a schema, each with its label.

    That is `Fact.quote`, or only `quote` if several classes have such a field.
    """
    labels: dict[Any, str] = {}
    for part in schema_parts(schema):
        key = _NAMES.get(str(part.get("type")))
        if key is None:
            continue
        owner = part.get(key)
        if owner is None and "cls" in part:
            owner = part["cls"].__name__
        for name, field in _named(part.get("fields")):
            label = code_text(f"{owner}.{name}" if owner else name)
            for alias in (name, *_aliases(field.get("validation_alias"))):
                if labels.setdefault(alias, label) != label:
                    labels[alias] = code_text(name)
    return labels


def _named(fields: Any) -> Iterable[tuple[str, Mapping[str, Any]]]:
    if isinstance(fields, Mapping):
        return fields.items()
    return [(field["name"], field) for field in fields or ()]


def _aliases(alias: Any) -> Iterator[str]:
    """Yield the names in an alias: a name, a path of names and positions, or several of both."""
    if isinstance(alias, str):
        yield alias
    elif isinstance(alias, list):
        for step in alias:
            yield from _aliases(step)
