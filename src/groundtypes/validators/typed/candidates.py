"""The figures of the texts in which a value is looked up, with what their surroundings say."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Final, NamedTuple

from groundtypes.figures.cell_figures import LocatedFigure
from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.outcomes import read_figures
from groundtypes.figures.reader import find_figures
from groundtypes.references import PerReferences, References, Span
from groundtypes.references.table_records import rows_of_markdown
from groundtypes.text.message_excerpts import clip
from groundtypes.words import all_words

#: What joins two numbers that are also figures of their own.
_JOINED: Final = re.compile(r"[^\W\d]|[/:]")
#: "ninety (90) days": the same number twice.
_REPEATED: Final = re.compile(r"\s?\(\s?\Z")
#: A number in brackets alone, perhaps between a currency and a scale: "$(5.2) million".
_BRACKETED: Final = re.compile(
    r"(?P<currency>[^\w\s()|]{0,3}|\b[A-Z]{3}\s?)\(\s?(?P<inner>[^\s()\w.,]{0,3}\d[\d.,]*(?:\s?%)?)\s?\)"
    r"(?P<tail>[^\n|;:()]{0,24})"
)
#: What tells an amount in brackets from the number of a paragraph.
_AMOUNT: Final = re.compile(r"\d[.,]\d|[^\d\s.,]")
#: The whole of a cell of a table is an amount, too.
_IN_CELL: Final = re.compile(r"[|\t]\s*\([^()|\t\n]{1,12}\)\s*(?:[|\t\n]|\Z)")
#: How far a word such as "loss" may be from its amount.
_REACH: Final = 48
_CLAUSE_END: Final = re.compile(r"[;:|\n]|[.,](?=\s)")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LONGEST_SHOWN: Final = 60
_PREPOSITIONS: Final = frozenset("of von de di van av af".split())
#: "fell to 5" gives a level.
_LEVELS: Final = frozenset("to from at".split())
#: What words such as "loss" make negative; "12 sessions against hearing loss" are no -12.
_MAY_FALL: Final = frozenset(("money", "percent", "number", "percentage points"))

_EVERYWHERE: Final = [(-1, sys.maxsize)]

Place = tuple[int, int, int]


class Candidate(NamedTuple):
    """A figure that may be the value of a field, one end where it is a range.

    The first end of a change is a former value: "raised from 40 to 45".
    """

    figure: Figure
    text: int
    start: int
    end: int
    words: str
    bound: Comparison
    group: int
    range_end: str = ""
    negative: bool = False
    is_former: bool = False

    @property
    def key(self) -> Place:
        """What tells it from others."""
        return self.text, self.start, self.end

    @property
    def limit(self) -> str:
        """Which end of a range it is, or that of its bound: "first", "last" or none."""
        if self.range_end or self.bound is Comparison.EXACTLY:
            return self.range_end
        return "first" if self.bound.upwards else "last"


@dataclass(frozen=True, slots=True)
class Source:
    """The texts in which a value is looked up.

    Attributes:
        references: The texts.
        place: What messages call them.
        windows: The part of a text that counts, by the number of the text; none if all count.
        is_quote: Whether they are the quote of this one value, so that each figure in them counts.
    """

    references: References
    place: str
    windows: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    is_quote: bool = False

    def candidates(self) -> list[Candidate]:
        """Return the figures of the texts, in their order."""
        found: list[Candidate] = []
        for number, located in enumerate(read_figures(self.references)):
            windows = self.windows.get(number, () if self.windows else _EVERYWHERE)
            inside = [
                one
                for one in located
                if any(one.start < end and start < one.end for start, end in windows)
            ]
            found.extend(_of_text(number, self.references.texts[number], inside))
        return found

    def span(self, candidate: Candidate) -> Span:
        """Return where a candidate is."""
        return self.references.span_at(candidate.text, candidate.start, candidate.end)

    def cell_names(self, candidate: Candidate) -> tuple[str, ...] | None:
        """Return the names of a value in a table or JSON value: its header, and what its row is.

        `None` where it is in no table and no JSON value.
        """
        rows = _rows(self.references)[candidate.text]
        at = bisect_right(rows, candidate.start, key=attrgetter("start")) - 1
        if at < 0 or candidate.start >= rows[at].end:
            return None
        text = self.references.texts[candidate.text]
        first = rows[at].cells[0]
        for cell in rows[at].cells:
            if cell.start <= candidate.start < cell.end:
                row = "" if cell is first else text[first.start : first.end]
                return tuple(filter(None, (cell.name, rows[at].context, row)))
        return None


#: The rows of each text that is a JSON value or a table, or has tables in Markdown.
_rows: Final = PerReferences(
    lambda references: tuple(
        structure.rows if structure is not None else tuple(rows_of_markdown(text))
        for text, structure in zip(
            references.texts,
            references.structures or (None,) * len(references.texts),
            strict=True,
        )
    )
)


def _of_text(number: int, text: str, located: Sequence[LocatedFigure]) -> list[Candidate]:
    """Return the candidates of one text; a number that is written twice counts once."""
    found: list[Candidate] = []
    for one in located:
        for candidate in _of_figure(number, text, one):
            if found and _is_repeated(text, found[-1], candidate):
                found[-1] = _joined(text, found[-1], candidate)
            else:
                found.append(candidate)
    return found


def _of_figure(number: int, text: str, located: LocatedFigure) -> Iterator[Candidate]:
    figure, start, end = located
    if not text[start:end].strip():
        return  # a unit without a number, of an empty cell
    words = clip(" ".join(text[start:end].split()), _LONGEST_SHOWN)
    is_negative, bound = _is_negative(text, located), figure.comparison
    if figure.kind == "range" and len(figure.parts) == 2:
        offset = start - figure.start
        is_amount = text[max(0, start - 3) : start].lower() == "by "  # "rose by 5 to 105"
        is_change = not is_amount and _is_change(text, start, figure)
        is_range = not (is_amount or is_change or _descends(figure))  # "3-1" is a score
        for part, name in zip(figure.parts, ("first", "last"), strict=True):
            at = (part.start + offset, min(part.end + offset, end))
            yield Candidate(
                part, number, *at, words, part.comparison, start, name if is_range else "",
                is_negative, is_change and name == "first",
            )  # fmt: skip
        return
    if bracketed := _in_brackets(text, start, end):
        yield Candidate(bracketed, number, start, end, words, bound, start, negative=True)
        return
    yield Candidate(figure, number, start, end, words, bound, start, negative=is_negative)
    if figure.parts_stand_alone and _JOINED.search(figure.text):
        for part in figure.parts:  # "12 of 40"
            at = (part.start + start - figure.start, part.end + start - figure.start)
            yield Candidate(part, number, *at, words, part.comparison, start)


def _is_change(text: str, start: int, figure: Figure) -> bool:
    """Whether a range says from what to what something went: "we raised it from 40 to 45"."""
    if figure.text[:5].lower() != "from ":
        return False
    words = set(_WORD.findall(_clause_before(text, start).lower()))
    if not is_of_time(figure) and not words.isdisjoint(all_words("grown")):
        return True  # sales that grew from 2010 to 2015 were no years
    return not words.isdisjoint(all_words("changed")) or _descends(figure)


def _clause_before(text: str, start: int) -> str:
    """Return what stands before a figure in its clause, behind any other figure."""
    clause = _CLAUSE_END.split(text[max(0, start - _REACH) : start])[-1]
    return re.split(r"\d", clause)[-1]


def is_of_time(figure: Figure) -> bool:
    """Whether it may be a date or a time of day."""
    parts = (figure, *figure.parts)
    return any(one.kind in ("date", "time") for part in parts for one in part.readings)


def _descends(figure: Figure) -> bool:
    """Whether the first end of a range is above the last one; times go on after midnight."""
    values = [value[-2:] for value in figure.values if isinstance(value, tuple)]
    numbers = [[end for end in ends if isinstance(end, int | Fraction)] for ends in values]
    return not is_of_time(figure) and all(len(ends) == 2 and ends[0] > ends[1] for ends in numbers)


def _is_repeated(text: str, first: Candidate, second: Candidate) -> bool:
    return (
        _REPEATED.fullmatch(text, first.end, second.start) is not None
        and not set(first.figure.values).isdisjoint(second.figure.values)
        and text[second.end : second.end + 1] == ")"
    )


def _joined(text: str, first: Candidate, second: Candidate) -> Candidate:
    """Return the one number of "at least ninety (90) days", with its bound and its unit."""
    behind = text[second.end + 1 : second.end + 41]
    again = find_figures(f"{text[second.start : second.end]}{behind}")
    figure = again[0] if again else second.figure
    words = clip(" ".join(f"{first.words} ({second.words}){behind[:12]}".split()), _LONGEST_SHOWN)
    return first._replace(figure=figure, end=second.end + 1, words=words)


def _in_brackets(text: str, start: int, end: int) -> Figure | None:
    """Return a figure that brackets make negative, as in accounts, with currency and scale."""
    opening = text.rfind("(", max(0, start - 4), end)
    if opening < 0:
        return None
    match = _BRACKETED.match(text, max(0, opening - 1)) or _BRACKETED.match(text, opening)
    if match is None:
        return None
    is_share = match["inner"].endswith("%")  # "(5%)" in a sentence is no loss
    is_amount = not is_share and (_AMOUNT.search(match["inner"]) or match["currency"].strip())
    if not is_amount and not _IN_CELL.search(text[max(0, opening - 12) : match.end("inner") + 12]):
        return None
    again = find_figures(f"{match['currency']}{match['inner']}{match['tail']}")
    return again[0] if again else None


def _is_negative(text: str, located: LocatedFigure) -> bool:
    """Whether words around an amount make it negative: "a loss of", "fell by", "lower"."""
    figure, start, end = located
    if figure.kind not in _MAY_FALL:
        return False
    if figure.kind.startswith("percent"):  # "4 % less than in 2022"
        behind = " ".join(text[end : end + _REACH].lower().split())
        if behind.startswith(tuple(all_words("less"))):
            return True
    numbers = {each.written for each in figure.readings if each.written}
    if any(-number in numbers for number in numbers):
        return True  # it was read so
    before = _clause_before(text, start)
    words = _WORD.findall(before)
    return bool(words) and words[-1].lower() not in _LEVELS and is_loss(before)


def is_loss(words: str) -> bool:
    """Whether a name or clause has a noun such as "loss" or "decrease"."""
    return not _losses().isdisjoint(word.lower() for word in _WORD.findall(words))


@cache
def _losses() -> frozenset[str]:
    """Return the nouns of phrases such as "loss of"."""
    phrases = (phrase.lower().rpartition(" ") for phrase in all_words("fall"))
    return frozenset(noun for noun, _, last in phrases if last in _PREPOSITIONS and " " not in noun)
