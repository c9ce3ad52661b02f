"""Time zones: their names and offsets behind a time of day, and the times of other clocks.

A time with a zone is also compared as a time of UTC, or of American clocks among each other.
"""

import re
from typing import Final

from groundtypes.figures.figure import Reading

__all__ = ["DAY", "read_zone"]

#: The seconds of a day.
DAY: Final = 86400
#: Time zones, with the hours of their clocks before or after those of UTC.
_ZONES: Final[dict[str, tuple[float, ...]]] = {
    "UTC": (0,), "GMT": (0,), "Z": (0,), "WET": (0,), "WEST": (1,), "BST": (1,), "CET": (1,),
    "CEST": (2,), "MEZ": (1,), "MESZ": (2,), "EET": (2,), "EEST": (3,), "MSK": (3,), "TRT": (3,),
    "EST": (-5,), "EDT": (-4,), "CST": (-6, 8), "CDT": (-5,), "MST": (-7,), "MDT": (-6,),
    "PST": (-8,), "PDT": (-7,), "AKST": (-9,), "AKDT": (-8,), "HST": (-10,), "AST": (-4,),
    "ADT": (-3,), "BRT": (-3,), "ART": (-3,), "GST": (4,), "PKT": (5,), "IST": (5.5, 2, 1),
    "WIB": (7,), "ICT": (7,), "SGT": (8,), "HKT": (8,), "AWST": (8,), "JST": (9,), "KST": (9,),
    "ACST": (9.5,), "AEST": (10,), "AEDT": (11,), "NZST": (12,), "NZDT": (13,), "SAST": (2,),
    "EAT": (3,), "WAT": (1,), "CAT": (2,),
    "Greenwich Mean Time": (0,), "Central European Time": (1,),
    "Central European Summer Time": (2,), "British Summer Time": (1,),
    "Indian Standard Time": (5.5,), "Japan Standard Time": (9,),
    "Moscow time": (3,), "Moscow Time": (3,),
}  # fmt: skip
#: The zones of the United States, in standard or in daylight time: hours after Eastern Time.
_AMERICAN: Final = {"E": 0, "C": -1, "M": -2, "P": -3}
_AMERICAN_NAMES: Final = (
    r"(?:[ECMP][SD]?T|(?:Eastern|Central|Mountain|Pacific)(?:\s(?:Standard|Daylight))?"
    r"(?:\s[Tt]ime)?)"
)
#: The "+0200" behind a space, as e-mails have it.
_SPACED_OFFSET: Final = r"[+-](?:0[0-9]|1[0-4])(?:00|30|45)(?![0-9])"
_ZONE: Final = re.compile(
    r"\s?\(?(?:(?P<zone>"
    + "|".join(sorted(map(re.escape, _ZONES), key=len, reverse=True))
    + rf"|{_AMERICAN_NAMES})(?![A-Za-z])|(?=(?<=[0-9])[+-]|{_SPACED_OFFSET}))"
    r"(?:\s?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?(?![0-9]))?\)?"
)


def read_zone(text: str, end: int, times: tuple[Reading, ...]) -> tuple[int, tuple[Reading, ...]]:
    """Return where the time zone ends that follows times at `end`, and the times with it."""
    match = _ZONE.match(text, end)
    if match is None or not (match["zone"] or match["sign"]):
        return end, times
    readings = [time._replace(partial=True) for time in times]
    for time in times:
        for kind, hours in _offsets(match):
            seconds = (int(time.value) - int(hours * 3600)) % DAY  # type: ignore[arg-type]
            readings.append(Reading(f"time:{kind}", seconds))
    stop = match.end()
    if text[stop - 1] == ")" and "(" not in match[0]:
        stop -= 1
    return stop, tuple(readings)


def _offsets(match: re.Match[str]) -> list[tuple[str, float]]:
    """Return in which clocks a time zone can be compared, and its hours after each of them."""
    zone = match["zone"] or "UTC"
    shift = 0.0
    if match["sign"]:
        shift = int(match["hours"]) + int(match["minutes"] or 0) / 60
        shift = -shift if match["sign"] == "-" else shift
    offsets = [("utc", hours + shift) for hours in _ZONES.get(zone, ())]
    # "ET" does not say whether it is standard time, but it is the same as "EST" or "EDT" then.
    if zone not in ("MSK", "CET", "EET", "MET") and re.fullmatch(_AMERICAN_NAMES, zone):
        offsets.append(("american", _AMERICAN[zone[0]]))
        name = zone[0] + ("S" if "Standard" in zone else "D" if "Daylight" in zone else "-") + "T"
        offsets += [("utc", hours) for hours in _ZONES.get(name, ())]
    return offsets
