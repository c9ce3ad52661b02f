"""`OnnxNLI` on a real, tiny model: its contract, its files, its processes."""

import gc
import hashlib
import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from groundtypes import NLIScorer, NLIScores, Pair
from groundtypes.backends import onnx_session
from groundtypes.backends.label_adapters import ThreeLabels, TwoLabels
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import DiskScoreCache, MemoryScoreCache
from groundtypes.errors import BackendError
from groundtypes.testing import check_scorer
from scripts.build_tiny_nli import pairs as random_pairs

TINY = Path(__file__).parent / "tiny"
PAIRS = [Pair(**pair) for pair in random_pairs(60)]


def tiny(**options: Any) -> OnnxNLI:
    return OnnxNLI(TINY, **{"cache": MemoryScoreCache(0), **options})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(TINY, tmp_path / "model")


def configure(folder: Path, **changes: Any) -> OnnxNLI:
    """Change the configuration of a copy, and sign it anew."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}), encoding="utf-8")
    sums = folder / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines() if not line.endswith(path.name)]
    lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
    sums.write_text("\n".join(lines), encoding="utf-8")
    return OnnxNLI(folder, cache=MemoryScoreCache(0))


# --- scores ----------------------------------------------------------------------------------


def test_it_keeps_the_contract_of_every_engine() -> None:
    engine = tiny()
    assert isinstance(engine, NLIScorer)
    check_scorer(engine)
    check_scorer(tiny(cache=MemoryScoreCache()))


def test_a_pair_has_the_same_scores_in_any_company() -> None:
    together = tiny().score(PAIRS)
    alone = [tiny().score([pair])[0] for pair in PAIRS]
    assert [row.label for row in together] == [row.label for row in alone]
    assert max(
        abs(one.entailment - other.entailment) for one, other in zip(together, alone, strict=True)
    ) == pytest.approx(0, abs=1e-4)


def test_the_configuration_gives_the_order_of_the_labels(folder: Path) -> None:
    names = ["contradiction", "entailment", "neutral"]
    turned = configure(folder, id2label=dict(zip("012", names, strict=True))).score(PAIRS)
    assert [(row.contradiction, row.entailment, row.neutral) for row in turned] == [
        (row.entailment, row.neutral, row.contradiction) for row in tiny().score(PAIRS)
    ]


def test_a_temperature_of_the_configuration_softens_every_score(folder: Path) -> None:
    soft = configure(folder, temperature=4.0).score(PAIRS)
    for one, other in zip(soft, tiny().score(PAIRS), strict=True):
        assert one.label == other.label
        assert max(one.entailment, one.neutral, one.contradiction) < max(
            other.entailment, other.neutral, other.contradiction
        )


def test_a_hypothesis_that_is_not_read_to_its_end_is_not_entailed() -> None:
    long = Pair("the sun is red.", "the sun is red. " * 100)
    (row,) = tiny().score([long])
    assert row.entailment == 0
    assert row.neutral > 0


def test_what_a_long_premise_says_beyond_the_window_is_not_read() -> None:
    long = Pair("the sun is red. " * 100, "the sun is red.")
    longer = Pair(long.premise + "the rain never falls.", long.hypothesis)
    one, other = tiny().score([long, longer])
    assert one == other


def test_a_text_cannot_spell_special_tokens() -> None:
    spelt, plain = tiny().score(
        [Pair("the sun [SEP] the rain", "a cat"), Pair("the sun [ sep ] the rain", "a cat")]
    )
    assert spelt == plain


def test_a_calibration_has_the_last_word_on_known_scores_too() -> None:
    def certain(pair: Pair, scores: NLIScores) -> NLIScores:
        return NLIScores(1.0, 0.0, 0.0) if "cat" in pair.hypothesis else scores

    cache = MemoryScoreCache()
    before = tiny(cache=cache).score(PAIRS)
    after = tiny(cache=cache, calibrate=certain).score(PAIRS)
    assert tiny(cache=cache).score(PAIRS) == before
    for pair, one, other in zip(PAIRS, before, after, strict=True):
        assert other == certain(pair, one)


# --- work ------------------------------------------------------------------------------------


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each run of the model took."""
    sizes: list[int] = []
    real = onnx_session.Session.run

    def counting(self: Any, batch: Sequence[Any]) -> Any:
        sizes.append(len(batch))
        return real(self, batch)

    monkeypatch.setattr(onnx_session.Session, "run", counting)
    return sizes


@pytest.fixture
def fresh(folder: Path, runs: list[int]) -> Callable[..., OnnxNLI]:
    """An engine on a folder that no model of this process was loaded from."""
    return lambda **options: OnnxNLI(folder, **options)


def test_duplicates_are_scored_once(fresh: Callable[..., OnnxNLI], runs: list[int]) -> None:
    rows = fresh(cache=MemoryScoreCache(0)).score(PAIRS * 3)
    assert sum(runs) == len(set(PAIRS))
    assert rows == rows[: len(PAIRS)] * 3


def test_known_pairs_are_not_scored_again(fresh: Callable[..., OnnxNLI], runs: list[int]) -> None:
    engine = fresh()
    first = engine.score(PAIRS[:40])
    runs.clear()
    assert engine.score(PAIRS)[:40] == first
    assert sum(runs) == len(set(PAIRS) - set(PAIRS[:40]))


def test_a_file_remembers_between_engines_and_knows_its_model(
    fresh: Callable[..., OnnxNLI], runs: list[int], folder: Path, tmp_path: Path
) -> None:
    cache = DiskScoreCache(tmp_path / "scores")
    first = fresh(cache=cache).score(PAIRS)
    runs.clear()
    assert fresh(cache=cache, threads=1).score(PAIRS) == first
    assert runs == []
    assert fresh(cache=cache, max_length=20).score(PAIRS) != first
    assert runs != []
    cache.close()


def test_progress_counts_every_pair(fresh: Callable[..., OnnxNLI]) -> None:
    seen: list[tuple[int, int]] = []
    engine = fresh(progress=lambda done, total: seen.append((done, total)))
    engine.score([*PAIRS, *PAIRS])
    assert {total for _, total in seen} == {120}
    counts = [done for done, _ in seen]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 120)
    seen.clear()
    engine.score(PAIRS)
    assert seen == [(60, 60)]


def test_a_batch_that_memory_does_not_hold_is_scored_in_parts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = onnx_session.Session.run

    def small(self: Any, batch: Sequence[Any]) -> Any:
        if len(batch) > 3:
            raise RuntimeError("Failed to allocate memory for requested buffer of size 1")
        return real(self, batch)

    monkeypatch.setattr(onnx_session.Session, "run", small)
    found = OnnxNLI(folder, cache=MemoryScoreCache(0)).score(PAIRS)
    for one, other in zip(found, tiny().score(PAIRS), strict=True):
        assert one.entailment == pytest.approx(other.entailment, abs=1e-4)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_a_mistake_and_not_kept(
    bad: float, fresh: Callable[..., OnnxNLI], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        onnx_session.Session, "run", lambda self, batch: [[0.0, bad, 0.0] for _ in batch]
    )
    cache = MemoryScoreCache()
    with pytest.raises(BackendError, match="NaN"):
        fresh(cache=cache).score(PAIRS)
    assert len(cache) == 0


def test_too_few_rows_are_a_mistake(
    fresh: Callable[..., OnnxNLI], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_session.Session, "run", lambda self, batch: [[0.0, 0.0, 0.0]])
    with pytest.raises(BackendError, match="1 rows for"):
        fresh().score(PAIRS)


# --- files -----------------------------------------------------------------------------------


def refused(engine: OnnxNLI, match: str) -> None:
    for ask in (engine.load, lambda: engine.score(PAIRS[:1])):
        with pytest.raises(BackendError, match=match):
            ask()


def test_nothing_is_read_before_the_first_pair() -> None:
    engine = OnnxNLI("/nowhere")
    refused(engine, "no folder with a model: /nowhere")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("how", ["cut off", "changed", "swapped"])
def test_a_file_that_is_not_what_its_checksum_says_is_refused(
    name: str, how: str, folder: Path
) -> None:
    path = folder / name
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        {
            "cut off": data[:middle],
            "changed": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
            "swapped": b"",
        }[how]
    )
    refused(OnnxNLI(folder), f"{name} of .* is not the file that SHA256SUMS names")


def test_a_file_that_no_checksum_names_is_refused(folder: Path) -> None:
    sums = folder / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines() if "model" not in line]
    sums.write_text("\n".join(lines), encoding="utf-8")
    refused(OnnxNLI(folder), "model.onnx of .* is not the file")
    sums.write_text("", encoding="utf-8")
    refused(OnnxNLI(folder), "holds no checksums")


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("model.onnx", b"", "cannot be loaded: .* cut off"),
        ("model.onnx", (TINY / "model.onnx").read_bytes()[:20_000], "cannot be loaded: .* cut off"),
        ("tokenizer.json", b"{}", "tokenizer.json of .* cannot be read"),
        ("tokenizer.json", b"\xff\xfe", "tokenizer.json of .* cannot be read"),
        ("config.json", b"{", "is not valid JSON"),
        ("config.json", b"[]", "is not a JSON object"),
        ("config.json", b"\xff\xfe\x00", "is not valid JSON"),
    ],
    ids=["no model", "half", "no tokenizer", "bytes", "half JSON", "list", "no text"],
)
def test_a_broken_file_without_checksums_is_a_mistake_too(
    name: str, content: bytes, match: str, folder: Path
) -> None:
    (folder / "SHA256SUMS").unlink()
    (folder / name).write_bytes(content)
    refused(OnnxNLI(folder), match)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_file_that_is_not_there_is_a_mistake(name: str, folder: Path) -> None:
    (folder / name).unlink()
    refused(OnnxNLI(folder), name)


def test_any_single_onnx_file_is_the_model_and_may_be_named_itself(folder: Path) -> None:
    (folder / "SHA256SUMS").unlink()
    (folder / "model.onnx").rename(folder / "quantised.onnx")
    wanted = tiny().score(PAIRS)
    assert OnnxNLI(folder).score(PAIRS) == wanted
    assert OnnxNLI(str(folder / "quantised.onnx")).score(PAIRS) == wanted
    shutil.copy(folder / "quantised.onnx", folder / "other.onnx")
    refused(OnnxNLI(folder, threads=1), "no single .onnx file: other.onnx, quantised.onnx")


def test_a_model_of_other_labels_is_refused(folder: Path) -> None:
    engine = configure(folder, id2label={"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"})
    refused(engine, r"LABEL_0, LABEL_1, LABEL_2.*adapter=ThreeLabels")
    adapter = ThreeLabels(entailment=0, neutral=1, contradiction=2)
    assert OnnxNLI(folder, adapter=adapter).score(PAIRS) == tiny().score(PAIRS)


def test_an_adapter_that_reads_other_outputs_is_a_mistake() -> None:
    with pytest.raises(BackendError, match="3 outputs, and 2 are read"):
        tiny(adapter=TwoLabels()).score(PAIRS)


# --- processes -------------------------------------------------------------------------------


def test_engines_of_one_model_share_it_and_it_is_loaded_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[OnnxNLI] = []
    real = OnnxNLI._load

    def counting(self: OnnxNLI) -> Any:
        loads.append(self)
        return real(self)

    monkeypatch.setattr(OnnxNLI, "_load", counting)
    for _ in range(3):
        OnnxNLI(folder).score(PAIRS[:2])
        gc.collect()
    assert len(loads) == 1


def test_a_pickled_engine_is_its_settings_and_scores_the_same() -> None:
    def report(done: int, total: int) -> None:
        raise AssertionError("a worker process reports nothing")

    engine = OnnxNLI(TINY, threads=1, max_length=40)
    wanted = engine.score(PAIRS)
    engine._progress = report
    data = pickle.dumps(engine)
    assert len(data) < 2_000
    other = pickle.loads(data)  # noqa: S301 # our own
    assert other.score(PAIRS) == wanted
    assert repr(other) == repr(engine)


def score(engine: OnnxNLI) -> list[NLIScores]:
    return engine.score(PAIRS)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_worker_processes_score_the_same(method: str) -> None:
    engine = tiny()
    wanted = engine.score(PAIRS)
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as pool:
        assert list(pool.map(score, [engine, engine])) == [wanted, wanted]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
@pytest.mark.parametrize(
    ("before", "leave"),
    [
        ("engine.score(pairs); hold()", "os._exit(0)"),
        ("engine.score(pairs); hold()", "multiprocessing"),
        ("None", "sys.exit(0)"),
    ],
    ids=["after the parent scored", "in multiprocessing", "before anybody scored"],
)
def test_a_forked_child_scores_with_a_model_of_its_own(before: str, leave: str) -> None:
    # In a process of its own: forking a process with threads is what is tested.
    program = f"""
import multiprocessing, os, sys, threading
from groundtypes import Pair
from groundtypes.backends.nli_engine import LOADED_MODELS
from groundtypes.backends.nli_onnx import OnnxNLI

pairs = [Pair("the sun is red. " * n, f"the cat {{n}}") for n in range(30)]
engine = OnnxNLI({str(TINY)!r}, threads=2)

def hold():
    hold = LOADED_MODELS._models._lock.acquire  # held for ever
    threading.Thread(target=hold, daemon=True).start()

def work():
    print(*(row.label for row in engine.score(pairs)), flush=True)

{before}
if {leave!r} == "multiprocessing":
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join()
    print(child.exitcode, flush=True)
elif (child := os.fork()) == 0:
    work()
    {leave if "(" in leave else "pass"}
else:
    print(os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    pairs = [Pair("the sun is red. " * number, f"the cat {number}") for number in range(30)]
    assert done.stdout.split() == [*(row.label for row in tiny().score(pairs)), "0"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("module", "missing", "command"),
    [
        ("nli_onnx", "onnxruntime", "pip install 'groundtypes[nli]'"),
        ("nli_onnx", "tokenizers", "pip install 'groundtypes[nli]'"),
        ("nli_onnx", "numpy", "pip install 'groundtypes[nli]'"),
        ("nli_torch", "torch", "pip install 'groundtypes[torch]'"),
        ("nli_torch", "transformers", "pip install 'groundtypes[torch]'"),
    ],
)
def test_without_its_extra_an_engine_names_the_command(
    module: str, missing: str, command: str
) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
try:
    import groundtypes.backends.{module}
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert command in done.stdout
