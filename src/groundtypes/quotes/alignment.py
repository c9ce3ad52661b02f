"""The alignment of a quote with the passage most like it, and the edits between the two.

Each distinct key of a token becomes one character, so that the fast string algorithms of rapidfuzz
compare tokens: a partial alignment finds the passage, the Levenshtein distance its bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein, Opcode
from rapidfuzz.fuzz import partial_ratio_alignment

from groundtypes.quotes.comparison import join_hyphenated
from groundtypes.quotes.tokens import HYPHEN, MEANINGFUL, NUMBER, OPTIONAL, WORD, Tokens

#: Each bound of the rough alignment is moved by at most this many tokens.
_LONGEST_SLACK: Final = 24
#: The first and last words of a quote are looked for so many tokens before and behind the passage;
#: words of few letters, which occur everywhere, only next to it.
_EDGE_REACH: Final = 4
_EDGE_REACH_OF_SHORT: Final = 2
_SHORT: Final = 3
#: Beyond these, another sentence begins.
_SENTENCE_ENDS: Final = frozenset(".!?\u3002\uff01\uff1f")
#: Keys are encoded as characters from here on: a plane of Unicode with no special characters.
_FIRST_CODE: Final = 0x10000


class Token(NamedTuple):
    """One token of an alignment; a word that is hyphenated across lines is one token."""

    key: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One difference: tokens of the quote, and the text's own in their place; one may be empty."""

    quoted: tuple[Token, ...]
    original: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The passage of a text most like a quote, from `start` to `end`, and the differences.

    `share` is the share of the quote's words that are in the passage unchanged, `similarity` the
    same seen from both sides (the Dice coefficient); both are between 0 and 1.
    """

    start: int
    end: int
    edits: tuple[Edit, ...]
    share: float
    similarity: float


def edits_between(quote: Tokens, text: Tokens) -> tuple[Edit, ...]:
    """Return how two stretches differ, from their first tokens to their last."""
    quote_tokens = _comparable_tokens(quote, 0, len(quote), text)
    text_tokens = _comparable_tokens(text, 0, len(text), quote)
    opcodes = Levenshtein.opcodes(
        [token.key for token in quote_tokens], [token.key for token in text_tokens]
    )
    return _edits(list(opcodes), quote_tokens, text_tokens)


def align(quote: Tokens, core: tuple[int, int], text: Tokens) -> Alignment | None:
    """Return the passage of the text that is most like a quote, and how the two differ.

    `core` is the range of the quote's tokens that are compared. Typography does not count. The
    result is `None` where the two have nothing in common.
    """
    quote_tokens = _comparable_tokens(quote, *core, text)
    text_tokens = _comparable_tokens(text, 0, len(text), quote)
    if not (quote_tokens and text_tokens):
        return None
    codes: dict[str, str] = {}
    quote_code, text_code = _encode(quote_tokens, codes), _encode(text_tokens, codes)
    rough = partial_ratio_alignment(quote_code, text_code)
    if rough is None:
        return None
    low, high = _best_bounds(quote_code, text_code, rough.dest_start, rough.dest_end)
    low, high = _with_edge_words(quote_tokens, text_tokens, low, high)
    # Some characters are several tokens, such as a fraction.
    while low > 0 and text_tokens[low - 1].end > text_tokens[low].start:
        low -= 1
    while high < len(text_tokens) and text_tokens[high].start < text_tokens[high - 1].end:
        high += 1
    opcodes = list(Levenshtein.opcodes(quote_code, text_code[low:high]))
    equal = [opcode for opcode in opcodes if opcode.tag == "equal"]
    if not equal:
        return None
    passage = text_tokens[low:high]
    quote_words = _count_words(quote_tokens)
    passage_words = _count_words(passage)
    equal_words = sum(
        _count_words(quote_tokens[opcode.src_start : opcode.src_end]) for opcode in equal
    )
    return Alignment(
        passage[0].start,
        passage[-1].end,
        _edits(opcodes, quote_tokens, passage),
        equal_words / quote_words if quote_words else 0.0,
        2 * equal_words / (quote_words + passage_words) if quote_words else 0.0,
    )


def _count_words(tokens: Sequence[Token]) -> int:
    return sum(token.kind in MEANINGFUL for token in tokens)


def _edits(
    opcodes: Sequence[Opcode], quote_tokens: Sequence[Token], text_tokens: Sequence[Token]
) -> tuple[Edit, ...]:
    return tuple(
        Edit(
            tuple(quote_tokens[opcode.src_start : opcode.src_end]),
            tuple(text_tokens[opcode.dest_start : opcode.dest_end]),
        )
        for opcode in opcodes
        if opcode.tag != "equal"
    )


def _with_edge_words(
    quote: Sequence[Token], text: Sequence[Token], low: int, high: int
) -> tuple[int, int]:
    """Return wider bounds where the quote's first or last word occurs just outside of them.

    "Children pay nothing" leaves "under six" out of "children under six pay nothing", and does not
    change "six" to "children".
    """
    if low >= high:
        return low, high
    reach = _edge_reach(quote[0])
    if text[low].key != quote[0].key:
        for at in range(low - 1, max(-1, low - reach - 1), -1):
            if text[at].key in _SENTENCE_ENDS:
                break
            if text[at].key == quote[0].key:
                low = at
                break
    reach = _edge_reach(quote[-1])
    if text[high - 1].key != quote[-1].key:
        for at in range(high, min(len(text), high + reach)):
            if text[at].key in _SENTENCE_ENDS:
                break
            if text[at].key == quote[-1].key:
                return low, at + 1
    return low, high


def _edge_reach(token: Token) -> int:
    if token.kind not in (WORD, NUMBER):
        return 0
    is_short = token.kind == WORD and len(token.key) <= _SHORT
    return _EDGE_REACH_OF_SHORT if is_short else _EDGE_REACH


def _best_bounds(quote_code: str, text_code: str, low: int, high: int) -> tuple[int, int]:
    """Return the bounds near `low` and `high` between which the fewest tokens differ.

    The partial alignment finds the best passage of the quote's own length, which misses what the
    quote leaves out or adds.
    """
    slack = min(2 + len(quote_code) // 4, _LONGEST_SLACK)

    def badness(bounds: tuple[int, int]) -> tuple[int, int, int, int]:
        start, end = bounds
        passage = text_code[start:end]
        return (
            Levenshtein.distance(quote_code, passage),
            # "Do take it" leaves "not" out of "Do not take it", and does not change it to "Do".
            -LCSseq.similarity(quote_code, passage),
            # A word at the edge was more probably changed than added.
            abs(end - start - len(quote_code)),
            abs(start - low) + abs(end - high),
        )

    ends = range(max(low + 1, high - slack), min(len(text_code), high + slack) + 1)
    best = min(((low, end) for end in ends), key=badness, default=(low, high))
    starts = range(max(0, low - slack), min(low + slack, best[1] - 1) + 1)
    best = min(((start, best[1]) for start in starts), key=badness, default=best)
    # Once more: which end is best depends on the start.
    return min(((best[0], end) for end in ends if end > best[0]), key=badness, default=best)


def _comparable_tokens(tokens: Tokens, first: int, last: int, other: Tokens) -> list[Token]:
    """Return tokens but optional ones, with hyphenated words as the other text has them."""
    keys, kinds, starts, ends = tokens.keys, tokens.kinds, tokens.starts, tokens.ends
    if HYPHEN not in kinds[first:last]:
        return [
            Token(keys[at], kinds[at], starts[at], ends[at])
            for at in range(first, last)
            if kinds[at] not in OPTIONAL
        ]
    comparable: list[Token] = []
    other_keys = set(other.keys)
    at = first
    while at < last:
        kind = kinds[at]
        if kind == WORD and (joined := join_hyphenated(tokens, at, 1)) and joined[0] in other_keys:
            key, after = joined
            comparable.append(Token(key, kind, starts[at], ends[after - 1]))
            at = after
            continue
        if kind not in OPTIONAL:
            comparable.append(Token(keys[at], kind, starts[at], ends[at]))
        at += 1
    return comparable


def _encode(tokens: Sequence[Token], codes: dict[str, str]) -> str:
    """Return one character for each token, the same for tokens of equal keys."""
    return "".join([codes.setdefault(token.key, chr(_FIRST_CODE + len(codes))) for token in tokens])
