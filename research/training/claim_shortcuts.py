"""What judges reach on the written claims that do not read the references.

    python -m training.claim_shortcuts

Needs scikit-learn. Prints the table of `research/training/claims/README.md`: the best balanced
accuracy, in either direction, of a threshold on overlap and on length, and that of a linear model
of the words of a claim that was trained on other domains.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from corpora.written_claims import Claim, ClaimSet, claim_sets
from groundtypes.text.bm25 import terms
from groundtypes.text.sentences import sentence_spans

__all__ = ["main"]

Array = np.ndarray[Any, Any]
Rows = Sequence[tuple[ClaimSet, Claim]]

_KINDS: Final[dict[str, Callable[[Claim], bool]]] = {
    "all": lambda _claim: True,
    "minimal pairs in the words of the references": lambda claim: claim.pair == 1,
    "minimal pairs in other words": lambda claim: claim.pair == 2,
    "other statements": lambda claim: claim.pair == 4,
    "answers of several sentences": lambda claim: claim.form == "answer",
}
_FOLDS: Final = 5


def main() -> None:
    """Print the table as Markdown."""
    sets = [*claim_sets("train"), *claim_sets("tune"), *claim_sets("test")]
    rows = [(claim_set, claim) for claim_set in sets for claim in claim_set.claims]
    print("| claims | number | overlap | overlap with the closest sentence | length | words |")
    print("|---|---|---|---|---|---|")
    for name, is_counted in _KINDS.items():
        counted = [(claim_set, claim) for claim_set, claim in rows if is_counted(claim)]
        truth = np.array([claim.supported for _, claim in counted])
        cells = [
            _best(np.array([_overlap(" ".join(s.references), c.text) for s, c in counted]), truth),
            _best(np.array([_closest_overlap(s, c) for s, c in counted]), truth),
            _best(np.array([float(len(c.text.split())) for _, c in counted]), truth),
        ]
        words = f"{100 * _words(counted, truth):.1f}" if name == "all" else ""
        shares = " | ".join(f"{100 * cell:.1f}" for cell in cells)
        print(f"| {name} | {len(counted):,} | {shares} | {words} |", flush=True)


def _overlap(text: str, claim: str) -> float:
    claim_terms = set(terms(claim))
    return len(claim_terms & set(terms(text))) / len(claim_terms) if claim_terms else 0.0


def _closest_overlap(claim_set: ClaimSet, claim: Claim) -> float:
    return max(
        _overlap(text[start:end], claim.text)
        for text in claim_set.references
        for start, end in sentence_spans(text)
    )


def _best(scores: Array, truth: Array) -> float:
    """Return the balanced accuracy of the best threshold, in the better direction."""
    accuracies = [_balanced(scores >= threshold, truth) for threshold in np.unique(scores)]
    return max(max(accuracy, 1 - accuracy) for accuracy in accuracies)


def _balanced(accepted: Array, truth: Array) -> float:
    return float((accepted[truth].mean() + (~accepted[~truth]).mean()) / 2)


def _words(rows: Rows, truth: Array) -> float:
    """Return the balanced accuracy of a model of the words of claims, cross-fitted by domain."""
    features = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    inputs = features.fit_transform([claim.text for _, claim in rows])
    domains = np.array([claim_set.domain for claim_set, _ in rows])
    names = sorted(set(domains))
    accepted = np.zeros(len(rows), dtype=bool)
    for fold in range(_FOLDS):
        held = np.isin(domains, names[fold::_FOLDS])
        model = LogisticRegression(max_iter=500).fit(inputs[~held], truth[~held])
        accepted[held] = model.predict(inputs[held])
    return _balanced(accepted, truth)


if __name__ == "__main__":
    main()
