"""A calibration gives the threshold of the engine that it belongs to, and of no other."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from groundtypes import (
    Calibration,
    Entailed,
    Grounded,
    Judges,
    NLIScores,
    Pair,
    __version__,
    audit,
    verify,
)
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.operating_point import Estimate, engine_id
from groundtypes.entailment import entail
from groundtypes.errors import CalibrationError
from groundtypes.evaluation import evaluate
from groundtypes.scoring import Label
from tests.checks import ScriptedNLI

TEXT = "It is 330 metres tall."
REFERENCES = {"guide": "The tower is 330 metres tall."}


def likely(_: Pair) -> NLIScores:
    return NLIScores(0.6, 0.4, 0.0)


class OtherNLI(ScriptedNLI):
    """Another engine."""


def calibration(threshold: float = 0.8, engine: Any = None, **more: Any) -> Calibration:
    share = Estimate(0.9, 0.8, 0.95)
    values: dict[str, Any] = {
        "threshold": threshold,
        "engine": engine_id(engine or ScriptedNLI()),
        "goal": "balanced accuracy",
        "precision": share,
        "recall": share,
        "supported": 50,
        "unsupported": 50,
        "version": __version__,
    }
    return Calibration(**{**values, **more})


class Answer(Grounded):
    text: Annotated[str, Entailed()]


class Explicit(Grounded):
    text: Annotated[str, Entailed(threshold=0.55)]


def context(found: Any, engine: Any = None) -> dict[str, Any]:
    nli = engine or ScriptedNLI(likely)
    return {"references": REFERENCES, "judges": Judges(nli=nli, calibration=found)}


def test_without_a_calibration_the_threshold_is_one_half() -> None:
    (verdict,) = audit(Answer, {"text": TEXT}, context=context(None)).verdicts
    assert (verdict.ok, verdict.threshold) == (True, 0.5)


@pytest.mark.parametrize(("threshold", "ok"), [(0.8, False), (0.6, True), (0.1, True)])
def test_the_calibration_gives_the_threshold_of_a_check_that_names_none(
    threshold: float, ok: bool
) -> None:
    (verdict,) = audit(Answer, {"text": TEXT}, context=context(calibration(threshold))).verdicts
    assert (verdict.ok, verdict.threshold, verdict.score) == (ok, threshold, 0.6)


def test_an_explicit_threshold_goes_before_the_calibration() -> None:
    (verdict,) = audit(Explicit, {"text": TEXT}, context=context(calibration(0.8))).verdicts
    assert (verdict.ok, verdict.threshold) == (True, 0.55)


def test_an_explicit_threshold_needs_no_calibration_of_this_engine() -> None:
    other = calibration(0.8, OtherNLI())
    assert audit(Explicit, {"text": TEXT}, context=context(other)).ok


def test_the_mean_over_sentences_is_compared_with_the_calibrated_threshold() -> None:
    class Mean(Grounded):
        text: Annotated[str, Entailed(require="mean")]

    assert audit(Mean, {"text": TEXT}, context=context(calibration(0.6))).ok
    with pytest.raises(ValidationError) as raised:
        verify(Mean, {"text": TEXT}, context=context(calibration(0.61)))
    assert [(line["loc"], line["type"]) for line in raised.value.errors()] == [
        (("text",), "not_entailed")
    ]


def test_entail_and_evaluate_read_the_calibration_too() -> None:
    engine = ScriptedNLI(likely)
    (one,) = entail(REFERENCES, TEXT, nli=engine, calibration=calibration(0.8))
    assert one.label is Label.NEUTRAL
    (one,) = entail(REFERENCES, TEXT, nli=engine, calibration=calibration(0.8), threshold=0.5)
    assert one.label is Label.ENTAILMENT
    for threshold, entailed in ((0.8, 0.0), (0.5, 1.0)):
        judges = Judges(nli=engine, calibration=calibration(threshold))
        metrics = evaluate(None, REFERENCES, TEXT, judges=judges).metrics
        assert metrics["entailed"] == entailed


def test_a_calibration_of_another_engine_is_a_mistake_and_no_fault() -> None:
    with pytest.raises(CalibrationError, match="another engine"):
        verify(Answer, {"text": TEXT}, context=context(calibration(0.8, OtherNLI())))


@pytest.mark.parametrize(("version", "usable"), [("7.0.1", True), ("7.1.0", False), ("8", False)])
def test_a_calibration_of_another_minor_version_is_a_mistake(
    version: str, usable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundtypes.__version__", "7.0.0")
    found = calibration(0.8, version=version)
    if usable:
        assert found.threshold_for(ScriptedNLI()) == 0.8
    else:
        with pytest.raises(CalibrationError, match="groundtypes"):
            found.threshold_for(ScriptedNLI())


def test_engines_are_told_apart_by_their_weights_and_settings() -> None:
    bundled = engine_id(OnnxNLI())
    assert bundled == engine_id(OnnxNLI(threads=1)) == engine_id(copy.deepcopy(OnnxNLI()))
    assert bundled != engine_id(OnnxNLI(max_length=64))
    assert bundled != engine_id(OnnxNLI(calibrate=_flat))
    assert bundled.name == "OnnxNLI"


def _flat(_: Pair, scores: NLIScores) -> NLIScores:
    return scores


def test_an_engine_of_ones_own_may_name_its_identity() -> None:
    class Named(ScriptedNLI):
        identity = "weights of Tuesday"

    class Later(Named):
        identity = "weights of Friday"

    assert engine_id(Named()) != engine_id(Later()) != engine_id(ScriptedNLI())


def test_a_file_gives_the_same_calibration_back(tmp_path: Path) -> None:
    for found in (calibration(1 / 3), calibration()):
        path = tmp_path / "calibration.json"
        found.save(path)
        assert Calibration.load(path) == found
        assert (
            Judges(calibration=path) == Judges(calibration=str(path)) == Judges(calibration=found)
        )
        assert copy.deepcopy(Judges(calibration=path)).calibration == found


_GOOD = calibration().to_dict()
_BAD_FILES: dict[str, Any] = {
    "empty": b"",
    "no JSON": b"{oops",
    "no object": b"[1]",
    "another file": b'{"threshold": 0.5}',
    "another format": {**_GOOD, "format": "groundtypes calibration 0"},
    "a missing key": {key: value for key, value in _GOOD.items() if key != "engine"},
    "an unknown key": {**_GOOD, "more": 1},
    "threshold of zero": {**_GOOD, "threshold": 0.0},
    "threshold above one": {**_GOOD, "threshold": 1.5},
    "threshold as text": {**_GOOD, "threshold": "0.5"},
    "threshold is NaN": json.dumps({**_GOOD, "threshold": float("nan")}).encode(),
    "share above one": {**_GOOD, "recall": {"value": 1.2, "low": 0.0, "high": 1.0}},
    "no UTF-8": b"\xff\xfe",
    "nested": b"[" * 60_000,
    "too large": b" " * 70_000,
}


@pytest.mark.parametrize("content", _BAD_FILES.values(), ids=_BAD_FILES.keys())
def test_a_file_that_is_no_calibration_is_a_mistake(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "calibration.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(CalibrationError):
        Judges(calibration=path)


@pytest.mark.parametrize("source", [0.7, {}, b"x", "no-such-file.json", "nul\0", "."], ids=repr)
def test_what_is_neither_a_calibration_nor_its_file_is_a_mistake(source: Any) -> None:
    with pytest.raises(CalibrationError):
        Judges(calibration=source)


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.01, float("nan")])
def test_a_threshold_is_greater_than_zero_and_at_most_one(threshold: float) -> None:
    with pytest.raises(CalibrationError):
        replace(calibration(), threshold=threshold)
