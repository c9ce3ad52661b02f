"""What an audit says of one answer: its value, its verdicts, its faults."""

import json
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from groundtypes.errors import clip
from groundtypes.references import References
from groundtypes.report import Report
from groundtypes.scoring import Label
from groundtypes.verdicts import Verdict

__all__ = ["Audit"]

_T_co = TypeVar("_T_co", covariant=True)
_LABELS: Final = frozenset(label.value for label in Label)


@dataclass(frozen=True, slots=True)
class Audit(Generic[_T_co]):
    """Every verdict on one answer, passing ones too.

    `value` is the validated instance, or `None` where the answer is faulty; `error` is the
    `ValidationError` that `verify` would raise. Faults that Pydantic itself finds are verdicts of
    the check `schema`. An item that was dropped (`on_fault="drop"`) leaves its failing verdict,
    marked `dropped`, and the answer is ok without it.

    What was judged is kept beside: `given` is the answer as it came, which the places of the
    verdicts count in; `references` and `question` are those of the context, where it holds any.
    """

    value: _T_co | None
    verdicts: tuple[Verdict, ...]
    error: ValidationError | None = None
    given: Any = field(default=None, repr=False, compare=False)
    references: References | None = field(default=None, repr=False, compare=False)
    question: str | None = field(default=None, repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the answer is valid."""
        return self.error is None

    @property
    def faults(self) -> tuple[Verdict, ...]:
        """The verdicts that do not hold, those of dropped items included."""
        return tuple(verdict for verdict in self.verdicts if not verdict.ok)

    @property
    def shares(self) -> dict[str, dict[Label, float]]:
        """Which share of the sentences or claims that a check labelled has each label, by check.

        Of `Supported` that is RefChecker's distribution.
        """
        labels: dict[str, list[str]] = {}
        for verdict in self.verdicts:
            if verdict.label in _LABELS:
                labels.setdefault(verdict.check, []).append(verdict.label)
        return {
            check: {label: found.count(label.value) / len(found) for label in Label}
            for check, found in labels.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: `ok`, `value` and `verdicts`, as JSON can hold them."""
        return {
            "ok": self.ok,
            "value": to_jsonable_python(self.value, serialize_unknown=True),
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def to_row(self) -> dict[str, Any]:
        """Return `to_dict` with what was judged: `answer`, `references` and `question`.

        Such rows, one a line, are what `groundtypes report` reads.
        """
        references = self.references
        return {
            **self.to_dict(),
            "answer": _plain(self.given),
            "references": (
                None
                if references is None
                else dict(zip(references.ids, references.texts, strict=True))
            ),
            "question": self.question,
        }

    def to_html(self, *, title: str = "Audit") -> str:
        """Return a page that shows the answer beside its references, with every verdict.

        It is one file that opens from disk; `groundtypes.report.Report` makes one of many audits.
        """
        return Report([self], title=title).to_html()

    def _repr_html_(self) -> str:
        return Report([self])._repr_html_()

    def __repr__(self) -> str:
        head = f"<Audit {'ok' if self.ok else 'faulty'}: {len(self.verdicts)} verdicts, "
        lines = [f"{head}{len(self.faults)} faults>"]
        for verdict in self.verdicts:
            place = ".".join(map(str, verdict.loc)) or "(answer)"
            found = verdict.label or "" if verdict.ok else f"{verdict.slug}: {verdict.message}"
            span = verdict.span
            where = f" [{span.reference}:{span.start}-{span.end}]" if span is not None else ""
            mark = "ok   " if verdict.ok else "drop " if verdict.dropped else "FAULT"
            lines.append(f"  {mark} {place}  {verdict.check} {clip(found, 240)}{where}")
        return "\n".join(lines)


def _plain(given: Any) -> Any:
    """Return what was judged as JSON can hold it; a page shows it, and nobody reads it back."""
    if isinstance(given, bytes | bytearray):
        return bytes(given).decode(errors="replace")
    try:
        return to_jsonable_python(given, serialize_unknown=True)
    except ValueError:  # bytes that are no text, or a cycle
        return clip(repr(given), 2_000)
