"""The text of an answer part by part, and the places of citations in it.

Offsets count code points, bytes of UTF-8 (Google) or, behind some gateways, code units of UTF-16.
Where the provider repeats the words that it marks, these decide.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from groundtypes.citations.providers.message_fields import integer
from groundtypes.citations.providers.provider_answer import CitedSource, ProviderCitation
from groundtypes.text.offsets import Offsets, Unit


class Place(NamedTuple):
    """A place in a text, in code points, and what is wrong with the offsets that gave it."""

    start: int
    end: int
    is_placed: bool = True
    fault: str | None = None


#: What stands between texts that are not one in the message.
_BETWEEN: Final = "\n\n"
#: The units in the order in which they are tried, by the one that the provider documents.
_TRIED: Final = {unit: (unit, *(other for other in Unit if other is not unit)) for unit in Unit}


@dataclass(frozen=True)
class Part:
    """A text block of an answer, and where it starts in it."""

    text: str
    start: int = 0

    @property
    def end(self) -> int:
        """Where it ends in the answer."""
        return self.start + len(self.text)

    @property
    def whole(self) -> Place:
        """The place of a citation for which the provider gives none."""
        return Place(self.start, self.end, is_placed=False)

    @cached_property
    def offsets(self) -> Offsets:
        """Its offsets in every unit."""
        return Offsets(self.text)

    def place(self, start: object, end: object, unit: Unit, marked: str | None = None) -> Place:
        """Return where offsets in this part are in the answer; `marked` is what stands there."""
        low, high = integer(start), integer(end)
        if low is None or high is None:
            found = self._found(marked)
            if found is not None:
                return found
            if start is None and end is None:
                return self.whole
            return self._wrong("no numbers")
        fitting = [self.offsets.in_code_points(low, high, tried) for tried in _TRIED[unit]]
        if marked is None or not marked.strip():
            # Only the documented unit counts where nothing tells which one it is.
            if fitting[0] is not None:
                return Place(self.start + fitting[0][0], self.start + fitting[0][1])
            return self._wrong(f"{low} to {high}")
        for span in fitting:
            if span is not None and self.text[slice(*span)].strip() == marked.strip():
                return Place(self.start + span[0], self.start + span[1])
        found = self._found(marked)
        fault = self._wrong(f"{low} to {high}").fault
        return self.whole._replace(fault=fault) if found is None else found._replace(fault=fault)

    def _found(self, marked: str | None) -> Place | None:
        """Return where the marked words are, if they occur once."""
        words = (marked or "").strip()
        at = self.text.find(words) if words else -1
        if at < 0 or self.text.find(words, at + 1) >= 0:
            return None
        return Place(self.start + at, self.start + at + len(words))

    def _wrong(self, offsets: str) -> Place:
        fault = f"{offsets}, in a text of {len(self.text)} characters"
        return self.whole._replace(fault=fault)


@dataclass
class Draft:
    """An answer while it is read.

    Attributes:
        parts: All parts of the message by their position; `None` for those that are no text.
        citations: Its citations.
        sources: Sources of which the message has the text, beside the citations.
    """

    parts: list[Part | None] = field(default_factory=list)
    citations: list[ProviderCitation] = field(default_factory=list)
    sources: list[CitedSource] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _length: int = 0
    _is_separated: bool = False

    @property
    def text(self) -> str:
        """The text of the answer so far."""
        return "".join(self._texts)

    @property
    def has_text(self) -> bool:
        """Whether there is a part that is text, if an empty one."""
        return any(part is not None for part in self.parts)

    def skip(self, *, separates: bool = True) -> None:
        """Note a part that is no text, such as the call of a tool between two texts."""
        self.parts.append(None)
        self._is_separated = self._is_separated or separates

    def add(self, text: str) -> Part:
        """Note a text block."""
        if self._is_separated and text:
            self._is_separated = False
            if self._length:
                self._texts.append(_BETWEEN)
                self._length += len(_BETWEEN)
        part = Part(text, self._length)
        self._texts.append(text)
        self._length += len(text)
        self.parts.append(part)
        return part

    @property
    def here(self) -> Place:
        """The position behind all text so far."""
        return Place(self._length, self._length)

    def separate(self) -> None:
        """Begin another message of the same answer."""
        self._is_separated = True

    def whole(self) -> Part:
        """Return all text so far as one part."""
        return Part(self.text)

    def cite(
        self, kind: str, place: Place, sources: tuple[CitedSource, ...], **more: object
    ) -> None:
        """Note a citation."""
        start, end, is_placed, fault = place
        self.citations.append(
            ProviderCitation(
                kind=kind,
                start=start,
                end=end,
                is_placed=is_placed,
                place_fault=fault,
                sources=sources,
                **more,  # type: ignore[arg-type] # fields of a citation
            )
        )
