"""Case that means something: the units 5 mW and 5 MW, the words Maßen and Massen.

Elsewhere case does not count. Where a text is all in capitals, case says nothing about a unit.
"""

import re
from collections import Counter, defaultdict
from html import unescape
from itertools import compress
from operator import ne
from typing import Final

__all__ = ["case_difference", "have_equal_i", "with_dotless_i", "with_dotted_i"]

#: Prefixes: those that come in pairs, such as milli and mega, pico and peta, and the others.
_PREFIXES: Final = ("", *"mMpPzZyY", *"kunfGT")
#: Units with all these prefixes.
_SI_UNITS: Final = (
    "m g s A K mol cd Hz N Nm Pa J W Wh Ah VA C V F S T H \u03a9 Bq Gy Sv lm lx eV L bar"
).split()
#: Units with the prefixes that are in use.
_OTHER_UNITS: Final = {
    "m": tuple("cdh"),
    "t": ("", *"kMG"),
    "k": ("",),
    "M": ("", *"mcunpf"),
    "Ns": ("",),
    "NM": ("",),
    "kn": ("",),
    "G": ("",),
    "MT": ("",),
    "h": ("",),
    "d": ("",),
    "D": ("",),
    "a": ("k", "M", "G"),
    "b": tuple("kMGTPEZY"),
    "B": tuple("kMGTPEZY"),
    "bps": ("", *"kMGT"),
    "Bps": ("", *"kMGT"),
    "bit": ("", *"kMGT"),
    "cal": ("", *"k"),
    "Cal": ("",),
    "IU": ("", *"kMmu"),
    "U": ("", *"kMmu"),
    "Da": ("", *"kM"),
}
#: Spellings that are another word or unit, or a common one in capitals, far more often than a
#: unit with this prefix, such as 5 Pm in the afternoon, 5 PA for 5 Pa, and 150 PS.
_NO_UNITS: Final = frozenset("Pm PA PS PT PH".split())
#: Case counts only between two spellings that are both units, so that "500 MG" and "5 Kg" are read
#: as everyone reads them.
_SPELLINGS: Final = (
    frozenset(prefix + unit for unit in _SI_UNITS for prefix in _PREFIXES)
    | frozenset(prefix + unit for unit, prefixes in _OTHER_UNITS.items() for prefix in prefixes)
) - _NO_UNITS
_BY_FOLDED: Final = Counter(spelling.casefold() for spelling in _SPELLINGS)
#: The folded forms of which two spellings are different units.
_AMBIGUOUS: Final = frozenset(folded for folded, count in _BY_FOLDED.items() if count > 1)
_LETTERS: Final = "A-Za-z\u00b5\u03bc\u03a9\u2126"
#: A unit after a number, and the unit that it is divided by.
_AFTER_NUMBER: Final = re.compile(
    r"[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19\u2070-\u2079\u00b2\u00b3\u00b9](?:</sup>)?"
    rf"(?P<gap>\s?)(?P<unit>[{_LETTERS}]{{1,4}})"
    rf"(?:[/\u00b7](?P<divisor>[{_LETTERS}]{{1,4}}))?(?![{_LETTERS}])"
)
#: Without a number, units are looked for where a small letter stands before a capital one.
_MIXED: Final = re.compile("[A-Z\u03a9\u2126](?<=[cdfhkmnpu\u00b5\u03bc].)")
_SHORT_WORD: Final = re.compile(rf"(?<!\w)[{_LETTERS}]{{2,4}}(?!\w)")
#: Where a number with one letter is a sum of money, a time, a decade, a size or a label.
_SIZES: Final = frozenset("kKdDgG")
_NO_MEASURE: Final = re.compile(
    r"(?i)(?:[$\u20ac\u00a3\u00a5]\s?[\d.,]{1,20}|\b(?:fig(?:ure|s)?|table|panel|section|sec|part|"
    r"article|art|chapter|step|group|type|class|grade|stage|phase|appendix|no|nr)[.s]?\s?[\d.]{1,9})\Z"
)
_DECADE: Final = re.compile(r"\d{4}\Z")
_REACH: Final = 32
_MICRO: Final = str.maketrans("\u00b5\u03bc\u2126", "uu\u03a9")
#: A text with fewer capital letters may be an abbreviation, and is not one in capitals.
_FEWEST_CAPITALS: Final = 3
_HYPHENATION: Final = re.compile(r"(?<=\w)[-\u00ad\u00ac]\s+(?=\w)|\u00ad")
_WORD_WITH_S: Final = re.compile(r"\w*(?:[\u00df\u1e9e]|[sS]{2})\w*")
_SHARP_S: Final = ("\u00df", "\u1e9e")

#: A word in capitals with an I, which is the capital letter of both i and, in Turkish, ı.
_CAPITALS_WITH_I: Final = re.compile(r"(?<![^\W_])(?=\w{0,40}I)[^\W\d_]{2,40}(?![^\W_])")

#: The spellings in a text, by what they are if case does not count; `""` stands for any spelling.
_Spellings = dict[str, list[str]]


def case_difference(quote: str, passage: str) -> tuple[str, str] | None:
    """Return the first word that differs in case that has a meaning, as both spell it.

    The two are stretches that are equal but for typography.
    """
    if not _may_differ(quote, passage):
        return None
    if "&" in quote or "&" in passage:
        quote, passage = unescape(quote), unescape(passage)
    return _difference_of_units(quote, passage) or _difference_of_sharp_s(quote, passage)


def with_dotless_i(quote: str) -> str | None:
    """Return a quote with the Turkish ı for each I of its words in capitals, or `None`.

    The result has the length of the quote, and equals only a text that has ı in these places.
    """
    if "I" not in quote:
        return None
    changed = _CAPITALS_WITH_I.sub(
        lambda word: word[0].replace("I", "\u0131") if word[0].isupper() else word[0], quote
    )
    return changed if changed != quote else None


def with_dotted_i(quote: str) -> str | None:
    """Return a quote with i for each Turkish ı, as the I of a text in capitals is read, or `None`.

    What it finds is a quote only if `have_equal_i`.
    """
    return quote.replace("\u0131", "i") if "\u0131" in quote else None


def have_equal_i(quote: str, passage: str) -> bool:
    """Whether two texts that are equal but for i and ı have the same of them in Turkish."""
    return _turkish_i(quote) == _turkish_i(passage)


def _turkish_i(text: str) -> str:
    """Return the i and ı of a text, of which the capital letters are İ and I."""
    lower = text.replace("I", "\u0131").replace("\u0130", "i")
    return "".join(letter for letter in lower if letter in "i\u0131")


def _may_differ(quote: str, passage: str) -> bool:
    """Whether two words differ that may be or hold a unit, or the letter `ß`.

    Most quotes differ in the first letters of a few words at most, which is seen quickly.
    """
    words, others = quote.split(), passage.split()
    if len(words) != len(others):
        return True
    for at in compress(range(len(words)), map(ne, words, others)):
        before = others[at - 1] if at else " "
        if (
            before[-1].isdigit()
            or before[-1] == ">"
            or not (_is_plain_word(words[at]) and _is_plain_word(others[at]))
        ):
            return True
    return False


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


def _difference_of_units(quote: str, passage: str) -> tuple[str, str] | None:
    of_quote = _measures(quote)
    difference = _difference(of_quote, _measures(passage)) if of_quote else None
    if difference is None and (_MIXED.search(quote) or _MIXED.search(passage)):
        difference = _difference(_mixed_units(quote), _mixed_units(passage))
    if difference and (_is_in_capitals(quote) or _is_in_capitals(passage)):
        return None
    return difference


def _measures(text: str) -> _Spellings:
    """Return the units after numbers of which the case counts."""
    units: _Spellings = defaultdict(list)
    for match in _AFTER_NUMBER.finditer(text):
        if not _is_no_measure(text, match):
            _add_unit(units, match["unit"])
        if match["divisor"]:
            _add_unit(units, match["divisor"])
    return units


def _mixed_units(text: str) -> _Spellings:
    """Return the units of which the case counts, but those in small letters, which may be words."""
    units: _Spellings = defaultdict(list)
    for match in _SHORT_WORD.finditer(text):
        if not match[0].islower():
            _add_unit(units, match[0])
    return units


def _add_unit(units: _Spellings, spelling: str) -> None:
    spelling = spelling.translate(_MICRO)
    if spelling[-1] == "l" and len(spelling) <= len("ml"):
        # The litre has two symbols.
        spelling = spelling[:-1] + "L"
    if spelling in ("Kb", "KB", "Kbps", "KBps"):
        spelling = f"k{spelling[1:]}"  # a kilobit or a kilobyte, whatever the case of its prefix
    if spelling in _SPELLINGS and spelling.casefold() in _AMBIGUOUS:
        units[spelling.casefold()].append(spelling)


def _is_no_measure(text: str, match: re.Match[str]) -> bool:
    """Whether one letter after a number is not a unit: "$5 M", "a 5K run", "Figure 3S"."""
    unit, end = match["unit"], match.start() + 1
    if len(unit) > 1:
        return unit in ("PM", "pm")
    start = max(0, end - _REACH)
    if not match["gap"] and (unit in _SIZES or (unit in "sS" and _DECADE.search(text, start, end))):
        return True
    return _NO_MEASURE.search(text, start, end) is not None


def _is_in_capitals(text: str) -> bool:
    """Whether a text is in capitals but for its units."""
    text = _AFTER_NUMBER.sub("", text)
    return text.upper() == text and sum(map(str.isupper, text)) >= _FEWEST_CAPITALS


def _difference_of_sharp_s(quote: str, passage: str) -> tuple[str, str] | None:
    """Return a word with `ß` where the other has `ss`, which equals it in capitals alone."""
    if not any(letter in text for letter in _SHARP_S for text in (quote, passage)):
        return None
    return _difference(_words_with_s(quote), _words_with_s(passage))


def _words_with_s(text: str) -> _Spellings:
    words: _Spellings = defaultdict(list)
    for match in _WORD_WITH_S.finditer(_HYPHENATION.sub("", text)):
        word = match[0]
        spelling = "" if "SS" in word else word.lower().replace(*_SHARP_S[::-1])
        words[word.casefold()].append(spelling)
    return words
