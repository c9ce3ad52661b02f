"""What is passed on of judged text, and the audit of it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from groundtypes.references import References
from groundtypes.streams.audits import GuardedSentence, StreamAudit
from groundtypes.streams.parts import Part
from groundtypes.streams.units import Unit
from groundtypes.text.layout import BlockKind
from groundtypes.validators.line_errors import validation_error
from groundtypes.verdicts import Verdict

__all__ = ["Notice", "OnFault", "Writer"]

#: What happens to a sentence that fails.
OnFault: TypeAlias = Literal["mark", "drop", "note", "stop"]
#: The words of a mark or note, or a function that makes them of the verdicts that failed.
Notice: TypeAlias = str | Callable[[tuple[Verdict, ...]], str]

_NOTICES: Final[Mapping[str, str]] = {
    "mark": "[not supported by the sources]",
    "note": "[A statement was left out here: the sources do not support it.]",
}
_LAST_LINE: Final = re.compile(r"[^\n]*\Z")


class Writer:
    """Makes of judged parts what is passed on, and remembers it all."""

    def __init__(self, on_fault: OnFault, notice: Notice | None) -> None:
        self._on_fault = on_fault
        self._notice: Notice = notice if notice is not None else _NOTICES.get(on_fault, "")
        #: White space before the next part.
        self._gap = ""
        #: Whether the part before the white space was left out.
        self._after_drop = False
        #: White space since the last part, if that was left out; else `None`.
        self._tail: str | None = None
        self._given: list[str] = []
        self._passed: list[str] = []
        self._sentences: list[GuardedSentence] = []
        self.error: ValidationError | None = None

    def write(
        self, unit: Unit, parts: Iterable[Part], verdicts: Iterable[tuple[Verdict, ...]]
    ) -> str:
        """Return what is passed on of a unit; `error` is set if the stream stops in it."""
        pieces: list[str] = []
        at = unit.start
        for part, judged in zip(parts, verdicts, strict=True):
            self._add_gap(unit.text[at - unit.start : part.start - unit.start])
            at = part.end
            faults = tuple(verdict for verdict in judged if not verdict.ok)
            passed = part.text if not faults else self._instead(part, faults)
            noted = tuple(map(_dropped, judged)) if self._on_fault == "drop" else judged
            self._sentences.append(GuardedSentence(part.start, part.end, part.text, noted, passed))
            if faults and self._on_fault == "stop":
                self._given.append(unit.text[: part.end - unit.start])
                self.error = validation_error(part.text, faults)
                return self._note_passed(pieces)
            if passed:
                pieces += (self._gap, passed)
                self._gap = ""
            self._after_drop = not passed
            self._tail = None if passed else ""
        self._add_gap(unit.text[at - unit.start :])
        self._given.append(unit.text)
        return self._note_passed(pieces)

    def finish_once(self) -> str:
        """Return the white space at the end of the stream, the first time."""
        gap = self._gap if self._tail is None else self._tail
        self._gap = self._tail = ""
        return self._note_passed([gap])

    def audit(
        self, references: References | None, question: str | None, *, complete: bool
    ) -> StreamAudit:
        """Return the audit of what has been written so far."""
        given, passed = "".join(self._given), "".join(self._passed)
        verdicts = tuple(verdict for each in self._sentences for verdict in each.verdicts)
        # Where nothing is left of a text, there is nothing that holds.
        is_left = any(map(str.isalnum, passed))
        faults = [each for each in verdicts if not each.ok and not (each.dropped and is_left)]
        return StreamAudit(
            None if faults else passed,
            verdicts,
            validation_error(given, faults) if faults else None,
            given=given,
            references=references,
            question=question,
            sentences=tuple(self._sentences),
            passed=passed,
            complete=complete,
        )

    def _note_passed(self, pieces: list[str]) -> str:
        text = "".join(pieces)
        if text:
            self._passed.append(text)
        return text

    def _add_gap(self, gap: str) -> None:
        """Add white space; where a part was left out, that on one side of it is enough."""
        if self._tail is not None:
            self._tail += gap
        if not self._after_drop or not gap:
            self._gap += gap
            return
        self._after_drop = False
        if not self._passed and not self._gap:
            return  # nothing has been passed on; the text begins with what comes now
        before = self._gap.count("\n")
        if gap.count("\n") >= before:
            self._gap = gap
        elif "\n" in gap:  # fewer lines, but the indentation of what follows
            line = _LAST_LINE.search(gap)
            head = self._gap[: self._gap.rindex("\n") + 1]
            self._gap = head + (line[0] if line else "")

    def _instead(self, part: Part, faults: tuple[Verdict, ...]) -> str:
        """Return what is passed on instead of a part that fails."""
        if self._on_fault in ("drop", "stop") or not part.text:
            return ""
        notice = self._words(faults)
        row = part.kind is BlockKind.ROW
        if self._on_fault == "note":
            if row:
                return f"| {notice} |"
            return part.text[: part.body - part.start] + notice
        if row and part.text.endswith("|"):
            return f"{part.text[:-1].rstrip()} {notice} |"
        return f"{part.text}\n\n{notice}" if part.kind is None else f"{part.text} {notice}"

    def _words(self, faults: tuple[Verdict, ...]) -> str:
        words: Any = self._notice(faults) if callable(self._notice) else self._notice
        return str(words)


def _dropped(verdict: Verdict) -> Verdict:
    return verdict if verdict.ok else replace(verdict, dropped=True)
