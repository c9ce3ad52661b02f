"""`Figures`: the references support every number, date and quantity of a text, or state a value."""

import datetime as dt
import numbers
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from typing import Any, ClassVar, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from groundtypes.errors import MarkerError, fault_message
from groundtypes.figures.figure import Figure
from groundtypes.figures.outcomes import Finding, Outcome, find_outcomes, nearest_figures
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import excerpt, in_quotation_marks
from groundtypes.validators.case import Case, held_value
from groundtypes.validators.check import Check
from groundtypes.validators.marked_field import MarkedField
from groundtypes.validators.option_values import check_flags, sibling_names
from groundtypes.validators.typed.schemas import (
    BUILT_IN_NUMBERS,
    MEASURED_SCHEMAS,
    kinds_of_items,
    without_bools,
)
from groundtypes.validators.typed.values import Lookup, judge_value, tolerance
from groundtypes.verdicts import Verdict

#: More faults in one value would tell an LLM nothing new.
_MAX_FAULTS: Final = 50
#: What an engine that reads the references can deny.
_DOUBTFUL: Final = (Outcome.DERIVED, Outcome.BOUNDED, Outcome.POSSIBLE)


@dataclass(frozen=True, slots=True)
class Figures(Check):
    """Holds when the references support every figure in the text, with the same number and unit.

    A figure is a number, a quantity, an amount of money, a date, a time or an identifier such as
    GPT-4, in digits or in English words. "1.2 thousand" is 1,200, and 5 km are 5,000 m. "about"
    in the value allows for rounding, "more than" for larger figures. A figure may also be one step
    of arithmetic away ("25 EUR cheaper"), count what is listed, or repeat a bound as a value; the
    `reason` of its verdict says so.

    A field that is a number, a date, a time or a length of time holds when its value is stated, as
    it is; nothing is computed. The items of a list, tuple, set or mapping are judged one by one.

    Args:
        by: The sibling field that must contain the figures, or several; they hold a text, a list
            of texts, or `None`. By default the references of the context must.
        unit: The unit of a number: "EUR", "million USD", "mg/dL", "%", "tablets", "1" for a share,
            or the name of a sibling field that holds it. By default any unit will do.
        of: What it is a value of, such as "net revenue", or several ("net revenue", "2023"): the
            nearest label, row, column or clause must be that.
        within: By how much it may be off: an amount in the unit of the field, a share such as
            "1%", or a `timedelta`.
        bounds: Accept a value that is stated as a bound ("up to 5") or as the end of a range. A
            field whose name says so ("max_users") takes the bound in any case.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    by: str | Sequence[str] | None = None
    _: KW_ONLY
    unit: str | None = None
    of: str | Sequence[str] | None = None
    within: int | float | Decimal | str | dt.timedelta = 0
    bounds: bool = False

    accepts: ClassVar[frozenset[str]] = MEASURED_SCHEMAS | {"str"}

    def __post_init__(self) -> None:
        names = sibling_names(self.by)
        if self.by is not None and not isinstance(self.by, str):
            object.__setattr__(self, "by", names)  # a list would make the marker unhashable
        if self.of is not None:
            of = (self.of,) if isinstance(self.of, str) else tuple(self.of)
            if not of or not all(isinstance(each, str) and each.strip() for each in of):
                raise MarkerError('of must be a text such as "net revenue", or several')
            object.__setattr__(self, "of", of)
        if self.unit is not None and not (isinstance(self.unit, str) and self.unit.strip()):
            raise MarkerError('unit must be a text such as "EUR", or the name of a field')
        tolerance(self.within)
        check_flags(bounds=self.bounds, describe=self.describe)

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        if self.unit is not None or self.of is not None:
            what = " and ".join(self.of or ()) or "this"
            unit = f" in {self.unit}" if self.unit else ""
            return f"State {what}{unit}, as it stands in {self._where}."
        return f"Use only numbers, dates and units that stand in {self._where}."

    @property
    def siblings(self) -> Sequence[str]:
        """The fields that must contain the figures."""
        return sibling_names(self.by)

    @property
    def _where(self) -> str:
        return f"the field {' or '.join(self.siblings)}" if self.siblings else "the references"

    def judge(self, value: Any, case: Case) -> list[Verdict]:
        """Look up each figure of a text, or a value that is no text."""
        if not isinstance(value, str):
            return [self._judge_value(value, case)]
        value = case.without_markers(value)
        texts = self._sibling_texts(case)
        if texts is None:
            references, question = case.references, case.question
        else:
            references, question = References.of([str(text) for text in texts]), None
        found = find_outcomes(value, references, question)
        findings = {finding.figure.text: finding for finding in found}
        refused = _refused_by_reader(value, list(findings.values()), references, case)
        verdicts: list[Verdict] = []
        faults = 0
        for text, finding in findings.items():
            if finding.outcome is not Outcome.ABSENT and text not in refused:
                verdicts.append(self._support(finding, texts, case))
            elif faults < _MAX_FAULTS:
                faults += 1
                verdicts.append(self._fault(finding.figure, references))
        return verdicts or [self.holds(label="none")]

    def _sibling_texts(self, case: Case) -> list[str] | None:
        if not self.siblings:
            return None
        return [text for name in self.siblings for text in _texts(case.sibling(name), name)]

    def _judge_value(self, value: Any, case: Case) -> Verdict:
        held = self._sibling_texts(case)
        texts: list[tuple[str, Span | None]] | None = None
        if held is not None:
            texts = [(str(text), getattr(text, "span", None)) for text in held]
        of = tuple(self.of or ())
        lookup = Lookup(texts, self._where, self.unit, of, self.within, self.bounds)
        fault, span = judge_value(value, lookup, case)
        label = type(value).__name__
        if fault is None:
            return self.holds(label=label, score=1.0, span=span)
        return self.fails(fault.slug, fault.message, label=label, score=0.0, span=span)

    def _reads_items(self, schema: CoreSchema, handler: GetCoreSchemaHandler) -> bool:
        return frozenset(kinds_of_items(schema, handler)) <= MEASURED_SCHEMAS

    def _schema_of_value(self, schema: CoreSchema, kinds: frozenset[str]) -> CoreSchema:
        return without_bools(schema) if kinds <= BUILT_IN_NUMBERS else schema

    def _reject_wrong_type(self, kinds: frozenset[str], source: Any, field: MarkedField) -> None:
        Check._reject_wrong_type(self, kinds, source, field)  # noqa: SLF001 # no super() with slots
        typed = self.unit is not None or self.of is not None or self.within or self.bounds
        if typed and "str" in kinds:
            raise MarkerError(
                f"{self._described_in(field)}: unit, of, within and bounds are for numbers, dates "
                "and times. The figures of a text say their units themselves."
            )
        if isinstance(self.within, dt.timedelta) and kinds and kinds <= {"int", "float", "decimal"}:
            raise MarkerError(
                f"{self._described_in(field)}: within is a timedelta, which is for dates and times."
            )

    def _support(self, finding: Finding, texts: Sequence[str] | None, case: Case) -> Verdict:
        """Return the verdict of a figure that holds; its reason says how it is supported."""
        span, reason = finding.span, None
        if finding.outcome is not Outcome.STATED:
            reason = f"{finding.outcome}: {finding.step}"
        if texts is not None and span is not None:
            span = _original_span(span, texts[int(span.reference)], case)
        return self.holds(label=finding.figure.kind, score=1.0, span=span, reason=reason)

    def _fault(self, figure: Figure, references: References) -> Verdict:
        nearest = ", ".join(
            in_quotation_marks(text) for text in nearest_figures(figure, references)
        )
        template = "figure_unsupported" if nearest else "figure_unsupported_alone"
        slug, message = fault_message(
            template, figure=excerpt(figure.text, 60), place=self._where, nearest=nearest
        )
        return self.fails(slug, message, label=figure.kind, score=0.0)


def _refused_by_reader(
    value: str, findings: Sequence[Finding], references: References, case: Case
) -> set[str]:
    """Return the figures whose sentences an engine that reads whole texts does not find entailed.

    It has the last word on what is derived, bounded otherwise or only possible; without one, what
    is only possible is refused. Its questions are those of `Entailed` on the same text, so that
    both together cost no more than one.
    """
    doubtful = [finding for finding in findings if finding.outcome in _DOUBTFUL]
    reader = case.reader if doubtful else None
    if reader is None:
        return {one.figure.text for one in doubtful if not one.outcome.holds}
    from groundtypes.entailment.decision import decide_entailment  # noqa: PLC0415 # slow to load
    from groundtypes.entailment.questions import build_questions  # noqa: PLC0415 # the same

    starts = {finding.figure.text: finding.figure.start for finding in doubtful}
    questions = [
        question
        for question in build_questions(value, references, case.question)
        if any(question.hypothesis.start <= at < question.hypothesis.end for at in starts.values())
    ]
    entailments = decide_entailment(
        questions, reader, case.ask, case.threshold(), finds_evidence=False
    )
    return {
        text
        for question, entailment in zip(questions, entailments, strict=True)
        for text, at in starts.items()
        if question.hypothesis.start <= at < question.hypothesis.end
        and entailment.label is not Label.ENTAILMENT
    }


def _original_span(span: Span, text: str, case: Case) -> Span | None:
    """Return where in a reference a part of a quote is, if that is known."""
    quoted = getattr(text, "span", None)
    if not isinstance(quoted, Span):
        return None
    start, end = quoted.start + span.start, quoted.start + span.end
    has_place = quoted.page is not None or quoted.place is not None
    if not has_place or quoted.reference not in case.references:
        return Span(quoted.reference, start, end)
    return case.references.span(quoted.reference, start, end)


def _texts(value: Any, name: str) -> Iterator[str]:
    """Yield the texts of a sibling field."""
    value = held_value(value)
    if value is None:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, numbers.Number | Decimal | dt.date | dt.time):
        yield str(value)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _texts(item, name)
    else:
        raise MarkerError(
            f"Figures reads the field {name!r}, which holds a {type(value).__name__}: it must be "
            "text, a number, a date, a list of these, or None."
        )
