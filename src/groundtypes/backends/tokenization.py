"""Pairs of texts as the tokens that a model reads, within its window.

Premise and hypothesis are tokenised on their own, each text once however many pairs it stands in,
and joined in the way that the tokenizer itself joins pairs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import BackendError
from groundtypes.scoring import Pair

__all__ = ["PairTokenizer", "Tokens", "window_of"]

#: A text is cut to so many characters for each token of the window before it is tokenised, so
#: that a text of millions of characters costs no more than the part that is read.
_CHARACTERS_PER_TOKEN: Final = 12
#: Texts by which the joint of a pair is found; ordinary words in every vocabulary.
_PROBE: Final = ("a man is here", "he is not there")

#: The widest window that is taken from a configuration.
_WIDEST: Final = 512
#: Models that count positions from behind the number of the padding token.
_SHIFTED: Final = frozenset({"camembert", "mpnet", "roberta", "xlm-roberta", "xlm-roberta-xl"})

#: Texts to token numbers, without special tokens.
Encode = Callable[[Sequence[str]], Sequence[Sequence[int]]]
#: A pair of texts to token numbers and type numbers, with special tokens.
EncodePair = Callable[[str, str], tuple[Sequence[int], Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Tokens:
    """One pair as a model reads it; `cut` says that the end of the hypothesis was left out."""

    ids: list[int]
    types: list[int]
    cut: bool


@dataclass(frozen=True, slots=True)
class _Joint:
    """The special tokens before, between and after the two texts, and the types of all parts."""

    before: list[int]
    between: list[int]
    after: list[int]
    types: tuple[list[int], int, list[int], int, list[int]]

    @property
    def size(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)


class PairTokenizer:
    """Turns pairs into tokens; a premise that is too long loses its end.

    The hypothesis keeps up to half of the window, and what the premise leaves free beyond that:
    it is what is judged, and one sentence as a rule.
    """

    def __init__(self, encode: Encode, encode_pair: EncodePair, window: int) -> None:
        """Take the two ways to encode, and how many tokens the model reads."""
        self._encode = encode
        self._joint = _joint(encode, encode_pair)
        self._room = window - self._joint.size
        self._characters = window * _CHARACTERS_PER_TOKEN
        if self._room < 2:
            raise BackendError(f"A window of {window} tokens holds no pair.")

    def of(self, pairs: Sequence[Pair]) -> list[Tokens]:
        """Return the tokens of each pair."""
        texts = dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis))
        encoded = self._encode([self._readable(text) for text in texts])
        ids = {text: list(found) for text, found in zip(texts, encoded, strict=True)}
        return [self._join(pair, ids[pair.premise], ids[pair.hypothesis]) for pair in pairs]

    def _join(self, pair: Pair, premise: list[int], hypothesis: list[int]) -> Tokens:
        kept = hypothesis[: max(self._room // 2, self._room - len(premise))]
        premise = premise[: self._room - len(kept)]
        cut = len(kept) < len(hypothesis) or len(pair.hypothesis) > self._characters
        joint = self._joint
        before, first, between, second, after = joint.types
        return Tokens(
            [*joint.before, *premise, *joint.between, *kept, *joint.after],
            [*before, *([first] * len(premise)), *between, *([second] * len(kept)), *after],
            cut,
        )

    def _readable(self, text: str) -> str:
        text = text[: self._characters]
        try:
            text.encode()
        except UnicodeEncodeError:
            # Lone surrogates, which JSON can carry and no tokenizer takes.
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text


def window_of(config: Mapping[str, Any], *stated: object) -> int:
    """Return how many tokens a model reads at once, at most 512.

    It is the least of what its configuration and others state.
    """
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _SHIFTED:
        positions -= int(config.get("pad_token_id") or 0) + 1
    sizes = (config.get("max_length"), positions, *stated, _WIDEST)
    return min(size for size in sizes if isinstance(size, int) and size > 0)


def _joint(encode: Encode, encode_pair: EncodePair) -> _Joint:
    """Return what stands around the two texts of a pair."""
    first, second = (list(ids) for ids in encode(_PROBE))
    pair, types = (list(numbers) for numbers in encode_pair(*_PROBE))
    start = _find(first, pair, 0)
    other = _find(second, pair, start + len(first))
    if not first or not second or start < 0 or other < 0 or len(types) != len(pair):
        raise BackendError("The tokenizer joins a pair in a way that is not understood.")
    one, two = start + len(first), other + len(second)
    parts = (types[:start], types[start], types[one:other], types[other], types[two:])
    return _Joint(pair[:start], pair[one:other], pair[two:], parts)


def _find(part: list[int], whole: list[int], start: int) -> int:
    """Return where the part stands in the whole, -1 where it does not."""
    if start < 0:
        return -1
    places = range(start, len(whole) - len(part) + 1)
    return next((place for place in places if whole[place : place + len(part)] == part), -1)
