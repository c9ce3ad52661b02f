"""The styles of citation markers, and where each may occur in a text.

Every pattern is bounded, and reads no character more than a bounded number of times.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from groundtypes.citations.markers.labels import LABEL_BEFORE, MAX_LABEL, is_editorial
from groundtypes.text.characters import is_spaceless
from groundtypes.text.punkt import CLOSING, TERMINATORS

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
        names: The title and the address of a link, one of which may name a reference.
        is_aside: Whether it is no part of the sentence, though it may name no source that is known.
    """

    start: int
    end: int
    body: str
    content: tuple[int, int] | None = None
    is_explicit: bool = False
    names: tuple[str, ...] = ()
    is_aside: bool = False


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
    r"|[=+*/] ?[a-z]{2,3}"
    r"|[(\[][^()\[\]]{0,30}(?:[+*/=^\u2212\u00b1\u00d7]|\b[a-z]\b)[^()\[\]]{0,30}[)\]])\Z"
)
#: The name before the brackets of an element of an array: "values_of[0]", "x[1]", "myList[2]".
_ARRAY_BEFORE: Final = re.compile(
    r"(?:_[A-Za-z]{1,40}|\b[a-z]|\b[a-z]{1,40}[A-Z][A-Za-z]{0,40}|\.[a-z]\w{0,40})\Z"
)
_TARGET: Final = (
    r"\(\s{0,3}(?:<(?P<angle>[^<>\n]{0,1000})>"
    r"|(?P<address>[^\s()]{1,1000}(?:\([^\s()]{0,300}\)[^\s()]{0,300})?))"
    r"(?:\s{1,3}(?:\"(?P<title>[^\"\n]{0,500})\"|'[^'\n]{0,300}'))?\s{0,3}\)"
)
_LINK_TARGET: Final = re.compile(_TARGET)
#: A link: "[the guide](https://...)", or with its number in brackets, "[[1]](https://...)", as also
#: `CitedText` writes it, with the id of the reference as its title.
_LINK: Final = re.compile(
    rf"(?<![!\]])\[(?:(?P<escaped>\\?)\[(?P<label>[^\[\]\n]{{1,100}}?)\\?\]"
    rf"|(?P<words>[^\[\]\n]{{1,300}}))\]{_TARGET}"
)
_ADDRESS: Final = re.compile(
    r"https?://[^\s<>()\[\]\"]{3,1000}(?:\([^\s<>()]{1,300}\)[^\s<>()\[\]\"]{0,300})?"
)
_ENCLOSED: Final = ("()", "<>")
_NOT_BEFORE_ADDRESS: Final = ("](", "[", '"', "'", "=", "](<")
#: The name of a page that is no word of a sentence: a number, or the name of a site.
_SITE: Final = re.compile(r"\d{1,4}|[\w-]{1,100}(?:\.[\w-]{1,100}){1,5}|https?://\S{1,300}")
_IS_ADDRESS: Final = re.compile(r"[^\s/]{0,300}[./#]\S")
_NUMBERS: Final = re.compile(r"\s?\d{1,9}(?:\s?,\s?\d{1,9}){0,9}\s?")
_SHORT: Final = 3
#: Behind a short word, such as a preposition, the name of a site is a part of the sentence.
_LONG_WORD_BEFORE: Final = re.compile(r"\w{4}[^\w\s]{0,3}\s{0,3}\Z|[^\W\d_a-z]\w{0,2}\s{0,3}\Z")
_CLAUSE_ENDS: Final = re.compile(rf"[ \t]{{0,3}}(?:[{TERMINATORS},;:\n\[]|\Z)")
_SENTENCE_BEFORE: Final = re.compile(rf"[{TERMINATORS}][{CLOSING}]{{0,4}}[ \t\n]{{0,4}}\Z")
#: An author and a year: "Smith, 2021", "Smith et al. (2021)" in brackets of its own.
_AUTHORS: Final = re.compile(
    r"[^\W\d_a-z][^\W\d_'\u2019-]{1,40}[^()\[\]\d,;]{0,80},? (?:1[89]|20)\d\d[a-z]?"
    r"(?:, (?:pp?\.|S\.) ?\d{1,5}(?:[-\u2013]\d{1,5})?)?"
)
#: What engines write for a source: RAGFlow's "##0$$", which counts from 0, and OpenAI's names
#: between private characters, the last of which may be lines of the file.
TOKEN: Final = re.compile(
    r"##(?P<position>\d{1,4})\$\$"
    r"|\ue200(?P<kind>\w{0,20})\ue202(?P<body>[^\ue200\ue201\n]{1,1000})\ue201"
)
_LINES: Final = re.compile(r"L\d{1,7}(?:-L?\d{1,7})?")
_ITEM_BEFORE: Final = re.compile(r"(?:^|\n)[ \t>]{0,40}(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,4}\Z")


def _brackets(text: str) -> Iterator[Candidate]:
    for found in _BRACKETS.finditer(text):
        start, end = found.span()
        body = found["body"]
        if not _CARET.match(body) and not _is_link_or_code(text, start, end, body):
            yield Candidate(start, end, body)


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
            yield Candidate(*found.span(), body.rstrip("^"), is_explicit=True)


def _lenticular(text: str) -> Iterator[Candidate]:
    for found in _LENTICULAR.finditer(text):
        yield Candidate(*found.span(), found["body"], is_explicit="\u2020" in found["body"])


def _parentheses(text: str) -> Iterator[Candidate]:
    for found in _PARENTHESES.finditer(text):
        works = found["body"].split(";")
        is_work = all(_AUTHORS.fullmatch(work.strip()) for work in works)
        before = text[max(0, found.start() - _REACH) : found.start()]
        is_last = ends_clause(text, found.end()) or _SENTENCE_BEFORE.search(before) is not None
        is_aside = is_work and is_last
        yield Candidate(*found.span(), found["body"], is_aside=is_aside)


def _links(text: str) -> Iterator[Candidate]:
    """Yield links, whose words stay in the sentence unless they name the page, and addresses."""
    for found in _LINK.finditer(text):
        start, end = found.span()
        address = found["angle"] or found["address"] or ""
        words = found["label"] or found["words"]
        names = tuple(filter(None, (found["title"], address)))
        before = text[max(0, start - _REACH) : start]
        is_apart = _SENTENCE_BEFORE.search(before) is not None and _ends_line(text, end)
        is_site = _SITE.fullmatch(words) is not None or (
            ends_clause(text, end) and (is_editorial(words) or _names_site(words, address, before))
        )
        if found["label"] or is_site or is_apart:
            body = words if _NUMBERS.fullmatch(words) and not found["escaped"] else ""
            is_aside = _IS_ADDRESS.match(address) is not None
            yield Candidate(start, end, body if is_aside else "", names=names, is_aside=is_aside)
        else:
            yield Candidate(start, end, "", found.span("words"), names=names)
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(".,;:!?")
        start, end = found.start(), found.start() + len(address)
        before = text[max(0, start - _REACH) : start]
        if before.endswith(_NOT_BEFORE_ADDRESS):
            continue
        is_enclosed = before[-1:] + text[end : end + 1] in _ENCLOSED
        if is_enclosed:
            start, end = start - 1, end + 1
        is_apart = _SENTENCE_BEFORE.search(before) is not None and _ends_line(text, end)
        is_aside = (
            is_enclosed or is_apart or LABEL_BEFORE.search(before.replace("(", "\n")) is not None
        )
        yield Candidate(start, end, "", names=(address,), is_aside=is_aside)


def _names_site(words: str, address: str, before: str) -> bool:
    """Whether the words of a link are the name of its site: "Wikipedia" for en.wikipedia.org."""
    name = "".join(filter(str.isalnum, words)).lower()
    host = address.lower().partition("//")[2].partition("/")[0]
    is_name = len(name) > _SHORT and f".{name}" in f".{host}"
    return is_name and _LONG_WORD_BEFORE.search(before) is not None


def _ends_line(text: str, end: int) -> bool:
    """Whether nothing but another sentence may follow."""
    following = text[end : end + 3].lstrip(" .)]")
    return not following or not following[0].isalnum() or following[0].isupper()


def _tokens(text: str) -> Iterator[Candidate]:
    for found in TOKEN.finditer(text):
        if found["position"]:
            body = str(int(found["position"]) + 1)
        else:
            body = ", ".join(token_names(found))
        yield Candidate(*found.span(), body, is_explicit=True)


def token_names(token: re.Match[str]) -> list[str]:
    """Return the sources that a token of OpenAI names, without the lines in them."""
    return [name for name in token["body"].split("\ue202") if not _LINES.fullmatch(name)]


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


def ends_clause(text: str, end: int) -> bool:
    """Whether a clause may end at a position: a mark, another marker or nothing follows."""
    return _CLAUSE_ENDS.match(text, end) is not None


def _is_power(text: str, start: int, end: int) -> bool:
    """Whether a raised number is a power, the charge of an ion or the mass of an isotope."""
    following = text[end : end + 1]
    if following.isalnum() or following in ("\u207a", "\u207b"):
        return True
    before = text[max(0, start - 2 * _REACH) : start]
    if not before or before[-1].isspace():
        # There is nothing that it could be behind.
        ends = following == "" and _SENTENCE_BEFORE.search(before) is None
        return before.strip() == "" or ends
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
        "tokens": _tokens,
        "links": _links,
        "brackets": _brackets,
        "superscripts": _superscripts,
        "parentheses": _parentheses,
    }
)
