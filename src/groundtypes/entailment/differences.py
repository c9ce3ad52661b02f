"""What differs when a statement is laid beside the sentences that are closest to it.

Each difference is a named number from 0 to 1, not a rule: a calibrated function weighs them
(`groundtypes.entailment.evidence_model`). Those between words have the words that differ, so that a
verdict can name what weighed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from groundtypes.entailment.alignment import AlignedSentence, Word, Words, align, words_of
from groundtypes.entailment.class_differences import (
    CLASSES,
    Found,
    compare_classes,
    compare_opposites,
    drop_reworded,
)
from groundtypes.entailment.coordinated_subjects import said_of_each
from groundtypes.entailment.denials import Denials, denials
from groundtypes.entailment.exchanged_numbers import ExchangedNumber, exchanged_number
from groundtypes.evidence.grains import Evidence

__all__ = ["CLASSES", "DIFFERENCES", "GROUPS", "Differences", "differences_of"]

#: The names of the differences, by what they are about.
GROUPS: Final = MappingProxyType(
    {
        **{name: (f"{name} only stated", f"{name} left out") for name in CLASSES},
        "opposite": ("opposite",),
        "number": (
            "number not in closest",
            "number not in sentences",
            "number not in references",
            "number left out",
            "number of another",
        ),
        "name": ("name not in closest", "name not in sentences", "name not in references"),
        "word": (
            "words not in closest",
            "words not in sentences",
            "words not in passage",
            "words not in references",
            "words left out",
        ),
        "order": ("order",),
        "verbatim": ("verbatim", "contained"),
    }
)
DIFFERENCES: Final = tuple(name for names in GROUPS.values() for name in names)


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences by name, the words behind them, and the closest sentence.

    `closeness` is the share of the statement's words that the closest sentence has; `spread` says
    whether further sentences have more of them.

    `words` has for a difference the word that differs; for a number of another owner, the number,
    the word that it is beside, and the word that the statement has in its place. `exchanged` is
    a number of another owner that is beyond doubt. `denials` is what their negations show.
    """

    values: Mapping[str, float]
    words: Mapping[str, tuple[str, ...]]
    closest: str | None
    closeness: float
    spread: bool = False
    exchanged: ExchangedNumber | None = None
    denials: Denials = field(default_factory=Denials)


def differences_of(
    statement: str, evidence: Evidence, in_references: Callable[[str], bool]
) -> Differences:
    """Return what differs; `in_references` says whether a term occurs in any reference."""
    stated = words_of(statement)
    sentences = dict.fromkeys(grain.text for grain in evidence.sentences)
    if evidence.composed is not None:
        sentences |= dict.fromkeys(passage.text for passage in evidence.composed.passages)
    if not sentences and evidence.passage is not None:
        sentences[evidence.passage.text] = None
    found = Found(dict.fromkeys(DIFFERENCES, 0.0))
    if not sentences:
        return Differences(found.values, found.words, None, 0.0)
    aligned = [align(stated, words_of(sentence)) for sentence in sentences]
    closest = max(aligned, key=lambda pair: pair.share)
    compare_classes(found, closest, aligned)
    compare_opposites(found, closest)
    _compare_numbers(found, closest, aligned, in_references)
    _compare_names(found, closest, aligned, in_references)
    passage = frozenset[str]()
    if evidence.passage is not None:
        passage = words_of(evidence.passage.text).content
    _compare_words(found, closest, aligned, passage, in_references)
    found.add("order", _inversions(closest))
    _compare_whole(found, stated, aligned)
    text = list(sentences)[aligned.index(closest)]
    drop_reworded(found, statement, list(sentences), aligned.index(closest))
    spread = found.values["words not in closest"] > found.values["words not in sentences"]
    exchanged = exchanged_number(closest, aligned)
    compared = _denials(statement, list(sentences))
    return Differences(found.values, found.words, text, closest.share, spread, exchanged, compared)


def _denials(statement: str, sentences: Sequence[str]) -> Denials:
    compared = denials(statement, sentences)
    if compared.says_same or compared.found is not None:
        return compared
    of_each = denials(statement, [said for text in sentences for said in said_of_each(text)])
    return Denials(found=of_each.found)


def _compare_numbers(
    found: Found,
    closest: AlignedSentence,
    aligned: Sequence[AlignedSentence],
    in_references: Callable[[str], bool],
) -> None:
    stated = closest.statement.numbers
    there = closest.sentence.numbers
    anywhere = frozenset[str]().union(*(pair.sentence.numbers for pair in aligned))
    _add_missing(found, "number", closest.statement, stated, there, anywhere, in_references)
    in_region = {
        closest.sentence.words[at].stem
        for at in closest.region
        if closest.sentence.words[at].is_number
    }
    if left_out := sorted(in_region - stated):
        found.add("number left out", 1.0, closest.sentence.spelling[left_out[0]])
    for pair in aligned:
        if other := _other_owner(pair):
            found.add("number of another", 1.0, *other)
            return


def _add_missing(
    found: Found,
    kind: str,
    statement: Words,
    stated: frozenset[str],
    in_closest: frozenset[str],
    in_sentences: frozenset[str],
    in_references: Callable[[str], bool],
) -> None:
    if not stated:
        return
    for name, missing in (
        ("closest", stated - in_closest),
        ("sentences", stated - in_sentences),
        (
            "references",
            {stem for stem in stated - in_sentences if not in_references(stem)},
        ),
    ):
        if missing:
            found.add(
                f"{kind} not in {name}",
                len(missing) / len(stated),
                statement.spelling[min(missing)],
            )


def _other_owner(pair: AlignedSentence) -> tuple[str, str, str] | None:
    """Return a number that the sentence has beside another word than the statement has.

    That is so if a word of the statement's clause stands in another clause of the sentence, beside
    another number.
    """
    stated, sentence = pair.statement, pair.sentence
    for at, word in enumerate(stated.words):
        place = pair.partners.get(at)
        if not word.is_number or place is None:
            continue
        clause = sentence.clauses[place]
        for near, owner in _same_clause(stated, at):
            owner_place = pair.partners.get(near)
            if owner_place is None or owner.is_number:
                continue
            other = sentence.clauses[owner_place]
            if other == clause or not _has_number(sentence, other, word.stem):
                continue
            beside = _first_content(sentence, clause, stated.content)
            if beside is not None:
                return word.shown, beside, owner.shown
    return None


def _same_clause(words: Words, at: int) -> list[tuple[int, Word]]:
    return [
        (near, word)
        for near, word in enumerate(words.words)
        if near != at and word.is_content and words.clauses[near] == words.clauses[at]
    ]


def _has_number(words: Words, clause: int, besides: str) -> bool:
    return any(
        word.is_number and word.stem != besides and words.clauses[at] == clause
        for at, word in enumerate(words.words)
    )


def _first_content(words: Words, clause: int, besides: frozenset[str]) -> str | None:
    for at, word in enumerate(words.words):
        if (
            words.clauses[at] == clause
            and word.is_content
            and not word.is_number
            and word.stem not in besides
        ):
            return word.shown
    return None


def _compare_names(
    found: Found,
    closest: AlignedSentence,
    aligned: Sequence[AlignedSentence],
    in_references: Callable[[str], bool],
) -> None:
    anywhere = frozenset[str]().union(*(pair.sentence.content for pair in aligned))
    stated = closest.statement.names
    _add_missing(
        found, "name", closest.statement, stated, closest.sentence.content, anywhere, in_references
    )


def _compare_words(
    found: Found,
    closest: AlignedSentence,
    aligned: Sequence[AlignedSentence],
    passage: frozenset[str],
    in_references: Callable[[str], bool],
) -> None:
    words = closest.statement.words
    content = [at for at, word in enumerate(words) if word.is_content]
    if content:
        with_partner = {at for pair in aligned for at in pair.partners}
        without = [words[at] for at in content if at not in with_partner]
        nowhere = [word for word in without if not in_references(word.stem)]
        found.add("words not in closest", 1.0 - closest.share)
        found.add("words not in sentences", len(without) / len(content))
        not_in_passage = sum(words[at].stem not in passage for at in content)
        found.add("words not in passage", not_in_passage / len(content))
        if nowhere:
            found.add("words not in references", len(nowhere) / len(content), nowhere[0].shown)
    partners = set(closest.partners.values())
    region = [at for at in closest.region if closest.sentence.words[at].is_content]
    if region:
        left_out = sum(at not in partners for at in region)
        found.add("words left out", left_out / len(region))


def _inversions(pair: AlignedSentence) -> float:
    """Return the share of neighbours whose partners are in the other order."""
    places = [pair.partners[at] for at in sorted(pair.partners)]
    if len(places) < 2:
        return 0.0
    return sum(one > other for one, other in pairwise(places)) / (len(places) - 1)


def _compare_whole(found: Found, stated: Words, aligned: Sequence[AlignedSentence]) -> None:
    plain = stated.plain
    if not plain:
        return
    for pair in aligned:
        if pair.sentence.plain == plain:
            found.add("verbatim", 1.0)
        if f" {plain} " in f" {pair.sentence.plain} ":
            found.add("contained", 1.0)
