"""The styles of citation markers, and where each may occur in a text.

A candidate is not yet a marker: `reader` asks which sources its labels mean. Every pattern here is
bounded, and between two attempts no character is read more than a bounded number of times.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from groundtypes.citations.markers.intervals import is_interval_by_words
from groundtypes.citations.markers.labels import MAX_LABEL, NUMBER
from groundtypes.text.characters import is_spaceless

__all__ = ["STYLES", "Candidate", "bracketed_ids", "own_candidates"]

_LONGEST: Final = 1_000
#: Elements that are nested more deeply name a source without enclosing anything.
_DEEPEST: Final = 16
#: How many characters of an id decide which lengths an id here may have.
_PREFIX: Final = 4
#: What is between the parts of a marker must not be looked at further than this.
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
_PARENTHESES: Final = re.compile(rf"[(\uff08](?P<body>[^()\uff08\uff09]{{1,{_LONGEST}}})[)\uff09]")
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
#: A unit or function that a raised number is a power of; a single letter always is one.
_POWERS: Final = frozenset(
    "mm cm dm km nm \u00b5m \u03bcm pm hm in ft yd mi ha px pt inch foot feet metre metres meter "
    "meters mile miles yards kilometre kilometres kilometer kilometers centimetre centimetres "
    "centimeter centimeters quadratmeter sec hr mol kg mg pa bar mc log ln sin cos tan exp chi "
    "sigma eta omega co".split()
)
_WORD_BEFORE: Final = re.compile(r"[^\W\d_]{1,30}\Z")
_AMOUNT_BEFORE: Final = re.compile(
    r"(?:[\d\u00bd\u00bc/]\s?|\b(?:square|cubic|per) )[^\W\d_]{1,30}\Z"
)
_MATHS: Final = re.compile(r"[+*/=^\u2212\u00b1\u00d7]|\b[a-z]\b")
#: Names of variables in code that are no words, and what follows an element in code.
_VARIABLES: Final = frozenset(
    "arr arrs argv args kwargs lst df buf ptr nums idx vec mat tmp foo bar baz obj str char dict "
    "tuple params cfg env res req resp ret val vals elem elems".split()
)
_NAME_BEFORE: Final = re.compile(r"[\w.$]{1,60}\Z")
_CODE_AFTER: Final = re.compile(r" ?(?:[-+*/%&|^!<>=]?=(?!\w{2})|\+\+)|\.[a-z_]\w{0,40}\(|->")
#: The rest of a range of two markers: "[1]\u2013[3]"; with spaces only where it ends a clause.
_TO_BRACKET: Final = re.compile(
    r"(?:[\u2010-\u2015\u2212-]|(?P<spaced> [\u2010-\u2013\u2212-] ))"
    r"\\?[\[\uff3b]\^?\s?(?P<last>[0-9]{1,9})\s?\\?[\]\uff3d]"
)
_CLAUSE_END: Final = re.compile(r"\s{0,2}(?:[.,;:!?)\]\n]|\Z)")
_LINK_TARGET: Final = re.compile(
    r"\(\s{0,3}(?:<[^<>\n]{0,1000}>|[^\s()]{1,1000}(?:\([^\s()]{0,300}\)[^\s()]{0,300})?)"
    r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,3}\)"
)
#: A number in brackets that is a link with the id as its title, as `CitedText` writes it.
_LINKED: Final = re.compile(
    r"\[\\?\[\s?(?P<label>[0-9]{1,9}(?:\s?,\s?[0-9]{1,9}){0,9})\s?\\?\]\]\(\s?[^\s()]{1,2000}"
    r"\s{1,3}\"(?P<title>[^\"\n]{1,500})\"\s?\)"
)
_ITEM_BEFORE: Final = re.compile(r"(?:^|\n)[ \t>]{0,40}(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,4}\Z")


def _brackets(text: str) -> Iterator[Candidate]:
    for found in _BRACKETS.finditer(text):
        body = found["body"]
        if (link := _LINKED.match(text, max(0, found.start() - 1))) is not None:
            yield Candidate(link.start(), link.end(), f"{link['label']}\u2020{link['title']}")
        elif not _CARET.match(body) and not _is_link_or_code(
            text, found.start(), found.end(), body
        ):
            yield _with_range(text, found.start(), found.end(), body)


def _with_range(
    text: str, start: int, end: int, body: str, *, is_explicit: bool = False
) -> Candidate:
    """Return a marker with the one that ends its range: "[1]\u2013[3]"."""
    first = body.strip("\\ ")
    last = _TO_BRACKET.match(text, end) if NUMBER.fullmatch(first) else None
    is_range = (
        last is not None
        and int(first) < int(last["last"])
        and (last["spaced"] is None or _CLAUSE_END.match(text, last.end()) is not None)
        and not text.startswith("(", last.end())
    )
    if last is None or not is_range:
        return Candidate(start, end, body, is_explicit=is_explicit)
    return Candidate(start, last.end(), f"{first}-{last['last']}", is_explicit=is_explicit)


def _is_link_or_code(text: str, start: int, end: int, body: str) -> bool:
    """Whether brackets are a link, a box of a task list, an element of code or an interval."""
    if text.startswith("](", end) or (text.startswith("(", end) and _LINK_TARGET.match(text, end)):
        return True
    before = text[max(0, start - _REACH) : start]
    if before.endswith("!") and text.startswith(("[", "("), end):
        return True
    if body in ("x", "X", " ") and _ITEM_BEFORE.search(before):
        return True
    if is_interval_by_words(before, body):
        return True
    name = _NAME_BEFORE.search(before)
    return name is not None and _is_element(name[0], text, end)


def _is_element(name: str, text: str, end: int) -> bool:
    """Whether brackets directly behind a name are an element of an array: "arr[0]"."""
    if _CODE_AFTER.match(text, end):
        return True
    last = name.rpartition(".")[2]
    return (
        last in _VARIABLES
        or "_" in name.strip("_")
        or (len(last) == 1 and last.islower() and last.isascii())
        or (any(map(str.isupper, last[1:])) and any(map(str.islower, last)) and last[0].islower())
    )


def _footnotes(text: str) -> Iterator[Candidate]:
    for found in _BRACKETS.finditer(text):
        caret = _CARET.match(found["body"])
        if caret and (body := found["body"][caret.end() :]).strip():
            yield _with_range(text, found.start(), found.end(), body, is_explicit=True)


def _lenticular(text: str) -> Iterator[Candidate]:
    for found in _LENTICULAR.finditer(text):
        label, dagger, name = found["body"].partition("\u2020")
        yield Candidate(
            found.start(),
            found.end(),
            f"{label}\u2020{name}" if dagger else label,
            None,
            bool(dagger),
        )


def _parentheses(text: str) -> Iterator[Candidate]:
    for found in _PARENTHESES.finditer(text):
        before = text[max(0, found.start() - 1) : found.start()]
        if not before.isalnum() and before not in ("]", "_", "`"):
            yield Candidate(found.start(), found.end(), found["body"])


def _braces(text: str) -> Iterator[Candidate]:
    for found in _BRACES.finditer(text):
        body = found["body"] or found["latex"]
        yield Candidate(found.start(), found.end(), body, is_explicit=True)


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
                candidates.append(Candidate(tag.start(), tag.end(), body, is_explicit=True))
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
    candidates.extend(
        Candidate(opening.start(), opening.end(), body, is_explicit=True)
        for opening, body in opened
        if body
    )
    yield from sorted(candidates, key=lambda candidate: candidate.start)


def _superscripts(text: str) -> Iterator[Candidate]:
    for found in _SUPERSCRIPT.finditer(text):
        if not _is_power(text, found.start(), found.end()):
            body = found["body"] or found[0].translate(_TO_DIGITS)
            yield Candidate(found.start(), found.end(), body.strip("[] "))


def _is_power(text: str, start: int, end: int) -> bool:
    """Whether a raised number is a power, the charge of an ion or the mass of an isotope."""
    following = text[end : end + 1]
    if following.isalnum() or following in ("\u207a", "\u207b"):
        return True
    before = text[max(0, start - _REACH) : start]
    if not before or before[-1].isspace():
        return before.strip() == "" or following == ""  # nothing that it could be behind
    last = before[-1]
    if last.isnumeric() or last in "^+\u2212-=*/\u00d7\u207a\u207b":
        return True
    if last in ")]" and (opening := before.rfind("(" if last == ")" else "[")) >= 0:
        return _MATHS.search(before, opening + 1, len(before) - 1) is not None
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    name = word[0].casefold()
    if len(name) == 1:
        return not is_spaceless(name)  # a variable
    return name in _POWERS and (len(name) == 2 or _AMOUNT_BEFORE.search(before) is not None)


def bracketed_ids(text: str, ids: Iterable[str]) -> Iterator[Candidate]:
    """Yield brackets around ids that have brackets themselves, which no pattern can tell apart."""
    known = frozenset(ids)
    sizes: dict[str, set[int]] = {}
    for id_ in known:
        sizes.setdefault(id_[:_PREFIX], set()).add(len(id_))
    first = "".join({re.escape(id_[0]) for id_ in known})
    for found in re.finditer(rf"[\[(\u3010\uff08\uff3b](?=[{first}])", text) if known else ():
        low = found.end()
        closing = _CLOSING_OF[found[0]]
        fitting = {
            size
            for length in range(1, _PREFIX + 1)
            for size in sizes.get(text[low : low + length], ())
            if text.startswith(closing, low + size)
        }
        for size in sorted(fitting, reverse=True):
            if text[low : low + size] in known:
                yield Candidate(found.start(), low + size + 1, text[low : low + size], None, True)
                break


_CLOSING_OF: Final = {
    "[": "]",
    "(": ")",
    "\u3010": "\u3011",
    "\uff08": "\uff09",
    "\uff3b": "\uff3d",
}


def own_candidates(text: str, pattern: re.Pattern[str]) -> Iterator[Candidate]:
    """Yield the matches of a pattern, with its group `ids`, else its first group, as labels."""
    group: str | int = "ids" if "ids" in pattern.groupindex else 1
    for found in pattern.finditer(text):
        if found.start() < found.end() and found[group]:
            yield Candidate(found.start(), found.end(), found[group], is_explicit=True)


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
