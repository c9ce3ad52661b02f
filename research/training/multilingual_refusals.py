"""Train the hashed model of refusals on replies in many languages and write its file.

    python -m training.multilingual_refusals --data DATA [--parts train tune]

Needs scikit-learn and scipy, which the package does not. `DATA` is the folder of public sets;
`research/notes/refusal-model.md` names them and says which rows are trained, tuned and reported on.
What is shipped learned the tune parts, too, after the strength had been chosen with models of the
train parts.
"""

import argparse
import hashlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from corpora.refusal_replies import written_replies
from groundtypes.refusals.hashed_model import PLACES, SHARES, HashedModel, places_of
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.mixture import decline_probability, most_probable_kind
from groundtypes.refusals.opening import opening_spans
from training.refusal_files import bytes_of_hashed
from training.refusals import PARTS
from training.weighted_texts import weighted_texts

__all__ = ["main", "train"]

OUT: Final = Path(__file__).parents[2] / "src/groundtypes/refusals/data/multilingual.bin"
#: The inverse of the regularisation.
_STRENGTH: Final = 100.0
_TOLERANCE: Final = 0.01

Array = np.ndarray[Any, Any]


def train(texts: Sequence[tuple[str, str, float]]) -> bytes:
    """Return the file of the model that is fitted to these texts, kinds and weights."""
    inputs = _matrix([text for text, _, _ in texts])
    kinds = np.array([kind for _, kind, _ in texts])
    weights = np.array([weight for _, _, weight in texts])
    declines = kinds != "answer"
    outputs = [_fit(inputs, declines, weights)]
    outputs += [
        _fit(inputs[declines], kinds[declines] == kind, weights[declines], "balanced")
        for kind in KINDS
    ]
    tables = [_quantised(of_output) for of_output, _ in outputs]
    return bytes_of_hashed(
        [table for table, _ in tables],
        [step for _, step in tables],
        [bias for _, bias in outputs],
    )


def _fit(
    inputs: Any, truth: Array, weights: Array, class_weight: str | None = None
) -> tuple[Array, float]:
    model = LogisticRegression(
        C=_STRENGTH, solver="liblinear", class_weight=class_weight, tol=_TOLERANCE
    )
    model.fit(inputs, truth, sample_weight=weights)
    return model.coef_[0], float(model.intercept_[0])


def _quantised(weights: Array) -> tuple["array[int]", float]:
    step = float(np.abs(weights).max()) / 127 or 1.0
    return array("b", np.rint(weights / step).astype(np.int8).tobytes()), step


def _matrix(texts: Sequence[str]) -> Any:
    columns: list[int] = []
    values: list[float] = []
    row_ends = [0]
    for text in texts:
        found: defaultdict[int, float] = defaultdict(float)
        for places, share in zip(places_of(_opening(text)), SHARES, strict=True):
            for place, count in Counter(places).items():
                found[place] += share * count / len(places) ** 0.5
        columns += found
        values += found.values()
        row_ends.append(len(columns))
    return csr_matrix((values, columns, row_ends), shape=(len(texts), PLACES))


def main(argv: Sequence[str] | None = None) -> None:
    """Train and write the model with its checksum; print the share of right kinds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(argv)
    texts = list(weighted_texts(args.data, args.parts))
    print(Counter(kind for _, kind, _ in texts))
    data = train(texts)
    model = HashedModel.from_bytes(data)
    args.out.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    args.out.with_name(args.out.name + ".sha256").write_text(f"{checksum}  {args.out.name}\n")
    print(f"{len(data):,} bytes, SHA-256 {checksum}")
    for part in ("tune", "test", "untrained"):
        rows = [row for row in written_replies() if row.part == part and row.language != "en"]
        right = sum(_kind(model, row.text) == row.kind for row in rows)
        print(f"{part}: {right / len(rows):.1%} of {len(rows)} kinds are right")


def _kind(model: HashedModel, text: str) -> str:
    outputs = model.outputs(_opening(text))
    return most_probable_kind(outputs) if decline_probability(outputs) >= 0.5 else "answer"


def _opening(text: str) -> str:
    return " ".join(text[start:end] for start, end in opening_spans(text))


if __name__ == "__main__":
    main()
