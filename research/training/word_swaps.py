"""Pairs made from a sentence by one change of a word: what a small model seldom sees otherwise."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from corpora import word_groups as w
from training.negations import NEGATION
from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, Row
from training.wordnet import Lexicon

__all__ = ["swapped"]

#: Words of which only one can hold at a time, by kind.
_EXCLUSIVE: Final = [
    group.split()
    for group in """
red blue green yellow orange purple pink black white brown gray grey silver golden beige
one two three four five six seven eight nine ten eleven twelve twenty thirty hundred
first second third fourth fifth sixth seventh tenth last
guitar piano violin drums flute trumpet saxophone cello accordion banjo harmonica clarinet
beer wine water coffee tea juice milk soda whiskey vodka lemonade champagne rum
carrots potatoes onions tomatoes cabbage lettuce broccoli spinach peas corn beans cucumbers
apples bananas oranges grapes lemons strawberries melons peaches pears cherries
soccer football basketball baseball tennis golf hockey volleyball rugby cricket swimming
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december
wood wooden plastic metal glass paper leather cotton stone steel brick concrete silk rubber
mercury venus mars jupiter saturn uranus neptune pluto
kitchen bathroom bedroom basement attic garage hallway office classroom library garden
french german italian spanish chinese japanese american british russian indian mexican +
canadian brazilian australian dutch swedish polish greek turkish korean irish
france germany italy spain china japan america england russia india mexico canada brazil +
australia holland sweden poland greece turkey korea ireland egypt
dog cat horse cow bird sheep goat pig elephant lion tiger bear rabbit monkey fish
summer winter spring autumn
morning afternoon evening night noon midnight
man woman boy girl baby
car truck bus train bicycle motorcycle boat airplane helicopter taxi
sitting standing running walking sleeping swimming jumping lying kneeling flying
sunny rainy snowy cloudy foggy windy
doctor teacher policeman firefighter chef lawyer farmer pilot soldier carpenter plumber
always never sometimes
everyone nobody
all none
inside outside
north south east west
empty full
""".replace(" +\n", " ")
    .strip()
    .split("\n")
]
_GROUP: Final = {word: group for group in _EXCLUSIVE for word in group}
_OPPOSED: Final = {**w.ANTONYMS, **w.COMPARISONS}
_WORD: Final = re.compile(r"[A-Za-z]+(?:-[a-z]+)?")


def _like(word: str, new: str) -> str:
    return new.capitalize() if word[:1].isupper() else new


def _put(text: str, found: re.Match[str], new: str) -> str:
    """Put a word in the place of another, with the article that it takes."""
    before, after = text[: found.start()], text[found.end() :]
    article = re.search(r"\b(a)n? $", before, re.IGNORECASE)
    if article:
        vowel = new[:1].lower() in "aeiou"
        before = f"{before[: article.start()]}{article[1]}{'n' if vowel else ''} "
    return before + _like(found[0], new) + after


def _plural_safe(find: Callable[[str], list[str]], word: str) -> list[str]:
    """Find relations of the word, or of its singular, made plural again."""
    found = find(word)
    if not found and word.endswith("s") and len(word) > 3 and not word.endswith("ss"):
        found = [
            new + ("es" if new.endswith(("s", "x", "ch", "sh")) else "s")
            for new in find(word[:-1])
            if not new.endswith("y")
        ]
    return found


def swapped(
    rng: random.Random, sentences: Sequence[str], lexicon: Lexicon, counts: dict[str, int]
) -> Iterable[Row]:
    """Yield pairs of a sentence and itself with one word changed, `counts` of each kind."""

    def group(word: str) -> list[str]:
        return [other for other in _GROUP.get(word, ()) if other != word]

    def opposed(word: str) -> list[str]:
        return [*_OPPOSED.get(word, ()), *lexicon.antonyms(word)]

    def same(word: str) -> list[str]:
        return [*lexicon.synonyms(word), *lexicon.synonyms(word, "a"), *lexicon.synonyms(word, "v")]

    kinds: dict[str, tuple[Callable[[str], list[str]], tuple[float, float, float]]] = {
        "group": (group, CONTRADICTION),
        "opposed": (opposed, CONTRADICTION),
        "sister": (lambda word: _plural_safe(lexicon.sisters, word), CONTRADICTION),
        "same": (same, ENTAILMENT),
        "wider": (lambda word: _plural_safe(lexicon.wider, word), ENTAILMENT),
        "narrower": (lambda word: _plural_safe(lexicon.narrower, word), NEUTRAL),
    }
    for kind, (find, target) in kinds.items():
        left = counts.get(kind, 0)
        for sentence in rng.sample(sentences, len(sentences)):
            if left <= 0:
                break
            if kind in {"wider", "same", "narrower"} and NEGATION.search(sentence):
                continue
            places = [m for m in _WORD.finditer(sentence) if len(m[0]) > 2]
            rng.shuffle(places)
            for found in places:
                options = find(found[0].lower())
                if options:
                    changed = _put(sentence, found, rng.choice(options))
                    yield Row(sentence, changed, target, f"swap {kind}")
                    left -= 1
                    break
