"""The reader: from a text to its figures, with their ranges, modifiers and original offsets."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

from groundtypes.figures.bounds import is_fall, modifier_after, modifier_before
from groundtypes.figures.figure import Comparison, Figure, RawFigure, Reading, date
from groundtypes.figures.joining import join_neighbours, share_units, with_timestamps
from groundtypes.figures.normalise import OffsetMap, normalise
from groundtypes.figures.raw_reader import raw_figures
from groundtypes.words import all_words

#: East Asian texts have a tilde or a word for "to" between the ends.
_DASH: Final = re.compile(
    r"[^\S\n]{0,2}(?:-{1,2}|\u2014|\.\.\.?|\u2026)[^\S\n]{0,2}"
    r"|~|\s~\s|\s?(?:\u301c|至|到|から|ないし|乃至|에서|부터)\s?"
)
_TO: Final = re.compile(
    r"\s(?:(?:up\s)?to|through|thru|until|till|bis|tot|til|hasta|at\u00e9|\u00e0)(?:\s(?:about|around|the|a))?\s",
    re.IGNORECASE,
)
#: Between the ends of a range behind "between", in some languages.
_AND: Final = re.compile(r"\s(?:and|&|und|et|y|e|en|och|og)\s", re.IGNORECASE)
#: Between the ends of an interval, and what stands before them: "95 % CI 1.2, 3.4".
_COMMA: Final = re.compile(r"\s?[,;]\s?")
_ESTIMATE: Final = re.compile(r"[0-9]\s?\(\Z")
_INTERVAL: Final = re.compile(
    r"\b(?:CI|CrI|KI|IC|BI|PU|IQR|ДИ|[Ii]nterval|[Rr]ange)\b[\s:,;=(\[]{0,3}\Z"
)
_LIST: Final = re.compile(r"\s?(?:,|,?\s(?:and|or|&)(?:\sthe)?|/|-)\s?")
#: "Three million", and a number in words.
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9}
_SCALE_WORDS: Final = re.compile(
    rf"(?!an?\s)[a-z]+(?:[\s-][a-z]+)?\s(?P<scale>{'|'.join(_SCALES)})\b.*", re.IGNORECASE
)
_IN_WORDS: Final = re.compile(r"[a-z]+(?:[\s-][a-z]+)?", re.IGNORECASE)
#: What says the half of the day of both times, or that both are of a clock of 24 hours.
_HALF_OF_DAY: Final = re.compile(
    r"(?P<clock>Uhr\Z)|(?<![A-Za-z])[AaPp]\.?\s?[Mm]\b"
    r"|(?:morning|afternoon|evening|morgens|vormittags|nachmittags|abends)\b"
)
_HOURS: Final = 24
_LAST_DAY: Final = 31
_HALF_A_DAY: Final = 43200
#: A pair such as 3-1 with no larger number may be a score, whose sides are figures of their own.
_LARGEST_SCORE: Final = 200


def join_range(text: str, low: RawFigure, high: RawFigure, floor: int) -> Figure | None:
    """Return the range that two raw figures make, or `None` if they are not one.

    Both figures may be changed: each takes unit, scale or year from the other.
    """
    if low.incidental and high.incidental:
        return None
    is_dash = _DASH.fullmatch(text, low.end, high.start) is not None and not (
        text[high.start - 1] == "~" and not text[high.start].isdigit()  # the tie of "5~million"
    )
    to = None if is_dash else _TO.fullmatch(text, low.end, high.start)
    is_to = to is not None and (to[0] != " à " or not text[low.start].isalpha())  # "four à 210 °C"
    if _COMMA.fullmatch(text, low.end, high.start):
        is_dash = _is_interval(text, low, high)
    if not (is_dash or is_to or _AND.fullmatch(text, low.end, high.start)):
        return None
    word, start = _word_before(text, floor, low.start)
    if not (is_dash or is_to) and word not in all_words("between"):
        return None
    is_from_to = is_to and word == "from"
    if word != "from" and word not in all_words("between"):
        start = low.start
    _share_scale(text, low, high)
    _share_unit(low, high)
    _share_half_of_day(text, low, high)
    _share_zone(low, high)
    low.other_readings += tuple(_dates_with_year_of(high, low))
    pairs = [
        (first, last)
        for first, last in product(low.readings(), high.readings())
        if first.kind == last.kind and first.kind not in ("identifier", "label")
    ]
    if not pairs:
        return None
    ratios = _ratios(low, high)
    ends = low.to_figure(text), high.to_figure(text)
    if len(pairs) > 1:
        # What the range cannot be, its ends cannot be either.
        kinds = {reading.kind for reading, _ in pairs}
        ends = _of_kinds(ends[0], kinds), _of_kinds(ends[1], kinds)
    modifier = modifier_before(text, floor, start, may_be_year=True)
    is_approximate = modifier is not None and modifier.approximate
    return Figure(
        text[start : high.end],
        modifier.at if modifier is not None and is_approximate else start,
        high.end,
        (*(_range_reading(*pair) for pair in pairs), *ratios),
        ends[1].unit,
        approximate=is_approximate,
        step=low.step,
        parts=ends,
        parts_stand_alone=is_from_to or _ends_stand_alone(low, high, pairs),
    )


def _is_interval(text: str, low: RawFigure, high: RawFigure) -> bool:
    """Whether two numbers with a comma are an interval: "95 % CI 1.2, 3.4", "2.1 (1.2, 3.4)"."""
    if _INTERVAL.search(text, max(0, low.start - 14), low.start):
        return bool(high.units) or not low.units  # "range 300 km, 180 seats" is none
    is_behind = _ESTIMATE.search(text, max(0, low.start - 3), low.start) is not None
    is_ascending = low.is_bare and high.is_bare and low.values[0] < high.values[0]
    is_decimal = is_ascending and low.values[0].denominator != 1
    return is_behind and is_decimal and text[high.end : high.end + 1] == ")"


def share_year(text: str, first: RawFigure, second: RawFigure) -> None:
    """Give the year of "6 March 2021" to the day before it, in "4 March and 6 March 2021"."""
    if second.other_readings and _LIST.fullmatch(text, first.end, second.start):
        first.other_readings += tuple(_dates_with_year_of(second, first))


def _dates_with_year_of(later: RawFigure, earlier: RawFigure) -> Iterator[Reading]:
    """Yield the dates that the earlier figure may be with year, month or era of the later one."""
    whole = [int(value) for value in earlier.values if earlier.is_bare and value.denominator == 1]
    ordinals = [
        reading.value
        for reading in earlier.other_readings
        if reading.kind == "ordinal" and isinstance(reading.value, int)
    ]  # "the ninth and the tenth of May"
    for kind, value, *_ in later.other_readings:
        if kind != "date" or not isinstance(value, tuple):
            continue
        if value[0] == "year":  # "500 to 400 BC"
            sign = -1 if int(value[1]) < 0 else 1
            yield from (date("year", sign * number) for number in whole)
        elif value[0] == "yearless":
            days = (day for day in ordinals if day <= _LAST_DAY)
            yield from (Reading(kind, ("yearless", value[1], day)) for day in days)
        elif value[0] == "day":
            for reading in earlier.other_readings:
                if isinstance(reading.value, tuple) and reading.value[0] == "yearless":
                    yield Reading(kind, ("day", value[1], *reading.value[1:]))
            days = (day for day in (*ordinals, *whole) if 1 <= day <= _LAST_DAY)
            yield from (Reading(kind, (*value[:3], day)) for day in days)


def _word_before(text: str, floor: int, start: int) -> tuple[str, int]:
    tail = text[max(floor, start - 10) : start].rstrip()
    word = tail[max(tail.rfind(" "), tail.rfind("\n")) + 1 :].lower().lstrip("(")
    return word, max(floor, start - 10) + len(tail) - len(word)


def _of_kinds(figure: Figure, kinds: set[str]) -> Figure:
    readings = tuple(reading for reading in figure.readings if reading.kind in kinds)
    return replace(figure, readings=readings)


def _ratios(low: RawFigure, high: RawFigure) -> tuple[Reading, ...]:
    """Return the ratio or score that two bare numbers may be, as in "3 to 1" and "3-1"."""
    sides = (*low.values, *high.values)
    if not (low.is_bare and high.is_bare and len(sides) == len((low, high))):
        return ()
    is_whole = all(side.denominator == 1 for side in sides)
    return (Reading("ratio", tuple(map(int, sides))),) if is_whole else ()


def _range_reading(low: Reading, high: Reading) -> Reading:
    ends = [str(one.value) if isinstance(one.value, tuple) else one.value for one in (low, high)]
    return Reading("range", (low.kind, *ends), partial=low.partial or high.partial)


def _share_scale(text: str, low: RawFigure, high: RawFigure) -> None:
    """Give the first end the scale that is written at the second one for both.

    In "between 5 and 10 million dollars" and "$5 to $10 million" the 5 is 5 million; what has its
    unit behind it, such as "5 dollars", is as it stands.
    """
    if low.scale != 1 or not (low.values and high.values) or low.values[0] > high.values[0]:
        return
    if high.scale != 1:
        are_signs = not (text[low.start].isalnum() or text[high.start].isalnum())
        is_same = [unit.kind for unit in low.units] == [unit.kind for unit in high.units]
        if low.is_unit_shared or (are_signs and is_same and low.units):
            low.scale = high.scale
    elif (match := _SCALE_WORDS.fullmatch(_words(text, high))) and low.is_bare:
        # "from one to a hundred" is no range of hundreds.
        scale = _SCALES[match["scale"].lower()]
        if low.values[0] * scale < high.values[0] and _IN_WORDS.fullmatch(_words(text, low)):
            low.values = tuple(value * scale for value in low.values)
            low.step *= scale


def _words(text: str, figure: RawFigure) -> str:
    return text[figure.start : figure.end]


def _share_unit(low: RawFigure, high: RawFigure) -> None:
    """Give each end of a range the scale, unit and noun that only the other end has."""
    if low.is_year is True and (high.units or high.noun):
        return
    if low.is_unitless and high.values:
        if high.scale != 1 and low.scale == 1 and low.values[0] <= high.values[0]:
            low.scale = high.scale
        low.units, low.noun = high.units, high.noun
    elif low.units and high.values and not high.units:
        high.units, high.noun = low.units, None
        is_money = low.units[0].kind.startswith("money")
        if is_money and low.scale == 1 and low.values[0] <= high.values[0]:
            low.scale = high.scale


def _share_half_of_day(text: str, low: RawFigure, high: RawFigure) -> None:
    """Give the 2 of "2 to 4 pm" the half of the day, and that of "14 bis 16 Uhr" the clock.

    "11-2 pm" stays open: the first time is in the other half of the day.
    """
    half = _HALF_OF_DAY.search(_words(text, high))
    ends = [int(str(one.value)) for one in high.other_readings if one.kind == "time"]
    starts = [int(str(one.value)) for one in low.other_readings if one.kind == "time"]
    is_hour = low.is_bare and not low.incidental and len(low.values) == 1
    if is_hour and not low.other_readings:
        hour = low.values[0]
        starts = [int(hour) * 3600] if hour.denominator == 1 and 0 <= hour <= _HOURS else []
    elif _HALF_OF_DAY.search(_words(text, low)):
        return
    if half is None or len(ends) != 1 or not starts:
        return
    first = starts[0]
    if half["clock"]:
        is_shared = not low.other_readings and first < ends[0]
    else:
        moved = ends[0] - ends[0] % _HALF_A_DAY + first % _HALF_A_DAY
        is_shared = first < 13 * 3600 and moved < ends[0]
        first = moved
    if is_shared:
        low.values, low.other_readings = (), (Reading("time", first),)


def _share_zone(low: RawFigure, high: RawFigure) -> None:
    """Give the first time of "9 am to 5 pm EST" the time zone of the second."""
    times = [item for item in low.other_readings if item.kind == "time"]
    wall = next((item for item in high.other_readings if item.kind == "time"), None)
    zoned = [item for item in high.other_readings if item.kind.startswith("time:")]
    if not (times and wall and zoned) or any(item.partial for item in times):
        return
    moved = [
        Reading(
            item.kind, (int(str(time.value)) + int(str(item.value)) - int(str(wall.value))) % 86400
        )
        for time in times
        for item in zoned[: len(zoned) // max(1, len(high.other_readings) - len(zoned))]
    ]
    low.other_readings = (*(item._replace(partial=True) for item in times), *moved)


def _ends_stand_alone(
    low: RawFigure, high: RawFigure, pairs: list[tuple[Reading, Reading]]
) -> bool:
    """Whether the ends of a range are figures of their own: dates, and sides of a score."""
    if any(reading.kind in ("date", "time", "ordinal") for reading, _ in pairs):
        return True
    if low.units or not (low.values and high.values):
        return False
    first, last = low.values[0], high.values[0]
    return first >= last or (low.noun is None and low.scale == 1 and last <= _LARGEST_SCORE)


#: Kinds of figures that "more than" does not compare.
_NOT_COMPARABLE: Final = frozenset(
    ("date", "time", "timestamp", "ordinal", "identifier", "label", "ratio")
)


def find_figures(text: str) -> tuple[Figure, ...]:
    """Return all figures of the text in their order; they do not overlap.

    Examples:
        >>> [figure.text for figure in find_figures("about 5 km in 20 minutes on 4 March 2021")]
        ['about 5 km', '20 minutes', '4 March 2021']
    """
    return tuple(iterate_figures(text))


def iterate_figures(text: str) -> Iterator[Figure]:
    """Yield the figures of the text one by one."""
    normalised, offsets = normalise(text)
    for figure in _figures(normalised):
        yield figure if normalised is text else _in_original(figure, text, offsets)


def _in_original(figure: Figure, text: str, offsets: OffsetMap | None) -> Figure:
    start, end = figure.start, figure.end
    if offsets is not None:
        start, end = offsets.original(start), offsets.original(end - 1) + 1
    parts = tuple(_in_original(part, text, offsets) for part in figure.parts)
    return replace(figure, text=text[start:end], start=start, end=end, parts=parts)


def _figures(text: str) -> Iterator[Figure]:
    """Yield the figures of a normalised text; each may be the first end of a range."""
    floor = 0
    previous: RawFigure | None = None
    raws = share_units(text, join_neighbours(text, raw_figures(text)))
    for raw in with_timestamps(text, raws):
        if previous is not None:
            figure = join_range(text, previous, raw, floor)
            is_range = figure is not None
            if figure is None:
                share_year(text, previous, raw)
                figure = _with_modifiers(text, previous, floor, raw.start)
            floor = figure.end
            yield figure
            previous = None if is_range else raw
        else:
            previous = raw
    if previous is not None:
        yield _with_modifiers(text, previous, floor, len(text))


def _with_modifiers(text: str, raw: RawFigure, floor: int, ceiling: int) -> Figure:
    """Return the figure with the modifiers around it, which lie between `floor` and `ceiling`."""
    start, end = raw.start, raw.end
    comparison, approximate = Comparison.EXACTLY, False
    before = modifier_before(text, floor, start, may_be_year=raw.may_be_year)
    after = modifier_after(text, end)
    raw.falls = bool(raw.values) and is_fall(text, floor, before.at if before else start, end)
    if before is None and after is None:
        return raw.to_figure(text)
    is_comparable = not {item.kind.partition(":")[0] for item in raw.readings()} <= _NOT_COMPARABLE
    if before and (before.approximate or is_comparable):
        start, comparison, approximate = before.at, before.comparison, before.approximate
    is_of_next = after is not None and not text[after.at : ceiling].strip() and ceiling < len(text)
    if (
        after
        and not is_of_next
        and is_comparable
        and after.at <= ceiling
        and comparison is Comparison.EXACTLY
    ):
        end, comparison = after.at, after.comparison
        approximate = approximate or after.approximate
    return raw.to_figure(text, start, end, comparison, approximate=approximate)
