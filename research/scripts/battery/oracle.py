"""Whether a quote is one of a text, by a rule that is not the search's own.

The rule knows what `docs/quotes.md` promises and the standard library's character database. It
folds both sides twice: once by the differences that are harmless, and once down to what always
counts. If the first folds agree, the quote is to be accepted; if the second do not, it is to be
rejected. In between the rule cannot tell.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["SPACELESS", "Verdict", "judge"]

Expect = Literal["accept", "accept_fuzzy", "reject"]

#: Languages that do not, or not always, put spaces between words.
SPACELESS: Final = frozenset({"zh", "ja", "th", "ko"})

_INVISIBLE: Final = frozenset(
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_APOSTROPHES: Final = frozenset("'‘’‚‛`´ʼ＇")
_QUOTATION_MARKS: Final = _APOSTROPHES | frozenset('"“”„‟«»‹›＂')
_DASHES: Final = frozenset("-‐‑‒–—―−－﹣")
#: Dashes that stand between clauses, with or without spaces.
_CLAUSE_DASHES: Final = frozenset("—―")
#: Signs and letters of two forms; kashida, and the marks of a trade name.
_EQUAL: Final = str.maketrans("؟٪⁄∼∗º×।şŞیک", "?%/~*°x.șȘيك", "ـ®™℠")
_RAISED: Final = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ")
_SIGNS: Final = frozenset("+-±<>≤≥≈=/^:×÷°′″%‰")
#: Single Greek letters are equal to their names.
_GREEK: Final = re.compile(r"(?<![\u0370-\u03ff])[\u0370-\u03ff](?![\u0370-\u03ff])")
_SPACED_DASH: Final = re.compile(r" *- *(?![\d ])(?<!\d)")
_LETTER: Final = r"[^\W\d_]"
_NAME_HYPHEN: Final = re.compile(rf"(?<={_LETTER}{_LETTER})- ?(?=\d)")
_REST_OF_NUMBER: Final = re.compile(
    r"[.,]\d| ?[%‰€£]| ?(?:percent|million|billion|trillion|thousand|kg|mg|µg|km|cm|mm|ml|kw|mw)\b"
)
_BESIDE_DIGIT: Final = re.compile(rf"(?<=\d) (?={_LETTER})|(?<={_LETTER}) (?=\d)")
_SPACE_BEFORE: Final = re.compile(r" +(?=[,.;:!?)](?: |$))")
_PLAIN: Final = re.compile(rf"[(]?(?:{_LETTER}|[\u0300-\u036f])+(?:['-]{_LETTER}+)*[).,;:!?]*")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_LONG_WORD: Final = re.compile(r"[a-z]{4,}")
#: Words that belong to the number beside them, and words that may.
_OF_NUMBERS: Final = frozenset(
    "hundred thousand million billion trillion percent per cent minus plus half point dozen to "
    "between degrees no number".split()
)
_NEAR_NUMBERS: Final = _OF_NUMBERS | frozenset(
    "dollars euros pounds points times fold grams meters metres miles feet inches years months "
    "weeks days hours minutes seconds above below under over than least most about "
    "approximately around nearly almost only tens dozens versus".split()
)
_UNJUDGED: Final[Mapping[str, re.Pattern[str]]] = {
    "the case of a dotless or dotted i": re.compile(r"[iI]\u0307|[İı]"),
    "an invisible character beside a space": re.compile(
        rf"[{''.join(_INVISIBLE)}]\s|\s[{''.join(_INVISIBLE)}]"
    ),
    "a trade mark that is not behind a name": re.compile(r"(?<!\w)[™®℠]|[™®℠](?=\w)"),
    "a raised digit before a letter": re.compile(rf"[{''.join(_RAISED)}](?={_LETTER})"),
    "a lowered digit beside a digit": re.compile(r"\d[₀-₉]|[₀-₉]\d"),
    "two signs in a number": re.compile(r"\d[^\w\s]{2,}\d"),
}
#: What may be a unit, and units whose case makes them another: milli and mega, pico and peta, bits
#: and bytes.
_UNIT: Final = re.compile(r"(?<=\d)\s?([A-Za-zµ]{1,4})(?![A-Za-z])")
_CASED_UNIT: Final = re.compile(r"(?!(?i:pm))[mMpP](?:[WgVAbBJmsl]|Hz|Pa|eV)")


@dataclass(frozen=True)
class Verdict:
    """What a quote is; without `expect`, the reason why the rule cannot tell."""

    expect: Expect | None
    reason: str


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN" and character not in _RAISED


def _compatible(text: str) -> str:
    """Return the text in its compatible form, where raised digits stay raised."""
    pieces = re.split(f"([{''.join(_RAISED)}])", unicodedata.normalize("NFC", text))
    return "".join(
        piece if piece in _RAISED else unicodedata.normalize("NFKC", piece) for piece in pieces
    )


def _without_quotation_marks(text: str) -> str:
    """Return the text without quotation marks; inside a word they stay, as one of two."""
    kept: list[str] = []
    for place, character in enumerate(text):
        if character not in _QUOTATION_MARKS:
            kept.append(character)
        elif _is_word(text[place - 1 : place] or " ") and _is_word(text[place + 1 :][:1] or " "):
            kept.append("'" if character in _APOSTROPHES else '"')
    return "".join(kept)


def _fold(text: str, *, spaced: bool = False) -> str:
    """Return the text without the differences that are harmless.

    With `spaced`, the spaces around dashes and the dashes between clauses stay as they are.
    """
    text = "".join(character for character in text if character not in _INVISIBLE)
    # Quotation marks go before the compatible form, which turns "´" into a space.
    text = _compatible(_without_quotation_marks(text).translate(_EQUAL))
    dashes = _DASHES - _CLAUSE_DASHES if spaced else _DASHES
    text = "".join("-" if c in dashes else _as_digit(c) for c in text)
    text = text.replace("ẞ", "ß").lower().replace("ς", "σ")
    text = " ".join(text.split())
    text = text if spaced else _SPACED_DASH.sub("-", text)
    return _SPACE_BEFORE.sub("", text)


def _as_digit(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


def _trim(quote: str) -> str:
    """Return a folded quote without what stands around it."""
    quote = quote.strip(" ").rstrip(".,").strip(" ")
    if re.match(r"-\s*\d", quote):
        return quote
    return quote.strip("- ")


def _counting(text: str) -> str:
    """Return what always counts of a folded text: letters, marks, digits and signs, no spaces."""
    # A hyphen in a name ("IL-2") or a dash behind a word is no minus sign.
    text = _NAME_HYPHEN.sub("", text)
    kept: list[str] = []
    for place, character in enumerate(text):
        before, after = _beside(text, place)
        if _is_word(character) or character in "?!":
            kept.append(character)
        elif character in _RAISED:
            kept.append("^" + str(unicodedata.normalize("NFKC", character)) if before else "")
        elif character in ".,":
            kept.append(character if place and _adjacent(text, place) else "")
        elif character == " ":
            kept.append("_" if before and after and _adjacent(text, place) else "")
        elif character in _SIGNS or character == "$":
            kept.append(_sign(character, before=before, after=after))
        elif _is_symbol(character):
            kept.append(character)
    return "".join(kept)


def _adjacent(text: str, place: int) -> bool:
    return text[place - 1].isdecimal() and text[place + 1 : place + 2].isdecimal()


def _beside(text: str, place: int) -> tuple[bool, bool]:
    """Return whether a digit stands before and after a place, spaces aside."""
    before = text[:place].rstrip(" ")[-1:]
    after = text[place + 1 : place + 3].lstrip(" ")[:1]
    return before.isdecimal(), after.isdecimal()


def _is_symbol(character: str) -> bool:
    """Return whether a character is a symbol that no markup uses, and no bullet."""
    if character in "&@§≠€£¥₹₽" or unicodedata.category(character) == "Sc":
        return True
    block = ord(character) >> 8
    return unicodedata.category(character) == "So" and block in (0x00, 0x23, 0x26)


def _sign(character: str, *, before: bool, after: bool) -> str:
    if character in "%‰":
        return character
    if character in "°′″":
        return character if before else ""
    if character in "/^:×÷":
        return character if before and after else ""
    return character if after or (before and character == "$") or character in "±≤≥≈" else ""


def _occurrences(needle: str, text: str) -> Iterator[tuple[int, int]]:
    start = text.find(needle)
    while start >= 0:
        yield start, start + len(needle)
        start = text.find(needle, start + 1)


def _edge(text: str, start: int, end: int) -> Literal["whole", "cut", "unclear"]:
    """Return how the passage from `start` to `end` of a folded text begins and ends."""
    before, after = text[:start], text[end:]
    if any(
        _is_word(one) and _is_word(other)
        for one, other in ((before[-1:] or " ", text[start]), (text[end - 1], after[:1] or " "))
    ):
        return "cut"
    if _cut_before(before, text[start]) or _cut_after(text[end - 1], after):
        return "cut"
    inner = text[start:end].split(" ")
    outer = [
        [word for word in side if word] for side in (before.split(" ")[-2:], after.split(" ")[:2])
    ]
    touching = before[-1:] in ("", " ", "(") and after[:1] in ("", " ", *".,;:!?)")
    beside = ((inner[0], outer[0][-1:]), (inner[-1], outer[1][:1]))
    plain = all(_is_plain(word, neighbours) for word, neighbours in beside)
    return "whole" if touching and plain else "unclear"


def _is_plain(word: str, neighbours: list[str]) -> bool:
    """Return whether the first or last word of a passage is apart from the one beside it."""
    others = [other for other in neighbours if other not in ".,;:!?)"]
    if _NUMBER.fullmatch(word):
        return bool(others) and all(
            _LONG_WORD.fullmatch(other) and other not in _NEAR_NUMBERS for other in others
        )
    if not all(_PLAIN.fullmatch(one) for one in (word, *others)):
        return False
    return not {one.strip("(.,;:!?)") for one in (word, *others)} & _OF_NUMBERS


def _cut_before(before: str, first: str) -> bool:
    """Return whether what stands before a passage belongs to its first word or number."""
    joined = bool(re.search(r"\w[-/]$", before)) and _is_word(first)
    if not first.isdecimal():
        return joined
    return joined or bool(re.search(r"\d[.,]$|[-+$€£¥]$|[<>≤≥±≈] ?$", before))


def _cut_after(last: str, after: str) -> bool:
    """Return whether what stands behind a passage belongs to its last word or number."""
    if _is_word(last) and re.match(r"[-/]\w|'s\b|\+(?=[\s.,;)]|$)", after):
        return True
    return last.isdecimal() and bool(_REST_OF_NUMBER.match(after))


def _spaceless_edge(text: str, start: int, end: int) -> Literal["whole", "unclear"]:
    """Return whether a passage of a text without spaces is between punctuation."""
    before, after = text[:start][-1:], text[end:][:1]
    whole = all(not one or one in " ,.;:!?。、，．；：" for one in (before, after))
    return "whole" if whole else "unclear"


def _edges(quote: str, text: str, language: str) -> set[str]:
    if language in SPACELESS:
        return {_spaceless_edge(text, *span) for span in _occurrences(quote, text)}
    return {_edge(text, *span) for span in _occurrences(quote, text)}


def _words(text: str) -> str:
    """Return the words of a folded text, with one space for all that is between two of them."""
    spaced = "".join(character if _is_word(character) else " " for character in text)
    return f" {' '.join(spaced.split())} "


def _unit_case(quote: str, text: str) -> bool | None:
    """Return whether the case of the units is that of the text; `None` if it cannot be told."""
    theirs = set(_UNIT.findall(text))
    strange = [unit for unit in _UNIT.findall(quote) if unit not in theirs]
    if not strange:
        return True
    return False if any(_is_other_unit(unit, theirs) for unit in strange) else None


def _is_other_unit(unit: str, theirs: set[str]) -> bool:
    return bool(_CASED_UNIT.fullmatch(unit)) and unit[0].swapcase() + unit[1:] in theirs


def _altered(quote: str, text: str, language: str) -> Verdict:
    """Return the verdict on a folded quote that does not stand in the folded text."""
    if _counting(quote) not in _counting(text):
        return _rejected(quote, text)
    if quote.rstrip(".,;:") in text:
        return Verdict(None, "punctuation at the end of the quote")
    bare, loose = (re.sub(r"(?<!\d)[,;](?= |$)", "", side) for side in (text, quote))
    if loose in bare and _edges(loose, bare, language) == {"whole"}:
        return Verdict("accept_fuzzy", "a comma or semicolon differs")
    if quote.replace(" ", "") in text.replace(" ", ""):
        return _spaced(quote, text, language)
    return Verdict(None, "differs in what may or may not count")


def _spaced(quote: str, text: str, language: str) -> Verdict:
    """Return the verdict on a quote that differs from the text in spaces alone."""
    if language in SPACELESS:
        return Verdict(None, "spaces differ in a language that uses them freely")
    if "'" in quote or "- " in quote + text:
        return Verdict(None, "a contraction in two tokens, or a word behind a hyphen")
    # A space between a number and a letter ("5 mg") may be missing.
    ours, theirs = (_BESIDE_DIGIT.sub("", side) for side in (quote, text))
    if _words(ours).strip() not in _words(theirs):
        return Verdict("reject", "a word is split, or two are joined")
    return Verdict(None, "spaces beside a number or sign differ")


def _rejected(quote: str, text: str) -> Verdict:
    """Return the verdict on a quote whose letters, digits or signs are not those of the text."""
    words = set(_words(text).split())
    strange = [word for word in _words(quote).split() if word not in words]
    for word in strange:
        for other in words:
            if len(other) >= 6 and abs(len(word) - len(other)) < 2 and _is_slip(word, other):
                return Verdict(None, "a slip in a long word")
    return Verdict("reject", "letters, digits or signs differ")


def _is_slip(word: str, other: str) -> bool:
    """Return whether one letter is dropped, doubled, or two letters are swapped."""
    if abs(len(word) - len(other)) == 1:
        long, short = sorted((word, other), key=len, reverse=True)
        return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    differing = [at for at in range(min(len(word), len(other))) if word[at] != other[at]]
    return len(word) == len(other) and sorted(word) == sorted(other) and len(differing) == 2


def judge(quote: str, text: str, language: str) -> Verdict:
    """Return whether a quote is one of the text, as `docs/quotes.md` has it."""
    for reason, pattern in _UNJUDGED.items():
        if pattern.search(quote) or pattern.search(text):
            return Verdict(None, reason)
    if set(_GREEK.findall(quote)) != set(_GREEK.findall(text)) and language != "el":
        return Verdict(None, "a Greek letter")
    folded, reference = _trim(_fold(quote)), _fold(text)
    if not any(map(_is_word, folded)):
        return Verdict(None, "nothing is left")
    if folded not in reference:
        return _altered(folded, reference, language)
    same_units = _unit_case(quote, text)
    if same_units is not True:
        return Verdict("reject" if same_units is False else None, "the case of a unit")
    # The spaces around dashes say whether these join words.
    spaced, whole_text = _trim(_fold(quote, spaced=True)), _fold(text, spaced=True)
    if spaced not in whole_text:
        spaced, whole_text = folded, reference
    edges = _edges(spaced, whole_text, language)
    if quote.rstrip(" \"'”’»").endswith(".") and re.search(
        re.escape(folded) + r" ?[?!]", reference
    ):
        return Verdict(None, "a full stop for another sign")
    if "whole" in edges:
        return Verdict("accept", "harmless differences at most")
    if edges == {"cut"} and language not in SPACELESS:
        return Verdict("reject", "a word or number is cut")
    return Verdict(None, "what stands beside the quote")
