"""The scanner: where figures start in a normalised text, and which numbers are not figures."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from groundtypes.figures.clocks import possible_times
from groundtypes.figures.east_asian import IDEOGRAPHS
from groundtypes.figures.month_words import is_date_in_words
from groundtypes.figures.number_words import NUMBER_WORDS
from groundtypes.figures.raw_figure import RawFigure
from groundtypes.figures.raw_reader import read_raw_figure
from groundtypes.words import named_words

__all__ = ["raw_figures"]

#: The beginning of a date such as "March 4th".
_MONTH_FIRST: Final = (
    r"(?:J(?:an|AN|un|UN|ul|UL)|F(?:eb|EB)|M(?:a[ry]|A[RY])|A(?:pr|PR|ug|UG)|S(?:ep|EP)|O(?:ct|CT)"
    r"|N(?:ov|OV)|D(?:ec|EC))[A-Za-z]{0,6}\.?,?\s{1,3}(?:the\s|of\s)?[0-9]"
)
#: Units after "a" or "an" that make a figure: "an hour".
_A_UNIT: Final = (
    r"[aA](?i:n?\s(?:hour|minute|day|week|month|year|decade|century|fortnight|mile|kilomet(?:re|er)|"
    r"kilogram|lit(?:re|er)|quarter)\b)"
)
#: Words that begin a time, a fiscal year or a Roman number.
_OTHER_WORDS: Final = (
    r"(?:[Nn]oon|[Mm]idday|[Mm]idnight|[Tt]wice|[Tt]hrice|couple of)\b"
    r"|(?:FY\s?|[Ff]iscal\s(?:[Yy]ear\s)?|[Ff]inancial\syear\s)"
    r"(?=[12'][0-9])|(?<=[^\W\d_]\s)[IVXL]{1,6}(?:e|ème|ᵉ)?\b|(?:[IVX]{2,6}|[VX])(?:e|ème|ᵉ)?\s(?=[csw])"
    r"|(?<=very\s)fortnight\b|[Ff]ortnightly\b"
    r"|(?:[Hh]alv|[Dd]oubl|[Tt]r[ie]bl|[Tt]ripl|[Qq]uadrupl|[Qq]uintupl)(?:ed|ing)\b"
)


def _by_first_letter(words: frozenset[str]) -> str:
    """Return a pattern for the words in any case, which is left at once at any other letter."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(
        f"[{first}{first.upper()}](?i:{'|'.join(rest)})" for first, rest in rests.items()
    )


@cache
def _start() -> re.Pattern[str]:
    """Return the pattern of where a figure may start."""
    of_time = "".join({word[0] for _, language, word in named_words("number") if language == "ko"})
    return re.compile(
        # Three fraction signs in a row are no number.
        r"(?P<ornament>[½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]{3,})"
        rf"|[0-9½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒{IDEOGRAPHS}半]|(?<![\uac00-\ud7af])[{of_time}]"
        rf"|\b(?:(?P<link>https?://\S+|www\.\S+)|{_MONTH_FIRST}|{_A_UNIT}|{_OTHER_WORDS}|(?:{_by_first_letter(NUMBER_WORDS)})(?:fold)?\b)"
    )


_LIST_NUMBER: Final = re.compile(r"[0-9]{1,3}[.)](?=[ \t]+\S)")
_FOOTNOTE: Final = re.compile(r"[0-9]{1,3}(?:\s?[,;-]\s?[0-9]{1,3}){0,12}\s?\]")
_ENTITY: Final = re.compile(r"[0-9]{1,7};")
#: After these words, numbers in brackets are an interval, not a footnote mark.
_INTERVAL_WORDS: Final = (
    "range", "interval", "iqr", "ci", "between", "from", "scale", "values", "of"
)  # fmt: skip


def raw_figures(text: str) -> Iterator[RawFigure]:
    """Yield the raw figures of a normalised text, in order; they do not overlap."""
    at = floor = 0
    start_of_figure = _start()
    while match := start_of_figure.search(text, at):
        start = match.start()
        if match["link"] or match["ornament"]:
            at = floor = match.end()
            continue
        end = _end_of_label(text, start) if text[start] <= "9" else None
        if end and not is_date_in_words(text, start):
            at = floor = end
            continue
        figure = read_raw_figure(text, start, floor)
        if isinstance(figure, RawFigure):
            if figure.values:
                figure.other_readings += possible_times(text, figure.start, figure.end)
            yield figure
            at = floor = max(figure.end, start + 1)
        else:
            at = figure or start + 1


def _end_of_label(text: str, start: int) -> int | None:
    """Return where the number of a list item, a footnote mark or an HTML entity ends."""
    before = text[start - 1] if start else "\n"
    if before in "\n \t(" and (match := _LIST_NUMBER.match(text, start)):
        line = text.rfind("\n", max(0, start - 10), start) + 1
        if (line or start < 10) and not text[line:start].strip(" \t(>"):
            return match.end()
    if before == "[" and (match := _FOOTNOTE.match(text, start)):
        words = text[max(0, start - 16) : start - 1].lower().split()
        return None if words and words[-1].strip(",:=") in _INTERVAL_WORDS else match.end()
    if (
        before == "#"
        and text[start - 2 : start - 1] == "&"
        and (match := _ENTITY.match(text, start))
    ):
        return match.end()
    return None
