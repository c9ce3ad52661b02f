"""How many words a quote must have, and may have at most."""

import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from groundtypes.references import Reference, Span
from groundtypes.text.characters import is_spaceless

#: A reference of at most this many words may be quoted as a whole: it is one statement.
WHOLE_REFERENCE_WORDS: Final = 40
#: So many words count for a whole value of a JSON value or table.
_WORDS_OF_VALUE: Final = 2
#: At least as many matches as words.
_LETTERS_OR_DIGITS: Final = re.compile(r"[A-Za-z]+|[0-9]+")
#: At most as many matches as words.
_PLAIN_WORD: Final = re.compile(r"(?<!\S)[A-Za-z]+(?!\S)")


class LengthFault(NamedTuple):
    """Why a quote has a wrong length, as a key of `FAULTS`, and how many words it has."""

    template: Literal["quote_too_short", "quote_too_long", "quote_whole_reference"]
    words: int


@dataclass(frozen=True, slots=True)
class WordLimits:
    """The fewest and the most words of a quote; `most` is `None` where there is no limit."""

    least: int = 0
    most: int | None = None

    def fault(self, span: Span, reference: Reference) -> LengthFault | None:
        """Return what is wrong with the length of a match, or `None`."""
        text = reference.text[span.start : span.end]
        whole = self.most is not None and text.strip() == reference.text.strip()
        most = min(self.most or 0, WHOLE_REFERENCE_WORDS) if whole else self.most
        if _surely_within(text, self.least, most):
            return None
        count = count_words(text)
        if count < self.least and not self._is_whole_value(span, reference):
            return LengthFault("quote_too_short", count)
        if self.most is not None and count > self.most:
            return LengthFault("quote_too_long", count)
        if whole and count > WHOLE_REFERENCE_WORDS:
            return LengthFault("quote_whole_reference", count)
        return None

    def __str__(self) -> str:
        """Return the limits in words, as "2 to 80 words"."""
        if self.most is None:
            return f"at least {number_of_words(self.least)}"
        if not self.least:
            return f"at most {number_of_words(self.most)}"
        if self.least == self.most:
            return number_of_words(self.most)
        return f"{self.least} to {number_of_words(self.most)}"

    def _is_whole_value(self, span: Span, reference: Reference) -> bool:
        """Whether a match is a value of a JSON value or table, which counts as two words."""
        if reference.structure is None or self.least > _WORDS_OF_VALUE:
            return False
        cells = reference.structure.cells_at(span.start, span.end)
        return any(span.start <= cell.start and cell.end <= span.end for cell in cells)


#: The limits of a search that has none.
ANY_LENGTH: Final = WordLimits()


def number_of_words(count: int) -> str:
    """Return a number of words in words, as "1 word"."""
    return "1 word" if count == 1 else f"{count:,} words"


def count_words(text: str) -> int:
    """Return the number of words: runs of letters and digits, or two spaceless characters each.

    What nothing parts is one word: `B12`, `5mg`, `don't`, `1,200.50`.
    """
    from groundtypes.quotes.scanner import scan  # noqa: PLC0415 # most quotes need no count
    from groundtypes.quotes.tokens import MEANINGFUL, WORD  # noqa: PLC0415 # the same

    tokens = scan(text)
    words = spaceless = 0
    end = -1
    for key, kind, start, token_end in zip(
        tokens.keys, tokens.kinds, tokens.starts, tokens.ends, strict=True
    ):
        if kind not in MEANINGFUL or not any(map(str.isalnum, key)):
            continue
        if kind == WORD and is_spaceless(key[0]):
            spaceless += 1
        elif start > end:
            words += 1
        end = token_end
    return words + spaceless // 2


def _surely_within(text: str, least: int, most: int | None) -> bool:
    """Whether two cheap patterns prove the number of words; they do for most quotes."""
    if not text.isascii() or any(mark in text for mark in "&<["):
        return False
    few_enough = most is None or len(_LETTERS_OR_DIGITS.findall(text)) <= most
    return few_enough and len(_PLAIN_WORD.findall(text)) >= least
