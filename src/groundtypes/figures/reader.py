"""From a text to its figures: atoms are joined to lengths in two units and to ranges."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from groundtypes.figures.atoms import Atom
from groundtypes.figures.figure import Comparison, Figure, Number, Reading
from groundtypes.figures.flatten import Places, flatten
from groundtypes.figures.hedges import hedge_after, hedge_before
from groundtypes.figures.scanner import atoms

__all__ = ["find_figures", "iterate_figures"]

_COMPOUND: Final = re.compile(r"[\s-]?|,?\s(?:and\s)?")
_COMPOUND_KINDS: Final = frozenset(("length", "mass", "duration", "months"))
_DASH: Final = re.compile(r"\s{0,2}(?:-{1,2}|\u2014|\.\.\.?|\u2026)\s{0,2}")
_TO: Final = re.compile(
    r"\s(?:to|through|thru|until|till)(?:\s(?:about|around|the|a))?\s", re.IGNORECASE
)
_AND: Final = re.compile(r"\s(?:and|&)\s", re.IGNORECASE)
_LIST: Final = re.compile(r"\s?(?:,|,?\s(?:and|or|&)|/|-)\s?")
#: Figures that words such as "more than" do not compare.
_UNCOMPARED: Final = frozenset(("date", "time", "ordinal", "identifier", "label", "ratio"))
#: A pair such as 3-1 up to here may be a score, whose sides are figures of their own.
_SCORE: Final = 200


def find_figures(text: str) -> tuple[Figure, ...]:
    """Return all figures of the text in their order; they do not overlap.

    Example:
        >>> [figure.text for figure in find_figures("about 5 km in 20 minutes on 4 March 2021")]
        ['about 5 km', '20 minutes', '4 March 2021']
    """
    return tuple(iterate_figures(text))


def iterate_figures(text: str) -> Iterator[Figure]:
    """Yield the figures of the text one by one."""
    flat, places = flatten(text)
    for figure in _figures(flat):
        yield _placed(figure, text, places)


def _placed(figure: Figure, text: str, places: Places | None) -> Figure:
    """Return the figure with its words and places in the original text."""
    start, end = figure.start, figure.end
    if places is not None:
        start, end = places.of(start), places.of(end - 1) + 1
    parts = tuple(_placed(part, text, places) for part in figure.parts)
    return Figure(
        text[start:end], start, end, figure.readings, figure.unit, figure.comparison,
        figure.approximate, figure.slight, figure.step, parts, figure.loose,
    )  # fmt: skip


def _figures(text: str) -> Iterator[Figure]:
    floor = 0
    low: Atom | None = None
    for atom in _compounds(text, atoms(text)):
        if low is None:
            low = atom
            continue
        if figure := _range(text, low, atom, floor):
            floor = figure.end
            low = None
            yield figure
            continue
        _share_year(text, low, atom)
        figure = _hedged(text, low, floor, atom.start)
        floor = figure.end
        yield figure
        low = atom
    if low is not None:
        yield _hedged(text, low, floor, len(text))


def _compounds(text: str, found: Iterator[Atom]) -> Iterator[Atom]:
    """Join "5 ft 10 in" and "2 hours and 30 minutes"."""
    held: Atom | None = None
    for atom in found:
        if held is not None and _continues(text, held, atom):
            parts = held.parts if _last(held) is not held else [held]
            ratio = Fraction(atom.units[0].factor) / held.units[0].factor
            held = Atom(
                parts[0].start, atom.end, (held.values[0] + atom.values[0] * ratio,),
                units=held.units[:1], step=atom.step * ratio, parts=[*parts, atom], year=False,
            )  # fmt: skip
            continue
        if held is not None:
            yield held
        held = atom
    if held is not None:
        yield held


def _continues(text: str, first: Atom, second: Atom) -> bool:
    if not (first.units and second.units and len(first.values) == len(second.values) == 1):
        return False
    one, two = _last(first).units[0], second.units[0]
    return (
        one.kind == two.kind
        and one.kind in _COMPOUND_KINDS
        and one.factor > two.factor
        and second.scale == 1
        and not second.slight
        and 0 <= second.values[0] * two.factor < one.factor
        and _COMPOUND.fullmatch(text, first.end, second.start) is not None
    )


def _last(atom: Atom) -> Atom:
    """Return the last quantity of one that is made of several, else itself."""
    return atom.parts[-1] if atom.parts and atom.parts[-1].units else atom


def _share_year(text: str, first: Atom, second: Atom) -> None:
    """Give the year of "6 March 2021" to the day before it, in "4 March and 6 March 2021"."""
    if not second.fixed or second.start - first.end > 6:
        return
    if _LIST.fullmatch(text, first.end, second.start):
        first.fixed += tuple(_dated(first, second))


def _dated(first: Atom, second: Atom) -> Iterator[Reading]:
    for later in second.fixed:
        if later.kind != "date" or not isinstance(later.value, tuple):
            continue
        if later.value[0] == "year" and first.bare:  # "500 to 400 BC"
            sign = -1 if int(later.value[1]) < 0 else 1
            yield from (Reading("date", ("year", sign * int(value))) for value in first.values)
        if later.value[0] != "day":
            continue
        _, year, month, _ = later.value
        for reading in first.fixed:
            if isinstance(reading.value, tuple) and reading.value[0] == "yearless":
                yield Reading("date", ("day", year, *reading.value[1:]))
        for value in first.values:
            if first.bare and value.denominator == 1 and 1 <= value <= 31:
                yield Reading("date", ("day", year, month, int(value)))


def _range(text: str, low: Atom, high: Atom, floor: int) -> Figure | None:
    """Return the range that the two atoms make, if they make one."""
    if high.start - low.end > 12 or (low.slight and high.slight):
        return None
    word, start = _word_before(text, floor, low.start)
    loose = False
    if _DASH.fullmatch(text, low.end, high.start):
        _complete_year(low, high)
    elif _TO.fullmatch(text, low.end, high.start):
        loose = word == "from"
    elif not (word == "between" and _AND.fullmatch(text, low.end, high.start)):
        return None
    if word not in ("from", "between"):
        start = low.start
    _share(low, high)
    low.fixed += tuple(_dated(low, high))
    one, two = low.readings(), high.readings()
    pairs = [
        (a, b)
        for a in one
        for b in two
        if a.kind == b.kind and a.kind not in ("identifier", "label")
    ]
    if not pairs:
        return None
    readings = tuple(_pair(*pair) for pair in pairs)
    ends = (_figure(text, low, low.start, low.end), _figure(text, high, high.start, high.end))
    if len(readings) > 1:  # the ends are what the range is
        kinds = {first.kind for first, _ in pairs}
        ends = tuple(_only(end, kinds) for end in ends)  # type: ignore[assignment] # two stay two
    hedge = hedge_before(text, floor, start)
    approximate = bool(hedge and hedge.approximate)
    return Figure(
        text[start : high.end],
        hedge.at if hedge and approximate else start,
        high.end,
        readings,
        ends[1].unit,
        approximate=approximate,
        step=low.step,
        parts=ends,
        loose=loose or _stand_alone(low, high, pairs),
    )


def _word_before(text: str, floor: int, start: int) -> tuple[str, int]:
    """Return the word before a place, and where it starts."""
    tail = text[max(floor, start - 10) : start].rstrip()
    word = tail[max(tail.rfind(" "), tail.rfind("\n")) + 1 :].lower().lstrip("(")
    return word, max(floor, start - 10) + len(tail) - len(word)


def _only(figure: Figure, kinds: set[str]) -> Figure:
    kept = tuple(reading for reading in figure.readings if reading.kind in kinds)
    return Figure(
        figure.text, figure.start, figure.end, kept, figure.unit, step=figure.step,
        parts=figure.parts, loose=figure.loose,
    )  # fmt: skip


def _pair(low: Reading, high: Reading) -> Reading:
    if not isinstance(low.value, tuple) and not isinstance(high.value, tuple):
        return Reading("range", (low.kind, low.value, high.value))
    return Reading("range", (low.kind, str(low.value), str(high.value)))


def _complete_year(low: Atom, high: Atom) -> None:
    """Read the 22 of "2021 -22" as 2022."""
    if low.bare and high.bare and len(low.values) == len(high.values) == 1:
        one, two = low.values[0], high.values[0]
        if 1000 <= one < 2200 and one % 100 < two < 100 and high.end - high.start == 2:
            high.fixed += (Reading("date", ("year", int(one - one % 100 + two))),)
            low.year = None


def _share(low: Atom, high: Atom) -> None:
    """Give to each end of a range what stands at the other only: scale, unit, noun."""
    if low.year is True and (high.units or high.noun):
        return
    if low.bare and high.values:
        if high.scale != 1 and low.values[0] <= high.values[0]:
            low.scale = high.scale
        low.units, low.noun = high.units, high.noun
        if high.noun and not _years(low, high):
            low.year = False
    elif low.units and high.values and not high.units:
        high.units, high.noun = low.units, None
        money = low.units[0].kind.startswith("money")
        if money and low.scale == 1 and low.values[0] <= high.values[0]:
            low.scale = high.scale


def _years(low: Atom, high: Atom) -> bool:
    return low.year is not False and high.year is not False


def _stand_alone(low: Atom, high: Atom, pairs: list[tuple[Reading, Reading]]) -> bool:
    """Say whether the ends of a range are figures of their own: dates, and sides of a score."""
    if any(one.kind in ("date", "time", "ordinal") for one, _ in pairs):
        return True
    if low.units or not (low.values and high.values):
        return False
    one, two = low.values[0], high.values[0]
    return one >= two or (low.noun is None and low.scale == 1 and two <= _SCORE)


def _hedged(text: str, atom: Atom, floor: int, ceiling: int) -> Figure:
    start, end = atom.start, atom.end
    comparison, approximate = Comparison.EXACTLY, False
    readings = atom.readings()
    kinds = {reading.kind for reading in readings}
    compared = not kinds <= _UNCOMPARED
    before = hedge_before(text, floor, start)
    if before and (before.approximate or compared):
        start, comparison, approximate = before.at, before.comparison, before.approximate
    after = hedge_after(text, end) if compared else None
    if after and after.at <= ceiling and comparison is Comparison.EXACTLY:
        end, comparison = after.at, after.comparison
        approximate = approximate or after.approximate
    return _figure(text, atom, start, end, comparison, approximate=approximate)


def _figure(
    text: str,
    atom: Atom,
    start: int,
    end: int,
    comparison: Comparison = Comparison.EXACTLY,
    *,
    approximate: bool = False,
) -> Figure:
    readings = atom.readings()
    if comparison is not Comparison.EXACTLY and atom.year is None:
        readings = tuple(item for item in readings if item.kind != "date") or readings
    parts: tuple[Figure, ...] = tuple(
        _figure(text, part, part.start, part.end) for part in atom.parts
    )
    if atom.ends is not None:
        parts = tuple(Figure(text[start:end], start, end, (one,)) for one in atom.ends)
    step: Number = atom.step * atom.scale
    return Figure(
        text[start:end],
        start,
        end,
        readings,
        atom.units[0].symbol if atom.units else atom.noun,
        comparison,
        approximate,
        atom.slight,
        step,
        parts,
        loose=bool(parts) and not atom.units,
    )
