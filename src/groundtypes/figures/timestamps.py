"""Times of day with a zone beside their date: each is one moment, whatever the zone.

23:00 of 17 May five hours behind UTC is 04:00 UTC of 18 May. Date and time remain two figures, and
both also have the moment as a reading, in seconds since 1970.
"""

import re
from collections.abc import Iterator
from datetime import date as calendar_date
from typing import Final

from groundtypes.figures.figure import Reading
from groundtypes.figures.raw_figure import RawFigure
from groundtypes.figures.zones import DAY

__all__ = ["with_timestamps"]

#: The clocks of the world are from 14 hours ahead of UTC to 12 hours behind, where 14 hours ahead
#: and 10 behind have the same time of day.
_FARTHEST_EAST: Final = 14 * 3600
_FARTHEST_WEST: Final = 12 * 3600
_FAR_WEST: Final = re.compile(r"HST|-\s?1[0-2](?::?[0-9]{2})?\)?\Z")
_FIRST_DAY: Final = calendar_date(1970, 1, 1).toordinal()
#: Between a date and its time, and between a time and its date.
_THEN_TIME: Final = re.compile(r"[Tt]|,?\s(?:at\s|um\s|@\s)?|\s-\s")
_THEN_DATE: Final = re.compile(
    r",?\s(?:on\s)?(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?,?\s)?(?:the\s)?"
)
#: The most characters between them: " on Wednesday, the ".
_LONGEST_GAP: Final = 18


def with_timestamps(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, dates and times with a zone with the moments that they may be."""
    previous: RawFigure | None = None
    for figure in figures:
        if figure.other_readings:
            if previous is not None and figure.start - previous.end <= _LONGEST_GAP:
                _join(text, previous, figure)
            previous = figure
        else:
            previous = None
        yield figure


def _join(text: str, first: RawFigure, second: RawFigure) -> None:
    """Add the moments to a date and its time, if the two are such and stand beside each other."""
    if _is_zoned(second):
        day, time, gap = first, second, _THEN_TIME
    elif _is_zoned(first):
        day, time, gap = second, first, _THEN_DATE
    else:
        return
    if not gap.fullmatch(text, first.end, second.start):
        return
    days = [
        reading.value[1:]
        for reading in day.other_readings
        if isinstance(reading.value, tuple) and reading.value[0] == "day"
    ]
    is_west = _FAR_WEST.search(text, time.start, time.end) is not None
    moments = [moment for value in days for moment in _moments(value, time, is_west=is_west)]
    if not moments:
        return
    # Another date with this time of UTC is another moment.
    time.other_readings = (
        *(
            reading._replace(partial=True) if reading.kind.startswith("time:") else reading
            for reading in time.other_readings
        ),
        *moments,
    )
    day.other_readings += tuple(moments)


def _is_zoned(figure: RawFigure) -> bool:
    """Whether it is a time of day with a zone, whose day is not known yet."""
    return figure.other_readings[-1].kind.startswith("time:")


def _moments(day: tuple[object, ...], time: RawFigure, *, is_west: bool) -> Iterator[Reading]:
    """Yield the moments of a time on a day, for each pair of its own clock and another one.

    `is_west` says that its clock is at least ten hours behind, and not ten or more ahead.
    """
    year, month, number = (int(str(part)) for part in day)
    try:
        midnight = (calendar_date(year, month, number).toordinal() - _FIRST_DAY) * DAY
    except ValueError:
        return
    local = [item for item in time.other_readings if item.kind == "time"]
    zoned = [item for item in time.other_readings if item.kind.startswith("time:")]
    per_local = len(zoned) // len(local)
    for at, item in enumerate(zoned):
        seconds = int(str(local[at // per_local].value))
        ahead = (seconds - int(str(item.value))) % DAY
        if ahead > _FARTHEST_EAST or (is_west and ahead >= _FARTHEST_WEST):
            ahead -= DAY
        kind = item.kind.replace("time:", "timestamp:")
        yield Reading(kind, midnight + seconds - ahead)
