"""`Audit`: the value, the verdicts and the faults of one answer."""

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from groundtypes.errors import Mistake
from groundtypes.references import References
from groundtypes.rounds.runner import AnswerRun
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Decision, Verdict

if TYPE_CHECKING:
    from groundtypes.validators.cited_statements import CitedStatement

_T_co = TypeVar("_T_co", covariant=True)
_ANYTHING: Final = TypeAdapter[Any](Any)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LABELS: Final = frozenset(label.value for label in Label)


@dataclass(frozen=True, slots=True)
class AuditSource:
    """What an answer was validated with, so that it can be validated again.

    The context holds engines, which are neither copied nor pickled; so the copy of an audit has no
    source.
    """

    model: Any
    context: Any
    strict: bool | None = None

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Copy and pickle as `None`."""
        return type(None), ()


@dataclass(frozen=True, slots=True)
class Audit(Generic[_T_co]):
    """Every verdict on one answer, passing ones too.

    Attributes:
        value: The validated instance, or `None` if the answer is at fault.
        verdicts: The verdicts in the order of the answer. Faults that Pydantic itself finds come
            last, as verdicts of the check `schema`. An item that was dropped
            (`on_fault="drop"`) leaves its failing verdict, marked `dropped`.
        error: The `ValidationError` that `verify` would raise, or `None`.
        mistake: Why the answer could not be judged, where `on_mistake="keep"`. Then there is
            neither a value nor a verdict, and the answer is not `ok`.
        given: The answer that was validated, before items were dropped; model instances appear as
            dicts, iterators as lists. The locations of the verdicts refer to it.
        references: The references of the context, or `None` if it has none.
        question: The question of the context, or `None` if it has none.
        source: The model and the context of the validation; `None` in a copy.
    """

    value: _T_co | None
    verdicts: tuple[Verdict, ...]
    error: ValidationError | None = None
    given: Any = field(default=None, repr=False, compare=False)
    references: References | None = field(default=None, repr=False, compare=False)
    question: str | None = field(default=None, repr=False, compare=False)
    source: AuditSource | None = field(default=None, repr=False, compare=False)
    mistake: Mistake | None = field(default=None, compare=False)

    @classmethod
    def of(cls, run: AnswerRun, model: Any, *, strict: bool | None = None) -> "Audit[Any]":
        """Return the audit of a finished run of this model whose verdicts were located."""
        return Audit(
            run.value,
            run.verdicts,
            run.error,
            given=run.given,
            references=run.state.references_or_none,
            question=run.state.question_or_none,
            source=AuditSource(model, run.state.context, strict),
            mistake=run.mistake,
        )

    @property
    def ok(self) -> bool:
        """Whether the answer is valid, apart from items that were dropped."""
        return self.error is None and self.mistake is None

    @property
    def decision(self) -> Decision:
        """What is to be done with the answer: "accept" it, "reject" it, or have a person "review".

        Verdicts that a review band decides (`calibrate(..., risk=...)`) count as it says, all
        others by whether they hold. One that is rejected rejects the answer; else one under review
        has the answer reviewed. What could not be judged is reviewed.
        """
        if self.mistake is not None:
            return "review"
        found = {
            verdict.decision or ("accept" if verdict.ok else "reject")
            for verdict in self.verdicts
            if not verdict.dropped
        }
        if "reject" in found or (self.error is not None and "review" not in found):
            return "reject"
        return "review" if "review" in found else "accept"

    @property
    def faults(self) -> tuple[Verdict, ...]:
        """The failing verdicts, those of dropped items included."""
        return tuple(verdict for verdict in self.verdicts if not verdict.ok)

    @property
    def shares(self) -> dict[str, dict[Label, float]]:
        """The share of each label among the sentences or claims that a check labelled, by check.

        For `Supported` this is RefChecker's distribution (arXiv:2405.14486).
        """
        labels: dict[str, list[str]] = {}
        for verdict in self.verdicts:
            if verdict.label in _LABELS:
                labels.setdefault(verdict.check, []).append(verdict.label)
        return {
            check: {label: values.count(label.value) / len(values) for label in Label}
            for check, values in labels.items()
        }

    def citations(self) -> "tuple[CitedStatement, ...]":
        """Return what the verdicts prove: each statement with its place in a reference.

        A sentence, claim or figure that a reference supports is a statement, and so is a quote,
        unless it entails a field beside it. Of a faulty answer, what holds is cited. The locations
        refer to `given`.
        """
        from groundtypes.report.judged_spans import judged_texts  # noqa: PLC0415 # the same
        from groundtypes.validators.cited_statements import (  # noqa: PLC0415 # rarely needed
            verified_citations,
        )

        return verified_citations(
            judged_texts(self.given, self.verdicts, self.references), self.references
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: `ok`, `value` and `verdicts`, as JSON can hold them.

        An answer that could not be judged has `judged`, which is false, and `error`, the reason.
        One of which a review band decides has its `decision`.
        """
        reason: dict[str, Any] = {}
        if self.mistake is not None:
            reason = {"judged": False, "error": str(self.mistake)}
        elif any(verdict.decision for verdict in self.verdicts):
            reason = {"decision": self.decision}
        return {
            "ok": self.ok,
            "value": _plain(self.value),
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            **reason,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text; a lone surrogate, which is no character, is an escape."""
        data = self.to_dict()
        text = json.dumps(data, ensure_ascii=False, indent=indent)
        return json.dumps(data, indent=indent) if _SURROGATE.search(text) else text

    def to_row(self) -> dict[str, Any]:
        """Return `to_dict` together with `answer`, `references` and `question`.

        `groundtypes report` reads such rows from a JSON Lines file.
        """
        references = self.references
        return {
            **self.to_dict(),
            "answer": _jsonable(self.given),
            "references": (
                None
                if references is None
                else dict(zip(references.ids, references.texts, strict=True))
            ),
            "question": self.question,
        }

    def to_html(self, *, title: str = "Audit") -> str:
        """Return an HTML page that shows the answer beside its references, with every verdict.

        It is one self-contained file; `groundtypes.report.Report` makes one of many audits.
        """
        from groundtypes.report import Report  # noqa: PLC0415 # only pages need it

        return Report([self], title=title).to_html()

    def _repr_html_(self) -> str:
        from groundtypes.report import Report  # noqa: PLC0415 # only pages need it

        return Report([self])._repr_html_()

    def __repr__(self) -> str:
        if self.mistake is not None:
            return f"<Audit not judged: {type(self.mistake).__name__}: {self.mistake}>"
        state = "ok" if self.ok else "faulty"
        lines = [f"<Audit {state}: {len(self.verdicts)} verdicts, {len(self.faults)} faults>"]
        lines += map(_line, self.verdicts)
        return "\n".join(lines)


def _line(verdict: Verdict) -> str:
    loc = ".".join(map(str, verdict.loc)) or "(answer)"
    text = verdict.label or "" if verdict.ok else f"{verdict.slug}: {verdict.message}"
    span = verdict.span
    where = f" [{span.reference}:{span.start}-{span.end}]" if span is not None else ""
    mark = "ok   " if verdict.ok else "drop " if verdict.dropped else "FAULT"
    return f"  {mark} {loc}  {verdict.check} {clip(text, 240)}{where}"


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it; U+FFFD stands for what is no UTF-8."""
    try:
        return to_jsonable_python(value, serialize_unknown=True)
    except UnicodeError:  # a lone surrogate, or bytes
        data = _ANYTHING.dump_python(value, warnings=False)
        return to_jsonable_python(_readable(data), serialize_unknown=True)


def _readable(data: Any) -> Any:
    """Return plain data with U+FFFD for every lone surrogate, and bytes as text."""
    if isinstance(data, bytes | bytearray):
        return bytes(data).decode(errors="replace")
    if isinstance(data, str):
        return _SURROGATE.sub("\ufffd", data)
    if isinstance(data, dict):
        return {_readable(key): _readable(value) for key, value in data.items()}
    return [_readable(item) for item in data] if isinstance(data, list | tuple | set) else data


def _jsonable(given: Any) -> Any:
    """Return the audited data as JSON can hold it; pages show it, and nobody reads it back."""
    try:
        return _plain(given)
    except ValueError:  # a cycle
        return clip(repr(given), 2_000)
