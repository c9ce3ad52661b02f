"""The citation markers of a field, and which of its verdicts judged what each of them cites."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.references import References
from groundtypes.verdicts import Verdict


class CitationLink(NamedTuple):
    """A marker of a field: half open, in code points.

    `verdict` is the position of the verdict on its sentence, and `references` are the ids that both
    name.
    """

    start: int
    end: int
    verdict: int
    references: tuple[str, ...]


def citation_links(
    text: str, verdicts: Sequence[Verdict], references: References
) -> list[CitationLink]:
    """Return the markers of a field in order, of an element such as `<cite>` both tags.

    Args:
        text: The field.
        verdicts: All verdicts on it. Those on citations name what their sentence cites.
        references: The references of the answer.
    """
    parts = sorted(
        (*verdict.part, number)
        for number, verdict in enumerate(verdicts)
        if verdict.part is not None and verdict.citations
    )
    return list(_links(text, verdicts, parts, references)) if parts else []


def _links(
    text: str,
    verdicts: Sequence[Verdict],
    parts: Sequence[tuple[int, int, int]],
    references: References,
) -> Iterator[CitationLink]:
    starts = [start for start, _, _ in parts]
    marked = read_markers(text, references)
    for marker in marked.markers:
        cited = marked.references_of(marker)
        # The sentence that the marker is in or behind, or for a marker before it the next one.
        before = bisect_right(starts, marker.start) - 1
        for place in (before, before + 1):
            if 0 <= place < len(parts):
                number = parts[place][2]
                common = tuple(id_ for id_ in cited if id_ in verdicts[number].citations)
                if common:
                    for start, end in marker.parts:
                        yield CitationLink(start, end, number, common)
                    break
