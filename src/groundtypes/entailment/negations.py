"""Which words of a sentence its negations deny.

A negation denies the next verb, adjective or noun of its clause, or else the one before it ("cats
are not"). Questions say nothing, and are left out.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from groundtypes.entailment.alignment import Word
from groundtypes.entailment.asides import without_asides
from groundtypes.entailment.negation_words import (
    DENYING,
    is_denying,
    plain_word,
    sentence_words,
    with_base,
    without_particle,
    without_tag,
)
from groundtypes.entailment.word_classes import QUANTIFIER
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.punkt import sentence_ends

__all__ = ["DeniedSentence", "Negation", "statements_of"]

#: Articles, and words that stand beside a negation alone: "not any", "not yet".
_ARTICLES: Final = frozenset({"a", "an", "the", "any", "yet"})
#: Words that only a negation or a question needs: "does not open".
_SUPPORT: Final = frozenset({"do", "does", "did"})
_AUXILIARIES: Final = frozenset(
    "is are was were be been being am has have had can could may might must shall should will "
    "would".split()
)
_COORDINATORS: Final = frozenset({"and", "or", "but", "while", "whereas", "nor", ";"})
#: A clause after these says something of its own, also without a verb.
_CONTRASTING: Final = frozenset({"but", "while", "whereas", ";"})
_MARKS: Final = frozenset(", ; : ( ) \u2013 \u2014".split())
#: Words that begin a subordinate clause, or restrict what follows.
_SUBORDINATORS: Final = frozenset(
    "if unless when whenever whether that who whom whose which where because although though since "
    "until till before after once except only provided".split()
)
#: A negation on the one or the other side of these words says different things.
_SCOPED: Final = _SUBORDINATORS.union(QUANTIFIER, {"to", "not"})
#: On both sides of these, a negation says the same: "does not seem to work".
_RAISING: Final = frozenset({"seem", "appear", "likely"})
#: A sentence that begins with one of these may have a part that holds for all clauses.
_OPENING: Final = _SUBORDINATORS.union(
    "on in at by from for with within during under over despite according apart instead".split()
)
#: In fewer words, two sentences may be alike by chance.
_FEWEST: Final = 3
_MAX_CLAUSES: Final = 12
#: Only so much of a sentence is compared, so that the work is bounded.
_MAX_CHARACTERS: Final = 3_000
_BETWEEN_CLAUSES: Final = re.compile(r";|,?\s(?:and|but|while|whereas)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Negation:
    """A negation as the text spells it, and what it denies.

    `head` is the position of the denied word in `DeniedSentence.rest`, or -1 for none;
    `begins_clause` is true of the second clause of "bread but not wine". A determiner is "no"
    before a noun.
    """

    shown: str
    head: int
    begins_clause: bool
    is_determiner: bool

    @property
    def is_contrast(self) -> bool:
        """Whether it denies a word that stands in place of another."""
        return self.begins_clause and not self.is_determiner


@dataclass(frozen=True)
class DeniedSentence:
    """The words of a sentence without its negations, and the negations.

    Attributes:
        rest: The other words but articles, auxiliaries and "do", in order.
        clauses: The number of the clause of each of them.
        auxiliaries: The auxiliaries, in alphabetical order, as their order differs in questions
            and after "never".
        auxiliaries_before: How many auxiliaries stand before each word of the rest.
        verbal_clauses: The numbers of the clauses with an auxiliary, "do", "not" or "but".
        negations: The negations, in order.
        length: The number of all words but negations and "do".
        is_coordinated: Whether it has "neither" or "nor".
    """

    rest: tuple[Word, ...]
    clauses: tuple[int, ...]
    auxiliaries: tuple[str, ...]
    auxiliaries_before: tuple[int, ...]
    verbal_clauses: frozenset[int]
    negations: tuple[Negation, ...]
    length: int
    is_coordinated: bool

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of the rest, in order."""
        return tuple(word.stem for word in self.rest)

    @cached_property
    def bag(self) -> Counter[str]:
        """How often each word occurs, without regard to order."""
        return Counter((*self.stems, *self.auxiliaries))

    @cached_property
    def denied(self) -> Mapping[str, bool]:
        """Whether each content word is in a clause that is denied, if all of them say so alike.

        Only words of clauses that say something of their own are known.
        """
        counts = Counter(
            self.clauses[negation.head] for negation in self.negations if negation.head >= 0
        )
        found: dict[str, set[bool]] = {}
        for word, clause in zip(self.rest, self.clauses, strict=True):
            if word.is_content:
                found.setdefault(word.stem, set()).add(counts[clause] % 2 == 1)
        own = {
            word.stem
            for word, clause in zip(self.rest, self.clauses, strict=True)
            if clause in self.verbal_clauses
        }
        return {stem: min(ways) for stem, ways in found.items() if len(ways) == 1 and stem in own}

    def parts(self, first: int, last: int, verbal: frozenset[int]) -> bool:
        """Whether a negation of the one word says another thing than one of the other.

        They stand in two clauses with a verb each, on two sides of a word such as "all" or "to",
        or in a relative clause and after it.

        Args:
            first: The position of the one word in `rest`.
            last: That of the other.
            verbal: The clauses with a verb, also by what another sentence of the same words says.
        """
        first, last = sorted((first, last))
        if first < 0:
            return False
        one, other = self.clauses[first], self.clauses[last]
        if one != other:
            contrasts = {
                self.clauses[negation.head]
                for negation in self.negations
                if negation.is_contrast and negation.head >= 0
            }
            return {one, other} <= verbal or not contrasts.isdisjoint((one, other))
        between = self.rest[first : last + 1]
        if any(word.text in _SCOPED for word in between):
            return _RAISING.isdisjoint(word.stem for word in between)
        before = (
            word.text
            for word, clause in zip(self.rest[:first], self.clauses, strict=False)
            if clause == one
        )
        has_relative = not _SUBORDINATORS.isdisjoint(before)
        return has_relative and self.auxiliaries_before[first] < self.auxiliaries_before[last]


@lru_cache(maxsize=4_096)
def statements_of(text: str) -> tuple[tuple[DeniedSentence, ...], ...]:
    """Return the sentences of a text that are no questions.

    Each is followed by its main clauses, if it consists of several that hold each by itself, and by
    what is left without its asides.
    """
    text = plain_letters(text)
    found = []
    for start, end in pairwise([0, *sentence_ends(text, 0, len(text)), len(text)]):
        sentence = without_tag(without_particle(text[start:end].strip()[:_MAX_CHARACTERS]))
        if not sentence.rstrip().endswith("?"):
            whole = _sentence(sentence)
            shorter = map(_sentence, without_asides(sentence))
            found.append((whole, *_main_clauses(sentence, whole), *shorter))
    return tuple(found)


def _main_clauses(text: str, whole: DeniedSentence) -> Sequence[DeniedSentence]:
    """Return the main clauses of a sentence; none if a part of it may hold for several of them."""
    words = [word.text for word in whole.rest]
    if (
        whole.is_coordinated
        or _OPENING.intersection(words[:1])
        or _SUBORDINATORS.intersection(words)
    ):
        return ()
    clauses = [_sentence(part) for part in _BETWEEN_CLAUSES.split(text, _MAX_CLAUSES)]
    is_each_whole = all(clause.length >= _FEWEST for clause in clauses)
    # "Do not open the door and let the cat out." denies both.
    is_open = any(
        one.negations and not (other.negations or other.verbal_clauses)
        for one, other in pairwise(clauses)
    )
    return clauses if len(clauses) > 1 and is_each_whole and not is_open else ()


class _Reader:
    """Reads the words of a sentence one by one."""

    def __init__(self) -> None:
        self.rest: list[Word] = []
        self.clauses: list[int] = []
        self.auxiliaries: list[str] = []
        self.before: list[int] = []
        self.verbal: set[int] = set()
        #: Each negation, with the number of words before it, and its clause.
        self.negations: list[tuple[Word, int, int, bool]] = []
        self.length = 0
        self.clause = 0
        #: The word before.
        self.last = ""
        self.begins = True

    def read(self, word: Word) -> None:
        text = word.text
        if text in _MARKS or text in _COORDINATORS:
            if text in _MARKS and self.last == "no":
                self.negations.pop()  # "A: No, dogs are not allowed."
            self.last = text
            self.clause += 1
            if text in _CONTRASTING:
                self.verbal.add(self.clause)
            self.begins = True
            self.length += text[0].isalpha()
            if text == "nor":
                self._negation(word)
            return
        if text in ("no_more_than", "no_less_than"):
            for part in ("no", *text.split("_")[1:]):
                self.read(plain_word(part))
            return
        if is_denying(text):
            self._negation(word)
            if positive := DENYING.get(text):
                self._rest(plain_word(positive))
            return
        if text.startswith("_"):
            return
        if text in _SUPPORT:
            self.verbal.add(self.clause)
            return
        self._rest(word)

    def _negation(self, word: Word) -> None:
        self.last = word.text
        if word.text != "no":
            self.verbal.add(self.clause)
            if self.begins and self.clauses:
                self.verbal.add(self.clauses[-1])  # "it sells bread, not wine"
        self.negations.append((word, len(self.rest), self.clause, self.begins))
        self.begins = False

    def _rest(self, word: Word) -> None:
        if self.begins and word.text == "only":
            self.verbal.add(self.clause)
        self.last = word.text
        self.begins = False
        self.length += 1
        if word.text in _AUXILIARIES:
            self.auxiliaries.append("have" if word.text == "has" else word.text)
            self.verbal.add(self.clause)
        elif word.text not in _ARTICLES:
            self.rest.append(with_base(word))
            self.clauses.append(self.clause)
            self.before.append(len(self.auxiliaries))

    def sentence(self) -> DeniedSentence:
        """Return what was read."""
        negations = tuple(
            Negation(
                word.shown.strip(),
                self._head(at, clause),
                begins and clause > 0,
                word.text == "no",
            )
            for word, at, clause, begins in self.negations
        )
        return DeniedSentence(
            tuple(self.rest),
            tuple(self.clauses),
            tuple(sorted(self.auxiliaries)),
            tuple(self.before),
            frozenset(self.verbal),
            negations,
            self.length,
            any(word.text in ("neither", "nor") for word, *_ in self.negations),
        )

    def _head(self, at: int, clause: int) -> int:
        """Return the position of the word that a negation denies, or -1."""
        own = [place for place, number in enumerate(self.clauses) if number == clause]
        content = [place for place in own if _can_be_denied(self.rest[place])] or own
        after = [place for place in content if place >= at]
        return after[0] if after else content[-1] if content else -1


def _can_be_denied(word: Word) -> bool:
    return word.is_content or word.text in QUANTIFIER or word.text == "only"


@lru_cache(maxsize=4_096)
def _sentence(text: str) -> DeniedSentence:
    reader = _Reader()
    for word in sentence_words(text):
        reader.read(word)
    return reader.sentence()
