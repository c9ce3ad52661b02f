"""Which differences the fuzzy search tolerates: punctuation, and a few typos.

A typo is one letter dropped, doubled or swapped in a longer word, without making another word.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from rapidfuzz.distance import OSA

from groundtypes.quotes.alignment import Edit, Token
from groundtypes.quotes.tokens import DASH, HYPHEN, PUNCTUATION

#: One typo is allowed for every this many words of the quote.
_WORDS_PER_TYPO: Final = 4
#: In shorter words one letter is too large a part of the word.
_FEWEST_LETTERS: Final = 6
#: How far from a mark, over white space, a digit is looked for.
_DIGIT_REACH: Final = 9
#: A number in brackets, with its currency or percent sign.
_LOSS: Final = re.compile(r"\(\s?[$\u20ac\u00a3\u00a5]?\s?\d[\d.,\s]{0,24}%?\s?\)")
_LONGEST_LOSS: Final = 32
#: A number, a single letter or a bracket before a dash, or after it.
_TERM_BEFORE: Final = re.compile(r"(?:(?<!\w)\w|[\d)\]])\s*\Z")
_TERM_AFTER: Final = re.compile(r"\s*(?:\w(?!\w)|[\d(\[])")
#: A word right before a dash and a number is a name: COVID-19.
_NAME_BEFORE: Final = re.compile(r"[^\W\d_]{2}\Z")
#: What belongs to a number that it stands beside: a sign of percent or degrees behind
#: it, a currency before it.
_SIGNS_AFTER: Final = frozenset("%\u066a\uff05\ufe6a\u2030\u2031\u00b0\u2103\u2109")
_SIGNS_BEFORE: Final = frozenset("$\u20ac\u00a3\u00a5\u20b9")
_MINUS_SIGNS: Final = frozenset("-\u2212\ufe63\uff0d")


def are_tolerable(
    edits: Sequence[Edit], quote: str, text: str, word_count: int, is_known: Callable[[str], bool]
) -> bool:
    """Whether all edits are punctuation or typos, and typos are few among the quote's words.

    `is_known` says whether a word occurs in the references. Without any edit the two differ in
    marks that are not aligned, such as the numbers of footnotes, and that is never tolerable.
    """
    typos = 0
    for edit in edits:
        if _is_punctuation(edit, quote, text):
            continue
        if not _is_typo(edit, text, is_known):
            return False
        typos += 1
    return bool(edits) and typos * _WORDS_PER_TYPO <= word_count


def _is_typo(edit: Edit, text: str, is_known: Callable[[str], bool]) -> bool:
    if len(edit.quoted) != 1 or len(edit.original) != 1:
        return False
    original = edit.original[0]
    return _is_misspelt(edit.quoted[0].key, text[original.start : original.end], is_known)


def _is_punctuation(edit: Edit, quote: str, text: str) -> bool:
    """Whether only punctuation differs, and nothing that may be a sign of a number or formula."""
    return all(
        token.kind in (PUNCTUATION, DASH, HYPHEN)
        and not _is_inside_number(token, source)
        and not _is_loss(token, source)
        and not (token.kind == DASH and _may_be_minus(token, source, is_replaced=bool(others)))
        for tokens, others, source in (
            (edit.quoted, edit.original, quote),
            (edit.original, edit.quoted, text),
        )
        for token in tokens
    )


def _is_inside_number(token: Token, source: str) -> bool:
    """Whether a mark is between digits, or between a number and its unit or currency sign."""
    before = source[max(0, token.start - _DIGIT_REACH) : token.start].rstrip()[-1:]
    after = source[token.end : token.end + _DIGIT_REACH].lstrip()[:1]
    if before.isdigit():
        is_attached = token.key == "." and source[token.end : token.end + 1].islower()
        return after.isdigit() or after in _SIGNS_AFTER or is_attached
    return before in _SIGNS_BEFORE and after.isdigit()


def _is_loss(token: Token, source: str) -> bool:
    """Whether a bracket stands around a number alone, which accounts write for a loss."""
    if token.key == "(":
        return _LOSS.match(source, token.start) is not None
    if token.key != ")":
        return False
    start = source.rfind("(", max(0, token.start - _LONGEST_LOSS), token.start)
    return start >= 0 and _LOSS.fullmatch(source, start, token.end) is not None


def _may_be_minus(token: Token, source: str, *, is_replaced: bool) -> bool:
    """Whether a dash, between numbers, letters, brackets or spaces, may be a minus sign."""
    before, after = source[: token.start][-_DIGIT_REACH:], source[token.end :][:_DIGIT_REACH]
    if _TERM_BEFORE.search(before) or (
        _TERM_AFTER.match(after) and not _NAME_BEFORE.search(before)
    ):
        return True
    is_spaced = before[-1:].isspace() and after[:1].isspace()
    return is_spaced and not is_replaced and source[token.start : token.end] in _MINUS_SIGNS


@cache
def _confusable_words() -> frozenset[str]:
    """Return the English words that are one typo away from another English word."""
    data = files("groundtypes.quotes").joinpath("data", "near_words.txt")
    return frozenset(data.read_text(encoding="ascii").split())


def _is_misspelt(word: str, original: str, is_known: Callable[[str], bool]) -> bool:
    """Whether `word` is `original` with one letter dropped, doubled or swapped with the next.

    Another word is not a typo: one that `is_known` knows, or an English word. Both words are as
    written in the texts; a capital letter makes a name, in which every letter counts.
    """
    return (
        len(original) >= _FEWEST_LETTERS
        and word.isalpha()
        and original.isalpha()
        and original.islower()
        and word.islower()
        and word[0] == original[0]
        # The last letter carries grammar: a plural, a tense.
        and word[-1] == original[-1]
        and _is_one_edit_away(word, original)
        and not is_known(word)
        and word not in _confusable_words()
    )


def _is_one_edit_away(word: str, original: str) -> bool:
    if OSA.distance(word, original, score_cutoff=1) != 1:
        return False
    if len(word) == len(original):
        return sorted(word) == sorted(original)
    # A letter that is added doubles the one beside it.
    return len(word) < len(original) or _runs(word) == _runs(original)


def _runs(word: str) -> list[str]:
    return [letter for letter, _ in groupby(word)]
