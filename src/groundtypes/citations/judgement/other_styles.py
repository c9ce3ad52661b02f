"""What an answer cites in another style than the one that counts, and how it should be written."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from groundtypes.citations.judgement.names import ReferenceNames
from groundtypes.citations.markers.marker import Marker
from groundtypes.citations.markers.own_pattern import example_of, own_pattern
from groundtypes.citations.markers.reader import markers_in_other_styles
from groundtypes.citations.statements.answer import CitedAnswer, Style
from groundtypes.references import References

__all__ = ["OtherStyle", "OtherStyles"]

_RAISED: Final = str.maketrans(
    "0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)
_TEMPLATES: Final = {
    "brackets": "[{number}]",
    "footnotes": "[^{number}]",
    "lenticular": "\u3010{number}\u2020source\u3011",
    "superscripts": "{raised}",
    "parentheses": "({id})",
    "tags": '<cite id="{id}">...</cite>',
    "braces": "{{{{cite:{id}}}}}",
}
_MAX_ID: Final = 100


@dataclass(frozen=True, slots=True)
class OtherStyle:
    """A marker as it is written, and how the answer should write it."""

    written: str
    example: str


class OtherStyles:
    """What an answer cites in other styles than the one that counts; read when it is asked for."""

    def __init__(
        self, answer: CitedAnswer, references: References, style: Style, names: ReferenceNames
    ) -> None:
        """Take the answer, the style in which it should cite, and the names of its references."""
        self._answer = answer
        self._references = references
        self._style = style
        self._names = names

    def within(self, start: int, end: int) -> OtherStyle | None:
        """Return the first marker between two positions that cites a reference in another style.

        `None` if there is none, or if nothing tells which style is asked for.
        """
        at = bisect_left(self._markers, start, key=lambda found: found[0].start)
        if at == len(self._markers) or self._markers[at][0].start >= end:
            return None
        marker, ids = self._markers[at]
        example = self._example(ids[0])
        written = self._answer.marked.text[marker.start : marker.end]
        return None if example is None else OtherStyle(written, example)

    @cached_property
    def _markers(self) -> list[tuple[Marker, tuple[str, ...]]]:
        return markers_in_other_styles(self._answer.marked, self._references)

    def _example(self, id_: str) -> str | None:
        """Return a marker for a reference in the style that counts."""
        label, number = id_[:_MAX_ID], self._names.number(id_)
        style = self._answer.marked.style if self._style == "auto" else self._style
        template = _TEMPLATES.get(style) if isinstance(style, str) else None
        if template is not None:
            return template.format(number=number, id=label, raised=number.translate(_RAISED))
        if not style:
            return None
        pattern = own_pattern(style)
        return example_of(pattern, (label, number)) or f"{pattern.pattern} matches it"
