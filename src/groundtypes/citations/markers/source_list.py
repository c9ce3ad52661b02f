"""The list of sources at the end of a text, and which reference each of its items names."""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from groundtypes.citations.markers.labels import (
    NUMBER,
    KnownSources,
    clean_label,
    parts_of,
    range_of,
)

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
    r"[ \t]{0,4}(?P<items>\S[^\n]{0,4000})\Z",
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
#: A list without a heading has no more paragraphs.
_MOST_PARAGRAPHS: Final = 20


@dataclass(frozen=True, slots=True)
class ListedStatement:
    """What an item of a list states, and the label of its item or the name before the words."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class SourceList:
    """The list of sources of a text.

    Attributes:
        span: Where it is, with its heading; `None` if there is none.
        listed: The reference that the item of each number names.
        statements: The items, or lines of them, that state something and are no mere title.
    """

    span: tuple[int, int] | None = None
    listed: dict[str, str] = field(default_factory=dict)
    statements: tuple[ListedStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class _Item:
    """A line of the list with its label and title, and where that is; a mark is in brackets."""

    label: str
    title: str
    start: int
    is_mark: bool = False
    is_definition: bool = False


def find_source_list(text: str, sources: KnownSources) -> SourceList:
    """Return the list of sources at the end of a text: below a heading, or with cited labels."""
    end = len(text.rstrip())
    found = _below_heading(text, end, sources) or _labelled_paragraph(text, end)
    if found is None:
        return SourceList()
    start, items = found
    statements, label = [], ""
    for item in items:
        label = item.label or label
        if statement := _statement(item, label, sources):
            statements.append(statement)
    return SourceList((start, end), _listed(items, sources), tuple(statements))


def _below_heading(text: str, end: int, sources: KnownSources) -> tuple[int, list[_Item]] | None:
    headings = [match.span() for match in _HEADING.finditer(text, 0, end)]
    if headings:
        start, high = headings[-1]
        items = _items(text, high, end)
        return (start, items) if items and _lists_sources(items, sources) else None
    last_line = text.rfind("\n", 0, end) + 1
    line = _ONE_LINE.match(text, last_line, end)
    if line is None or _CITED.search(text, 0, last_line) is None:
        return None
    item = _item(line["items"], line.start("items"))
    is_list = item.label or _URL.match(item.title) or _named(item.title, sources)
    return (last_line, [item]) if is_list else None


def _lists_sources(items: list[_Item], sources: KnownSources) -> bool:
    """Whether lines name sources, or go on with the title of one."""
    return all(
        item.label
        or _URL.search(item.title)
        or _named(item.title, sources)
        or (number and item.title[0].isspace())
        for number, item in enumerate(items)
    )


def _labelled_paragraph(text: str, end: int) -> tuple[int, list[_Item]] | None:
    """Return the list that the last paragraphs are, each line of which begins with a label."""
    found = None
    for gap in list(_BREAK.finditer(text, 0, end))[:-_MOST_PARAGRAPHS:-1]:
        start = gap.start() if gap["rule"] else gap.end()
        items = _items(text, gap.end(), end)
        if not items or not all(item.is_definition or _is_titled(item) for item in items):
            break
        labels = [item.label for item in items]
        cited = _cited_labels(text[:start])
        is_numbered = labels == [str(number) for number in range(1, len(labels) + 1)]
        # Of all sources, some may not be cited.
        is_cited = (any if is_numbered else all)(label in cited for label in labels)
        if is_cited or all(item.is_definition for item in items):
            found = start, items
    return found


def _is_titled(item: _Item) -> bool:
    """Whether a line is a mark with a title: a sentence behind a mark is none."""
    title = item.title.strip()
    return item.is_mark and title[:1].isalnum() and not title.endswith((".", "!", "?"))


def _items(text: str, start: int, end: int) -> list[_Item]:
    """Return the lines of a list that are not blank, or nothing if one is too long."""
    items = []
    for line in re.finditer(r"[^\n]+", text[start:end]):
        if len(line[0]) > 2 * _LONGEST_ITEM:
            return []
        if line[0].strip():
            items.append(_item(line[0], start + line.start()))
    return items


def _item(line: str, start: int) -> _Item:
    found = _ITEM.match(line)
    if found is None:
        return _Item("", line, start)
    names = ("square", "lenticular", "raised", "element", "number", "round")
    name = next(name for name in names if found[name])
    label = clean_label(found[name].translate(_TO_DIGITS))
    is_definition = name == "square" and bool(found["colon"])
    low = start + found.start("title")
    return _Item(label, found["title"], low, name in names[:4], is_definition)


def _statement(item: _Item, label: str, sources: KnownSources) -> ListedStatement | None:
    """Return what an item states: "1. The tower is tall." has a verb, and asks nothing."""
    name = _NAME_BEFORE.match(item.title)
    id_ = sources.by_name(clean_label(name["name"])) if name else None
    low = name.end() if name and id_ else 0
    words = item.title[low:].strip()
    states = (
        _VERB.search(words[:_LONGEST_ITEM]) is not None
        and len(words.split(maxsplit=_FEWEST_WORDS)) >= _FEWEST_WORDS
        and not words.endswith("?")
        and _TITLE_OF_QUESTION.match(words) is None
        and _is_name(words, sources) is None
    )
    start = item.start + item.title.index(words, low)
    return ListedStatement(start, start + len(words), id_ or label) if states else None


def _listed(items: list[_Item], sources: KnownSources) -> dict[str, str]:
    """Return the references that items name by their numbers; by a word if each has another."""
    named = [_named(item.title, sources) for item in items]
    is_clear = len(set(named)) == len(named) and None not in named
    listed: dict[str, str] = {}
    for item, by_word in zip(items, named, strict=True):
        id_ = by_word if is_clear else _is_name(item.title, sources)
        if NUMBER.fullmatch(item.label) and id_ is not None:
            listed.setdefault(str(int(item.label)), id_)
    return listed


def _is_name(title: str, sources: KnownSources) -> str | None:
    """Return the reference whose name a title is."""
    return sources.by_name(clean_label(title[:_LONGEST_ITEM]))


def _named(title: str, sources: KnownSources) -> str | None:
    """Return the reference that a title names, if it names just one."""
    if id_ := _is_name(title.strip(), sources):
        return id_
    words = (word[0].rstrip(".:") for word in islice(_WORD.finditer(title), _MOST_WORDS))
    names = {sources.by_name(word) for word in words if any(map(str.isalpha, word))} - {None}
    return names.pop() if len(names) == 1 else None


def _cited_labels(text: str) -> set[str]:
    """Return what is between brackets or raised in a text."""
    cited: set[str] = set()
    for found in _CITED.finditer(text):
        body = found["body"] or found["element"] or found["raised"].translate(_TO_DIGITS)
        for part in parts_of(body.lstrip("^").partition("\u2020")[0]):
            cited.update(range_of(part) or (part,))
    return cited
