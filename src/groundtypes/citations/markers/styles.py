"""The styles of citation markers, and where each may occur in a text.

A candidate is not yet a marker: `marker_reader` asks which sources its labels mean. Every pattern
here is bounded, and between two attempts no character is read more than a bounded number of times.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from groundtypes.citations.markers.labels import MAX_LABEL
from groundtypes.text.characters import is_spaceless

_LONGEST: Final = 1_000
#: Elements that are nested more deeply name a source without enclosing anything.
_DEEPEST: Final = 16
#: How much of the text before a candidate tells whether it is a marker.
_REACH: Final = 40


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a marker: half open, in code points.

    Attributes:
        start: Where it starts.
        end: Where it ends.
        body: The text that may hold labels.
        content: Where the words are that an element encloses, or `None`.
        is_explicit: Whether nothing but a citation is written like this, whatever its labels.
    """

    start: int
    end: int
    body: str
    content: tuple[int, int] | None = None
    is_explicit: bool = False


_BRACKETS: Final = re.compile(
    rf"\\?[\[\uff3b](?P<body>[^\[\]\uff3b\uff3d]{{1,{_LONGEST}}})[\]\uff3d]"
)
_CARET: Final = re.compile(r"[\u200b-\u200f\u2060\ufeff]{0,8}\^")
_LENTICULAR: Final = re.compile(rf"\u3010(?P<body>[^\u3010\u3011]{{1,{_LONGEST}}})\u3011")
_PARENTHESES: Final = re.compile(
    rf"(?<![\w\]`])[(\uff08](?P<body>[^()\uff08\uff09]{{1,{_LONGEST}}})[)\uff09]"
)
_BRACES: Final = re.compile(
    r"\{\{[ \t]{0,4}(?:cite|citation|cit|ref|reference|source)s?[ \t]{0,4}[:|=][ \t]{0,4}"
    rf"(?P<body>[^{{}}]{{1,{_LONGEST}}})\}}\}}"
    rf"|\\(?:auto|foot|paren|text)?cite[pt]?\*?\{{(?P<latex>[^{{}}]{{1,{_LONGEST}}})\}}",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    rf"<(?P<close>/?)(?P<name>cite|citation|ref|source)\b(?P<attributes>[^<>]{{0,{_LONGEST}}})>",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"\b(?:ids?|refs?|references?|sources?|src|docs?|documents?|index|idx|key|n|number|name)"
    r"[ \t]{0,4}=[ \t]{0,4}(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'>/]+))",
    re.IGNORECASE,
)
_RAISED: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SUPERSCRIPT: Final = re.compile(
    rf"[{_RAISED}]{{1,3}}(?:[,\u02d2\u02ce\u00b7\u207b\u2013-] ?[{_RAISED}]{{1,3}}){{0,20}}"
    r"|<sup>(?P<body>[^<>]{1,100})</sup>",
    re.IGNORECASE,
)
_TO_DIGITS: Final = str.maketrans(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u02d2\u02ce\u00b7",
    "1230456789-,,,",
)
#: What a raised number is a power of: a number, a variable, a unit behind an amount, a formula.
_POWER_BEFORE: Final = re.compile(
    r"(?:[\d\u00bd\u00bc^+\u2212=*/\u00d7\u207a\u207b-]|(?:^|[^\w'\u2019])(?P<variable>[^\W\d_])"
    rf"|(?:[\d\u00bd\u00bc/{_RAISED}] ?|\b(?:square|cubic|per) )"
    r"(?:[^\W\d_]{1,3}|feet|inch|met(?:er|re)s?)"
    r"|[(\[][^()\[\]]{0,30}(?:[+*/=^\u2212\u00b1\u00d7]|\b[a-z]\b)[^()\[\]]{0,30}[)\]])\Z"
)
#: The name before the brackets of an element of an array: "values_of[0]", "x[1]", "myList[2]".
_ARRAY_BEFORE: Final = re.compile(
    r"(?:_[A-Za-z]{1,40}|\b[a-z]|\b[a-z]{1,40}[A-Z][A-Za-z]{0,40}|\.[a-z]\w{0,40})\Z"
)
_LINK_TARGET: Final = re.compile(
    r"\(\s{0,3}(?:<[^<>\n]{0,1000}>|[^\s()]{1,1000}(?:\([^\s()]{0,300}\)[^\s()]{0,300})?)"
    r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,3}\)"
)
#: A number in brackets that is a link: "[[1]](https://...)", or with the id as its title, as
#: `CitedText` writes it; without a title, its numbers are not those of the references.
_LINKED: Final = re.compile(
    r"\[(?P<escaped>\\?)\[\s?(?P<label>[0-9]{1,9}(?:\s?,\s?[0-9]{1,9}){0,9})\s?\\?\]\]"
    r"\(\s?[^\s()]{1,2000}(?:\s{1,3}\"(?P<title>[^\"\n]{1,500})\")?\s?\)"
)
_ITEM_BEFORE: Final = re.compile(r"(?:^|\n)[ \t>]{0,40}(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,4}\Z")


def _brackets(text: str) -> Iterator[Candidate]:
    for found in _BRACKETS.finditer(text):
        start, end = found.span()
        link = _LINKED.match(text, max(0, start - 1))
        if link is not None and (link["title"] or not link["escaped"]):
            title = f"\u2020{link['title']}" if link["title"] else ""
            yield Candidate(*link.span(), link["label"] + title)
        elif not _CARET.match(found["body"]) and not _is_link_or_code(
            text, start, end, found["body"]
        ):
            yield Candidate(start, end, found["body"])


def _is_link_or_code(text: str, start: int, end: int, body: str) -> bool:
    """Whether brackets are a link, a box of a task list or an element of an array."""
    if text.startswith("](", end) or (text.startswith("(", end) and _LINK_TARGET.match(text, end)):
        return True
    before = text[max(0, start - _REACH) : start]
    if before.endswith("!") and text.startswith(("[", "("), end):
        return True
    if body in ("x", "X", " ") and _ITEM_BEFORE.search(before):
        return True
    return _ARRAY_BEFORE.search(before) is not None


def _footnotes(text: str) -> Iterator[Candidate]:
    for found in _BRACKETS.finditer(text):
        caret = _CARET.match(found["body"])
        if caret and (body := found["body"][caret.end() :]).strip():
            yield Candidate(*found.span(), body, is_explicit=True)


def _lenticular(text: str) -> Iterator[Candidate]:
    for found in _LENTICULAR.finditer(text):
        yield Candidate(*found.span(), found["body"], is_explicit="\u2020" in found["body"])


def _parentheses(text: str) -> Iterator[Candidate]:
    for found in _PARENTHESES.finditer(text):
        yield Candidate(*found.span(), found["body"])


def _braces(text: str) -> Iterator[Candidate]:
    for found in _BRACES.finditer(text):
        yield Candidate(*found.span(), found["body"] or found["latex"], is_explicit=True)


def _tags(text: str) -> Iterator[Candidate]:
    """Yield elements that name a source in an attribute, or alone in their content."""
    candidates: list[Candidate] = []
    opened: list[tuple[re.Match[str], str]] = []
    for tag in _TAG.finditer(text):
        attributes = tag["attributes"]
        found = _ATTRIBUTE.search(attributes)
        body = (found["double"] or found["single"] or found["bare"] or "") if found else ""
        if not tag["close"]:
            if not attributes.rstrip().endswith("/") and len(opened) < _DEEPEST:
                opened.append((tag, body))
            elif body:
                candidates.append(Candidate(*tag.span(), body, is_explicit=True))
            continue
        if not opened or opened[-1][0]["name"].lower() != tag["name"].lower():
            continue
        opening, body = opened.pop()
        low, high = opening.end(), tag.start()
        if body:
            content = (low, high) if text[low:high].strip() else None
            candidates.append(
                Candidate(opening.start(), tag.end(), body, content, is_explicit=True)
            )
        elif 0 < high - low <= MAX_LABEL:
            candidates.append(Candidate(opening.start(), tag.end(), text[low:high]))
    unclosed = [Candidate(*tag.span(), body, is_explicit=True) for tag, body in opened if body]
    yield from sorted([*candidates, *unclosed], key=lambda candidate: candidate.start)


def _superscripts(text: str) -> Iterator[Candidate]:
    for found in _SUPERSCRIPT.finditer(text):
        if not _is_power(text, *found.span()):
            body = found["body"] or found[0].translate(_TO_DIGITS)
            yield Candidate(*found.span(), body.strip("[] "))


def _is_power(text: str, start: int, end: int) -> bool:
    """Whether a raised number is a power, the charge of an ion or the mass of an isotope."""
    following = text[end : end + 1]
    if following.isalnum() or following in ("\u207a", "\u207b"):
        return True
    before = text[max(0, start - 2 * _REACH) : start]
    if not before or before[-1].isspace():
        return before.strip() == "" or following == ""  # nothing that it could be behind
    found = _POWER_BEFORE.search(before)
    return found is not None and not (found["variable"] and is_spaceless(found["variable"]))


def own_candidates(text: str, pattern: re.Pattern[str]) -> Iterator[Candidate]:
    """Yield the matches of a pattern, with its group `ids`, else its first group, as labels."""
    group: str | int = "ids" if "ids" in pattern.groupindex else 1
    for found in pattern.finditer(text):
        if found.start() < found.end() and found[group]:
            yield Candidate(*found.span(), found[group], is_explicit=True)


#: Each style with what yields its candidates, in order; of two styles that name as many sources,
#: the first one counts.
STYLES: Final[Mapping[str, Callable[[str], Iterator[Candidate]]]] = MappingProxyType(
    {
        "tags": _tags,
        "braces": _braces,
        "lenticular": _lenticular,
        "footnotes": _footnotes,
        "brackets": _brackets,
        "superscripts": _superscripts,
        "parentheses": _parentheses,
    }
)
