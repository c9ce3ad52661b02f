"""What differs when a statement is laid beside the sentences that are closest to it.

The shares of its words that are missing are features of `groundtypes.entailment.evidence_model`. A
word that only one side has is what a verdict names.

A small model overlooks a negation in a long sentence. So the words of either side are compared
without those that deny: if these are the same, in the same order, the one side denies the other
where it alone has a negation (`docs/entailment.md` says how often that decides). A statement that
is one of the sentences follows from it, whatever a model says.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from groundtypes.entailment.compared_words import NEGATION, Words, missing_from, words_of
from groundtypes.entailment.evidence.statement_evidence import Evidence
from groundtypes.text.message_excerpts import clip
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.polar_answers import without_particle
from groundtypes.text.punkt import sentence_ends

#: In fewer words, two sentences may be alike by chance.
_FEWEST: Final = 3
#: Articles, words that stand beside a negation alone ("not any"), and those that only a negation
#: or a question needs ("does not open").
_LEFT_OUT: Final = frozenset("a an the any yet do does did".split())


class Denial(NamedTuple):
    """The negation that one side has, as it is written, and whether the statement has it."""

    negation: str
    is_stated: bool


class SameWords(NamedTuple):
    """What sentences with the words of a statement say of it.

    Attributes:
        is_copied: Whether the statement is one of them, letter by letter but for case and spaces.
        denial: The negation that alone tells it from one of them; `None` if another one has the
            same negations.
    """

    is_copied: bool = False
    denial: Denial | None = None


class _Sentence(NamedTuple):
    """A sentence in lower case, the stems of its words but those that deny, and its negations.

    The key of a negation is the number of stems before it.
    """

    text: str
    rest: tuple[str, ...]
    negations: Mapping[int, str]


def same_words(statement: str, texts: Iterable[str]) -> SameWords:
    """Return what the sentences of texts say that have the words of a statement."""
    stated = _sentence(statement)
    if len(stated.rest) < _FEWEST:
        return SameWords()
    denial: Denial | None = None
    has_same = False
    for sentence in (sentence for text in texts for sentence in _sentences(text)):
        if sentence.rest != stated.rest:
            continue
        if sentence.text == stated.text:
            return SameWords(is_copied=True)
        only_stated = stated.negations.keys() - sentence.negations
        only_there = sentence.negations.keys() - stated.negations
        has_same = has_same or not (only_stated or only_there)
        # Negations in two places may deny the same: "No dogs are allowed." and "are not allowed".
        if denial is None and not (only_stated and only_there):
            side, more = (stated, only_stated) if only_stated else (sentence, only_there)
            if len(more) % 2 == 1:
                denial = Denial(side.negations[min(more)], is_stated=side is stated)
    return SameWords(denial=None if has_same else denial)


@lru_cache(maxsize=4_096)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    letters = plain_letters(text)
    ends = pairwise([0, *sentence_ends(letters, 0, len(letters)), len(letters)])
    return tuple(_sentence(without_particle(letters[start:end])) for start, end in ends)


def _sentence(sentence: str) -> _Sentence:
    rest: list[str] = []
    negations: dict[int, str] = {}
    for word in words_of(sentence).words:
        if word.text in NEGATION and len(rest) in negations:
            del negations[len(rest)]  # "never not"
        elif word.text in NEGATION:
            negations[len(rest)] = word.shown
        elif word.text not in _LEFT_OUT:
            rest.append(word.stem)
    text = " ".join(sentence.split()).lower().rstrip(".!")
    return _Sentence(text, tuple(rest), negations)


#: The names of the shares of a statement's content words that are missing.
MISSING_WORDS: Final = (
    "words not in closest",
    "words not in sentences",
    "words not in passage",
    "words not in references",
)
_NONE_SAME: Final = SameWords()
#: The longest word that is shown.
_MAX_WORD: Final = 40
#: From this share of the statement's words on, a negation of the sentence says something of it.
_CLOSE: Final = 0.5


class MainDifference(NamedTuple):
    """A difference in plain English, and the words of the evidence that it is about."""

    text: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Differences:
    """What differs between a statement and its evidence.

    Attributes:
        missing: The shares of the statement's content words that are missing, by
            `MISSING_WORDS`.
        closest: The sentence that has most of its words, if there is evidence.
        spread: Whether further sentences have more of them.
        same_words: What sentences with the words of the statement say of it.
        main: The difference that a verdict names, if there is one.
    """

    missing: Mapping[str, float]
    closest: str | None = None
    spread: bool = False
    same_words: SameWords = _NONE_SAME
    main: MainDifference | None = None

    @property
    def closeness(self) -> float:
        """The share of the statement's content words that the closest sentence has."""
        return 1.0 - self.missing["words not in closest"]


def differences_of(
    statement: str, evidence: Evidence, in_references: Callable[[str], bool]
) -> Differences:
    """Return what differs; `in_references` says whether a term occurs in any reference."""
    composed = evidence.composed.passages if evidence.composed is not None else ()
    texts = [premise.text for premise in evidence.sentences] + [part.text for part in composed]
    sentences = {text: words_of(text) for text in texts}
    if not sentences and evidence.passage is not None:
        sentences[evidence.passage.text] = words_of(evidence.passage.text)
    if not sentences:
        return Differences(dict.fromkeys(MISSING_WORDS, 0.0))
    stated = words_of(statement)
    content = stated.content
    missing_by_text = {
        text: missing_from(words.content, content) for text, words in sentences.items()
    }
    closest = min(missing_by_text, key=lambda text: len(missing_by_text[text]))
    everywhere = frozenset.intersection(*missing_by_text.values())
    nowhere = frozenset(stem for stem in everywhere if not in_references(stem))
    passage = words_of(evidence.passage.text).content if evidence.passage else frozenset()
    missing = (missing_by_text[closest], everywhere, content - passage, nowhere)
    shares = [len(stems) / max(1, len(content)) for stems in missing]
    return Differences(
        dict(zip(MISSING_WORDS, shares, strict=True)),
        closest,
        spread=shares[0] > shares[1],
        same_words=same_words(statement, sentences),
        main=_main(stated, sentences[closest], nowhere, is_close=shares[0] <= 1 - _CLOSE),
    )


def _main(
    stated: Words, closest: Words, nowhere: frozenset[str], *, is_close: bool
) -> MainDifference | None:
    """Return a negation of one side, else a number, a name or a word that stands nowhere."""
    if is_close and bool(stated.negations) != bool(closest.negations):
        side = stated if stated.negations else closest
        return _one_sided(next(iter(side.negations.values())), is_stated=side is stated)
    for stems in (stated.numbers & nowhere, stated.names & nowhere, nowhere):
        if stems:
            word = stated.spelling[min(stems)]
            return MainDifference(f"{quoted(word)} stands nowhere in the references", (word,))
    return None


def denied(found: Denial) -> MainDifference:
    """Return that only a negation tells the statement from its sentence."""
    return _one_sided(found.negation, is_stated=found.is_stated)


def _one_sided(word: str, *, is_stated: bool) -> MainDifference:
    has, lacks = ("sentence", "passage") if is_stated else ("passage", "sentence")
    return MainDifference(f"{quoted(word)} stands in the {has} and not in the {lacks}", (word,))


def quoted(word: str) -> str:
    """Return a word as a message shows it: between quotation marks, cut if it is long."""
    return f"'{clip(word, _MAX_WORD)}'"
