"""The exact comparison of tokens: do a quote and a passage differ in typography alone?

The two are compared token by token, in one direction from a token that both have. Tokens of an
optional kind (`OPTIONAL`) may be missing on either side, and a word that is hyphenated across lines
is also compared as one word.
"""

from collections.abc import Sequence
from typing import Final

from groundtypes.quotes.tokens import (
    BLOCK_TAG,
    CLOSING_BRACKETS,
    DASH,
    ELLIPSIS,
    EXPONENT,
    FOOTNOTE,
    HYPHEN,
    MARKUP,
    NUMBER,
    OMISSIBLE,
    OPTIONAL,
    PUNCTUATION,
    WORD,
    Tokens,
)

#: At the edge of a quote these kinds of tokens belong to the text around it and need not match.
_EDGE_KINDS: Final = OPTIONAL | {DASH, HYPHEN, ELLIPSIS}
#: In a narrow column a word may be broken more than once.
_MOST_BREAKS: Final = 3
#: How many tags may stand side by side inside of a word.
_MOST_TAGS: Final = 8


#: Symbols whose raised number plain text writes on the line: a square, or the place of a bond.
_RAISED_ON_THE_LINE: Final = frozenset(("r", "chi", "delta"))


class WindowTooNarrow(Exception):
    """The window of the text ended before the quote did: a wider one may hold the quote."""


def core_range(tokens: Tokens) -> tuple[int, int]:
    """Return the half-open range of a quote's tokens without those that only surround it."""
    first, last = 0, len(tokens)
    keys, kinds = tokens.keys, tokens.kinds
    while first < last:
        if _surrounds(tokens, first, ".,;:)]}"):
            first += 1
        elif _surrounds(tokens, last - 1, ".,;:([{"):
            last -= 1
        elif kinds[first] == PUNCTUATION and CLOSING_BRACKETS.get(keys[first]) == keys[last - 1]:
            first, last = first + 1, last - 1
        else:
            break
    return first, last


def _surrounds(tokens: Tokens, at: int, marks: str) -> bool:
    """Whether a token at the edge of a quote belongs to the text around it: one of some marks."""
    kind = tokens.kinds[at]
    return kind in _EDGE_KINDS or (kind == PUNCTUATION and tokens.keys[at] in marks)


def last_covered(quote: Tokens, at: int, stop: int, text: Tokens, text_at: int, step: int) -> int:
    """Return the last token of `text` that the quote's tokens from `at` to `stop` cover.

    `step` is the direction, 1 or -1; `stop` is the first token of the quote that is not compared;
    the comparison begins at the token `text_at`. The result is -1 where the two differ in more than
    typography.

    Raises:
        WindowTooNarrow: The tokens of the text ended before the quote's did.
    """
    keys, kinds = quote.keys, quote.kinds
    text_keys, text_kinds = text.keys, text.kinds
    end = len(text_keys) if step > 0 else -1
    last = text_at - step
    while at != stop:
        kind = kinds[at]
        if text_at == end:
            if kind in OPTIONAL:
                at += step
                continue
            raise WindowTooNarrow
        key = keys[at]
        text_key, text_kind = text_keys[text_at], text_kinds[text_at]
        if key == text_key:
            last = text_at
            at, text_at = at + step, text_at + step
        elif kind == FOOTNOTE and text_kind == FOOTNOTE:
            # Different footnote marks do not match: one of them must be missing on the other side.
            if _next_kind(text_kinds, text_at, step) == FOOTNOTE:
                text_at += step
            elif _next_kind(kinds, at, step) == FOOTNOTE:
                at += step
            else:
                return -1
        elif text_kind == MARKUP and _is_list_number(quote, at, stop, step, text_key):
            last = text_at
            at, text_at = at + 2 * step, text_at + step
        elif kind == MARKUP and _is_list_number(text, text_at, end, step, key):
            last = text_at + step
            at, text_at = at + step, text_at + 2 * step
        elif text_kind in OMISSIBLE:
            text_at += step
        elif kind in OPTIONAL:
            at += step
        elif (joined := join_hyphenated(text, text_at, step)) and joined[0] == key:
            at, text_at = at + step, joined[1]
            last = text_at - step
        elif (joined := join_hyphenated(quote, at, step)) and joined[0] == text_key:
            last = text_at
            at, text_at = joined[1], text_at + step
        elif _is_flat_on_the_other_side(text, text_at, quote, at, step, is_of_text=True):
            text_at += step
        elif _is_flat_on_the_other_side(quote, at, text, text_at, step, is_of_text=False):
            at += step
        else:
            return -1
    return last


def _is_list_number(tokens: Tokens, at: int, stop: int, step: int, key: str) -> bool:
    """Whether a number and a mark are, on one line, what at the start of a line numbers a list."""
    number = min(at, at + step)
    return (
        key[0].isdigit()
        and at + step != stop
        and tokens.kinds[number] == NUMBER
        and tokens.kinds[number + 1] == PUNCTUATION
        and tokens.ends[number] == tokens.starts[number + 1]
        and tokens.keys[number] + tokens.keys[number + 1] == key
    )


def _next_kind(kinds: Sequence[str], at: int, step: int) -> str:
    at += step
    return kinds[at] if 0 <= at < len(kinds) else ""


def join_hyphenated(tokens: Tokens, at: int, step: int) -> tuple[str, int] | None:
    """Return a word that is hyphenated across lines as one, and the index of the token after it.

    Markup inside of a word splits it as a hyphen does. The result is `None` where the word at this
    index is in one piece. `step` is the direction.
    """
    keys, kinds = tokens.keys, tokens.kinds
    count = len(keys)
    word, after = keys[at], at + step
    is_hyphenated = False
    for _ in range(_MOST_BREAKS):
        if not (0 <= after < count and 0 <= after + step < count):
            break
        following = after + step
        if kinds[after] != HYPHEN:
            following = _word_after_markup(tokens, after, step)
            if following < 0:
                break
        part = keys[following]
        word = word + part if step > 0 else part + word
        after = following + step
        is_hyphenated = True
    return (word, after) if is_hyphenated else None


def _word_after_markup(tokens: Tokens, at: int, step: int) -> int:
    """Return the word behind markup inside of a word: one sign, or inline tags; else -1."""
    keys, kinds, starts, ends = tokens.keys, tokens.kinds, tokens.starts, tokens.ends
    for count in range(_MOST_TAGS + 1):
        if not 0 <= at < len(keys):
            return -1
        before, after = (at - 1, at) if step > 0 else (at, at + 1)
        if ends[before] != starts[after]:
            return -1
        if kinds[at] != MARKUP:
            return at if count and kinds[at] == WORD else -1
        if keys[at] == BLOCK_TAG or (count and "<>" not in (keys[at], keys[at - step])):
            return -1
        at += step
    return -1


def differ_only_in_typography(quote: Tokens, text: Tokens) -> bool:
    """Whether two stretches have the same tokens, from the first to the last."""
    count = len(quote)
    try:
        last = last_covered(quote, 0, count, text, 0, 1)
    except WindowTooNarrow:
        return False
    return (last >= 0 or not count) and all(kind in OMISSIBLE for kind in text.kinds[last + 1 :])


def _is_flat_on_the_other_side(
    raised: Tokens, at: int, flat: Tokens, flat_at: int, step: int, *, is_of_text: bool
) -> bool:
    """Whether the exponent at `at` may be missing in the other tokens, which have it on the line.

    An exponent counts: 10² is neither 102 nor 10 2. Only a charge ("Ca²⁺" and "Ca2+") and what is
    raised behind a few symbols cannot mean something else on the line. `is_of_text` says
    that the exponent is the text's: a quote that raises a digit says more than one that does not.
    """
    if raised.kinds[at] != EXPONENT or not 0 < at < len(raised) - 1:
        return False
    before = flat_at - 1 if step > 0 else flat_at
    if not (0 <= before < len(flat) - 1 and flat.ends[before] == flat.starts[before + 1]):
        return False
    word, kind, following = raised.keys[at - 1], raised.kinds[at - 1], raised.keys[at + 1]
    if raised.ends[at - 1] != raised.starts[at]:
        return False
    is_number = raised.kinds[at + 1] == NUMBER
    if is_number and kind == WORD and word in _RAISED_ON_THE_LINE:
        return word == "delta" or (is_of_text and following == "2")
    if following in ("+", "-"):  # a charge of one, or the sign behind the name of a cell
        sign = at + 1
    elif is_number and kind == WORD and len(word) == len("Ca"):
        sign = at + 2  # behind a longer name or one letter, the digit may count atoms
    else:
        return False
    if raised.keys[sign : sign + 1] not in (["+"], ["-"]):
        return False
    is_last = sign + 1 == len(raised) or raised.ends[sign] != raised.starts[sign + 1]
    is_name = kind == NUMBER and raised.kinds[max(0, at - 2)] == WORD
    is_ion = kind == WORD and (len(word) > 1 or word in "hfiknu")
    following_kinds = (NUMBER,) if is_name else (WORD, NUMBER)
    return (is_ion or is_name) and (is_last or raised.kinds[sign + 1] not in following_kinds)
