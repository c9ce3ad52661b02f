"""What differs when a statement is laid beside the sentences that are closest to it.

The shares of its words that are missing are features of `groundtypes.entailment.evidence_model`. A
word that only one side has is what a verdict names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from groundtypes.entailment.compared_words import Words, missing_from, words_of
from groundtypes.entailment.evidence.statement_evidence import Evidence
from groundtypes.entailment.same_words import Denial, SameWords, same_words
from groundtypes.text.message_excerpts import clip

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
