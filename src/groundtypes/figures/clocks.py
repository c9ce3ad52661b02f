"""Times of day in digits and words, with their time zones, and what looks like a time.

A time is a number of seconds after midnight; with a time zone, it is also compared as a time of
UTC, or of American clocks among each other. Numbers with colons, such as 2:30, may also be
durations or ratios.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Reading
from groundtypes.figures.numbers import BELOW_TWENTY
from groundtypes.figures.units import unit_words
from groundtypes.words import all_words, named_words

#: The seconds of a day.
DAY: Final = 86400
#: The "+0200" behind a space, as e-mails have it.
_SPACED_OFFSET: Final = r"[+-](?:0[0-9]|1[0-4])(?:00|30|45)(?![0-9])"


@cache
def _zones() -> dict[str, list[tuple[str, float]]]:
    """Return the hours of time zones before or after UTC, and of American ones Eastern Time.

    "ET" does not say whether it is standard time, but it is the same as "EST" or "EDT" then.
    """
    zones: dict[str, list[tuple[str, float]]] = {}
    for kind, clock in (("time zone", "utc"), ("american zone", "american")):
        for hours, _, name in named_words(kind):
            zones.setdefault(name, []).extend((clock, float(one)) for one in hours.split())
    return zones


@cache
def _zone() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, _zones()), key=len, reverse=True))
    return re.compile(
        rf"\s?\(?(?:(?P<zone>{names})(?![A-Za-z])|(?=(?<=[0-9])[+-]|{_SPACED_OFFSET}))"
        r"(?:\s?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?(?![0-9]))?\)?"
    )


def _zoned(text: str, end: int, times: tuple[Reading, ...]) -> "TimeExpression":
    """Return times with the time zone that follows them at `end`, if one does."""
    match = _zone().match(text, end)
    if match is None or not (match["zone"] or match["sign"]):
        return TimeExpression(end, times)
    shift = int(match["hours"] or 0) + int(match["minutes"] or 0) / 60
    shift = -shift if match["sign"] == "-" else shift
    offsets = [(kind, hours + shift) for kind, hours in _zones()[match["zone"] or "UTC"]]
    readings = [time._replace(partial=True) for time in times]
    for time in times:
        for kind, hours in offsets:
            seconds = (int(time.value) - int(hours * 3600)) % DAY  # type: ignore[arg-type]
            readings.append(Reading(f"time:{kind}", seconds))
    is_outside = match[0][-1] == ")" and "(" not in match[0]
    return TimeExpression(match.end() - is_outside, tuple(readings))


_NOON: Final = 43200
#: A colon with white space behind it alone ends a label: "Trail 6: 12 km".
_COLON: Final = r"(?:\s?:(?!\s)|\s:\s)"
_CLOCK: Final = re.compile(
    rf"(?P<hour>[0-9]{{1,3}}){_COLON}"
    r"(?P<minute>[0-9]{2})(?:(?::|\s:\s)(?P<second>[0-9]{2})(?:\.[0-9]{1,9})?)?"
    r"(?![0-9]|:[0-9])"
)
#: Words that say in which half of the day a time is.
_PART_OF_DAY: Final = r"(?:in\sthe|this)\s(?:morning|afternoon|evening)\b|at\snight\b|tonight\b"
_HALF_WORDS: Final = (
    r"[aApP]\.?\s?[mM]\b\.?|noon\b|midday\b|midnight\b"
    rf"|o'clock\b(?:\s(?:{_PART_OF_DAY}|[aApP]\.?[mM]\b\.?))?"
    r"|Uhr\b(?:\s(?:morgens|fr\u00fch|vormittags|nachmittags|abends|nachts)\b)?"
    r"|in\sthe\s(?:morning|afternoon|evening)\b|at\snight\b"
)
#: The last words of a time in the second and in the first half of the day, and at night.
_AFTER_NOON: Final = ("noon", "midday", "evening", "nachmittags", "abends")
_BEFORE_NOON: Final = ("morning", "morgens", "fr\u00fch", "vormittags")
_NIGHT: Final = ("at night", "tonight", "nachts")
#: Before a part of the day, these words say nothing more.
_WITH_PART: Final = re.compile(r"(?:o'clock|uhr)\s")
#: A time with "am", "pm", "o'clock" or "noon".
_TIME_WITH_HALF: Final = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:\s?[:.]\s?(?P<minute>[0-9]{2}))?(?::(?P<second>[0-9]{2}))?\s?"
    rf"(?P<half>{_HALF_WORDS})"
)
#: Without a date and seconds, "9:00-11:00" is from nine to eleven and no offset of a time zone.
_TO_TIME: Final = re.compile(r"-[0-9]{1,2}:[0-9]{2}(?![0-9:])")
#: What makes a length of time of "5:30 minutes"; "15:30 hours" is also a time of day, and "9:30 h"
#: is one in some languages.
_LENGTH: Final = re.compile(
    r"[\s-](?:(?P<minutes>minutes?|mins?)|(?P<letter>hr?)|hours?|hrs)(?![A-Za-z])"
)
#: After these, numbers with colons are a length of time: "finished in 2:15:30", "took 1:20 h".
_BEFORE_LENGTH: Final = re.compile(
    r"\b(?:in|took|takes?|taking|lasts?|lasted|lasting|within|runs|ran|"
    r"(?:time|length|duration|total|record|best)(?:\s(?:of|was|is)|:)?)\s\Z",
    re.IGNORECASE,
)
#: After these, they are a time of day.
_BEFORE_TIME: Final = re.compile(
    r"\b(?:at|by|since|until|till|around|um|ab|gegen|las|alle|kl\.?|clock)\s\Z", re.IGNORECASE
)
#: Shorter words before a number say "at" only where its unit is hours: "à 14 heures".
_SHORTEST_AT: Final = 3
_AT: Final = re.compile(r"\b(?:at|until|till|by|from)\s\Z", re.IGNORECASE)
_LONGEST_BEFORE: Final = 14
#: "15h30" and "2 h 30" may be a time or a duration.
_HOUR_MINUTE: Final = re.compile(
    r"(?P<hour>[0-9]{1,3})\s?h\s?(?P<minute>[0-5]?[0-9])(?:(?P<length>\s?m(?![A-Za-z0-9²³/]))"
    r"|(?<=[0-9]{2})(?![0-9A-Za-z%]|[.,][0-9]|\s(?:m|mn|mins?|minut\w*)\b))"
)
_RATIO: Final = re.compile(
    rf"([0-9]{{1,9}}(?:\.[0-9]{{1,6}})?){_COLON}"
    r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(?![0-9]|\s?:\s?[0-9])"
)
#: A time of ISO 8601 behind its date: "T14:30:00.123Z", "T143000+02", also with a space.
_ISO_TIME: Final = re.compile(
    r"(?P<hour>[01][0-9]|2[0-4])(?:(?P<colon>:)?(?P<minute>[0-5][0-9])"
    r"(?:(?(colon):)(?P<second>[0-5][0-9]|60)(?:[.,](?P<part>[0-9]{1,9}))?)?)?"
    r"(?P<zulu>\s?[Zz])?(?![0-9A-Za-z]|:[0-9])"
)
_ISO_DATE: Final = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8})"
#: What stands before such a time with a colon, and without one.
_ISO_TIME_BEFORE: Final = {
    True: re.compile(rf"{_ISO_DATE}[Tt\s]\Z|(?<![^\W_])T\Z"),
    False: re.compile(rf"{_ISO_DATE}[Tt]\Z"),
}
_NAMED: Final = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_HOUR_WORD: Final = "|".join(list(BELOW_TWENTY)[1:13])
_WORDS: Final = re.compile(
    rf"(?P<named>noon|midday|midnight)\b"
    rf"|(?:(?P<part>half|quarter|five|ten|twenty(?:[ -]five)?)\s(?:minutes\s)?"
    rf"(?P<side>past|to|after|before)\s)?(?P<hour>{_HOUR_WORD}|[0-9]{{1,2}})\b(?:\s?(?P<half>{_HALF_WORDS}))?",
    re.IGNORECASE,
)
#: Behind "at ten to five" there is nothing that a range could count.
_CLAUSE_END: Final = re.compile(
    r"\s?[.,;:!?)]|\s?\Z|\s(?:on|this|that|and|but|when|sharp|every|onwards?|at)\b"
)
_PARTS: Final = {
    "half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty five": 25,
}  # fmt: skip

#: "午後2時30分", "下午2点半", "오후 2시"; 2時間 is a length of time, 2点 alone a score.
_EAST_ASIAN: Final = re.compile(
    r"(?P<hour>[0-9]{1,2})\s?(?P<sign>[時时點点시])(?![間间간])(?:\s?(?P<minute>[0-5]?[0-9])\s?[分분]|\s?(?P<half>[半반]))?"
)
_EAST_ASIAN_HALF: Final = re.compile(
    r"(?:(?P<late>午後|下午|오후|晚上|夜|밤|저녁)|午前|上午|오전|早上|朝|아침|凌晨|새벽)\s?\Z"
)
#: A number that may be a time: "15.30", "18 h", and "five" behind "at".
_POSSIBLE: Final = re.compile(
    rf"(?P<hour>[0-9]{{1,2}}|{_HOUR_WORD})(?:[.:](?P<minute>[0-5][0-9])|(?P<mark>\s?h)"
    r"|\s(?P<unit>[^\W\d_]{2,10}))?",
    re.IGNORECASE,
)
#: "1405 hours" may be five past two, and "0930 hrs" is half past nine.
_FOUR_DIGITS: Final = re.compile(
    r"(?P<hour>[01][0-9]|2[0-3])(?P<minute>[0-5][0-9])\s?(?:hours?|hrs?)"
)


class TimeExpression(NamedTuple):
    """A date, time, duration or ratio that ends at `end` in the text.

    `bounds` are the first and last date of a range in one notation, such as "4-6 March".
    """

    end: int
    readings: tuple[Reading, ...]
    bounds: tuple[Reading, Reading] | None = None


def read_clock(text: str, start: int) -> TimeExpression | None:
    """Return the time, or the ratio, whose first digit is at `start`."""
    if match := _TIME_WITH_HALF.match(text, start):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        if hour <= 24 and minute < 60:
            times = _times(hour, minute, int(match["second"] or 0), match["half"])
            return _zoned(text, match.end(), times)
    if match := _HOUR_MINUTE.match(text, start):
        hour, minute = int(match["hour"]), int(match["minute"])
        length = Reading("duration", hour * 3600 + minute * 60)
        times = _times(hour, minute, 0, "h") if hour <= 24 and not match["length"] else ()
        return TimeExpression(match.end(), (*times, length))
    if match := _EAST_ASIAN.match(text, start):
        half = _EAST_ASIAN_HALF.search(text, max(0, start - 3), start)
        if int(match["hour"]) <= 24 and (half or match["sign"] not in "点點"):
            minute = 30 if match["half"] else int(match["minute"] or 0)
            name = "h" if half is None else "pm" if half["late"] else "am"
            return _zoned(text, match.end(), _times(int(match["hour"]), minute, 0, name))
    if match := _CLOCK.match(text, start):
        return _hours_or_ratio(text, match)
    if match := _RATIO.match(text, start):
        return TimeExpression(match.end(), (_ratio(match[1], match[2]),))
    return None


def possible_times(text: str, start: int, end: int) -> tuple[Reading, ...]:
    """Return the times that the number between two places may be besides: "15.30", "at five".

    "18 h" may be a length of time or a time of day, and "9.30" is one behind "at" or the like.
    """
    if match := _FOUR_DIGITS.fullmatch(text, start, end):
        return _times(int(match["hour"]), int(match["minute"]), 0, "h")
    match = _POSSIBLE.fullmatch(text, start, end)
    if match is None:
        return ()
    word = match["hour"].lower()
    hour = BELOW_TWENTY.get(word) or int(word)
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    words = before.lower().split()[-2:]
    at = {" ".join(words), *words[-1:]} & all_words("at a time")
    if match["mark"] or (match["minute"] and len(word) == 2):
        is_time, half = True, "h"
    elif match["minute"]:
        is_time, half = _BEFORE_TIME.search(before) is not None, "o'clock"
    elif at and word.isdigit() and (match["unit"] or len(max(at, key=len)) >= _SHORTEST_AT):
        is_time = match["unit"] is None or unit_words().get(match["unit"].lower()) == "hours"
        half = "h"
    elif match["unit"]:
        return ()
    else:
        is_at = _AT.search(before) is not None and _CLAUSE_END.match(text, end) is not None
        is_time, half = is_at and 0 < hour <= 12, "o'clock"
    return _times(hour, int(match["minute"] or 0), 0, half) if is_time and hour < 24 else ()


def begins_iso_time(text: str, end: int) -> bool:
    """Whether a "T" at the end of a date begins a time of ISO 8601."""
    return text[end : end + 1] in ("T", "t") and _ISO_TIME.match(text, end + 1) is not None


def read_iso_time(text: str, start: int) -> TimeExpression | None:
    """Return the time whose first digit is at `start`, behind a date and "T" or a space.

    A single "T" is enough before a time with a colon. Without minutes or a colon, there is a "T".
    """
    before = text[max(0, start - 11) : start]
    match = _ISO_TIME.match(text, start)
    pattern = _ISO_TIME_BEFORE[bool(match and match["colon"])]
    if match is None or not pattern.search(before):
        return None
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    times = _times(hour, minute, min(second, 59), "h")
    if not match["zulu"]:
        return _zoned(text, match.end(), times)
    utc = (time._replace(kind="time:utc") for time in times)
    return TimeExpression(match.end(), (*(time._replace(partial=True) for time in times), *utc))


def _ratio(first: str, second: str) -> Reading:
    # 10:05 is no ratio of ten to five, but it is equal to itself.
    is_number = second.isdigit() and (second[0] != "0" or second == "0")
    last = int(second) if is_number else second
    return Reading("ratio", (int(first) if first.isdigit() else first, last))


def read_clock_words(text: str, start: int) -> TimeExpression | None:
    """Return the time whose first word is at `start`: "noon", "half past three", "five o'clock"."""
    match = _WORDS.match(text, start)
    if match is None:
        return None
    if match["named"]:
        seconds = _NAMED[match["named"].lower()]
        return _zoned(text, match.end(), (Reading("time", seconds),))
    part, side, half = (match["part"] or "").lower().replace("-", " "), match["side"], match["half"]
    is_at = text[max(0, start - 3) : start].lower() == "at "
    is_sure = half or side == "past" or part in ("half", "quarter")
    word = match["hour"].lower()
    hour = int(word) if word.isdigit() else BELOW_TWENTY.get(word, 0)
    if not (half or side) or not 0 < hour <= 12:
        return None
    if not (is_sure or (is_at and _CLAUSE_END.match(text, match.end()))):
        return None  # "five to ten" is a range
    minutes = _PARTS.get(part, 0) * (-1 if side in ("to", "before") else 1)
    times = _times(hour, 0, 0, half or "o'clock")
    moved = tuple(time._replace(value=(time.value + minutes * 60) % DAY) for time in times)  # type: ignore[operator]
    return _zoned(text, match.end(), moved)


def _hours_or_ratio(text: str, match: re.Match[str]) -> TimeExpression:
    """Return 14:50, which may be a time, a duration or a ratio."""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    times: tuple[Reading, ...] = ()
    end = match.end()
    if hour <= 24 and minute < 60 and second < 60:
        # "08:30" is a time of a clock of 24 hours, "8:30" may be one of twelve.
        by_itself = "h" if match["hour"][0] == "0" else "o'clock"
        times = _times(hour, minute, second, by_itself)
        is_range = match["second"] is None and _TO_TIME.match(text, end) is not None
        zoned = TimeExpression(end, times) if is_range else _zoned(text, end, times)
        if zoned.end > end:
            return zoned
    unit = _LENGTH.match(text, end)
    is_minutes = unit is not None and unit["minutes"] and not match["second"]
    seconds = hour * 60 + minute if is_minutes else hour * 3600 + minute * 60 + second
    written = () if match["second"] else (_ratio(match["hour"], match["minute"]),)
    lengths = (Reading("duration", seconds), *written)
    if unit is None and not match["second"]:
        return TimeExpression(end, (*times, *written))
    if unit is not None and not unit["letter"]:
        # "at 15:30 hours" is a time of day, and nobody writes "05:30 minutes" of one.
        is_time = not unit["minutes"] and len(match["hour"]) == len("15") and not match["second"]
        return TimeExpression(unit.end(), (*(times if is_time else ()), *lengths))
    end = unit.end() if unit else end
    before = text[max(0, match.start() - _LONGEST_BEFORE) : match.start()]
    if times and _BEFORE_TIME.search(before):
        return TimeExpression(end, times)
    is_length = _BEFORE_LENGTH.search(before) is not None
    return TimeExpression(end, lengths if is_length else (*times, *lengths))


def _times(hour: int, minute: int, second: int, half: str) -> tuple[Reading, ...]:
    """Return the times that an hour may be; `half` is "am", "in the evening", "o'clock" or "h"."""
    half = _WITH_PART.sub("", half.lower())
    early = Reading("time", hour % 12 * 3600 + minute * 60 + second)
    late = Reading("time", hour % 12 * 3600 + _NOON + minute * 60 + second)
    if half.endswith(_AFTER_NOON) or (half[0] == "p" and hour < 12):
        return (late,)
    if half.endswith(_NIGHT):
        return (late if 6 <= hour < 12 else early,)
    if half[0] in "am" or half.endswith(_BEFORE_NOON):
        return (early,)
    as_written = Reading("time", hour * 3600 % DAY + minute * 60 + second)
    return (as_written, late) if half[0] in "ou" and 0 < hour <= 12 else (as_written,)
