"""Pairs with negated sentences, and what these contradict, leave open or entail."""

import random
import re
from collections.abc import Iterable, Sequence
from typing import Final

from training.long_premises import reworded
from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, Row, Target
from training.wordnet import Lexicon

__all__ = ["NEGATION", "negated", "paraphrased_negations"]

#: Matches a negated sentence.
NEGATION: Final = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|neither|cannot)\b|n't", re.IGNORECASE
)
_AUXILIARY: Final = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|may|might|does|do|did) "
    r"(?!not\b|n't)(?=[a-z])"
)
_UNCONTRACTED: Final = {"may", "might", "will", "can"}
#: Words behind which "no longer" is no English.
_NOT_ENDED: Final = {"has", "have", "had", "do", "does", "did", "would", "might"}
_WORD: Final = re.compile(r"[a-z0-9]{3,}")

#: What shall be said where the premise is denied, by the pair's label before. A denied premise
#: seldom tells anything of what it entailed; where it does, it takes it back.
_PREMISE: Final[dict[Target, Target]] = {
    ENTAILMENT: (0.05, 0.55, 0.4),
    NEUTRAL: (0.02, 0.65, 0.33),
    CONTRADICTION: (0.15, 0.65, 0.2),
}
#: And where both texts are. Who denies what is more general denies what is less, not the other way
#: round: only two sentences that say the same are denied alike.
_BOTH: Final[dict[Target, Target]] = {
    ENTAILMENT: (0.15, 0.75, 0.1),
    NEUTRAL: (0.1, 0.85, 0.05),
    CONTRADICTION: (0.05, 0.8, 0.15),
}
_ALIKE: Final[Target] = (0.85, 0.1, 0.05)
#: The share of common words, of either sentence, from which two sentences mean the same.
_SAME: Final = 0.7
#: And where the hypothesis is denied. Two that cannot both be true can both be false, but people
#: mostly write contradictions of which one holds.
_HYPOTHESIS: Final[dict[Target, Target]] = {
    ENTAILMENT: CONTRADICTION,
    NEUTRAL: NEUTRAL,
    CONTRADICTION: (0.65, 0.3, 0.05),
}


def negated(rng: random.Random, rows: Sequence[Row], count: int) -> Iterable[Row]:
    """Yield labelled pairs with a negated hypothesis, a negated premise or both."""
    left = count
    for row in rng.sample(rows, len(rows)):
        if left <= 0:
            return
        if row.target not in _HYPOTHESIS:
            continue
        premise, hypothesis = _deny(rng, row.premise), _deny(rng, row.hypothesis)
        draw = rng.random()
        if draw < 0.35 and premise:
            yield Row(premise, row.hypothesis, _PREMISE[row.target], "negation")
        elif draw < 0.55 and premise and hypothesis:
            alike = row.target == ENTAILMENT and _alike(row.premise, row.hypothesis)
            target = _ALIKE if alike else _BOTH[row.target]
            yield Row(premise, hypothesis, target, "negation")
        elif hypothesis and (row.target != CONTRADICTION or draw < 0.8):
            yield Row(row.premise, hypothesis, _HYPOTHESIS[row.target], "negation")
        else:
            continue
        left -= 1


#: Paraphrases of negations: a pattern, and its replacements.
_AGAIN: Final = [
    (re.compile(pattern), new)
    for pattern, new in (
        (r"\b(?:is|are) not allowed to\b", "may not"),
        (r"\b(?:is|are) not permitted to\b", "must not"),
        (r"\b(?:was|were) not allowed to\b", "could not"),
        (r"\b(?:is|are) not able to\b", "cannot"),
        (r"\b(?:is|are) unable to\b", "cannot"),
        (r"\b(?:was|were) (?:unable|not able) to\b", "could not"),
        (r"\bcould not\b", "was unable to"),
        (r"\b(?:cannot|can not|can't)\b", "is not able to"),
        (r"\b(?:may|must) not\b", "is not allowed to"),
        (r"\bmay not\b", "must not"),
        (r"\bmust not\b", "may not"),
        (r"\b(?:does not|doesn't) have (?:a |an |any )?", "has no "),
        (r"\b(?:do not|don't) have (?:a |an |any )?", "have no "),
        (r"\b(?:did not|didn't) have (?:a |an |any )?", "had no "),
        (r"\bhas no (?=[a-z])", "does not have any "),
        (r"\bhave no (?=[a-z])", "do not have any "),
        (r"\bhad no (?=[a-z])", "did not have any "),
        (r"\b([Tt]here (?:is|are|was|were)) no\b", r"\1 not any"),
        (r"\b(is|are|was|were|has|have|had|would|could|should|does|do|did) not\b", r"\1n't"),
        (r"\b(is|are|was|were|has|have|had|would|could|should|does|do|did)n't\b", r"\1 not"),
        (r"\b(is|are|was|were|has|have|had) never\b", r"\1 not"),
        (r"\b(?:does not|doesn't) need to\b", "does not have to"),
        (r"\b(?:do not|don't) need to\b", "do not have to"),
        (r"\b(is|are|was|were) not\b", r"\1 by no means"),
    )
]


def paraphrased_negations(
    rng: random.Random, sentences: Sequence[str], lexicon: Lexicon, count: int
) -> Iterable[Row]:
    """Yield denials with the same in other words, and with what they refute.

    Under a denial the more special word follows from the more general one ("no dogs" from "no
    animals"), and not the other way round.
    """
    left = count
    for sentence in rng.sample(sentences, len(sentences)):
        if left <= 0:
            return
        real = bool(NEGATION.search(sentence))
        denial = sentence if real else _deny(rng, sentence)
        if denial is None:
            continue
        draw = rng.random()
        if draw < 0.25 and not real:
            yield Row(denial, sentence, CONTRADICTION, "denial refutes")
        elif draw < 0.35:
            narrower = draw < 0.31
            changed = _related(rng, denial, lexicon, narrower=narrower)
            if changed is None:
                continue
            target = ENTAILMENT if narrower else NEUTRAL
            yield Row(denial, changed, target, "denial of a kind")
        else:
            again = _other_words(rng, denial)
            if draw > 0.75:
                again = reworded(rng, again, lexicon)
            if again == denial:
                continue
            yield Row(denial, again, ENTAILMENT, "denial said again")
        left -= 1


def _other_words(rng: random.Random, denial: str) -> str:
    fitting = [(pattern, new) for pattern, new in _AGAIN if pattern.search(denial)]
    if not fitting:
        return denial
    pattern, new = rng.choice(fitting)
    return pattern.sub(new, denial, count=1)


def _related(rng: random.Random, text: str, lexicon: Lexicon, *, narrower: bool) -> str | None:
    """Replace a word after the denial by one of a narrower or a wider kind."""
    denied = NEGATION.search(text)
    places = [m for m in re.finditer(r"[a-z]{3,}", text) if denied and m.start() > denied.end()]
    rng.shuffle(places)
    for found in places:
        options = (lexicon.narrower if narrower else lexicon.wider)(found[0])
        if options:
            return text[: found.start()] + rng.choice(options) + text[found.end() :]
    return None


def _alike(one: str, other: str) -> bool:
    first, second = (set(_WORD.findall(text.lower())) for text in (one, other))
    shared = len(first & second)
    return shared >= _SAME * max(len(first), len(second), 1)


def _deny(rng: random.Random, text: str) -> str | None:
    found = _AUXILIARY.search(text)
    if found is None or NEGATION.search(text):
        return None
    draw = rng.random()
    if draw < 0.5:
        new = f"{found[1]} not "
    elif draw < 0.65 and found[1] not in _UNCONTRACTED:
        new = f"{found[1]}n't "
    elif draw < 0.85 and found[1] not in _NOT_ENDED:
        new = f"{found[1]} no longer "
    else:
        new = f"{found[1]} never "
    return text[: found.start()] + new + text[found.end() :]
