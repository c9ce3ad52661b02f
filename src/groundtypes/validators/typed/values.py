"""A number, date, time or length of time against the texts that must state it."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from groundtypes.errors import MarkerError, fault_message
from groundtypes.references import References, Span
from groundtypes.text.message_excerpts import clip, excerpt, in_quotation_marks
from groundtypes.validators.case import Case, held_value
from groundtypes.validators.typed.candidates import Source
from groundtypes.validators.typed.finding import Finding, Options
from groundtypes.validators.typed.numbers import exact, find_number
from groundtypes.validators.typed.times import find_time
from groundtypes.validators.typed.units import field_unit

_LONGEST_SHOWN: Final = 60
_TIMES: Final = (dt.date, dt.time, dt.timedelta)


class Fault(NamedTuple):
    """What is wrong with a value: the slug, and the message for an LLM."""

    slug: str
    message: str


class Lookup(NamedTuple):
    """How a value is looked up, apart from the value: the options of `Figures` as given."""

    texts: "Sequence[tuple[str, Span | None]] | None"
    place: str
    unit: str | None
    of: tuple[str, ...]
    within: Any
    bounds: bool


def judge_value(value: Any, lookup: Lookup, case: Case) -> tuple[Fault | None, Span | None]:
    """Return what is wrong with a value that is no text, and where it is stated."""
    source, shifts = _source(lookup, case)
    share, within = tolerance(lookup.within)
    options = Options(
        of=lookup.of,
        name=(case.field.name or "").replace("_", " "),
        within=within,
        is_share=share,
        bounds=lookup.bounds,
        is_positive=case.field.is_positive,
    )
    shown = _shown(value)
    if isinstance(value, _TIMES):
        finding = find_time(value, source, options)
    else:
        number = None if isinstance(value, bool) else exact(value)
        if number is None:
            slug = "value_is_bool" if isinstance(value, bool) else "value_not_finite"
            return _fault(slug, shown, Finding(slug), lookup), None
        unit = _unit(lookup, case)
        finding = find_number(number, source, field_unit(unit) if unit else None, options)
    span = None
    if finding.candidate is not None:
        span = source.span(finding.candidate)
        if shifts is not None:
            span = _shifted(span, shifts[finding.candidate.text])
    if finding.fault is None:
        return None, span
    return _fault(finding.fault, shown, finding, lookup), span


def tolerance(within: Any) -> tuple[bool, Fraction]:
    """Return whether a tolerance is a share, and what it is."""
    if isinstance(within, dt.timedelta) and within >= dt.timedelta():
        return False, Fraction(within // dt.timedelta(microseconds=1), 10**6)
    if isinstance(within, str) and within.strip().endswith("%"):
        try:
            share = Fraction(within.strip().removesuffix("%").strip()) / 100
        except (ValueError, ZeroDivisionError):
            share = Fraction(-1)
        if share >= 0:
            return True, share
    elif isinstance(within, int | float | Decimal | Fraction) and not isinstance(within, bool):
        number = exact(within)
        if number is not None and number >= 0:
            return False, number
    raise MarkerError(
        'within must be an amount in the unit of the field, a share such as "1%", or a timedelta, '
        f"not {clip(repr(within), 40)}"
    )


def _source(lookup: Lookup, case: Case) -> tuple[Source, list[Span | None] | None]:
    """Return the texts in which the value is looked up, and where each is from if it is a copy.

    A quote with a span is read where it stands, so that the words around it count.
    """
    if lookup.texts is None:
        return Source(case.references, lookup.place), None
    spans = [span for _, span in lookup.texts]
    if spans and all(spans):
        ids = case.references.ids
        windows: dict[int, list[tuple[int, int]]] = {}
        for span in filter(None, spans):
            if span.reference in ids:
                windows.setdefault(ids.index(span.reference), []).append((span.start, span.end))
        if windows:
            return Source(case.references, lookup.place, windows, is_quote=True), None
    texts = References.of([text for text, _ in lookup.texts])
    return Source(texts, lookup.place, is_quote=True), spans


def _shifted(span: Span, origin: Span | None) -> Span | None:
    if origin is None:
        return None
    return Span(origin.reference, origin.start + span.start, origin.start + span.end)


def _unit(lookup: Lookup, case: Case) -> str | None:
    """Return the unit of the field: the option, or what the sibling field of that name holds."""
    if lookup.unit is None or not case.has_field(lookup.unit):
        return lookup.unit
    held = held_value(case.sibling(lookup.unit))
    return None if held is None or not str(held).strip() else clip(str(held), _LONGEST_SHOWN)


def _shown(value: Any) -> str:
    shown = value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)
    return clip(shown, _LONGEST_SHOWN)


def _fault(template: str, shown: str, finding: Finding, lookup: Lookup) -> Fault:
    words = in_quotation_marks(finding.candidate.words) if finding.candidate else ""
    others = ", ".join(in_quotation_marks(each) for each in finding.others)
    if finding.write is not None:
        advice = f"In {lookup.place} it is {others}: write {finding.write}."
    elif others:
        advice = f"The nearest there: {others}. Write what stands there, or leave the field empty."
    else:
        advice = "Leave the field empty, or write what is stated."
    of = " and ".join(in_quotation_marks(excerpt(each, _LONGEST_SHOWN)) for each in lookup.of)
    return Fault(
        *fault_message(
            template,
            value=shown,
            place=lookup.place,
            words=words,
            others=others,
            of=of or "this field",
            advice=advice,
        )
    )
