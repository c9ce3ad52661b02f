"""Words of classes that change what a sentence says, on one side only, and opposites.

Those of wordings that say the same are dropped from what a message may name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from groundtypes.entailment import word_classes
from groundtypes.entailment.alignment import AlignedSentence, align, words_of
from groundtypes.entailment.same_wordings import same_wording

__all__ = ["CLASSES", "Found", "compare_classes", "compare_opposites", "drop_reworded"]

#: The classes of words that change what a sentence says.
CLASSES: Final = MappingProxyType(
    {
        "negation": word_classes.NEGATION,
        "quantifier": word_classes.QUANTIFIER,
        "modality": word_classes.MODALITY,
        "condition": word_classes.CONDITION,
        "comparison": word_classes.COMPARISON,
        "hedge": word_classes.HEDGE,
        "cause": word_classes.CAUSE,
    }
)


@dataclass(slots=True)
class Found:
    """The differences that were found by name, and the words behind them."""

    values: dict[str, float] = field(default_factory=dict)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, name: str, value: float, *words: str) -> None:
        """Set a difference, and its words if there are any."""
        self.values[name] = value
        if words:
            self.words[name] = words


def compare_classes(
    found: Found, closest: AlignedSentence, aligned: Sequence[AlignedSentence]
) -> None:
    """Compare the words of each class with those of sentences that share two words or more."""
    near = [pair for pair in aligned if pair is closest or len(pair.partners) >= 2]
    near.sort(key=lambda pair: pair.share)
    near_texts = frozenset[str]().union(*(pair.sentence.texts for pair in near))
    for name, groups in CLASSES.items():
        stated = _by_group(groups, closest.statement.texts)
        there = _by_group(groups, near_texts)
        if only := [stated[group] for group in stated if group not in there]:
            found.add(f"{name} only stated", closest.share, closest.statement.shown[only[0]])
        for pair in near:
            in_region = _by_group(groups, pair.region_texts)
            if left_out := [in_region[group] for group in in_region if group not in stated]:
                found.add(f"{name} left out", pair.share, pair.sentence.shown[left_out[0]])


def _by_group(groups: Mapping[str, str], texts: frozenset[str]) -> dict[str, str]:
    return {groups[text]: text for text in sorted(texts) if text in groups}


def compare_opposites(found: Found, closest: AlignedSentence) -> None:
    """Find a word of the statement whose opposite stands in the sentence instead."""
    stated, there = closest.statement.texts, closest.region_texts
    for text in sorted(stated - there):
        opposites = word_classes.OPPOSITES.get(text, frozenset()) & (there - stated)
        if opposites:
            opposite = closest.sentence.shown[min(opposites)]
            found.add("opposite", 1.0, closest.statement.shown[text], opposite)
            return


def drop_reworded(found: Found, statement: str, sentences: Sequence[str], closest: int) -> None:
    """Drop the words of differences that are none in one of several wordings of the same.

    "Not allowed" and "prohibited" are no opposites. The values stay, as the weights are fitted to
    them.
    """
    stated = same_wording(statement, is_stated=True)
    wordings = [same_wording(sentence) for sentence in sentences]
    texts = (statement, *sentences)
    if not found.words or all(
        wording == words_of(text).plain
        for wording, text in zip((stated, *wordings), texts, strict=True)
    ):
        return
    reworded, *texts_reworded = (
        words_of(wording.replace("may_", "May")) for wording in (stated, *wordings)
    )
    aligned = [align(reworded, text) for text in texts_reworded]
    others = Found()
    compare_classes(others, aligned[closest], aligned)
    compare_opposites(others, aligned[closest])
    compared = {f"{name} {side}" for name in CLASSES for side in ("only stated", "left out")}
    for name in compared.union(("opposite",)).intersection(found.words).difference(others.words):
        del found.words[name]
