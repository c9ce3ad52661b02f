"""Case that means something: the units 5 mW and 5 MW, the words Maßen and Massen.

Elsewhere case does not count. Where a text is all in capitals, case says nothing about a unit.
"""

import re
from html import unescape
from operator import ne
from typing import Final

from groundtypes.quotes.amounts import LABEL
from groundtypes.words import all_words

#: Units of which the case tells some apart (milli and mega, pico and peta), without spellings that
#: are rather another word or unit, such as 5 Pm in the afternoon, 5 PA for 5 Pa, and 150 PS.
#: Case counts only between two spellings that are both units, so that "500 MG" and "5 Kg" are read
#: as everyone reads them.
_PREFIXES: Final = ("", *"mMpPzZyYkunfGT")
_SPELLINGS: Final = (
    {prefix + unit for unit in all_words("unit with prefixes") for prefix in _PREFIXES}
    | all_words("unit whose case counts")
) - all_words("no unit whose case counts")
_LETTERS: Final = "A-Za-z\u00b5\u03bc\u03a9\u2126"
#: A unit after a number, and the unit that it is divided by; without a number, a short word in
#: which a small letter stands before a capital one.
_MEASURE: Final = re.compile(
    rf"(?:\d(?:</sup>)?(?P<gap>\s?)(?P<unit>[{_LETTERS}]{{1,4}})"
    rf"(?:[/\u00b7](?P<divisor>[{_LETTERS}]{{1,4}}))?|(?<!\w)(?P<alone>[{_LETTERS}]{{2,4}}))"
    rf"(?![{_LETTERS}])"
)
_MIXED: Final = re.compile("[cdfhkmnpu\u00b5\u03bc][A-Z\u03a9\u2126]")
#: Where a number with one letter is a sum of money, a time, a decade, a size or a label.
_NO_MEASURE: Final = re.compile(rf"(?:[$\u20ac\u00a3\u00a5]\s?[\d.,]{{1,20}})\Z|{LABEL}")
_DECADE: Final = re.compile(r"\d{4}\Z")
_REACH: Final = 32
_MICRO: Final = str.maketrans("\u00b5\u03bc\u2126", "uu\u03a9")
#: A text with fewer capital letters may be an abbreviation, and is not one in capitals.
_FEWEST_CAPITALS: Final = 3
_HYPHENATION: Final = re.compile(r"(?<=\w)[-\u00ad\u00ac]\s+(?=\w)|\u00ad")
_WORD_WITH_S: Final = re.compile(r"\w*(?:[\u00df\u1e9e]|[sS]{2})\w*")

#: The spellings in a text, by what they are if case does not count; `""` stands for any spelling.
_Spellings = dict[str, list[str]]


def case_difference(quote: str, passage: str) -> tuple[str, str] | None:
    """Return the first word that differs in meaningful case, as both spell it."""
    if not _may_differ(quote, passage):
        return None
    if "&" in quote or "&" in passage:
        quote, passage = unescape(quote), unescape(passage)
    has_mixed = _MIXED.search(quote) is not None or _MIXED.search(passage) is not None
    of_quote, of_passage = (_units(text, mixed=has_mixed) for text in (quote, passage))
    difference = _difference(of_quote, of_passage)
    if difference and not (_is_in_capitals(quote) or _is_in_capitals(passage)):
        return difference
    if "\u00df" in (both := quote + passage) or "\u1e9e" in both:
        return _difference(_words_with_s(quote), _words_with_s(passage))
    return None


def _may_differ(quote: str, passage: str) -> bool:
    """Whether two words differ that may be or hold a unit, or `ß`; most quotes have none."""
    words, others = quote.split(), passage.split()
    if len(words) != len(others):
        return True
    return any(
        others[at - 1][-1:].isdigit()
        or others[at - 1][-1:] == ">"
        or not (_is_plain_word(words[at]) and _is_plain_word(others[at]))
        for at, differ in enumerate(map(ne, words, others))
        if differ
    )


def _is_plain_word(word: str) -> bool:
    """Whether a word has ASCII letters alone, of which only the first may be a capital."""
    return word.isascii() and word.isalpha() and (word.islower() or word.istitle())


def _difference(one: _Spellings, other: _Spellings) -> tuple[str, str] | None:
    """Return the spellings of a word that occurs in both, and is spelled in another way."""
    for word in one.keys() & other.keys():
        if len(one[word]) == len(other[word]):
            for pair in zip(one[word], other[word], strict=True):
                if pair[0] != pair[1] and all(pair):
                    return pair
        elif set(one[word]) != set(other[word]):
            return one[word][0], other[word][0]
    return None


def _units(text: str, *, mixed: bool) -> _Spellings:
    """Return the units of which the case counts: after numbers, or alone where some are mixed."""
    units: _Spellings = {}
    for match in _MEASURE.finditer(text):
        unit, alone = match["unit"], match["alone"]
        if alone and (not mixed or alone.islower()):
            continue
        for spelling in (alone or (not _is_no_measure(text, match) and unit), match["divisor"]):
            if spelling and (plain := _plain_unit(spelling)) in _SPELLINGS:
                units.setdefault(plain.casefold(), []).append(plain)
    return units


def _plain_unit(spelling: str) -> str:
    spelling = spelling.translate(_MICRO)
    if spelling[-1] == "l" and len(spelling) <= len("ml"):
        return f"{spelling[:-1]}L"  # the litre has two symbols
    if spelling in ("Kb", "KB", "Kbps", "KBps"):
        return f"k{spelling[1:]}"  # a kilobit or a kilobyte, whatever the case of its prefix
    return spelling


def _is_no_measure(text: str, match: re.Match[str]) -> bool:
    """Whether one letter after a number is not a unit: "$5 M", "a 5K run", "Figure 3S"."""
    unit, end = match["unit"], match.start() + 1
    if len(unit) > 1:
        return unit in ("PM", "pm")
    start = max(0, end - _REACH)
    if not match["gap"] and (
        unit in "kKdDgG" or (unit in "sS" and _DECADE.search(text, start, end))
    ):
        return True
    return _NO_MEASURE.search(text, start, end) is not None


def _is_in_capitals(text: str) -> bool:
    """Whether a text is in capitals but for its units."""
    text = re.sub(rf"\d\s?[{_LETTERS}]{{1,4}}(?![{_LETTERS}])", "", text)
    return text.upper() == text and sum(map(str.isupper, text)) >= _FEWEST_CAPITALS


def _words_with_s(text: str) -> _Spellings:
    """Return the words with `ß` or `ss`, which are equal in capitals alone."""
    words: _Spellings = {}
    for match in _WORD_WITH_S.finditer(_HYPHENATION.sub("", text)):
        word = match[0]
        spelling = "" if "SS" in word else word.lower().replace("\u1e9e", "\u00df")
        words.setdefault(word.casefold(), []).append(spelling)
    return words
