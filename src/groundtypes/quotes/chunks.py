"""Quotes that run from one chunk of a source into the next one.

Which chunks belong together is read from their metadata, as pipelines write it: the same source,
and numbers that say which one comes next. Chunks may overlap.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from groundtypes.quotes.matches import MatchKind, QuoteMatch
from groundtypes.references import References

#: What the names of metadata that tell the source of a chunk, and its place there, have in them.
_SOURCE: Final = re.compile(r"source|file|doc|url|path|title|parent", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"index|idx|chunk|order|seq|split|start|offset|char|position|page|part|number", re.IGNORECASE
)
_NO_PLACE: Final = re.compile(r"size|len|count|total|end", re.IGNORECASE)
#: Of these, the ones that say where in its source a chunk begins.
_OFFSET: Final = re.compile(r"start|offset|char|position", re.IGNORECASE)
#: How far before the end of a chunk, at most, the next one may begin.
_LONGEST_OVERLAP: Final = 4_000
_LEAST_OVERLAP: Final = 20
#: Of more texts than this, no pairs are looked for.
_MOST_TEXTS: Final = 1_000


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
    reach = 2 * len(quote) + 400
    for first, second in _neighbours(references):
        if within is not None and within not in (references.ids[first], references.ids[second]):
            continue
        begun, rest = references.texts[first], references.texts[second]
        at = _end_of_overlap(begun, rest)
        low = max(0, len(begun) - reach)
        head = begun[low:].rstrip()
        skipped = at + len(rest[at:]) - len(rest[at:].lstrip())
        tail = rest[skipped : skipped + reach]
        joined = References.of({"chunks": f"{head} {tail}"})
        if (found := find(joined)) is None:
            continue
        start, end = found.span.start, found.span.end - len(head) - 1
        if start < len(head) and end > 0:
            spans = (
                references.span_at(first, low + start, low + len(head)),
                references.span_at(second, skipped, skipped + end),
            )
            how = MatchKind.NORMALISED if found.how is MatchKind.EXACT else found.how
            return QuoteMatch(found.text, spans[0], how, found.cut, spans)
    return None


def _neighbours(references: References) -> Iterator[tuple[int, int]]:
    """Yield the numbers of texts of which the second follows the first in its source."""
    groups: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for number, metadata in enumerate(references.metadata):
        if metadata and (source := _source(metadata)):
            groups.setdefault(source, []).append(number)
    for numbers in groups.values():
        places = {number: _places(references.metadata[number] or {}) for number in numbers}
        for first in numbers:
            length = len(references.texts[first])
            for second in numbers:
                if second != first and _follows(places[first], places[second], length):
                    yield first, second


def _source(metadata: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted(
            (name, value)
            for name, value in metadata.items()
            if isinstance(value, str) and value and isinstance(name, str) and _SOURCE.search(name)
        )
    )


def _places(metadata: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: value
        for name, value in metadata.items()
        if isinstance(value, int)
        and not isinstance(value, bool)
        and isinstance(name, str)
        and _PLACE.search(name)
        and not _NO_PLACE.search(name)
    }


def _follows(first: Mapping[str, int], second: Mapping[str, int], length: int) -> bool:
    """Whether all numbers that two chunks share say that the second follows the first."""
    steps = [
        (second[name] - first[name], length + 2 if _OFFSET.search(name) else 1)
        for name in first.keys() & second.keys()
    ]
    return any(step for step, _ in steps) and all(0 <= step <= most for step, most in steps)


def _end_of_overlap(begun: str, rest: str) -> int:
    """Return where in the next chunk begins what the first one does not have."""
    head = rest[:_LEAST_OVERLAP]
    at = begun.rfind(head, max(0, len(begun) - _LONGEST_OVERLAP)) if head.strip() else -1
    while at >= 0:
        if rest.startswith(begun[at:]):
            return len(begun) - at
        at = begun.rfind(head, max(0, len(begun) - _LONGEST_OVERLAP), at + len(head) - 1)
    return 0
