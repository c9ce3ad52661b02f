"""How many things a text lists: parts of an enumeration, items of a list, rows of a table."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from groundtypes.text.layout import BlockKind
from groundtypes.text.sentences import Segment

__all__ = ["listed_in_layout", "listed_in_words"]

#: Marks that end what one enumeration is in.
_CLAUSE_END: Final = re.compile(r"[.:;!?()\[\]\u2014\u3002\uff1a\uff1b](?=\s|\Z)|\s[-\u2013]\s")
#: What stands between two parts of an enumeration.
_SEPARATOR: Final = re.compile(
    r"(?:,\s+|;\s+|\u3001|\uff0c|\u060c\s*)(?:(?:and|or)\s+)?|\s+(?:and|or|&|plus)\s+",
    re.IGNORECASE,
)


def listed_in_words(passage: str) -> Iterator[int]:
    """Yield how many parts each enumeration of a passage has."""
    for clause in _CLAUSE_END.split(passage):
        parts = len(_SEPARATOR.findall(clause)) + 1
        if parts > 1:
            yield parts


def listed_in_layout(segments: Iterable[Segment]) -> Iterator[int]:
    """Yield how many items or rows each list and table of a text has, without a table's header."""
    for kind, group in groupby(segments, key=lambda segment: segment.kind):
        count = sum(1 for _ in group)
        if kind is BlockKind.ITEM:
            yield count
        elif kind is BlockKind.ROW:
            yield count - 1
