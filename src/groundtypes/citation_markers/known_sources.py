"""Which reference a label means.

A label that is the id of a reference means it. A name that is no id is compared without regard to
case, spaces and hyphens, then without file ending and folder. A number that is no id counts the
references from 1.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from groundtypes.citation_markers.labels import MAX_LABEL, NUMBER, without_locator
from groundtypes.references import PerReferences
from groundtypes.text.characters import fold

__all__ = ["KnownSources", "is_editorial", "known_sources", "without_kind"]

_SPACING: Final = re.compile(r"[\s_-]{1,500}")
_FILE_ENDING: Final = re.compile(
    r"\.(?:pdf|txt|md|markdown|html?|docx?|odt|rtf|csv|tsv|xlsx?|pptx?|json|jsonl|xml|ya?ml|rst|tex|"
    r"epub|eml|msg|log)\Z"
)
_FOLDERS: Final = re.compile(r".{0,500}[/\\]", re.DOTALL)
_URL: Final = re.compile(r"(?:https?://|www\.)\S{1,490}")
_DIGITS: Final = re.compile(r"[0-9]{1,500}")
#: A word that says what kind of thing a label names: "Source 3", "doc: guide".
_KIND: Final = re.compile(
    r"(?:sources?|src|docs?|documents?|refs?|references?|passages?|chunks?|contexts?|cite|cites|"
    r"citations?|results?|excerpts?|snippets?|quellen?|dokument|dokumente|fuentes?|documentos?|id|"
    r"see|see also|cf\.?|siehe|vgl\.)"
    r"(?:\s{0,2}(?:no\.|nr\.|[:#=.])|(?<=\w)(?=[0-9])|\s|[-_])\s{0,2}(?=\S)",
    re.IGNORECASE,
)
#: Marks that writers put into brackets and that name no source.
_EDITORIAL: Final = frozenset(
    "sic ... \u2026 x ? ! * note notes todo tbd edit edited update ok none null nil ibid ibid. "
    "pdf link links image photo video audio source sources citation citations reference "
    "references redacted inaudible laughter applause music emphasis he she it they we you i him "
    "her them us".split()
)


class KnownSources:
    """The references that labels may name."""

    def __init__(self, ids: Iterable[str]) -> None:
        """Take the ids of the references, in their order."""
        self.ids = tuple(ids)
        self._exact = frozenset(self.ids)
        short = [id_ for id_ in self.ids if len(id_) <= MAX_LABEL]
        self._folded = _unambiguous((_spaced(id_), id_) for id_ in short)
        self._loose = _unambiguous((_base_name(_spaced(id_)), id_) for id_ in short)
        self._shapes = {
            _shape(id_) for id_ in self._folded if _DIGITS.search(id_) and not NUMBER.fullmatch(id_)
        }
        #: Whether the ids are those that a list without ids gets: its positions from 0.
        self.are_positions = self.ids == tuple(map(str, range(len(self.ids))))
        self._number_sizes = {len(id_) for id_ in short if NUMBER.fullmatch(id_)}
        #: The ids that have brackets in them.
        self.bracketed = {
            id_ for id_ in short if re.search(r"[\[\]()\u3010\u3011\uff08\uff09{}<>]", id_)
        }

    def is_id(self, label: str) -> bool:
        """Whether a label is the id of a reference, as it is written."""
        return label in self._exact

    def by_name(self, label: str) -> str | None:
        """Return the reference that a name means, or `None`: also if several could be meant."""
        if label in self._exact:
            return label
        if len(label) > MAX_LABEL or NUMBER.fullmatch(label):
            return None
        for name in (label, without_locator(label)):
            if not name:
                continue
            if name in self._exact and not NUMBER.fullmatch(name):
                return name
            folded = _spaced(name)
            if folded in self._folded:
                return self._folded[folded]
            loose = _base_name(folded)
            if loose in self._loose and not NUMBER.fullmatch(loose):
                return self._loose[loose]
        return None

    def by_number(self, label: str, listed: Mapping[str, str], *, from_zero: bool) -> str | None:
        """Return the reference that a number means, or `None`.

        Args:
            label: The number.
            listed: The references of numbers that the list of sources at the end of the text says.
            from_zero: Whether the text numbers references that have no ids of their own from 0.
        """
        if not NUMBER.fullmatch(label):
            return None
        number = int(label)
        if not self.are_positions:
            if label in self._exact:
                return label
            if (id_ := listed.get(str(number))) is not None:
                return id_
            if self._number_sizes:
                return str(number) if str(number) in self._exact else None
        position = number if from_zero and self.are_positions else number - 1
        return self.ids[position] if 0 <= position < len(self.ids) else None

    def looks_like_a_source(self, label: str) -> bool:
        """Whether a label that names no reference looks like the name of one.

        It is a number of up to three digits, or of as many as some id unless it may be a year, a
        URL, a file, or like the ids but for its digits.
        """
        if NUMBER.fullmatch(label):
            return len(label) <= 3 or (len(label) > 4 and len(label) in self._number_sizes)
        if len(label) > MAX_LABEL:
            return False
        folded = _spaced(label)
        return (
            _URL.fullmatch(folded) is not None
            or (_FILE_ENDING.search(folded) is not None and len(label.split()) <= 8)
            or self.has_shape(label)
        )

    def has_shape(self, label: str) -> bool:
        """Return whether a name is like some id but for its digits."""
        return len(label) <= MAX_LABEL and _shape(_spaced(label)) in self._shapes


#: The names of each collection of references, computed once.
known_sources: Final = PerReferences[KnownSources](lambda references: KnownSources(references.ids))


def without_kind(label: str) -> str:
    """Return a label without the word that says what it names: "3" of "Source 3"."""
    found = _KIND.match(label)
    return label[found.end() :] if found else label


def is_editorial(label: str) -> bool:
    """Whether a label in brackets is a remark of the writer's, such as "sic"."""
    return label.casefold() in _EDITORIAL


def _spaced(label: str) -> str:
    return _SPACING.sub("-", fold(label.strip()))


def _base_name(folded: str) -> str:
    """Return a folded name without its folder and file ending."""
    folder = _FOLDERS.match(folded.rstrip("/\\"))
    name = folded.rstrip("/\\")[folder.end() :] if folder else folded
    return _FILE_ENDING.sub("", name)


def _shape(folded: str) -> str:
    return _DIGITS.sub("0", folded)


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the names that mean one reference only."""
    names: dict[str, str] = {}
    ambiguous = set()
    for name, id_ in pairs:
        if not name or names.setdefault(name, id_) != id_:
            ambiguous.add(name)
    return {name: id_ for name, id_ in names.items() if name not in ambiguous}
