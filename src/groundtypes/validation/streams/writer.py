"""What is passed on of judged text, and the audit of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from groundtypes.errors import ContextError
from groundtypes.references import References
from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.markup import as_line, marked, noted
from groundtypes.validation.streams.nodes import OutlineLine
from groundtypes.validation.streams.omissions import Omissions, in_place_of, without_text_above
from groundtypes.validation.streams.outline import Outline
from groundtypes.validation.streams.spacing import Spacing
from groundtypes.validation.streams.stream_audits import GuardedSentence, StreamAudit
from groundtypes.validation.streams.text_units import Unit
from groundtypes.validators.line_errors import validation_error
from groundtypes.verdicts import Verdict

#: What happens to a sentence that fails.
OnFault: TypeAlias = Literal["mark", "drop", "note", "stop"]
#: The words of a mark or note, or a function that makes them of the verdicts that failed.
Notice: TypeAlias = str | Callable[[tuple[Verdict, ...]], str]

_NOTICES: Final[Mapping[str, str]] = {
    "mark": "[not supported by the sources]",
    "note": "[A statement was left out here: the sources do not support it.]",
}


class Writer:
    """Makes of judged parts what is passed on, and remembers it all."""

    def __init__(self, on_fault: OnFault, notice: Notice | None) -> None:
        self._on_fault = on_fault
        self._notice: Notice = notice if notice is not None else _NOTICES.get(on_fault, "")
        self._outline = Outline()
        self._omissions = Omissions()
        self._spacing = Spacing()
        self._given: list[str] = []
        self._passed: list[str] = []
        self._sentences: list[GuardedSentence] = []
        self.error: ValidationError | None = None

    def write(
        self, unit: Unit, parts: Sequence[Part], verdicts: Iterable[tuple[Verdict, ...]]
    ) -> str:
        """Return what is passed on of a unit; `error` is set if the stream stops in it.

        Raises:
            ContextError: The function that makes notices returns no text.
        """
        pieces: list[str] = []
        lines = self._outline.read(unit)
        starts = [line.start for line in lines]
        at = unit.start
        for part, judged in zip(parts, verdicts, strict=True):
            self._spacing.add(unit.text[at - unit.start : part.start - unit.start])
            at = part.end
            first = max(bisect_right(starts, part.start) - 1, 0)
            own = lines[first : bisect_left(starts, part.end)]
            sentence, kept = self._sentence(part, judged, own, is_last=part is parts[-1])
            self._sentences.append(sentence)
            if sentence.faults and self._on_fault == "stop":
                self._given.append(unit.text[: part.end - unit.start])
                self.error = validation_error(part.text, sentence.faults)
                return self._note_passed(pieces)
            pieces += self._spacing.before(sentence.passed, part, own, kept)
        self._spacing.add(unit.text[at - unit.start :])
        self._given.append(unit.text)
        return self._note_passed(pieces)

    def _sentence(
        self,
        part: Part,
        judged: tuple[Verdict, ...],
        lines: Sequence[OutlineLine],
        *,
        is_last: bool,
    ) -> tuple[GuardedSentence, Sequence[OutlineLine]]:
        """Return a part with its verdicts and what is passed on for it, and for which lines."""
        faults = tuple(verdict for verdict in judged if not verdict.ok)
        passed, cause = part.text, None
        if self._on_fault == "drop":
            judged = tuple(map(_dropped, judged))
            cause = self._omissions.cause_of(part, lines)
        is_first = not self._spacing.has_passed
        if not part.text:
            pass
        elif self._on_fault == "drop" and not faults and cause is None:
            passed = without_text_above(part, lines, is_first=is_first)
        elif self._on_fault == "drop":
            self._omissions.leave_out(part, lines, part.start if cause is None else cause)
            passed = ""
            if cause is None:
                passed, lines = in_place_of(part, lines, is_first=is_first, is_last=is_last)
        elif faults and self._on_fault == "stop":
            passed = ""
        elif faults and self._on_fault == "note":
            passed = noted(part, lines, self._words(faults))
            self._spacing.ends_with_notice = True
        elif faults and (words := self._words(faults)):
            passed, self._spacing.ends_with_paragraph = marked(part, lines, words)
            self._spacing.ends_with_notice = True
        return GuardedSentence(part.start, part.end, part.text, judged, passed, cause), lines

    def finish_once(self) -> str:
        """Return the white space at the end of the stream, the first time."""
        return self._note_passed([self._spacing.take_rest()])

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

    def _words(self, faults: tuple[Verdict, ...]) -> str:
        words: Any = self._notice(faults) if callable(self._notice) else self._notice
        if not isinstance(words, str):
            kind = "None" if words is None else f"an object of type {type(words).__name__}"
            raise ContextError(f"notice must return text for failing verdicts, not {kind}")
        return as_line(words)


def _dropped(verdict: Verdict) -> Verdict:
    return verdict if verdict.ok else replace(verdict, dropped=True)
