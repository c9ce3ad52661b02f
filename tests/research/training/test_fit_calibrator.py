"""The fit of the calibrator: it ends at the optimum, wherever it begins."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from groundtypes.entailment.evidence_model import FEATURES, TEXT_LENGTH
from groundtypes.scoring import Label
from training import fit_calibrator
from training.fit_calibrator import auc, balanced, fit, fit_text_length
from training.logistic import logistic

RIDGE = 0.02


def drawn(count: int, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    rows = np.c_[np.ones(count), rng.normal(size=(count, columns - 1))]
    truth = (rows @ np.linspace(-1, 2, columns) + rng.normal(size=count) > 0).astype(float)
    return rows, truth, np.full(count, 1 / count)


@pytest.mark.parametrize("start", [0.0, 1.0, -30.0, 400.0])
def test_the_regression_ends_where_its_slope_is_nought(start: float) -> None:
    rows, truth, counts = drawn(400, 6)
    weights = logistic(rows, truth, counts, np.full(6, start), RIDGE)
    expected = 1 / (1 + np.exp(-(rows @ weights)))
    slope = rows.T @ (counts * (expected - truth))
    slope[1:] += RIDGE * weights[1:]
    assert np.abs(slope).max() < 1e-4


def texts(count: int, names: tuple[str, ...], telling: str) -> fit_calibrator.Rows:
    """Return texts of two sentences, of which a supported one has more of the telling feature."""
    rng = np.random.default_rng(5)
    rows: fit_calibrator.Rows = []
    for number in range(count):
        supported = number % 2 == 0
        sentences = rng.normal(size=(2, 1, len(names)))
        sentences[:, :, 0] = 1.0
        sentences[:, :, names.index(telling)] += 4.0
        if not supported:
            sentences[1, 0, names.index(telling)] -= 8.0
        rows.append((list(sentences), supported))
    return rows


def test_the_weights_tell_supported_texts_from_others() -> None:
    rows = texts(200, FEATURES, "passage entailment")
    weights = fit({"drawn": rows}, FEATURES, "passage entailment")
    assert balanced(rows, weights) > 0.95
    assert auc(rows, weights) > 0.95


def answer(bias: float, *, is_right: bool) -> tuple[list[Mapping[str, float]], Label | None]:
    """Return an answer of two sentences, of which the first may fail."""
    sentences: list[Mapping[str, float]] = [
        {"bias": bias, TEXT_LENGTH: 1.0},
        {"bias": 5.0, TEXT_LENGTH: 1.0},
    ]
    return sentences, Label.ENTAILMENT if is_right else None


def test_the_length_of_a_text_weighs_as_much_as_suits_answers() -> None:
    right = [answer(-number / 10, is_right=True) for number in range(1, 11)]
    faulty = [answer(-number / 5, is_right=False) for number in range(1, 11)]
    # With 0.5, five of ten right answers pass and eight faulty ones are refused, with 0.6 seven.
    assert fit_text_length([*right, *faulty], {"bias": 1.0}) == 0.5
    assert fit_text_length([*right, *right[:1] * 9, *faulty], {"bias": 1.0}) == 0.3


def test_what_is_written_is_named_by_the_checksums(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"max_length": 320}')
    (tmp_path / "SHA256SUMS").write_text("0  model.onnx\n1  config.json\n")
    fit_calibrator.write(tmp_path, {"evidence": {}})
    assert '"max_length": 320' in (tmp_path / "config.json").read_text()
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert [line.split()[1] for line in lines] == ["config.json", "model.onnx"]
    assert len(lines[0].split()[0]) == 64
