"""The features of the linear model: n-grams of the folded words of an opening, and its shape.

An opening passes through `normalise` (case, typography), `split_words`, `words_outside_quotations`
(without quotations and idioms) and `to_tokens` (words that have the same function become one
token). The features are the n-grams of one to four tokens, and a few about the whole text
(`shape_features`).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from groundtypes.refusals.quotations import MASK, SENTENCE_BREAK, mask_quotations
from groundtypes.refusals.vocabulary import fold_word

#: How many words of an opening are read.
_MAX_WORDS: Final = 140
#: The tokens at the beginning of the text, of each further sentence, and at the end of the text.
_TEXT_START: Final = "<t>"
_SENTENCE_START: Final = "<s>"
_TEXT_END: Final = "</t>"
#: The token of a masked quotation or idiom.
_QUOTATION: Final = "<q>"
#: A word with what an apostrophe joins to it, or a mark.
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[\x01\x02]")
#: Leaves of ASCII in lower case what is in a word, and the marks.
_ONLY_WORDS: Final = str.maketrans(
    {
        code: " "
        for code in range(128)
        if not chr(code).islower() and chr(code) not in {"'", SENTENCE_BREAK, MASK}
    }
)
_TYPOGRAPHY: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\u00b4\u0060\u2032\uff07\u055a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"')
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f")
)
#: How many characters the shape features look at.
_SHAPE: Final = 3_000
#: The lengths that divide texts into classes, in characters.
_SIZES: Final = (60, 150, 400, 1000, 2000)
_LIST: Final = re.compile(r"\n\s{0,8}(?:\d{1,2}[.)]|[-*\u2022])\s|: ?1[.)] ")


def normalise(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the sentences of an opening in lower case and plain typography, joined by breaks."""
    opening = SENTENCE_BREAK.join([text[start:end] for start, end in spans]).lower()
    if not opening.isascii():
        return unicodedata.normalize("NFKC", opening).lower().translate(_TYPOGRAPHY)
    return opening.replace("`", "'") if "`" in opening else opening


def split_words(opening: str) -> list[str]:
    """Return the first 140 words of a normalised opening, with the marks among them."""
    words = _split_ascii(opening) if opening.isascii() else _WORD.findall(opening)
    return words[:_MAX_WORDS]


def _split_ascii(opening: str) -> list[str]:
    """Return the words of an ASCII text in lower case, faster than the pattern finds them."""
    if "''" in opening:
        return _WORD.findall(opening)
    spaced = opening.translate(_ONLY_WORDS)
    for mark in (SENTENCE_BREAK, MASK):
        if mark in spaced:
            spaced = spaced.replace(mark, f" {mark} ")
    if "'" in spaced:
        spaced = f" {spaced} ".replace("' ", " ").replace(" '", " ")
    return spaced.split()


def words_outside_quotations(opening: str, words: list[str]) -> list[str]:
    """Return the words of a normalised opening with marks for quotations; `words` are all words."""
    masked = mask_quotations(opening)
    return words if masked == opening else split_words(masked)


def to_tokens(words: Sequence[str], *, is_whole: bool) -> list[str]:
    """Return the tokens of an opening; `is_whole`: no text follows it."""
    tokens = [_TEXT_START, *chain.from_iterable(map(_TOKENS.__getitem__, words))]
    if is_whole:
        tokens.append(_TEXT_END)
    return tokens


class _TokensOfWords(dict[str, tuple[str, ...]]):
    """Word -> its tokens. Words are added when they are first looked up, up to `_MAX_ENTRIES`."""

    _MAX_ENTRIES: Final = 20_000
    _MAX_LENGTH: Final = 40

    def __missing__(self, word: str) -> tuple[str, ...]:
        tokens = fold_word(word)
        if len(self) < self._MAX_ENTRIES and len(word) <= self._MAX_LENGTH:
            self[word] = tokens
        return tokens


_TOKENS: Final = _TokensOfWords({SENTENCE_BREAK: (_SENTENCE_START,), MASK: (_QUOTATION,)})


def ngrams(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every run of one to four tokens."""
    second, third, fourth = tokens[1:], tokens[2:], tokens[3:]
    yield from zip(tokens, strict=False)
    yield from zip(tokens, second, strict=False)
    yield from zip(tokens, second, third, strict=False)
    yield from zip(tokens, second, third, fourth, strict=False)


def shape_features(text: str) -> list[str]:
    """Return features of the whole text: its length, whether it contains a list, its paragraphs.

    They show that an answer follows a disclaimer without reading it. The first 3,000 characters are
    enough.
    """
    begin = text[:_SHAPE].strip()
    size = len(begin) if len(text) <= _SHAPE else _SHAPE
    features = [f"<size{sum(size > limit for limit in _SIZES)}>"]
    if ("\n" in begin or ":" in begin) and _LIST.search(begin):
        features.append("<list>")
    if paragraphs := begin.count("\n\n"):
        features.append(f"<paragraphs{min(3, paragraphs)}>")
    return features
