"""The list of sources at the end of a text, and which reference each of its items names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from groundtypes.citations.markers.known_sources import KnownSources
from groundtypes.citations.markers.labels import NUMBER, clean_label, parts_of, range_of

__all__ = ["ListedStatement", "SourceList", "find_source_list"]

_TITLE: Final = (
    r"(?:list of )?(?:sources?|references?|citations?|footnotes?|notes|bibliography|works cited|"
    r"literature|quellen(?:verzeichnis|angaben)?|quelle|belege|literatur(?:verzeichnis)?|einzelnachweise|"
    r"fu\u00dfnoten|r\u00e9f\u00e9rences?|fuentes?|referencias|bibliograf\u00eda|fonti|riferimenti|bronnen|"
    r"\u53c2\u8003\u6587\u732e|\u53c2\u8003\u8d44\u6599|\u6765\u6e90|\u51fa\u5178|\u53c2\u8003\u6587\u732e|"
    r"\u0627\u0644\u0645\u0635\u0627\u062f\u0631|\u0627\u0644\u0645\u0631\u0627\u062c\u0639)"
    r"(?: (?:cited|used|consulted))?"
)
_HEADING: Final = re.compile(
    rf"^[ \t>]{{0,10}}(?:\#{{1,6}}[ \t]{{1,4}})?(?:\*\*|__)?{_TITLE}[ \t]{{0,4}}"
    r"[:\uff1a]?(?:\*\*|__)?[:\uff1a]?[ \t]{0,20}\r?$",
    re.IGNORECASE | re.MULTILINE,
)
#: A heading with its sources behind it on one line.
_ONE_LINE: Final = re.compile(
    rf"^[ \t>]{{0,10}}(?:\*\*|__)?{_TITLE}[ \t]{{0,4}}"
    r"(?:[:\uff1a](?:\*\*|__)?|(?:\*\*|__)[:\uff1a])"
    r"[ \t]{0,4}(?P<items>\S[^\n]{0,4000})$",
    re.IGNORECASE | re.MULTILINE,
)
_RAISED: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_BULLET: Final = r"[ \t>]{0,20}(?:[-*+\u2022][ \t]{1,4})?"
#: An item with its label, whose title may be in the next line.
_ITEM: Final = re.compile(
    rf"{_BULLET}(?:\*\*)?(?:\\?\[\^?(?P<square>[^\[\]\n]{{1,500}})\\?\]|\u3010(?P<lenticular>[^\u3010\u3011\n]{{1,200}})\u3011"
    rf"|(?P<number>\d{{1,3}})(?:[.):]|(?= ?[-\u2013\u2014:]))|\((?P<round>\d{{1,3}})\)"
    rf"|(?P<raised>[{_RAISED}]{{1,3}})"
    r"|<sup>(?P<element>\d{1,3})</sup>)(?:\*\*)?(?P<colon>:?)[ \t]{0,8}(?P<title>[^\n]{0,1000})"
)
#: An item of a list of definitions, as Markdown has them for footnotes and links.
_DEFINITION: Final = re.compile(
    r"^[ ]{0,3}\[\^?(?P<label>[^\[\]\n]{1,500})\]:[ \t]{0,8}(?P<title>[^\n]{0,1000})", re.MULTILINE
)
#: A blank line, or a line that is a rule.
_BREAK: Final = re.compile(
    r"\n[ \t]{0,100}\r?\n|(?<=\n)(?P<rule>[ \t]{0,3}(?:-{3,60}|\*{3,60}|_{3,60})[ \t]{0,20}\n)"
)
_CITED: Final = re.compile(
    rf"[\[\u3010](?P<body>[^\[\]\u3010\u3011\n]{{1,200}})[\]\u3011]|(?P<raised>[{_RAISED}]{{1,3}})"
    r"|<sup>(?P<element>[^<>]{1,20})</sup>"
)
_URL: Final = re.compile(r"https?://\S")
_TO_DIGITS: Final = str.maketrans(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", "1230456789"
)
_WORD: Final = re.compile(r"[^\s,;()\[\]<>\"'\u201c\u201d*]{2,500}")
#: The name of a reference before what an item says of it: "guide.pdf: The tower is tall."
_NAME_BEFORE: Final = re.compile(
    r"[ \t>*+\u2022-]{0,20}(?P<name>[^:\n]{1,200}?)(?::(?!//)|[ \t][-\u2013\u2014])[ \t]{1,4}"
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|does|did|may|must|should|cannot|"
    r"ist|sind|war|hat|est|sont|es|son|era)\b|\w(?:n['\u2019]t)\b",
    re.IGNORECASE,
)
_TITLE_OF_QUESTION: Final = re.compile(
    r"[\"'\u201c\u2018*_]{0,3}(?:what|which|who|when|where|why|how|whether)\b", re.IGNORECASE
)
_FEWEST_WORDS: Final = 3
#: An item is a title, and no paragraph.
_LONGEST_ITEM: Final = 500
_MOST_WORDS: Final = 80


@dataclass(frozen=True, slots=True)
class ListedStatement:
    """What an item of a list of sources states: half open, in code points of the text.

    `label` is that of its item, or the name of a reference before the words; `""` if it has none.
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class SourceList:
    """The list of sources of a text.

    Attributes:
        span: Where it is, with its heading; `None` if there is none.
        definitions: Where single definitions such as "[^1]: guide" are.
        listed: The reference that the item of each number names.
        statements: The items, or lines of them, that state something and are no mere title.
    """

    span: tuple[int, int] | None = None
    listed: dict[str, str] = field(default_factory=dict)
    statements: tuple[ListedStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def find_source_list(text: str, sources: KnownSources) -> SourceList:
    """Return the list of sources at the end of a text.

    It has a heading such as "Sources:", or it consists of definitions such as "[1]: guide.pdf", or
    of a paragraph of lines that each begin with a label cited before. Nothing follows it.
    """
    end = len(text.rstrip())
    found = _below_heading(text, end, sources) or _without_heading(text, end)
    if found is None:
        return SourceList()
    start, items = found
    statements = tuple(_statements(text, start, end, sources))
    return SourceList((start, end), _listed(items, sources), statements)


def _statements(
    text: str, start: int, end: int, sources: KnownSources
) -> Iterator[ListedStatement]:
    """Yield the lines of a list that state something, such as "1. The tower is tall."."""
    label = ""
    for line in _lines(text, start, end):
        heading = _ONE_LINE.match(line.text)
        low = heading.start("items") if heading else 0
        item = _ITEM.match(line.text, low)
        if item:
            label = clean_label(next(filter(None, _labels(item))).translate(_TO_DIGITS))
            low = item.start("title")
        name = _NAME_BEFORE.match(line.text, low)
        id_ = sources.by_name(clean_label(name["name"])) if name else None
        if name and id_ is not None:
            low = name.end()
        words = line.text[low:].strip()
        if _states(words) and _is_name(words, sources) is None:
            low += len(line.text[low:]) - len(line.text[low:].lstrip())
            at = line.start + low
            yield ListedStatement(at, at + len(words), id_ or label)


def _states(words: str) -> bool:
    """Whether the words of an item are a statement: they have a verb, and ask nothing."""
    return (
        _VERB.search(words[:_LONGEST_ITEM]) is not None
        and len(words.split(maxsplit=_FEWEST_WORDS)) >= _FEWEST_WORDS
        and not words.endswith("?")
        and _TITLE_OF_QUESTION.match(words) is None
    )


def _listed(items: list[tuple[str, str]], sources: KnownSources) -> dict[str, str]:
    """Return the references that the items of a list name, by their numbers.

    A word of a title is the name of a reference only if each item names another one.
    """
    titles = [(clean_label(label.translate(_TO_DIGITS)), title.strip()) for label, title in items]
    listed: dict[str, str] = {}
    by_word = {id_ for _, title in titles if (id_ := _named(title, sources)) is not None}
    is_clear = len(by_word) == len(titles)
    for label, title in titles:
        id_ = _named(title, sources) if is_clear else _is_name(title, sources)
        if NUMBER.fullmatch(label) and id_ is not None:
            listed.setdefault(str(int(label)), id_)
    return listed


def _is_name(title: str, sources: KnownSources) -> str | None:
    """Return the reference whose name a title is."""
    return sources.by_name(clean_label(title[:_LONGEST_ITEM]))


def _below_heading(
    text: str, end: int, sources: KnownSources
) -> tuple[int, list[tuple[str, str]]] | None:
    headings = [match.span() for match in _HEADING.finditer(text, 0, end)]
    if headings:
        start, high = headings[-1]
        items = _items(text, high, end, sources)
        return (start, items) if items else None
    lines = [match for match in _ONE_LINE.finditer(text, 0, end) if match.end() >= end]
    if lines and (_cites(text, lines[-1].start()) and _names(lines[-1]["items"], sources)):
        return lines[-1].start(), []
    return None


def _cites(text: str, end: int) -> bool:
    """Whether a text has markers before a position, which a line at its end may list."""
    return re.search(r"[\[\u3010<{\u00b9\u00b2\u00b3]", text[:end]) is not None


def _names(line: str, sources: KnownSources) -> bool:
    """Whether a line is a list of labels, names and URLs."""
    return (
        _ITEM.match(line) is not None
        or _URL.match(line) is not None
        or _named(line, sources) is not None
    )


def _items(text: str, start: int, end: int, sources: KnownSources) -> list[tuple[str, str]]:
    """Return the labels and titles of the items of a list, or nothing if it lists no sources."""
    items: list[tuple[str, str]] = []
    blank = True
    for line in _lines(text, start, end):
        if not line.text.strip():
            blank = True
            continue
        if len(line.text) > _LONGEST_ITEM * 2:
            return []
        found = _ITEM.match(line.text)
        if found:
            items.append((next(filter(None, _labels(found))), found["title"]))
        elif _URL.search(line.text) or _named(line.text, sources) is not None:
            items.append(("", line.text))
        elif not items or (blank and not line.text[0].isspace()):
            return []
        blank = False
    return items


def _labels(found: re.Match[str]) -> Iterator[str | None]:
    return (
        found[name] for name in ("square", "lenticular", "number", "round", "raised", "element")
    )


def _without_heading(text: str, end: int) -> tuple[int, list[tuple[str, str]]] | None:
    """Return the list that the last paragraphs are, each line of which begins with a label."""
    start: int | None = None
    items: list[tuple[str, str]] = []
    at = end
    while at > 0:
        low = max(text.rfind("\n", 0, at), -1) + 1
        line = text[low:at]
        if line.strip():
            found = _DEFINITION.match(line) if len(line) <= _LONGEST_ITEM * 2 else None
            if found is None:
                break
            start = low
            items.append((found["label"], found["title"]))
        at = low - 1
    if start is not None and start > 0:
        return start, items[::-1]
    return _labelled_paragraph(text, end)


def _labelled_paragraph(text: str, end: int) -> tuple[int, list[tuple[str, str]]] | None:
    breaks = list(_BREAK.finditer(text, 0, end))
    if not breaks:
        return None
    start = breaks[-1].start() if breaks[-1]["rule"] else breaks[-1].end()
    items: list[tuple[str, str]] = []
    for line in _lines(text, breaks[-1].end(), end):
        found = _ITEM.match(line.text) if len(line.text) <= _LONGEST_ITEM else None
        if found is None or found["number"] or found["round"]:
            return None
        title = found["title"].strip()
        # A sentence behind a label is no title.
        if not title or title.endswith((".", "!", "?")) or not title[0].isalnum():
            return None
        items.append((next(filter(None, _labels(found))), title))
    labels = [clean_label(label.translate(_TO_DIGITS)) for label, _ in items]
    cited = _cited_labels(text[:start])
    if labels == [str(number) for number in range(1, len(labels) + 1)]:
        is_list = any(label in cited for label in labels)  # all sources, also those not cited
    else:
        is_list = all(label in cited for label in labels)
    return (start, items) if is_list else None


def _cited_labels(text: str) -> set[str]:
    """Return what is between brackets or raised in a text."""
    cited: set[str] = set()
    for found in _CITED.finditer(text):
        body = found["body"] or found["element"] or found["raised"].translate(_TO_DIGITS)
        for part in parts_of(body.lstrip("^").partition("\u2020")[0]):
            cited.update(range_of(part) or (part,))
    return cited


def _named(title: str, sources: KnownSources) -> str | None:
    """Return the reference that a title names, if it names just one."""
    title = title.strip()
    if id_ := _is_name(title, sources):
        return id_
    names = set()
    for number, word in enumerate(_WORD.finditer(title)):
        if number >= _MOST_WORDS:
            break
        name = word[0].rstrip(".:")
        if any(map(str.isalpha, name)) and (id_ := sources.by_name(name)):
            names.add(id_)
    return names.pop() if len(names) == 1 else None


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    while start <= end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if stop > start or stop < end:
            yield _Line(start, stop, text[start:stop])
        start = stop + 1
