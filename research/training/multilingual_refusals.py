"""Train the multilingual model of refusals on the written replies and write its file.

    python -m training.multilingual_refusals --data DATA

Needs scikit-learn and scipy, which the package does not. `DATA` is the folder of public sets;
`research/notes/refusal-model.md` names them and says which rows are trained, tuned and reported on.
"""

import argparse
import hashlib
from array import array
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from corpora.refusal_replies import written_replies
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.mixture import decline_probability, most_probable_kind
from groundtypes.refusals.multilingual_model import (
    CLASS_PLACES,
    SURFACE_PLACES,
    HashedModel,
    class_places,
    class_units,
    split_opening,
    surface_places,
    surface_units,
)
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.word_classes import load_word_classes
from training.refusal_files import bytes_of_hashed
from training.refusal_templates import phrases
from training.refusals import CLAIMS, PASSAGES, train_rows

__all__ = ["main", "train", "train_texts"]

OUT: Final = Path(__file__).parents[2] / "src/groundtypes/refusals/data/multilingual.bin"
#: The inverse of the regularisation, and how much more the class features count than the surface.
_STRENGTH: Final = 60.0
_CLASS_SCALE: Final = 0.7
#: So many replies of public sets are trained on.
_PUBLIC: Final = 2_500
_THRESHOLDS: Final = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65)

Array = np.ndarray[Any, Any]


def train(texts: Sequence[tuple[str, str]]) -> bytes:
    """Return the file of the model that is fitted to these texts and their kinds."""
    inputs = _matrix([text for text, _ in texts])
    kinds = np.array([kind for _, kind in texts])
    declines = kinds != "answer"
    outputs = [_fit(inputs, declines)]
    outputs += [_fit(inputs[declines], kinds[declines] == kind, "balanced") for kind in KINDS]
    surface = [_quantised(weights[:SURFACE_PLACES]) for weights, _ in outputs]
    classes = [_quantised(weights[SURFACE_PLACES:] * _CLASS_SCALE) for weights, _ in outputs]
    return bytes_of_hashed(
        (tuple(table for table, _ in surface), [step for _, step in surface]),
        (tuple(table for table, _ in classes), [step for _, step in classes]),
        [bias for _, bias in outputs],
    )


def _fit(inputs: Any, truth: Array, class_weight: str | None = None) -> tuple[Array, float]:
    model = LogisticRegression(C=_STRENGTH, solver="liblinear", class_weight=class_weight)
    model.fit(inputs, truth)
    return model.coef_[0], float(model.intercept_[0])


def _quantised(weights: Array) -> tuple["array[int]", float]:
    step = float(np.abs(weights).max()) / 127 or 1.0
    return array("b", np.rint(weights / step).astype(np.int8).tobytes()), step


def _matrix(texts: Sequence[str]) -> Any:
    word_classes = load_word_classes()
    columns: list[int] = []
    values: list[float] = []
    row_ends = [0]
    for text in texts:
        opening = _opening(text)
        tokens = split_opening(opening)
        surface = [
            place for unit in surface_units(opening, tokens) for place in surface_places(unit)
        ]
        classes = [
            place for unit in class_units(tokens, word_classes) for place in class_places(unit)
        ]
        for places, offset, scale in ((surface, 0, 1.0), (classes, SURFACE_PLACES, _CLASS_SCALE)):
            counts = Counter(places)
            columns += [place + offset for place in sorted(counts)]
            values += [scale * counts[place] / len(places) ** 0.5 for place in sorted(counts)]
        row_ends.append(len(columns))
    shape = (len(texts), SURFACE_PLACES + CLASS_PLACES)
    return csr_matrix((values, columns, row_ends), shape=shape)


def train_texts(folder: Path) -> list[tuple[str, str]]:
    """Return the texts that are trained on, each with its kind.

    Replies of public sets are among them, which are English: they teach what longer ordinary
    answers look like, as far as the classes of words show it.
    """
    written = [(row.text, row.kind) for row in written_replies() if row.part == "train"]
    public = train_rows(folder, without=("templates", "written", *CLAIMS, PASSAGES))
    public.sort(key=lambda row: hashlib.sha256(row.text.encode()).digest())
    return [*written, *phrases(), *((row.text, row.kind) for row in public[:_PUBLIC])]


def main(argv: Sequence[str] | None = None) -> None:
    """Train and write the model with its checksum; print the scores of the tune domains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(argv)
    texts = train_texts(args.data)
    print(Counter(kind for _, kind in texts))
    data = train(texts)
    model = HashedModel.from_bytes(data)
    args.out.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    args.out.with_name(args.out.name + ".sha256").write_text(f"{checksum}  {args.out.name}\n")
    print(f"{len(data):,} bytes, SHA-256 {checksum}")
    tuned = [row for row in written_replies() if row.part == "tune" and row.language != "en"]
    for threshold in _THRESHOLDS:
        right = sum(_kind(model, row.text, threshold) == row.kind for row in tuned)
        print(
            f"threshold {threshold:.2f}: {right / len(tuned):.1%} of {len(tuned)} kinds are right"
        )


def _kind(model: HashedModel, text: str, threshold: float) -> str:
    outputs = model.outputs(_opening(text))
    declines = decline_probability(outputs) >= threshold
    return most_probable_kind(outputs) if declines else "answer"


def _opening(text: str) -> str:
    return " ".join(text[start:end] for start, end in opening_spans(text))


if __name__ == "__main__":
    main()
