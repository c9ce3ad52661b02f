"""Figures that references do not state, but from which one step of arithmetic makes them.

Of thirty numbers two can be found that make nearly any other. So a step counts only where it is
unlikely to hit by chance: of the figures that might as well have been written, such as 45 and 47
instead of 46, few may be made in the same way. Figures of the statement's own words come first,
then those of the passages that share most words with it, then all others.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, groupby
from typing import Final

from groundtypes.figures.cell_figures import LocatedFigure
from groundtypes.figures.dates import coarser
from groundtypes.figures.figure import Comparison, Figure, Number, Reading, Value
from groundtypes.figures.index import FigureLocation, tolerance_of
from groundtypes.figures.steps import (
    PLAIN,
    SHARE,
    Operand,
    Result,
    completed_dates,
    conversions,
    results,
)
from groundtypes.text.bm25 import LexicalIndex
from groundtypes.text.layout import BlockKind
from groundtypes.text.sentences import Segment, segments


def _unbroken(parts: Sequence[Segment], figures: Sequence[LocatedFigure]) -> list[Segment]:
    """Return the passages, joined where one ends inside a figure, as at "48 тыс. ₽"."""
    joined: list[Segment] = []
    ends = [figure.end for figure in figures]
    for part in parts:
        at = bisect_left(ends, part.start + 1)
        if joined and at < len(ends) and figures[at].start < joined[-1].end:
            joined[-1] = replace(joined[-1], end=part.end)
        else:
            joined.append(part)
    return joined


#: Marks that end what one enumeration is in.
_CLAUSE_END: Final = re.compile(r"[.:;!?()\[\]\u2014\u3002\uff1a\uff1b](?=\s|\Z)|\s[-\u2013]\s")
#: What stands between two parts of an enumeration.
_SEPARATOR: Final = re.compile(
    r"(?:,\s+|;\s+|\u3001|\uff0c|\u060c\s*)(?:(?:and|or)\s+)?|\s+(?:and|or|&|plus)\s+",
    re.IGNORECASE,
)


def listed_in_words(passage: str) -> Iterator[int]:
    """Yield how many parts each enumeration of a passage has."""
    for clause in _CLAUSE_END.split(passage):
        parts = len(_SEPARATOR.findall(clause)) + 1
        if parts > 1:
            yield parts


def _listed_in_layout(segments: Iterable[Segment]) -> Iterator[int]:
    for kind, group in groupby(segments, key=lambda segment: segment.kind):
        count = sum(1 for _ in group)
        if kind is BlockKind.ITEM:
            yield count
        elif kind is BlockKind.ROW:
            yield count - 1


#: Which share of the alternatives of a figure may be made in the same way, if the figures that are
#: computed with stand near the statement, and elsewhere.
_BY_CHANCE: Final = {True: Fraction(1, 4), False: Fraction(1, 10)}
#: Figures are looked for in so many passages first.
_NEAR_PASSAGES: Final = 5
#: With more figures than this, only those of the near passages are computed with.
_MOST_OPERANDS: Final = 150
#: No sentence has more figures that are worth computing with.
_MOST_WORDS: Final = 30
#: So many larger and smaller figures are tried as alternatives.
_ALTERNATIVES: Final = 20
#: By how much a result may exceed "more than", or fall short of "less than".
_BEYOND: Final = Fraction(1, 5)
#: Kinds whose units are never left out.
_NO_BARE: Final = frozenset(("duration", "months", "percent", "times"))
#: The counts that a listing may support.
_LISTABLE: Final = frozenset(range(2, 21))
#: The month and the year of a date in words.
_DATE_WORDS: Final = re.compile(r"[^\W\d_]{3,}|[0-9]{4}")
_COUNTED: Final = ("number", "count", "ordinal")
#: What supposes a figure that follows: "a quarrel over 30,000 euros", "if the potassium is 5.4".
_SUPPOSED: Final = re.compile(
    r"\b(?:an?|any|someone|somebody|anyone|anybody|whoever|nobody|if|unless|when|after)\s"
    r"(?:[\w'-]+\s){0,6}\Z",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"[0-9]")
#: By how large a share "twice" and "a third" may be off.
_CHANGE: Final = re.compile(r"\s(?:less|more|fewer|off|\w+er)\b")
_RATIO_TOLERANCE: Final = Fraction(5, 100)
_TIMES: Final = tuple(map(Fraction, ("1/2", "3/2", "2", "3", "4", "5", "6", "8", "10")))
_SHARES: Final = tuple(
    map(Fraction, ("1/10", "1/8", "1/6", "1/5", "1/4", "1/3", "2/5", "1/2", "3/5", "2/3", "3/4"))
)


class Derivations:
    """What one step of arithmetic makes of the figures of the passages of some texts."""

    def __init__(self, texts: Sequence[str], located: Sequence[Sequence[LocatedFigure]]) -> None:
        """Cut the texts into passages, and put the figures into them that have been read."""
        self._texts = texts
        self._locations: list[FigureLocation] = []
        self._operands: list[Operand] = []
        #: How many items or rows the lists and tables of the texts have.
        self._listed: set[int] = set()
        for number, text in enumerate(texts):
            cut = _unbroken(segments(text), located[number])
            self._listed.update(_listed_in_layout(cut))
            ends = [part.end for part in cut]
            first = len(self._locations)
            self._locations.extend(FigureLocation(number, part.start, part.end) for part in cut)
            for figure, start, end in located[number]:
                passage = first + min(bisect_left(ends, end), len(ends) - 1)
                location = FigureLocation(number, start, end)
                self._operands.append(Operand(figure, passage, location))
                whole = figure if figure.kind == "range" else None
                parts = figure.parts if whole or figure.kind == "ratio" else ()
                self._operands.extend(Operand(end, passage, location, whole) for end in parts)
        self._dates: dict[Value, Result] = {}
        for day, result in completed_dates(self._operands):
            for date in coarser(day):
                self._dates.setdefault(date, result)
        self._units = {operand.figure.unit for operand in self._operands} - {None}

    def _text(self, passage: int) -> str:
        location = self._locations[passage]
        return self._texts[location.text][location.start : location.end]

    def _has_word(self, operand: Operand, word: str) -> bool:
        return operand.location is not None and word in self._texts[operand.location.text]

    def _near(self, statement: str) -> list[int]:
        """Return the passages that share most words with a statement, best first."""
        return self._index.best(statement, _NEAR_PASSAGES)

    @cached_property
    def _index(self) -> LexicalIndex:
        return LexicalIndex([self._text(passage) for passage in range(len(self._locations))])

    def count(self, figure: Figure, statement: str) -> FigureLocation | None:
        """Return a passage that lists as many things as a statement counts, or `None`.

        Where the texts themselves count the same things, they are the count.
        """
        is_plain = not (figure.comparison or figure.approximate) and not _DIGIT.search(figure.text)
        counts = {
            reading.value
            for reading in figure.readings
            if reading.kind in _COUNTED and isinstance(reading.value, int)
        }
        if not is_plain or counts.isdisjoint(_LISTABLE) or figure.unit in self._units:
            return None
        near = self._near(statement)
        elsewhere = {*self._listed, *listed_in_words(statement)}
        for passage in near:
            listed = {*listed_in_words(self._text(passage)), *elsewhere}
            is_in_rank = figure.kind == "ordinal" and max(listed, default=0) > max(counts)
            if is_in_rank or not listed.isdisjoint(counts):
                return self._locations[passage]
        return None

    def find(self, figure: Figure, statement: str, own: Sequence[Figure]) -> Result | None:
        """Return the step that makes a figure of a statement, or `None`."""
        for reading in figure.readings:
            if reading.kind == "date" and reading.value in self._dates:
                return self._dates[reading.value]
        near = frozenset(self._near(statement))
        if (result := self._day_of_month(figure, near)) is not None:
            return result
        targets = list(_targets(figure))
        words = [Operand(other, -1, None) for other in own if other is not figure][:_MOST_WORDS]
        made: dict[tuple[str, str], _Made] = {target[:2]: _Made() for target in targets}
        follows = statement.partition(figure.text)[2]
        is_change = _CHANGE.match(follows) is not None
        for operand in (*words, *(one for one in self._operands if one.passage in near)):
            for (kind, _), of_kind in made.items():
                if is_change or kind not in ("percent", SHARE):
                    of_kind.add(conversions(operand, kind))
        for is_near, pairs in self._groups(words, near):
            for (kind, unit), of_kind in made.items():
                for first, second in pairs:
                    of_kind.add(results(first, second, kind, unit, is_near=is_near))
            for kind, unit, reading in targets:
                if result := made[kind, unit].by_no_chance(figure, reading, kind, is_near=is_near):
                    return result
        return None

    def _day_of_month(self, figure: Figure, near: frozenset[int]) -> Result | None:
        """Return the step that joins a day and its month: "the 12th" of "12 August".

        A date is joined of a day near the statement and of a month, and a year, of the same text.
        """
        is_date = figure.kind == "date"
        if not (is_date or figure.text[:1].isdigit()):
            return None
        dates = [value for kind, value, *_ in figure.readings if kind in ("date", "ordinal")]
        days = {_day(value) for value in dates} - {None}
        words = _DATE_WORDS.findall(figure.text)
        for operand in self._operands:
            if operand.passage not in near or operand.figure.unit is not None or not days:
                continue
            for kind, value, *_ in operand.figure.readings:
                is_day = kind in ("ordinal", "number") if is_date else kind == "date"
                if not is_day or _day(value) not in days:
                    continue
                if not is_date or all(self._has_word(operand, word) for word in words):
                    return Result(0, "the day of", (operand,))
        return None

    def _groups(
        self, words: Sequence[Operand], near: frozenset[int]
    ) -> Iterator[tuple[bool, list[tuple[Operand, Operand]]]]:
        close = [operand for operand in self._operands if operand.passage in near]
        yield True, list(combinations(words, 2))
        for group in (close, self._operands):
            if len(group) > _MOST_OPERANDS:
                return
            is_near = group is close
            others = [operand for operand in group if is_near or operand.passage not in near]
            yield is_near, [(word, other) for word in words for other in others]
            pairs = list(combinations(others, 2))
            yield is_near, [pair for pair in pairs if pair[0].passage == pair[1].passage]
            yield is_near, [pair for pair in pairs if pair[0].passage != pair[1].passage]


def _targets(figure: Figure) -> Iterator[tuple[str, str, Reading]]:
    """Yield as which kinds of values a figure may be computed, with the unit of a bare number."""
    if any(reading.kind == "ratio" for reading in figure.readings):
        return  # "21/29" says how many of all
    for reading in figure.readings:
        kind, value, written, scale, _ = reading
        if isinstance(value, str | tuple) or kind in ("ordinal", "cell", "bare cell"):
            continue
        if kind.startswith("time") and kind != "times":
            continue
        if kind in ("number", "count"):
            yield SHARE if 0 < value < 1 else PLAIN, "", reading
            continue
        yield kind, "", reading
        if written is not None and kind not in _NO_BARE:
            yield PLAIN, f"{kind} {scale}", Reading("number", written, written)


def is_supposed(figure: Figure, statement: str) -> bool:
    """Whether a statement supposes a figure, and does not state it: "a quarrel over 30 euros"."""
    before = statement.partition(figure.text)[0]
    return figure.text[:2].lower() == "a " or _SUPPOSED.search(before) is not None


def _day(value: Value) -> Value | None:
    if not isinstance(value, tuple):
        return value
    return value[-1] if value[0] in ("day", "yearless") else None


class _Made:
    def __init__(self) -> None:
        self._exact: dict[Number, Result] = {}
        self._rounded: dict[Number, Result] = {}

    def add(self, results_of_pair: Iterable[Result]) -> None:
        """Add the results of a pair."""
        for result in results_of_pair:
            values = self._rounded if result.is_rounded else self._exact
            values.setdefault(result.value, result)

    def by_no_chance(
        self, figure: Figure, reading: Reading, kind: str, *, is_near: bool
    ) -> Result | None:
        """Return the result that a figure states, if few of its alternatives are made as well."""
        if isinstance(reading.value, str | tuple) or reading.value == 0:
            return None
        value = max(reading.value, -reading.value)
        step = Fraction(figure.step) * Fraction(reading.scale) if reading.written else Fraction(60)
        about = Fraction(tolerance_of(figure, reading) or 0) if figure.approximate else Fraction(0)
        rounding = step / 2 if kind == "percent" else Fraction(value) * _RATIO_TOLERANCE
        tables = ((self._exact, Fraction(0)), (self._rounded, rounding))
        ordered = [(of, sorted(of), tolerance) for of, tolerance in tables]

        def hit(wanted: Number) -> Result | None:
            for of, values, tolerance in ordered:
                low, high = _window(figure, wanted, max(about, tolerance))
                at = bisect_left(values, low)
                if at < len(values) and values[at] <= high:
                    return of[values[at]]
            return None

        found = hit(value)
        if found is None:
            return None
        others = _alternatives(kind, value, max(step, 2 * about))
        limit = _BY_CHANCE[is_near and not (found.is_rounded and kind != "times")]
        by_chance = sum(hit(other) is not None for other in others)
        return found if by_chance <= limit * len(others) else None


def _alternatives(kind: str, value: Number, width: Fraction) -> list[Number]:
    """Return values that might as well be written: larger and smaller ones, other shares."""
    if kind in (SHARE, "times"):
        return [other for other in (_TIMES if kind == "times" else _SHARES) if other != value]
    others = (value + count * width for count in range(-_ALTERNATIVES, _ALTERNATIVES + 1) if count)
    return [other for other in others if value / 2 <= other <= 2 * value]


def _window(figure: Figure, value: Number, tolerance: Fraction) -> tuple[Number, Number]:
    low, high = value - tolerance, value + tolerance
    if figure.comparison is Comparison.MORE:
        high = max(high, value * (1 + _BEYOND))
    elif figure.comparison is Comparison.LESS:
        low = min(low, value * (1 - _BEYOND))
    return low, high
