"""How a judge does on the claims written for the project, of domains that nothing is tuned on.

Statements and answers are validated as users declare them. A claim of a set is judged against all
of its references. `verbatim` are sentences of these references themselves, and `denied` the same
sentences with a negation put in or taken out.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from corpora.nli_sets import LabelledText
from corpora.written_claims import FOLDER, Claim, ClaimSet, Part, claim_sets
from groundtypes.text.hypotheses import hypotheses

__all__ = ["Outcomes", "copied_and_denied", "denied", "measure", "report"]

#: Returns whether each text is accepted, and its score.
Judge = Callable[[Sequence[LabelledText]], tuple[list[bool], list[float]]]

_MAX_SENTENCES: Final = 600
_MIN_WORDS: Final = 5
_AUXILIARY: Final = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|might|has|have|had|does|do|did) "
    r"(?!not\b)(?=[a-z])"
)
_NEGATED: Final = re.compile(r"\b(can)not\b|\b(is|are|was|were|will|must|may|do|does|did) not\b")
_WAYS: Final = ("not", "never", "no longer")


class Outcomes(NamedTuple):
    """Which claims of a form were accepted and which are supported."""

    name: str
    rows: int
    supported_accepted: float
    unsupported_accepted: float
    scores: tuple[list[float], list[bool]]

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the shares of supported claims accepted and of others rejected."""
        return (self.supported_accepted + 1 - self.unsupported_accepted) / 2


class Measured(NamedTuple):
    """What a judge gets right of written claims."""

    outcomes: list[Outcomes]
    minimal_pairs: int
    both_right: float
    verbatim: tuple[int, float]
    denied: tuple[int, float]


def measure(judge: Judge, part: Part = "test", folder: Path = FOLDER) -> Measured:
    """Return what a judge gets right of the claims of a part."""
    sets = claim_sets(part, folder)
    claims = [(claim_set, claim) for claim_set in sets for claim in claim_set.claims]
    accepted, scores = judge([_labelled(claim_set, claim) for claim_set, claim in claims])
    outcomes = [
        _outcomes(
            name,
            [
                (is_accepted, score, claim.supported)
                for (_, claim), is_accepted, score in zip(claims, accepted, scores, strict=True)
                if is_counted(claim)
            ],
        )
        for name, is_counted in _FORMS.items()
    ]
    pairs: dict[tuple[str, int], list[bool]] = {}
    for (claim_set, claim), is_accepted in zip(claims, accepted, strict=True):
        if claim.is_minimal:
            right = is_accepted == claim.supported
            pairs.setdefault((claim_set.id, claim.pair), []).append(right)
    whole = [all(right) for right in pairs.values() if len(right) == 2]  # a pair
    said, negated = copied_and_denied(sets)
    verbatim_accepted, _ = judge(said)
    denied_accepted, _ = judge(negated)
    return Measured(
        outcomes,
        len(whole),
        fmean(whole),
        (len(said), fmean(verbatim_accepted)),
        (len(negated), fmean(not is_accepted for is_accepted in denied_accepted)),
    )


_FORMS: Final[dict[str, Callable[[Claim], bool]]] = {
    "statements": lambda claim: claim.form == "statement",
    "... minimal pairs in the words of the references": lambda claim: claim.pair == 1,
    "... minimal pairs in other words": lambda claim: claim.pair == 2,  # its number
    "answers of several sentences": lambda claim: claim.form == "answer",
}


def report(measured: Measured, auc: Callable[[Sequence[float], Sequence[bool]], float]) -> None:
    """Print the tables as Markdown."""
    print(
        "\n| written claims | rows | supported accepted | unsupported accepted"
        " | balanced accuracy | ROC-AUC |"
    )
    print("|---|---|---|---|---|---|")
    for outcome in measured.outcomes:
        cells = (
            outcome.supported_accepted,
            outcome.unsupported_accepted,
            outcome.balanced_accuracy,
            auc(*outcome.scores),
        )
        shares = " | ".join(f"{100 * cell:.1f}" for cell in cells)
        print(f"| {outcome.name} | {outcome.rows} | {shares} |")
    print(f"\nminimal pairs, both right: {measured.both_right:.1%} of {measured.minimal_pairs}")
    count, share = measured.verbatim
    print(f"sentences of the references entailed: {share:.1%} of {count}")
    count, share = measured.denied
    print(f"their negations not entailed: {share:.1%} of {count}")


def denied(sentence: str, way: str) -> str | None:
    """Return the sentence with a negation put in, or taken out if it has one."""
    if match := _NEGATED.search(sentence):
        return sentence[: match.start()] + (match[1] or match[2]) + sentence[match.end() :]
    match = _AUXILIARY.search(sentence)
    if match is None:
        return None
    verb, end = match[1], match.end()
    if verb == "can" and way == "not":
        return f"{sentence[: match.start()]}cannot {sentence[end:]}"
    if way == "no longer" and verb not in {"is", "are", "can", "may"}:
        way = "not"
    if verb in {"does", "do", "did"} and way == "never":
        way = "not"
    return f"{sentence[:end]}{way} {sentence[end:]}"


def _labelled(claim_set: ClaimSet, claim: Claim) -> LabelledText:
    return LabelledText(claim_set.references, claim.text, claim.supported, claim_set.question)


def _outcomes(name: str, rows: Sequence[tuple[bool, float, bool]]) -> Outcomes:
    return Outcomes(
        name,
        len(rows),
        fmean(is_accepted for is_accepted, _, supported in rows if supported),
        fmean(is_accepted for is_accepted, _, supported in rows if not supported),
        ([score for _, score, _ in rows], [supported for _, _, supported in rows]),
    )


def copied_and_denied(sets: Sequence[ClaimSet]) -> tuple[list[LabelledText], list[LabelledText]]:
    """Return sentences of the references, and their negations, each with its references."""
    rng = random.Random(5)
    found = [
        (claim_set, sentence) for claim_set in sets for sentence in _claiming(claim_set.references)
    ]
    rng.shuffle(found)
    said = [
        LabelledText(claim_set.references, sentence, supported=True)
        for claim_set, sentence in found[:_MAX_SENTENCES]
    ]
    negated = [
        LabelledText(claim_set.references, text, supported=False)
        for number, (claim_set, sentence) in enumerate(found)
        if (text := denied(sentence, _WAYS[number % len(_WAYS)])) is not None
    ]
    return said, negated[:_MAX_SENTENCES]


def _claiming(references: Sequence[str]) -> Iterator[str]:
    for text in references:
        for sentence in hypotheses(text):
            is_long = len(sentence.text.split()) >= _MIN_WORDS
            if sentence.is_claim and is_long and sentence.text.endswith("."):
                yield sentence.text
