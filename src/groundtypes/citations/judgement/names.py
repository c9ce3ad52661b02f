"""How the messages about an answer name its references: as the answer itself cites them."""

from collections.abc import Iterable
from typing import Final

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.references import References
from groundtypes.text.message_excerpts import shown_id

__all__ = ["ReferenceNames"]

#: How many references a message names.
_MAX_NAMED: Final = 10


class ReferenceNames:
    """The names of references in messages: `[2] (guide)` where numbers are cited, else `guide`."""

    def __init__(self, marked: MarkedText, references: References, *, by_id: bool) -> None:
        """Take the answer, whose markers show whether it cites by number.

        `by_id` is for an answer whose markers do not show it.
        """
        self._references = references
        self._labels = {id_: label for label, id_ in marked.ids.items() if id_ is not None}
        numbers = [label.isdecimal() for label in self._labels.values()]
        self._by_number = any(numbers) if numbers else not by_id
        ids = references.ids
        self._are_positions = ids == tuple(map(str, range(len(ids))))
        self._are_numbers = not self._are_positions and any(id_.isdecimal() for id_ in ids)
        #: The names of all references, by the word before the last one.
        self._all: dict[str, str] = {}
        self._first = 0 if self._are_positions and self._labels.get("0") == "0" else 1

    def name(self, id_: str) -> str:
        """Return the name of a reference."""
        shown = shown_id(id_)
        if not self._by_number:
            return shown
        if self._are_numbers:
            return f"[{shown}]"
        number = f"[{self._references.number(id_) + self._first}]"
        return number if self._are_positions else f"{number} ({shown})"

    def join_all(self, word: str) -> str:
        """Return the names of all references as a list in words."""
        if word not in self._all:
            self._all[word] = self.join(self._references.ids, word)
        return self._all[word]

    def number(self, id_: str) -> str:
        """Return the number by which an answer cites a reference."""
        if self._are_numbers:
            return id_
        return str(self._references.number(id_) + self._first)

    def join(self, ids: Iterable[str], word: str = "and") -> str:
        """Return the names of some references as a list in words."""
        unique = list(dict.fromkeys(ids))
        names = [self.name(id_) for id_ in unique[:_MAX_NAMED]]
        if len(unique) > _MAX_NAMED:
            names.append(f"{len(unique) - _MAX_NAMED} more")
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {word} {names[-1]}"
