"""The export of MPNet, in fp32 and in 4 bits, against transformers."""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export is compared with torch")

import torch
from transformers import MPNetConfig, MPNetForSequenceClassification
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from groundtypes import NLIScores, Pair
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.nli_torch import TransformersNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.testing import check_scorer
from scripts.build_tiny_nli import pairs as random_pairs
from scripts.build_tiny_nli import tokenizer as tiny_tokenizer
from training.activations import Feed, session
from training.block_rounding import rounded_blocks
from training.export_onnx import export, load_encoder
from training.mpnet_graph import position_buckets
from training.onnx_graph import Graph

pytestmark = [
    pytest.mark.torch,
    # Libraries that are not ours warn of their own future.
    pytest.mark.filterwarnings("default"),
]

PAIRS = [Pair(**pair) for pair in random_pairs(60)]
ROOT = Path(__file__).parents[3]
LABELS = {0: "entailment", 1: "neutral", 2: "contradiction"}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a tiny MPNet of random weights, whose sizes are no multiples of a block."""
    folder = tmp_path_factory.mktemp("mpnet")
    words = tiny_tokenizer()
    torch.manual_seed(3)
    config = MPNetConfig(
        vocab_size=words.get_vocab_size(),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=80,
        max_position_embeddings=66,
        initializer_range=0.2,
        id2label=LABELS,
        label2id={label: number for number, label in LABELS.items()},
    )
    MPNetForSequenceClassification(config).save_pretrained(folder)
    words.save(str(folder / "tokenizer.json"))
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(names), encoding="utf-8")
    return folder


def feeds(count: int, tokens: int) -> list[Feed]:
    """Return random tokens of many lengths; 0 and 1 are special."""
    dice = random.Random(tokens)
    lengths = [dice.randint(3, tokens) for _ in range(count)]
    rows = [[0, *(dice.randint(5, 80) for _ in range(length - 1))] for length in lengths]
    return [
        {"input_ids": np.array([row]), "attention_mask": np.ones((1, len(row)), np.int64)}
        for row in rows
    ]


def far(first: Sequence[NLIScores], second: Sequence[NLIScores]) -> float:
    return max(abs(a.entailment - b.entailment) for a, b in zip(first, second, strict=True))


def plain(checkpoint: Path) -> Any:
    return session(load_encoder(checkpoint).build(Graph()).model(["logits"]))


def test_the_graph_before_rounding_has_the_logits_of_torch(checkpoint: Path) -> None:
    network: Any = MPNetForSequenceClassification.from_pretrained(checkpoint).eval()
    running = plain(checkpoint)
    for feed in feeds(20, 64):
        with torch.no_grad():
            wanted = network(**{name: torch.tensor(rows) for name, rows in feed.items()}).logits
        assert running.run(None, feed)[0] == pytest.approx(wanted.numpy(), abs=1e-4)


def test_padding_changes_no_logits(checkpoint: Path) -> None:
    running = plain(checkpoint)
    for feed in feeds(10, 40):
        padded = {name: np.pad(rows, ((0, 0), (0, 20))) for name, rows in feed.items()}
        alone, in_batch = (running.run(None, one)[0] for one in (feed, padded))
        assert alone == pytest.approx(in_batch, abs=1e-5)


def test_the_buckets_of_positions_are_those_of_transformers() -> None:
    positions = torch.arange(512)
    wanted = MPNetEncoder.relative_position_bucket(positions[None, :] - positions[:, None])
    assert (position_buckets(512) == wanted.numpy()).all()


@pytest.mark.parametrize("eight_bits", [(), ("narrow", "value")])
def test_most_labels_survive_four_bits(
    eight_bits: Sequence[str], checkpoint: Path, tmp_path: Path
) -> None:
    pairs = random_pairs(400)
    export(
        checkpoint,
        tmp_path,
        pairs,
        max_length=64,
        weight_bits=4,
        eight_bits=eight_bits,
        agreement=0.8,
    )
    exported = OnnxNLI(tmp_path, cache=MemoryScoreCache(0))
    check_scorer(exported)
    original = TransformersNLI(checkpoint, "cpu", max_length=64, cache=MemoryScoreCache(0))
    labels = [[row.label for row in engine.score(PAIRS)] for engine in (exported, original)]
    assert sum(a == b for a, b in zip(*labels, strict=True)) >= 0.8 * len(PAIRS)
    alone = [exported.score([pair])[0] for pair in PAIRS]
    assert far(exported.score(PAIRS), alone) < 1e-4


def test_kinds_of_eight_bits_are_nearer_to_the_original(checkpoint: Path, tmp_path: Path) -> None:
    kinds = ("query", "key", "value", "out", "wide", "narrow")
    original = TransformersNLI(checkpoint, "cpu", max_length=64).score(PAIRS)
    distances = []
    for number, chosen in enumerate(((), kinds)):
        folder = tmp_path / str(number)
        pairs = random_pairs(100)
        export(
            checkpoint,
            folder,
            pairs,
            max_length=64,
            weight_bits=4,
            eight_bits=chosen,
            agreement=0,
        )
        distances.append(far(OnnxNLI(folder).score(PAIRS), original))
    assert distances[1] < distances[0] / 3


def test_it_can_be_exported_in_int8_too(checkpoint: Path, tmp_path: Path) -> None:
    kept = export(
        checkpoint, tmp_path, random_pairs(100), max_length=64, weight_bits=8, agreement=0
    )
    assert kept >= 0.9
    check_scorer(OnnxNLI(tmp_path))


def test_errors_are_made_up_for_where_inputs_vary_together() -> None:
    dice = np.random.default_rng(1)
    inputs = dice.normal(size=(400, 80)) @ dice.normal(size=(80, 80))
    weight = dice.normal(size=(80, 24)).astype(np.float32)
    moments = inputs.T @ inputs / len(inputs)

    def error(given: Any) -> float:
        change = rounded_blocks(weight, given).values - weight
        return float(np.square(inputs @ change).mean())

    assert error(moments) < 0.8 * error(np.diag(np.diag(moments)))


def test_a_weight_of_zeros_stays_zero() -> None:
    blocks = rounded_blocks(np.zeros((40, 3), np.float32), np.eye(40))
    assert not blocks.values.any()


def test_the_command_exports_what_the_checkpoint_is(checkpoint: Path, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(pair) for pair in random_pairs(40))
    (tmp_path / "pairs.jsonl").write_text(lines, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            *("-m", "training.export_onnx"),
            str(checkpoint),
            str(tmp_path / "out"),
            *("--pairs", str(tmp_path / "pairs.jsonl"), "--max-length", "64"),
            *("--weight-bits", "4", "--eight-bits", "value", "out", "--agreement", "0"),
        ],
        cwd=ROOT / "research",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "survive rounding" in done.stdout
    assert json.loads((tmp_path / "out" / "config.json").read_text())["model_type"] == "mpnet"
    assert len(OnnxNLI(tmp_path / "out").score(PAIRS)) == len(PAIRS)


@pytest.mark.parametrize("changes", [{"model_type": "deberta"}, {"hidden_act": "relu"}])
def test_another_kind_of_model_is_refused(
    changes: dict[str, str], checkpoint: Path, tmp_path: Path
) -> None:
    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")
    with pytest.raises(SystemExit, match="what can be exported"):
        export(tmp_path, tmp_path / "out", random_pairs(4))
