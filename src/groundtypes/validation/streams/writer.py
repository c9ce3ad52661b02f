"""What is passed on of judged text, and the audit of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from groundtypes.errors import ContextError
from groundtypes.references import References
from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.markup import Place, as_line, in_place_of, marked, noted
from groundtypes.validation.streams.omissions import Omissions
from groundtypes.validation.streams.spacing import Spacing
from groundtypes.validation.streams.stream_audits import GuardedSentence, StreamAudit
from groundtypes.validation.streams.text_units import Unit
from groundtypes.validators.line_errors import validation_error
from groundtypes.verdicts import Verdict

#: What happens to a sentence that fails.
OnFault: TypeAlias = Literal["mark", "drop", "note", "stop"]
#: The words of a mark or note, or a function that makes them of the verdicts that failed.
Notice: TypeAlias = str | Callable[[tuple[Verdict, ...]], str]

#: So much of a line says what it is.
_LINE_START: Final = 100
_NOTICES: Final[Mapping[str, str]] = {
    "mark": "[not supported by the sources]",
    "note": "[A statement was left out here: the sources do not support it.]",
}


class Writer:
    """Makes of judged parts what is passed on, and remembers it all."""

    def __init__(self, on_fault: OnFault, notice: Notice | None) -> None:
        self._on_fault = on_fault
        self._notice: Notice = notice if notice is not None else _NOTICES.get(on_fault, "")
        self._omissions = Omissions()
        self._spacing = Spacing()
        #: The text of the stream since its last line break, as far as it says what the line is.
        self._line = ""
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
        at = 0
        for part, judged in zip(parts, verdicts, strict=True):
            start, end = part.start - unit.start, part.end - unit.start
            self._spacing.add(unit.text[at:start])
            self._follow(unit.text[at:start])
            at = end
            place = Place.of(self._line, part)
            self._follow(part.text)
            sentence, has_notice = self._sentence(part, judged, place)
            self._sentences.append(sentence)
            if sentence.faults and self._on_fault == "stop":
                self._given.append(unit.text[:end])
                self.error = validation_error(part.text, sentence.faults)
                return self._note_passed(pieces)
            if sentence.passed:
                pieces += self._spacing.before(sentence.passed, part, place, has_notice=has_notice)
            else:
                self._spacing.leave_out(part, place)
        self._spacing.add(unit.text[at:])
        self._follow(unit.text[at:])
        self._given.append(unit.text)
        return self._note_passed(pieces)

    def _follow(self, text: str) -> None:
        """Note what the beginning of the line is in which the next text of the stream stands."""
        newline = text.rfind("\n")
        line = text if newline >= 0 else self._line + text
        self._line = line[newline + 1 :][:_LINE_START]

    def _sentence(
        self, part: Part, judged: tuple[Verdict, ...], place: Place
    ) -> tuple[GuardedSentence, bool]:
        """Return a part with its verdicts and what passes for it, and whether that has a notice."""
        faults = tuple(verdict for verdict in judged if not verdict.ok)
        passed, cause, has_notice = part.text, None, False
        if self._on_fault == "drop":
            judged = tuple(map(_dropped, judged))
            cause = self._omissions.cause_of(part, place, fails=bool(faults))
            if cause is not None or faults:
                is_sign = cause is None and self._spacing.has_passed
                passed = in_place_of(part, place) if is_sign else ""
        elif faults and self._on_fault == "stop":
            passed = ""
        elif faults and part.text:
            words = self._words(faults)
            has_notice = bool(words)
            if self._on_fault == "note":
                passed = noted(part, place, words)
            elif words:
                passed = marked(part, words)
        sentence = GuardedSentence(part.start, part.end, part.text, judged, passed, cause)
        return sentence, has_notice

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
