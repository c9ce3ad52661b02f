"""The labels inside of a marker, and which reference each of them means.

"1, 3-5" names four sources, "guide.pdf, p. 3" one. A label that is the id of a reference means it.
A name that is no id is compared without regard to case, spaces and hyphens; its file ending and
folder may be left out, but not be others. A number that is no id counts the references from 1.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from groundtypes.references import PerReferences
from groundtypes.text.characters import INVISIBLE, fold

#: A longer text is no label.
MAX_LABEL: Final = 500
#: A range of more numbers is not expanded.
_MAX_RANGE: Final = 100
NUMBER: Final = re.compile(r"[0-9]{1,9}")
_DASH: Final = "\u2010-\u2015\u2212-"
_RANGE: Final = re.compile(
    rf"(?P<first>[0-9]{{1,40}}) ?(?:[{_DASH}]|to|bis|\.\.) ?(?P<last>[0-9]{{1,40}})"
)
_SEPARATOR: Final = re.compile(
    r"[,;|\u060c\u061b\u3001\uff0c\uff1b]|\s(?:&|and|und|et|y|e|og|och|en)\s"
)
_NUMBERS: Final = re.compile(r"[0-9]{1,3}(?: [0-9]{1,3}){1,250}")
_PLACE_WORD: Final = (
    r"(?:pp?|pgs?|pages?|seiten?|p\u00e1gs?|chap|ch|chapters?|kap|kapitel|secs?|sections?|abs|"
    r"para|paras|paragraphs?|lines?|ll?|figs?|figures?|tables?|tab|arts?|articles?|vol|slides?|rows?|"
    r"sheets?|appendix|s)"
)
_PLACE: Final = (
    rf"[0-9ivxlc]{{1,8}}[a-z]?(?: ?[{_DASH}] ?(?:{_PLACE_WORD}\.? ?)?[0-9ivxlc]{{1,8}})?"
    r"(?: ?ff?\.?)?"
)
_LOCATOR: Final = re.compile(
    rf"(?:{_PLACE_WORD}\b\.?|[\u00a7\u00b6]{{1,2}}|{_PLACE_WORD}(?=[0-9])) ?{_PLACE}",
    re.IGNORECASE,
)
#: A place behind a name without a comma: "guide.pdf p. 3", "guide#page=3", "1:12", "guide L1-L9".
_TRAILING: Final = re.compile(
    rf" {{0,2}}(?:\((?:{_PLACE_WORD}\b\.?|\u00a7) ?{_PLACE}\)"
    rf"| (?:{_PLACE_WORD}\b\.?|\u00a7|l(?=[0-9])) ?{_PLACE}"
    rf"|#[\w=&.-]{{1,60}}|: ?L?[0-9]{{1,6}}(?:[{_DASH}]L?[0-9]{{1,6}})?)\Z",
    re.IGNORECASE,
)
_QUOTATION: Final = " \"'`\u201c\u201d\u2018\u2019\u00ab\u00bb\\"
_EDGES: Final = f"{_QUOTATION}\t\r\n\u00a0@#"
_SPACING: Final = re.compile(r"[\s_,-]{1,500}")
_FILE_ENDING: Final = re.compile(
    r"\.(?:pdf|txt|md|markdown|html?|docx?|odt|rtf|csv|tsv|xlsx?|pptx?|json|jsonl|xml|ya?ml|rst|tex|"
    r"epub|eml|msg|log)\Z"
)
#: What does not tell two addresses or folders apart.
_SCHEME: Final = re.compile(r"(?:https?://)?(?:www\.)?(?:\.{1,2}[/\\]){0,20}")
_ADDED_TO_ADDRESS: Final = re.compile(r"[?&]utm_[a-z]+=[^&#]*", re.IGNORECASE)
#: Of a name, so many folders at its end are looked at.
_MOST_FOLDERS: Final = 8
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
#: The name of a result, which OpenAI counts from 0: "turn0file1" is the second.
_TURN: Final = re.compile(r"turn[0-9]{1,4}[a-z]{1,20}(?P<position>[0-9]{1,4})")
#: Words that introduce markers behind a sentence, in brackets or on a line of their own.
LABEL_BEFORE: Final = re.compile(
    r"(?:\A|\n|(?<=[.!?]) )[ \t]{0,8}(?:\*\*)?(?:sources?|references?|citations?|quellen?|belege?|"
    r"fuentes?)\s?(?::(?:\*\*)?|\*\*:)\s?\Z",
    re.IGNORECASE,
)
#: Marks that writers put into brackets and that name no source.
_EDITORIAL: Final = frozenset(
    "sic ... \u2026 x ? ! * note notes todo tbd edit edited update ok none null nil ibid ibid. "
    "pdf link links image photo video audio source sources citation citations reference "
    "references redacted inaudible laughter applause music emphasis he she it they we you i him "
    "her them us".split()
)


def clean_label(text: str) -> str:
    """Return a label without what is invisible and quotation marks around it, in ASCII digits."""
    return _on_one_line(text).strip(_EDGES)


def _on_one_line(text: str) -> str:
    if not text.isascii():
        text = INVISIBLE.sub("", text)
        text = "".join(
            str(unicodedata.decimal(character)) if character.isdecimal() else character
            for character in text
        )
    return " ".join(text.split())


def parts_of(content: str, clean: Callable[[str], str] = clean_label) -> list[str]:
    """Return the parts of a marker between its commas and the like, made labels by `clean`."""
    parts = [clean(part) for part in _SEPARATOR.split(content)]
    return [
        label for part in parts for label in (part.split() if _NUMBERS.fullmatch(part) else (part,))
    ]


def range_of(part: str) -> Iterator[str] | None:
    """Return the numbers of a range such as "1-3", of a long one its ends; `None` if it is none."""
    found = _RANGE.fullmatch(part)
    if found is None:
        return None
    first, last = int(found["first"]), int(found["last"])
    if first >= last:
        return None
    if last - first >= _MAX_RANGE:
        return iter((str(first), str(last)))
    return map(str, range(first, last + 1))


def is_locator(part: str) -> bool:
    """Whether a part names no source but a place in one: "p. 3", "section 2"."""
    return _LOCATOR.fullmatch(part) is not None


def without_locator(part: str) -> str:
    """Return a name without the place behind it: "guide.pdf" of "guide.pdf p. 3"."""
    found = _TRAILING.search(part[-80:])
    return part[: len(part) - len(found[0])].rstrip() if found else part


def without_kind(label: str) -> str:
    """Return a label without the word that says what it names: "3" of "Source 3"."""
    if turn := _TURN.fullmatch(label):
        return str(int(turn["position"]) + 1)
    found = _KIND.match(label)
    return label[found.end() :] if found else label


def is_editorial(label: str) -> bool:
    """Whether a label in brackets is a remark of the writer's, such as "sic"."""
    return label.casefold() in _EDITORIAL


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
        """Return the label that a text is: as it is written if it is a name, else without marks."""
        written = _on_one_line(text)
        cleaned = clean_label(text)
        if written in self._exact or cleaned in self._exact:
            return written if written in self._exact else cleaned
        bare = written.strip(_QUOTATION)
        return bare if bare[:1] in ("#", "@") and self.by_name(bare) is not None else cleaned

    def by_name(self, label: str) -> str | None:
        """Return the reference that a name means, or `None`: also if several could be meant."""
        if label in self._exact:
            return label
        if len(label) > MAX_LABEL:
            return None
        for name in (label, without_locator(label)):
            if not name or NUMBER.fullmatch(name):
                continue
            if name in self._exact:
                return name
            folded = _spaced(name)
            candidates = (self._folded.get(folded), self._parts.get(folded))
            # A name with a folder or an ending of its own is no reference that has another one.
            longer = (self._folded.get(part) for part in _parts(folded))
            if id_ := next(filter(None, (*candidates, *longer)), None):
                return id_
        return None

    def by_number(self, label: str, listed: Mapping[str, str], *, from_zero: bool) -> str | None:
        """Return the reference that a number means; `listed` are those of the list of sources."""
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
        """Whether a label that names no reference looks like one: a number, a URL or a file."""
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


def _spaced(label: str) -> str:
    if "://" in label:  # which engines add to the addresses that they found
        label = _ADDED_TO_ADDRESS.sub("", label)
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
