"""Pairs of texts as the tokens that a model reads, within its window.

Premise and hypothesis are tokenized separately, each text once however many pairs it occurs in, and
joined in the way in which the model's own tokenizer joins pairs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import BackendError
from groundtypes.scoring import Pair

#: At most this many characters for each token of the window are tokenized, so that a text of
#: millions of characters costs no more than the part that is read.
_CHARACTERS_PER_TOKEN: Final = 12
#: A pair that shows how the tokenizer joins texts; ordinary words of every vocabulary.
_PROBE: Final = ("a man is here", "he is not there")

#: The widest window that is taken from a configuration.
_MAX_WINDOW: Final = 512
#: Models that number positions from the id of the padding token on.
_SHIFTED: Final = frozenset({"camembert", "mpnet", "roberta", "xlm-roberta", "xlm-roberta-xl"})

#: From texts to token ids, without special tokens.
Encode = Callable[[Sequence[str]], Sequence[Sequence[int]]]
#: From a pair of texts to token ids and token type ids, with special tokens.
EncodePair = Callable[[str, str], tuple[Sequence[int], Sequence[int]]]


@dataclass(frozen=True, slots=True)
class TokenizedPair:
    """The token ids and token type ids of a pair; `cut` if the hypothesis was truncated.

    `span` is where the tokens of the hypothesis are, where a template says it.
    """

    ids: list[int]
    types: list[int]
    cut: bool
    span: tuple[int, int] = (0, 0)


def padded(batch: Sequence[TokenizedPair], padding: int) -> dict[str, list[list[int]]]:
    """Return the inputs of a model for a batch, whose shorter pairs are filled up."""
    width = max(len(pair.ids) for pair in batch)
    gaps = [(pair, width - len(pair.ids)) for pair in batch]
    return {
        "input_ids": [pair.ids + [padding] * gap for pair, gap in gaps],
        "attention_mask": [[1] * len(pair.ids) + [0] * gap for pair, gap in gaps],
        "token_type_ids": [pair.types + [0] * gap for pair, gap in gaps],
    }


@dataclass(frozen=True, slots=True)
class _Template:
    """The special tokens before, between and after the two texts, and the types of all parts."""

    before: list[int]
    between: list[int]
    after: list[int]
    types: tuple[list[int], int, list[int], int, list[int]]

    @property
    def size(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)


class PairTokenizer:
    """Tokenizes pairs; a premise that is too long is truncated.

    The hypothesis may take up half of the window, and beyond that what the premise leaves free.
    """

    def __init__(self, encode: Encode, encode_pair: EncodePair, window: int) -> None:
        """Store the two functions of the model's tokenizer, and how many tokens the model reads."""
        self._encode = encode
        self._template = _template(encode, encode_pair)
        self._text_tokens = window - self._template.size
        self._max_characters = window * _CHARACTERS_PER_TOKEN
        if self._text_tokens < 2:
            raise BackendError(f"A window of {window} tokens holds no pair.")

    def tokenize(self, pairs: Sequence[Pair]) -> list[TokenizedPair]:
        """Return the tokens of each pair."""
        texts = dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis))
        encoded = self._encode([encodable(text[: self._max_characters]) for text in texts])
        ids = {text: list(text_ids) for text, text_ids in zip(texts, encoded, strict=True)}
        return [self._join(pair, ids[pair.premise], ids[pair.hypothesis]) for pair in pairs]

    def _join(self, pair: Pair, premise: list[int], hypothesis: list[int]) -> TokenizedPair:
        length = max(self._text_tokens // 2, self._text_tokens - len(premise))
        cut = length < len(hypothesis) or len(pair.hypothesis) > self._max_characters
        hypothesis = hypothesis[:length]
        premise = premise[: self._text_tokens - len(hypothesis)]
        template = self._template
        before, first, between, second, after = template.types
        return TokenizedPair(
            [*template.before, *premise, *template.between, *hypothesis, *template.after],
            [*before, *([first] * len(premise)), *between, *([second] * len(hypothesis)), *after],
            cut,
        )


def encodable(text: str) -> str:
    """Return a text with a replacement character for each lone surrogate, which JSON can carry."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def window_of(config: Mapping[str, Any], *limits: object) -> int:
    """Return how many tokens a model reads at once: the smallest limit of its own or 512."""
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _SHIFTED:
        positions -= int(config.get("pad_token_id") or 0) + 1
    sizes = (config.get("max_length"), positions, *limits, _MAX_WINDOW)
    return min(size for size in sizes if isinstance(size, int) and size > 0)


def _template(encode: Encode, encode_pair: EncodePair) -> _Template:
    first, second = (list(ids) for ids in encode(_PROBE))
    pair, types = (list(numbers) for numbers in encode_pair(*_PROBE))
    first_start = _find(first, pair, 0)
    second_start = _find(second, pair, first_start + len(first))
    if not first or not second or first_start < 0 or second_start < 0 or len(types) != len(pair):
        raise BackendError("The tokenizer joins a pair in a way that is not understood.")
    first_end, second_end = first_start + len(first), second_start + len(second)
    return _Template(
        before=pair[:first_start],
        between=pair[first_end:second_start],
        after=pair[second_end:],
        types=(
            types[:first_start],
            types[first_start],
            types[first_end:second_start],
            types[second_start],
            types[second_end:],
        ),
    )


def _find(part: list[int], whole: list[int], start: int) -> int:
    """Return the first position of the part in the whole from `start` on, or -1."""
    if start < 0:
        return -1
    positions = range(start, len(whole) - len(part) + 1)
    return next((at for at in positions if whole[at : at + len(part)] == part), -1)
