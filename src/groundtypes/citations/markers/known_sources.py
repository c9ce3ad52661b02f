"""Which reference a label means.

A label that is the id of a reference means it. A name that is no id is compared without regard to
case, spaces and hyphens; its file ending and folder may be left out, but not be others. A number
that is no id counts the references from 1.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from groundtypes.citations.markers.labels import (
    MAX_LABEL,
    NUMBER,
    clean_label,
    on_one_line,
    without_locator,
)
from groundtypes.references import PerReferences
from groundtypes.text.characters import fold

_SPACING: Final = re.compile(r"[\s_-]{1,500}")
_FILE_ENDING: Final = re.compile(
    r"\.(?:pdf|txt|md|markdown|html?|docx?|odt|rtf|csv|tsv|xlsx?|pptx?|json|jsonl|xml|ya?ml|rst|tex|"
    r"epub|eml|msg|log)\Z"
)
#: What does not tell two addresses or folders apart.
_SCHEME: Final = re.compile(r"(?:https?://)?(?:www\.)?(?:\.{1,2}[/\\]){0,20}")
#: Of a name, so many folders at its end are looked at.
_MOST_FOLDERS: Final = 8
_URL: Final = re.compile(r"(?:https?://|www\.)\S{1,490}")
_DIGITS: Final = re.compile(r"[0-9]{1,500}")
_QUOTATION: Final = " \"'`\u201c\u201d\u2018\u2019\u00ab\u00bb\\"
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
        #: The same for names without their folders and file ending.
        self._parts = _unambiguous((part, id_) for id_ in short for part in _parts(_spaced(id_)))
        self._shapes = {
            _shape(id_) for id_ in self._folded if _DIGITS.search(id_) and not NUMBER.fullmatch(id_)
        }
        #: Whether the ids are those that a list without ids gets: its positions from 0.
        self.are_positions = self.ids == tuple(map(str, range(len(self.ids))))
        self._number_sizes = {len(id_) for id_ in short if NUMBER.fullmatch(id_)}

    def is_id(self, label: str) -> bool:
        """Whether a label is the id of a reference, as it is written."""
        return label in self._exact

    def label(self, text: str) -> str:
        """Return the label that a text is: as it is written if it is a name, else without marks.

        "#12" is the reference with this id, if there is one, else the number 12.
        """
        written = on_one_line(text)
        cleaned = clean_label(text)
        if written in self._exact or cleaned in self._exact:
            return written if written in self._exact else cleaned
        bare = written.strip(_QUOTATION)
        return bare if bare[:1] in ("#", "@") and self.by_name(bare) is not None else cleaned

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
            candidates = (self._folded.get(folded), self._parts.get(folded))
            # A name with a folder or an ending of its own is no reference that has another one.
            longer = (self._folded.get(part) for part in _parts(folded))
            if id_ := next(filter(None, (*candidates, *longer)), None):
                return id_
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


def _parts(folded: str) -> set[str]:
    """Return a name without some of its folders, its file ending, or both; numbers are none."""
    path = _SCHEME.sub("", folded.rstrip("/\\").replace("\\", "/"), count=1)
    steps = path.split("/")[-_MOST_FOLDERS:]
    paths = {"/".join(steps[number:]) for number in range(len(steps))}
    names = paths | {_FILE_ENDING.sub("", path) for path in paths}
    return {name for name in names if name and name != folded and not NUMBER.fullmatch(name)}


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
