"""Quotes that run from one chunk of a source into the next one.

Which chunks belong together is read from their metadata, as pipelines write it: the same source,
and numbers that say which one comes next. Chunks may overlap.
"""

import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Literal
from uuid import UUID

from groundtypes.quotes.matches import MatchKind, QuoteMatch
from groundtypes.references import References, Span

#: What the name of the source of a chunk has in it, and what other names have that say so little.
_SOURCE: Final = re.compile(r"source|file|doc|url|path|title|parent", re.IGNORECASE)
_NO_SOURCE: Final = re.compile(r"type|format|kind|mime|lang", re.IGNORECASE)
_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
#: The words of names of numbers that say where a chunk is: the characters before it, its number
#: among the chunks, and its page.
_OFFSETS: Final = frozenset("start offset char character position pos".split())
_NUMBERS: Final = frozenset("chunk split segment paragraph passage block".split())
_PAGES: Final = frozenset("page slide".split())
#: Words that are such a name only with each other or on their own: an order number is none.
_TOGETHER: Final = frozenset("index idx ix seq sequence number num no nr node text".split())
_ALONE: Final = frozenset("order part".split())
#: Words of names that say something else of each chunk.
_OF_CHUNK: Final = frozenset(
    "size len length count total end tokens words score distance seconds second ms time uuid node "
    "vector point element hash heading headings header headers section subsection summary "
    "keyword keywords text content window original category label prev previous next embedding "
    "excerpt context snippet question questions entities".split()
)
#: Overlaps of less are only believed if they are whole words.
_LEAST_OVERLAP: Final = 20
_LONGEST_OVERLAP: Final = 4_000
#: What stands between two chunks, at most.
_LONGEST_GAP: Final = 2
#: Of more texts than this, no pairs are looked for.
_MOST_TEXTS: Final = 1_000
_WORDS_BETWEEN: Final = re.compile(r"(?<!\S)[^\W\d_]+(?:[ \n][^\W\d_]+)+\Z")
_PLAIN_WORD: Final = re.compile(r"[a-z0-9]{3,}")
_FEW_WORDS: Final = 3

_Kind = Literal["offset", "number", "page", "source", "chunk"]
_Places = dict[_Kind, dict[str, int]]


def match_across_chunks(
    quote: str,
    references: References,
    within: str | None,
    find: Callable[[References], QuoteMatch | None],
) -> QuoteMatch | None:
    """Return where a quote begins in one chunk and ends in the next one, with one span for each.

    `find` searches other references for the quote.
    """
    if not references.metadata or not 2 <= len(references) <= _MOST_TEXTS:
        return None
    words = set(_PLAIN_WORD.findall(quote.lower()))
    reach = 2 * len(quote) + 400
    for first, second, overlap in _neighbours(references):
        if within is not None and within not in (references.ids[first], references.ids[second]):
            continue
        rest = references.texts[second]
        head_end = len(references.texts[first].rstrip())
        low = max(0, head_end - reach)
        head = references.texts[first][low:head_end]
        at = overlap or _end_of_overlap(references.texts[first][:head_end], rest)
        skipped = at + len(rest[at:]) - len(rest[at:].lstrip())
        # A line break, so that what stands at the start of a line is seen there.
        seam = "" if at and skipped == at and head_end == len(references.texts[first]) else "\n"
        joined = f"{head}{seam}{rest[skipped : skipped + reach]}"
        if not head or not _may_have(joined, words):
            continue
        if (found := find(References.of({"chunks": joined}))) is None:
            continue
        start, end = found.span.start, found.span.end - len(head) - len(seam)
        if start < len(head) and end > 0:
            spans = (
                references.span_at(first, low + start, head_end),
                references.span_at(second, skipped, skipped + end),
            )
            how = MatchKind.NORMALISED if found.how is MatchKind.EXACT else found.how
            text = text_of_spans(references, spans)
            return QuoteMatch(text, spans[0], how, found.cut, spans)
    return None


def text_of_spans(references: References, spans: Iterable[Span]) -> str:
    """Return the words of spans; behind an overlap that ends inside a word, they are joined."""
    joined = ""
    for span in spans:
        text = references[span.reference].text
        inside = span.start and not text[span.start - 1].isspace()
        joined += f"{' ' if joined and not inside else ''}{text[span.start : span.end]}"
    return joined


def _may_have(text: str, words: set[str]) -> bool:
    """Whether a text has half of the words, which is found faster than a quote."""
    if len(words) < _FEW_WORDS:
        return True
    lower = text.lower()
    return 2 * sum(word in lower for word in words) >= len(words)


def _neighbours(references: References) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of texts of which the second follows the first, and what both have."""
    groups: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for number, metadata in enumerate(references.metadata):
        if metadata and (source := _source(metadata)):
            groups.setdefault(source, []).append(number)
    for numbers in groups.values():
        if len(numbers) > 1:
            places = {number: _places(references.metadata[number] or {}) for number in numbers}
            yield from _Group(references.texts, numbers, places).neighbours()


class _Group:
    """The chunks of one source."""

    def __init__(
        self, texts: Sequence[str], numbers: Sequence[int], places: Mapping[int, _Places]
    ) -> None:
        self._texts, self._numbers, self._places = texts, numbers, places
        self._at: dict[tuple[_Kind, str, int], list[int]] = {}
        offsets: dict[str, list[tuple[int, int]]] = {}
        for number in numbers:
            for kind, values in places[number].items():
                for name, value in values.items():
                    self._at.setdefault((kind, name, value), []).append(number)
                    if kind == "offset":
                        offsets.setdefault(name, []).append((value, number))
        self._offsets = {name: sorted(values) for name, values in offsets.items()}
        self._of_pages = set(self._numbers_of_pages())

    def neighbours(self) -> Iterator[tuple[int, int, int]]:
        for first in self._numbers:
            for second in sorted(self._candidates(first)):
                if second != first and (found := self._follows(first, second)) is not None:
                    yield first, second, found

    def _numbers_of_pages(self) -> Iterator[str]:
        """Yield the names of numbers that begin again on each page."""
        ranges: dict[tuple[str, str], dict[int, tuple[int, int]]] = {}
        for places in self._places.values():
            for page, at in places["page"].items():
                for name, value in places["number"].items():
                    known = ranges.setdefault((page, name), {})
                    low, high = known.get(at, (value, value))
                    known[at] = (min(low, value), max(high, value))
        for (_, name), known in ranges.items():
            pages = [known[page] for page in sorted(known)]
            if any(low <= high for (_, high), (low, _) in pairwise(pages)):
                yield name

    def _candidates(self, first: int) -> set[int]:
        places, found = self._places[first], set[int]()
        for name, value in places["number"].items():
            found.update(self._at.get(("number", name, value + 1), ()))
        for name, value in places["offset"].items():
            known = self._offsets[name]
            low = bisect_right(known, (value, len(self._texts)))
            most = value + len(self._texts[first]) + _LONGEST_GAP
            found.update(number for _, number in known[low : bisect_right(known, (most, first))])
            found.update(self._at.get(("offset", name, most), ()))
        return found

    def _follows(self, first: int, second: int) -> int | None:
        """Return how many characters both chunks certainly have, if the second follows the first.

        All numbers that both have must say so.
        """
        mine, theirs = self._places[first], self._places[second]
        numbers, pages, offsets = (
            {
                name: theirs[kind][name] - value
                for name, value in mine[kind].items()
                if name in theirs[kind]
            }
            for kind in ("number", "page", "offset")
        )
        if not all(0 <= step <= 1 for step in (*numbers.values(), *pages.values())):
            return None
        length, next_page = len(self._texts[first]), any(pages.values())
        overlaps = [self._overlap(first, second, step) for step in offsets.values()]
        known = min((each for each in overlaps if each), default=0)
        if any(numbers.values()):
            if next_page:  # where offsets, too, may begin again
                return None if self._of_pages.intersection(numbers) else known
            fit = all(0 <= step <= length + _LONGEST_GAP for step in offsets.values())
            return known if fit else None
        if any(offsets.values()):
            certain = all(each is not None for each in overlaps)
            return known if certain and (not next_page or known >= _LEAST_OVERLAP) else None
        # Of two pages without other numbers, each chunk may be any part.
        return None

    def _overlap(self, first: int, second: int, step: int) -> int | None:
        """Return how much the next chunk repeats if it begins so far behind; `None` if it can't."""
        begun, rest = self._texts[first], self._texts[second]
        if step in (0, 1) or len(begun) <= step <= len(begun) + _LONGEST_GAP:
            return 0  # 1: the next one of texts that are counted
        if 0 < step < len(begun) and rest.startswith(begun[step:]):
            return len(begun) - step
        return None


@lru_cache(maxsize=1_000)
def _kind(name: str) -> _Kind:
    """Return what the name of an entry of metadata says of a number under it."""
    words = {word.lower() for word in _NAME_WORD.findall(name)}
    if words and (words <= _TOGETHER or (len(words) == 1 and words <= _ALONE)):
        return "number"
    if words & _OF_CHUNK and words.isdisjoint(_PAGES):
        return "chunk"
    if words & {"count", "total", "size"} or words == {"id"}:
        return "chunk"
    for kind, known in (("offset", _OFFSETS), ("number", _NUMBERS), ("page", _PAGES)):
        if words & known and words.isdisjoint({"year", "date"}):
            return kind  # type: ignore[return-value] # mypy reads `str`
    return "source"


def _source(metadata: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return all that must be equal of chunks of one source; nothing if it is not named."""
    found, is_named = [], False
    for name, value in metadata.items():
        if not isinstance(name, str) or value is None or value == "":
            continue
        names_source = _SOURCE.search(name) is not None and not _NO_SOURCE.search(name)
        kind = _kind(name)
        is_title = kind in {"page", "chunk"} and names_source and isinstance(value, str)
        if kind != "source" and not is_title:
            continue
        if isinstance(value, str | int | date | UUID) and not isinstance(value, bool):
            found.append((name, str(value)))
            is_named = is_named or (names_source and isinstance(value, str))
        elif names_source:
            found.append((name, repr(value)))
    return tuple(sorted(found)) if is_named else ()


def _places(metadata: Mapping[str, Any]) -> _Places:
    places: _Places = {"number": {}, "page": {}, "offset": {}}
    for name, value in metadata.items():
        if not isinstance(name, str) or (kind := _kind(name)) not in places:
            continue
        number = _whole_number(value)
        if number is not None and (kind != "offset" or number >= 0):  # -1: it was not found
            places[kind][name] = number
    return places


def _whole_number(value: Any) -> int | None:
    """Return a whole number, also of a table that made it a float or a text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        is_number = len(value) < 20 and value.isascii() and value.isdecimal()
        return int(value) if is_number else None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _end_of_overlap(begun: str, rest: str) -> int:
    """Return where in the next chunk begins what the first one does not have."""
    head = rest[:_LEAST_OVERLAP]
    at = begun.rfind(head, max(0, len(begun) - _LONGEST_OVERLAP)) if head.strip() else -1
    while at >= 0:
        if rest.startswith(begun[at:]):
            return len(begun) - at
        at = begun.rfind(head, max(0, len(begun) - _LONGEST_OVERLAP), at + len(head) - 1)
    for length in range(min(_LEAST_OVERLAP, len(begun)), 0, -1):
        overlap = rest[:length]
        if (
            begun.endswith(overlap)
            and _WORDS_BETWEEN.search(begun, len(begun) - length)
            and not rest[length : length + 1].strip()
            and not begun[: len(begun) - length][-1:].strip()
        ):
            return length
    return 0
