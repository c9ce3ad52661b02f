"""Which differences the fuzzy search tolerates: punctuation, and a few typos."""

from collections.abc import Callable, Sequence
from typing import Final

from groundtypes.quotes.alignment import Edit, Token
from groundtypes.quotes.tokens import DASH, HYPHEN, PUNCTUATION
from groundtypes.quotes.typos import is_typo

__all__ = ["are_tolerable"]

#: One typo is allowed for every this many words of the quote.
_WORDS_PER_TYPO: Final = 4
#: How far from a mark, over white space, a digit is looked for.
_DIGIT_REACH: Final = 9


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
    return is_typo(edit.quoted[0].key, text[original.start : original.end], is_known)


def _is_punctuation(edit: Edit, quote: str, text: str) -> bool:
    """Whether only punctuation differs, and not inside a number or ratio."""
    return all(
        token.kind in (PUNCTUATION, DASH, HYPHEN) and not _is_between_digits(token, source)
        for tokens, source in ((edit.quoted, quote), (edit.original, text))
        for token in tokens
    )


def _is_between_digits(token: Token, source: str) -> bool:
    before = source[max(0, token.start - _DIGIT_REACH) : token.start].rstrip()[-1:]
    after = source[token.end : token.end + _DIGIT_REACH].lstrip()[:1]
    return before.isdigit() and after.isdigit()
