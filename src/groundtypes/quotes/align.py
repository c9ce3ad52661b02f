"""Two scanned texts side by side: do they say the same words, and where do they differ?

`walk` compares strictly, outward from a place that both have in common; `align` finds the stretch
of a window that is most like a quote, and says what would have to change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein, Opcode
from rapidfuzz.fuzz import partial_ratio_alignment

from groundtypes.quotes.patterns import (
    DASH,
    ELLIPSIS,
    FOOTNOTE,
    HYPHEN,
    NUMBER,
    POINT,
    SIGN,
    SKIPPED,
    SUPER,
    WORD_KIND,
)
from groundtypes.quotes.tokens import Tokens

__all__ = [
    "COUNTED",
    "Alignment",
    "Edit",
    "RanOut",
    "Unit",
    "align",
    "core",
    "edits_between",
    "same",
    "walk",
]

#: Kinds of tokens that carry meaning.
COUNTED: Final = frozenset((WORD_KIND, NUMBER, SIGN, SUPER))
#: Kinds of tokens that prove nothing at the edge of a quote.
_EDGE: Final = SKIPPED | {DASH, HYPHEN, ELLIPSIS}
_EDGE_POINTS: Final = frozenset(".,;:")
#: By how many units a stretch may be longer or shorter than the quote.
_SLACK: Final = 24
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}


class RanOut(Exception):
    """The window ended before the quote did: a wider one may hold it."""


def core(tokens: Tokens) -> tuple[int, int]:
    """Return the range of tokens without what surrounds a quote and is not part of it."""
    first, last = 0, len(tokens)
    keys, kinds = tokens.keys, tokens.kinds
    while first < last:
        if kinds[first] in _EDGE or (kinds[first] == POINT and keys[first] in _EDGE_POINTS):
            first += 1
        elif kinds[last - 1] in _EDGE or (
            kinds[last - 1] == POINT and keys[last - 1] in _EDGE_POINTS
        ):
            last -= 1
        elif kinds[first] == POINT and _PAIRS.get(keys[first]) == keys[last - 1]:
            first, last = first + 1, last - 1
        elif kinds[first] == POINT and keys[first] in ")]}":
            first += 1
        elif kinds[last - 1] == POINT and keys[last - 1] in "([{":
            last -= 1
        else:
            break
    return first, last


def walk(quote: Tokens, at: int, stop: int, text: Tokens, place: int, step: int) -> int:
    """Return the last token of `text` that the quote's tokens from `at` to `stop` cover.

    `step` is 1 or -1: the direction. `stop` is the first token of the quote that is not compared.
    The result is -1 where the two differ in more than typography.

    Raises:
        RanOut: All tokens of the text were used up before the quote's were.
    """
    keys, kinds = quote.keys, quote.kinds
    true_keys, true_kinds = text.keys, text.kinds
    end = len(true_keys) if step > 0 else -1
    last = place - step
    while at != stop:
        kind = kinds[at]
        if place == end:
            if kind in SKIPPED:
                at += step
                continue
            raise RanOut
        key = keys[at]
        true_key, true_kind = true_keys[place], true_kinds[place]
        if key == true_key:
            last = place
            at, place = at + step, place + step
        elif kind == FOOTNOTE and true_kind == FOOTNOTE:
            # Of two footnote marks that differ, neither may stand for the other.
            if _next_kind(true_kinds, place, step) == FOOTNOTE:
                place += step
            elif _next_kind(kinds, at, step) == FOOTNOTE:
                at += step
            else:
                return -1
        elif true_kind in SKIPPED:
            place += step
        elif kind in SKIPPED:
            at += step
        elif (joined := _joined(text, place, step)) and joined[0] == key:
            at, place = at + step, joined[1]
            last = place - step
        elif (joined := _joined(quote, at, step)) and joined[0] == true_key:
            last = place
            at, place = joined[1], place + step
        else:
            return -1
    return last


def _next_kind(kinds: Sequence[str], at: int, step: int) -> str:
    at += step
    return kinds[at] if 0 <= at < len(kinds) else ""


def _joined(tokens: Tokens, at: int, step: int) -> tuple[str, int] | None:
    """Return a word that is hyphenated across lines as one, and the place after it."""
    keys, kinds = tokens.keys, tokens.kinds
    count = len(keys)
    word, place = keys[at], at + step
    found = False
    # A word may be broken more than once, in a narrow column.
    for _ in range(3):
        if not (0 <= place < count and 0 <= place + step < count and kinds[place] == HYPHEN):
            break
        part = keys[place + step]
        word = word + part if step > 0 else part + word
        place += 2 * step
        found = True
    return (word, place) if found else None


class Unit(NamedTuple):
    """What is compared: a token, or the parts of a word that is hyphenated across lines."""

    key: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A difference: what the quote has, and what stands in the text in its place."""

    quoted: tuple[Unit, ...]
    true: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The stretch of a text most like a quote, from `start` to `end`, and the differences.

    `share` is the share of the quote's words that stand in the stretch unchanged, `similarity`
    the same seen from both sides; both are between 0 and 1.
    """

    start: int
    end: int
    edits: tuple[Edit, ...]
    share: float
    similarity: float


def same(quote: Tokens, text: Tokens) -> bool:
    """Whether two stretches differ in typography alone."""
    count = len(quote)
    try:
        last = walk(quote, 0, count, text, 0, 1)
    except RanOut:
        return False
    return (last >= 0 or not count) and all(kind in SKIPPED for kind in text.kinds[last + 1 :])


def edits_between(quote: Tokens, text: Tokens) -> tuple[Edit, ...]:
    """Return how two stretches differ, from their first tokens to their last."""
    ours = _units(quote, 0, len(quote), text)
    theirs = _units(text, 0, len(text), quote)
    codes: dict[str, str] = {}
    opcodes = Levenshtein.opcodes(_coded(ours, codes), _coded(theirs, codes))
    return _edits(list(opcodes), ours, theirs)


def align(quote: Tokens, span: tuple[int, int], text: Tokens) -> Alignment | None:
    """Return the stretch of the text that is most like a quote, and how the two differ.

    `span` is the range of the quote's tokens that are compared. Typography is no difference.
    """
    ours = _units(quote, *span, text)
    theirs = _units(text, 0, len(text), quote)
    codes: dict[str, str] = {}
    ours_coded, theirs_coded = _coded(ours, codes), _coded(theirs, codes)
    found = partial_ratio_alignment(ours_coded, theirs_coded) if ours and theirs else None
    if found is None:
        return None
    low, high = _stretch(ours_coded, theirs_coded, found.dest_start, found.dest_end)
    opcodes = list(Levenshtein.opcodes(ours_coded, theirs_coded[low:high]))
    equal = [op for op in opcodes if op.tag == "equal"]
    if not equal:
        return None
    stretch = theirs[low:high]
    words = sum(unit.kind in COUNTED for unit in ours)
    same = sum(unit.kind in COUNTED for op in equal for unit in ours[op.src_start : op.src_end])
    true_words = sum(unit.kind in COUNTED for unit in stretch)
    return Alignment(
        stretch[0].start,
        stretch[-1].end,
        _edits(opcodes, ours, stretch),
        same / words if words else 0.0,
        2 * same / (words + true_words) if words else 0.0,
    )


def _edits(
    opcodes: Sequence[Opcode], ours: Sequence[Unit], theirs: Sequence[Unit]
) -> tuple[Edit, ...]:
    return tuple(
        Edit(tuple(ours[op.src_start : op.src_end]), tuple(theirs[op.dest_start : op.dest_end]))
        for op in opcodes
        if op.tag != "equal"
    )


def _stretch(ours: str, theirs: str, low: int, high: int) -> tuple[int, int]:
    """Return the bounds near `low` and `high` between which fewest units differ.

    The best stretch of the quote's own length misses what the quote leaves out or adds.
    """
    slack = min(2 + len(ours) // 4, _SLACK)

    def far(bounds: tuple[int, int]) -> tuple[int, int, int, int]:
        start, end = bounds
        stretch = theirs[start:end]
        return (
            Levenshtein.distance(ours, stretch),
            # "Do take it" leaves "not" out of "Do not take it", and does not change it to "Do".
            -LCSseq.similarity(ours, stretch),
            # A word at the edge was rather changed than added.
            abs(end - start - len(ours)),
            abs(start - low) + abs(end - high),
        )

    ends = range(max(low + 1, high - slack), min(len(theirs), high + slack) + 1)
    best = min(((low, end) for end in ends), key=far, default=(low, high))
    starts = range(max(0, low - slack), min(low + slack, best[1] - 1) + 1)
    best = min(((start, best[1]) for start in starts), key=far, default=best)
    # Once more: which end is best depends on the start.
    return min(((best[0], end) for end in ends if end > best[0]), key=far, default=best)


def _units(tokens: Tokens, first: int, last: int, other: Tokens) -> list[Unit]:
    units: list[Unit] = []
    known = set(other.keys) if HYPHEN in tokens.kinds[first:last] else ()
    keys, kinds, starts, ends = tokens.keys, tokens.kinds, tokens.starts, tokens.ends
    at = first
    while at < last:
        kind = kinds[at]
        if kind == WORD_KIND and (joined := _joined(tokens, at, 1)) and joined[0] in known:
            key, after = joined
            units.append(Unit(key, kind, starts[at], ends[after - 1]))
            at = after
            continue
        if kind not in SKIPPED:
            units.append(Unit(keys[at], kind, starts[at], ends[at]))
        at += 1
    return units


def _coded(units: Sequence[Unit], codes: dict[str, str]) -> str:
    """Return one character for each unit, the same for units that are equal."""
    return "".join([codes.setdefault(unit.key, chr(0x10000 + len(codes))) for unit in units])
