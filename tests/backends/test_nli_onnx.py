"""The bundled model, and folders of exported models: what is judged, and what is refused."""

import json
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import pytest

from groundtypes import BackendError, Entailed, Grounded, Label, NLIScores, Pair, audit, entail
from groundtypes.backends.cache import MemoryCache
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.testing import check_scorer

BUNDLED = Path(str(files("groundtypes") / "backends" / "bundled_nli"))
RAIN = Pair("It has been raining all day in the town.", "The weather is wet.")
PLAIN = [
    (Pair("A dog runs on the beach.", "An animal is outdoors."), Label.ENTAILMENT),
    (Pair("A dog runs on the beach.", "A dog sleeps in the house."), Label.CONTRADICTION),
    (Pair("A dog runs on the beach.", "The dog belongs to a famous singer."), Label.NEUTRAL),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copy the bundled model, without its checksums, so that it can be changed."""
    target = tmp_path / "model"
    shutil.copytree(BUNDLED, target)
    (target / "SHA256SUMS").unlink()
    return target


def test_the_bundled_model_keeps_the_contract() -> None:
    # Activations are quantised by the range that is found in a batch.
    check_scorer(OnnxNLI(cache=MemoryCache(0)), tolerance=0.1)


@pytest.mark.parametrize(("pair", "label"), PLAIN, ids=[label.value for _, label in PLAIN])
def test_the_bundled_model_knows_the_three_labels(pair: Pair, label: Label) -> None:
    (scores,) = OnnxNLI().score([pair])
    assert scores.label is label


def test_entailment_is_judged_without_naming_an_engine() -> None:
    (found,) = entail("A dog runs on the beach.", "An animal is outdoors.")
    assert found.label is Label.ENTAILMENT


def test_a_pair_that_was_scored_is_not_run_again() -> None:
    seen: list[tuple[int, int]] = []
    engine = OnnxNLI(progress=lambda done, total: seen.append((done, total)))
    first = engine.score([RAIN, RAIN])
    assert seen[-1] == (2, 2)
    seen.clear()
    assert engine.score([RAIN]) == first[:1]
    assert seen == [(1, 1)]


def test_a_pickled_engine_scores_the_same() -> None:
    engine = OnnxNLI()
    again = pickle.loads(pickle.dumps(engine))  # noqa: S301 # our own
    assert again.score([RAIN]) == engine.score([RAIN])
    assert len(pickle.dumps(engine)) < 5_000


def _in_child(send: Callable[[object], None]) -> None:
    send(OnnxNLI().score([RAIN])[0].label.value)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_loads_a_model_of_its_own() -> None:
    label = OnnxNLI().score([RAIN])[0].label.value
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_in_child, args=(send.send,))
    child.start()
    assert receive.poll(60)
    assert receive.recv() == label
    child.join(10)
    assert child.exitcode == 0


def test_a_model_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "model"
    shutil.copytree(BUNDLED, target)
    data = bytearray((target / "model.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (target / "model.onnx").write_bytes(data)
    with pytest.raises(BackendError, match="SHA256SUMS"):
        OnnxNLI(target).score([RAIN])


def test_a_model_file_that_was_cut_off_is_refused(folder: Path) -> None:
    data = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(data[: len(data) // 2])
    with pytest.raises(BackendError, match="cut off"):
        OnnxNLI(folder).score([RAIN])


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        {"0": "positive", "1": "negative"},
        {"0": "entailment", "1": "entailment", "2": "neutral"},
        {},
    ],
    ids=["unnamed", "other", "twice", "none"],
)
def test_a_model_with_other_labels_is_refused(folder: Path, labels: dict[str, str]) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = labels
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(BackendError, match="label"):
        OnnxNLI(folder).score([RAIN])


def test_the_order_of_labels_is_read_from_the_configuration(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = {"0": "contradiction", "1": "neutral", "2": "entailment"}
    config.pop("combiner", None)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (turned,) = OnnxNLI(folder).score([PLAIN[0][0]])
    assert turned.label is Label.CONTRADICTION


def test_a_combiner_of_other_features_is_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["combiner"] = {"bias": 1.0}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(BackendError, match="combiner"):
        OnnxNLI(folder).score([RAIN])


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_folder_without_a_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(BackendError):
        OnnxNLI(folder).score([RAIN])


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="no folder"):
        OnnxNLI(tmp_path / "nothing").score([RAIN])


def _trusting(pair: Pair, scores: NLIScores) -> NLIScores:
    return NLIScores(1.0, 0.0, 0.0)


def test_a_function_of_ones_own_may_have_the_last_word() -> None:
    assert OnnxNLI(calibrate=_trusting).score([PLAIN[1][0]]) == [NLIScores(1.0, 0.0, 0.0)]


def test_without_the_extra_the_import_names_the_command() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from groundtypes import entail, MissingJudgeError\n"
        "try: import groundtypes.backends.nli_onnx\n"
        "except ImportError as error: print(error)\n"
        "try: entail('It rains.', 'It rains.')\n"
        "except MissingJudgeError as error: print(error)\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.count("pip install 'groundtypes[nli]'") == 2


class Answer(Grounded):
    text: Annotated[str, Entailed()]


@pytest.mark.parametrize(
    "text",
    ["東京は日本の首都です。", "القاهرة عاصمة مصر.", "😀 and 🏠", "word " * 30_000, "a\x00b is it"],
    ids=["japanese", "arabic", "emoji", "30,000 words", "a null character"],
)
def test_every_text_gets_a_verdict(text: str) -> None:
    found = audit(Answer, {"text": text}, context={"references": "It rains in the town."})
    assert found.verdicts
