"""An English opening as features: whether it is English, its tokens, their n-grams, its shape.

An opening passes through `normalise` (case, typography), `split_words`, `words_outside_quotations`
and `to_tokens`, which makes one token of words with the same function ("passage", "document"), so
that the model needs few examples of each. `data/english.txt` lists these words.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from typing import Final

from groundtypes.refusals.quotations import MASK, SENTENCE_BREAK, mask_quotations


def _read_words() -> dict[str, list[str]]:
    text = (files("groundtypes.refusals") / "data/english.txt").read_text(encoding="utf-8")
    words: defaultdict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        name, colon, listed = line.partition(": ")
        if colon and not line.startswith("#"):
            words[name] += listed.split()
    return words


_WORDS: Final = _read_words()
_FILLERS: Final = frozenset(_WORDS.pop("fillers"))
_ENGLISH: Final = frozenset(_WORDS.pop("english"))
_ONLY_ENGLISH: Final = frozenset(_WORDS.pop("only english"))
_OTHERS: Final = frozenset(_WORDS.pop("others"))
_BARE_TRIGGERS: Final = _WORDS.pop("triggers")
_TRIGGERS: Final = frozenset(
    [
        *_BARE_TRIGGERS,
        *(f"{word}'{end}" for word in _BARE_TRIGGERS for end in ("s", "d", "ll", "re", "ve")),
        *(f"{word}n't" for word in _WORDS.pop("negated verbs")),
    ]
)
#: Each word to the token that stands for it; the first of its classes counts.
_TOKEN_OF_WORD: Final = {word: token for token, words in reversed(_WORDS.items()) for word in words}
#: Contractions whose two halves are not those on either side of the apostrophe.
_CONTRACTIONS: Final = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "i'm": "i am",
    "it's": "it is",
    "that's": "that is",
    "there's": "there is",
}
#: The word that the half behind an apostrophe is short for.
_SECOND_HALVES: Final = {"re": "are", "ve": "have", "ll": "will", "d": "would"}
#: How many words of an opening are read.
_MAX_WORDS: Final = 140
#: The tokens at the beginning and at the end of the text.
_TEXT_START: Final = "<t>"
_TEXT_END: Final = "</t>"
#: The tokens of marks: of a further sentence, and of a masked quotation or idiom.
_MARKS: Final = {SENTENCE_BREAK: "<s>", MASK: "<q>"}
#: A word with what an apostrophe joins to it, or a mark.
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[\x01\x02]")
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


def may_decline(words: Sequence[str], opening: str = "") -> bool:
    """Whether a text has any of the words without which it is taken for an answer.

    A question may ask back, whatever its words; `opening` is searched for one if it is given.
    """
    return "?" in opening or not _TRIGGERS.isdisjoint(words)


def is_english(words: Sequence[str], *, is_ascii: bool) -> bool:
    """Return whether the words of an opening are English; `is_ascii`: so are all characters.

    A text with none of the frequent words is English if it is ASCII and has a word of a refusal.
    """
    if is_ascii and not _ONLY_ENGLISH.isdisjoint(words):
        return True
    if _OTHERS.isdisjoint(words):
        return not _ENGLISH.isdisjoint(words) or (is_ascii and may_decline(words))
    return _counted(words, _ENGLISH) > _counted(words, _OTHERS)


def may_be_english(words: Sequence[str], *, is_ascii: bool) -> bool:
    """Return whether an opening that is not recognised may be English all the same.

    Names, numbers and words such as "he runs away" tell no language, and some words are frequent in
    two ("van", "per").
    """
    return is_ascii and _counted(words, _ENGLISH) >= _counted(words, _OTHERS)


def _counted(words: Sequence[str], known: frozenset[str]) -> int:
    return sum(map(known.__contains__, words))


@lru_cache(maxsize=20_000)
def fold_word(word: str) -> tuple[str, ...]:
    """Return the tokens of a word or mark: none, one, or one for each half of a contraction."""
    if word in _MARKS:
        return (_MARKS[word],)
    if word in _CONTRACTIONS:
        parts = _CONTRACTIONS[word].split()
    elif word.endswith("n't"):
        parts = [word[:-3], "not"]
    else:
        first, *others = word.split("'")
        parts = [first, *(_SECOND_HALVES.get(part, part) for part in others)]
    return tuple(_TOKEN_OF_WORD.get(part, part) for part in parts if part and part not in _FILLERS)


def normalise(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the sentences of an opening in lower case and plain typography, joined by breaks."""
    opening = SENTENCE_BREAK.join([text[start:end] for start, end in spans]).lower()
    if not opening.isascii():
        return unicodedata.normalize("NFKC", opening).lower().translate(_TYPOGRAPHY)
    return opening.replace("`", "'") if "`" in opening else opening


def split_words(opening: str) -> list[str]:
    """Return the first 140 words of a normalised opening, with the marks among them."""
    return _WORD.findall(opening)[:_MAX_WORDS]


def words_outside_quotations(opening: str, words: list[str]) -> list[str]:
    """Return the words of a normalised opening with marks for quotations; `words` are all words."""
    masked = mask_quotations(opening)
    return words if masked == opening else split_words(masked)


def to_tokens(words: Sequence[str], *, is_whole: bool) -> list[str]:
    """Return the tokens of an opening; `is_whole`: no text follows it."""
    tokens = [_TEXT_START, *chain.from_iterable(map(fold_word, words))]
    if is_whole:
        tokens.append(_TEXT_END)
    return tokens


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
