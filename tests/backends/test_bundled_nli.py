"""The bundled model: its files, its verdicts, and when it is refused."""

import json
import shutil
from pathlib import Path
from typing import Annotated

import pytest

from groundtypes import Entailed, Figures, Grounded, Label, Pair, References, audit
from groundtypes.backends.calibration import FEATURES, Calibrator
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.entailment import entail
from groundtypes.entailment.differences import differences_of
from groundtypes.entailment.evidence.statement_evidence import select_evidence
from groundtypes.entailment.evidence_model import evidence_features
from groundtypes.errors import BackendError
from groundtypes.scoring import CalibratedScores, NLIScores
from groundtypes.testing import check_scorer
from groundtypes_nli import NLI

DOG = "A dog runs on the beach."


def test_it_keeps_the_contract_of_every_engine() -> None:
    check_scorer(OnnxNLI(cache=MemoryScoreCache(0)))


def test_it_is_small_and_signed() -> None:
    assert sum(path.stat().st_size for path in NLI.iterdir()) < 30 * 2**20
    signed = {line.split()[1] for line in (NLI / "SHA256SUMS").read_text().splitlines()}
    assert signed == {"model.onnx", "tokenizer.json", "config.json"}


@pytest.mark.parametrize(
    ("hypothesis", "label"),
    [
        ("An animal is outdoors.", Label.ENTAILMENT),
        ("A dog sleeps in the house.", Label.CONTRADICTION),
        ("The dog belongs to a famous singer.", Label.NEUTRAL),
    ],
)
def test_it_knows_the_three_labels(hypothesis: str, label: Label) -> None:
    (entailment,) = entail(DOG, hypothesis)
    assert entailment.label is label


class Answer(Grounded):
    text: Annotated[str, Entailed(), Figures()]


def test_it_judges_where_no_engine_is_named() -> None:
    report = audit(Answer, {"text": "An animal is outdoors."}, context={"references": DOG})
    assert report.ok
    assert {verdict.check for verdict in report.verdicts} == {"Entailed", "Figures"}


@pytest.mark.parametrize(
    "text",
    ["😀 and 🏠", "word " * 30_000, "a\x00b is it", "\ud800 is it", "1889, 1932", "Anna Weber"],
    ids=["emoji", "30,000 words", "a null character", "a surrogate", "numbers", "a name"],
)
def test_every_text_gets_a_verdict(text: str) -> None:
    report = audit(Answer, {"text": text}, context={"references": "It rains in the town."})
    assert any(verdict.check == "Entailed" for verdict in report.verdicts)


def test_a_calibrator_of_other_features_is_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(NLI, tmp_path / "model")
    (folder / "SHA256SUMS").unlink()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"combiner": {"bias": 1}}))
    with pytest.raises(BackendError, match="calibration weights"):
        OnnxNLI(folder).load()


def test_evidence_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(NLI, tmp_path / "model")
    (folder / "SHA256SUMS").unlink()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["evidence"]["entailment"].pop("words not in passage")
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(BackendError, match="evidence"):
        entail("It rains in the town.", "It rains.", nli=OnnxNLI(folder))


def test_an_engine_with_another_calibration_has_no_evidence_weights() -> None:
    assert OnnxNLI().evidence_weights is not None
    assert OnnxNLI(calibrate=_unchanged).evidence_weights is None


def test_evidence_is_weighed_by_what_the_network_says() -> None:
    statement = "Gift cards cannot be given back."
    evidence = select_evidence(References.of(RULES), statement)
    pairs = [Pair(premise.text, statement) for premise in evidence.premises]
    calibrated, network = OnnxNLI().score(pairs), OnnxNLI(calibrate=_unchanged).score(pairs)
    assert all(isinstance(score, CalibratedScores) for score in calibrated)
    assert [score.entailment for score in calibrated] != [score.entailment for score in network]
    differences = differences_of(statement, evidence, str.isalpha)
    assert evidence_features(evidence, calibrated, differences) == evidence_features(
        evidence, network, differences
    )


def _unchanged(_pair: Pair, scores: NLIScores) -> NLIScores:
    return scores


RULES = (
    "Returns are simple. Send the goods back within 30 days. Opened software and gift cards cannot "
    "be returned. Delivery is free for orders above 50 euros."
)


@pytest.mark.parametrize(
    ("statement", "entailed"),
    [
        ("Opened software can be returned.", False),
        ("Gift cards can be returned within 30 days.", False),
        ("Delivery is free for all orders.", False),
        ("Gift cards can't be returned.", True),
        ("Delivery is free for orders above 50 euros.", True),
    ],
)
def test_the_sentence_that_decides_is_seen_among_others(statement: str, entailed: bool) -> None:
    [sentence] = entail(RULES, statement)
    assert (sentence.label is Label.ENTAILMENT) == entailed


@pytest.mark.parametrize("bias", [-1000.0, 0.0, 1000.0])
@pytest.mark.parametrize(
    "scores", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.2, 0.3, 0.5)], ids=["sure", "neutral", "mixed"]
)
def test_calibrated_scores_are_probabilities(bias: float, scores: tuple[float, ...]) -> None:
    calibrate = Calibrator((bias, *(0.0 for _ in FEATURES[1:])))
    calibrated = calibrate(Pair("", ""), NLIScores(*scores))
    assert calibrated.entailment == pytest.approx(
        {-1000.0: 0.0, 0.0: 0.5, 1000.0: 1.0}[bias], abs=1e-9
    )


def test_more_words_in_the_passage_make_entailment_likelier() -> None:
    calibrate = Calibrator(tuple(float(name == "words") for name in FEATURES))
    scores = NLIScores(0.3, 0.4, 0.3)
    near = calibrate(Pair("The old tower leans.", "The tower leans."), scores)
    far = calibrate(Pair("Bread is cheap.", "The tower leans."), scores)
    assert near.entailment > far.entailment
