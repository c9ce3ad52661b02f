"""`TransformersNLI` on a tiny checkpoint, and the export against it. Needs torch."""

import json
import pickle
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundtypes import NLIScores, Pair
from groundtypes.backends.label_adapters import OneLabel, ThreeLabels, TwoLabels
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.errors import BackendError
from groundtypes.testing import check_scorer
from scripts.build_tiny_nli import pairs as random_pairs

pytestmark = [
    pytest.mark.torch,
    # Libraries that are not ours warn of their own future.
    pytest.mark.filterwarnings("default"),
]

PAIRS = [Pair(**pair) for pair in random_pairs(60)]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from scripts.build_tiny_nli import checkpoint as build  # noqa: PLC0415 # needs safetensors

    folder = tmp_path_factory.mktemp("checkpoint")
    build(folder)
    return folder


def engine(path: Path, **options: Any) -> Any:
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415 # needs torch

    return TransformersNLI(path, **{"device": "cpu", "cache": MemoryScoreCache(0), **options})


def configured(checkpoint: Path, folder: Path, **changes: Any) -> Path:
    shutil.copytree(checkpoint, folder)
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}), encoding="utf-8")
    return folder


def far(first: Sequence[NLIScores], second: Sequence[NLIScores]) -> float:
    return max(abs(a.entailment - b.entailment) for a, b in zip(first, second, strict=True))


def test_it_keeps_the_contract_of_every_engine(checkpoint: Path) -> None:
    check_scorer(engine(checkpoint))


def test_bfloat16_scores_nearly_the_same_and_has_a_cache_of_its_own(checkpoint: Path) -> None:
    cache = MemoryScoreCache()
    plain = engine(checkpoint, cache=cache).score(PAIRS)
    short = engine(checkpoint, cache=cache, dtype="bfloat16").score(PAIRS)
    assert short != plain
    assert far(short, plain) < 0.1


def test_it_is_used_on_the_gpu_where_there_is_one(checkpoint: Path) -> None:
    import torch  # noqa: PLC0415 # the extra

    found = engine(checkpoint, device=None)
    assert ("cuda" in repr(found)) == torch.cuda.is_available()
    assert far(found.score(PAIRS), engine(checkpoint).score(PAIRS)) < 1e-3


def test_the_export_scores_as_torch_does(checkpoint: Path, tmp_path: Path) -> None:
    from training.export_onnx import export  # noqa: PLC0415 # needs onnx

    kept = export(checkpoint, tmp_path, random_pairs(400), max_length=64, agreement=0.9)
    assert kept > 0.95
    exported = OnnxNLI(tmp_path, cache=MemoryScoreCache(0))
    check_scorer(exported)
    # Random weights lie far apart, so that int8 moves single pairs by more than trained ones.
    rows = zip(exported.score(PAIRS), engine(checkpoint, max_length=64).score(PAIRS), strict=True)
    assert statistics.mean(abs(one.entailment - other.entailment) for one, other in rows) < 0.05


def test_the_exported_graph_before_rounding_is_exact(checkpoint: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file  # noqa: PLC0415 # the group torch

    from training.bert_graph import Bert  # noqa: PLC0415 # needs onnx
    from training.onnx_graph import Graph  # noqa: PLC0415 # the same

    config = json.loads((checkpoint / "config.json").read_text())
    bert = Bert(load_file(checkpoint / "model.safetensors"), config)
    data = bert.build(Graph()).model(["logits"]).SerializeToString()
    (tmp_path / "model.onnx").write_bytes(data)
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(checkpoint / name, tmp_path)
    exported = OnnxNLI(tmp_path, cache=MemoryScoreCache(0))
    assert far(exported.score(PAIRS), engine(checkpoint).score(PAIRS)) < 1e-5


def test_a_checkpoint_restored_from_an_export_scores_as_the_export_does(
    checkpoint: Path, tmp_path: Path
) -> None:
    from training.export_onnx import export  # noqa: PLC0415 # needs onnx
    from training.restore_checkpoint import main  # noqa: PLC0415 # the same

    model, target = tmp_path / "int8", tmp_path / "restored"
    export(checkpoint, model, random_pairs(400), max_length=64, weight_bits=8, agreement=0.9)
    main([str(model), str(checkpoint), str(target)])
    restored = engine(target, max_length=64).score(PAIRS)
    # What is left are the activations, which are rounded in int8 only.
    exported = OnnxNLI(model, cache=MemoryScoreCache(0)).score(PAIRS)
    rows = zip(exported, restored, strict=True)
    assert statistics.mean(abs(one.entailment - other.entailment) for one, other in rows) < 0.05
    assert far(restored, engine(checkpoint, max_length=64).score(PAIRS)) < 0.2


def test_an_export_that_loses_labels_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    from training.export_onnx import export  # noqa: PLC0415 # needs onnx

    with pytest.raises(SystemExit, match="survive rounding"):
        export(checkpoint, tmp_path / "out", random_pairs(40), max_length=64, agreement=1.01)
    assert not (tmp_path / "out").exists()


def test_the_export_is_a_command(checkpoint: Path, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(pair) for pair in random_pairs(40))
    (tmp_path / "pairs.jsonl").write_text(lines, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            *("-m", "training.export_onnx"),
            str(checkpoint),
            str(tmp_path / "out"),
            *("--pairs", str(tmp_path / "pairs.jsonl"), "--max-length", "64"),
            *("--weight-bits", "8", "--agreement", "0.8", "--temperature", "1.5"),
        ],
        cwd=ROOT / "research",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "survive rounding" in done.stdout
    assert json.loads((tmp_path / "out" / "config.json").read_text())["temperature"] == 1.5
    assert len(OnnxNLI(tmp_path / "out").score(PAIRS)) == len(PAIRS)


def test_a_model_without_named_labels_is_refused_without_an_adapter(
    checkpoint: Path, tmp_path: Path
) -> None:
    names = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    path = configured(checkpoint, tmp_path / "m", id2label=names, label2id=None)
    with pytest.raises(BackendError, match=r"adapter=ThreeLabels"):
        engine(path).load()
    adapter = ThreeLabels(entailment=0, neutral=1, contradiction=2)
    assert far(engine(path, adapter=adapter).score(PAIRS), engine(checkpoint).score(PAIRS)) < 1e-6


@pytest.mark.parametrize(("outputs", "adapter"), [(2, TwoLabels()), (1, OneLabel())])
def test_models_of_two_labels_or_one_need_an_adapter(
    outputs: int, adapter: Any, checkpoint: Path, tmp_path: Path
) -> None:
    from safetensors.numpy import load_file, save_file  # noqa: PLC0415 # the group torch

    names = {str(number): f"LABEL_{number}" for number in range(outputs)}
    path = configured(checkpoint, tmp_path / "m", id2label=names, label2id=None)
    weights = load_file(path / "model.safetensors")
    for name in ("classifier.weight", "classifier.bias"):
        weights[name] = weights[name][:outputs].copy()
    save_file(weights, path / "model.safetensors", {"format": "pt"})
    with pytest.raises(BackendError, match="are not entailment, neutral and contradiction"):
        engine(path).load()
    two = engine(path, adapter=adapter)
    assert {row.contradiction for row in two.score(PAIRS)} == {0.0}
    check_scorer(two)


def test_a_model_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="cannot be loaded"):
        engine(tmp_path / "nowhere").load()


def test_a_type_that_is_none_is_refused_at_once(checkpoint: Path) -> None:
    with pytest.raises(BackendError, match="no type 'float17'"):
        engine(checkpoint, dtype="float17")


def test_a_pickled_engine_scores_the_same(checkpoint: Path) -> None:
    first = engine(checkpoint)
    other = pickle.loads(pickle.dumps(first))  # noqa: S301 # our own
    assert other.score(PAIRS) == first.score(PAIRS)


def test_a_text_cannot_spell_special_tokens(checkpoint: Path) -> None:
    spelt, plain = engine(checkpoint).score(
        [Pair("the sun [SEP] the rain", "a cat"), Pair("the sun [ sep ] the rain", "a cat")]
    )
    assert far([spelt], [plain]) < 1e-6  # rows of a batch may differ in their last bits


#: Networks of other kinds, each with the configuration of a tiny one. None of them has a head that
#: was trained to classify texts.
OTHER_KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "T5": (
        "T5Config",
        "T5ForConditionalGeneration",
        {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2},
    ),
    "causal": ("GPT2Config", "GPT2LMHeadModel", {"n_embd": 16, "n_layer": 1, "n_head": 2}),
    "plain encoder": (
        "BertConfig",
        "BertModel",
        {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2},
    ),
    "token classifier": (
        "BertConfig",
        "BertForTokenClassification",
        {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2},
    ),
}
LABELS = {0: "entailment", 1: "neutral", 2: "contradiction"}


def saved(kind: str, checkpoint: Path, folder: Path) -> Path:
    """Save a tiny network of another kind with the tokenizer of the checkpoint."""
    import transformers  # noqa: PLC0415 # the extra

    config_name, name, sizes = OTHER_KINDS[kind]
    labels = {"id2label": LABELS, "label2id": {label: number for number, label in LABELS.items()}}
    numbers = {"vocab_size": 100, "pad_token_id": 0, "eos_token_id": 3, "bos_token_id": 2}
    config = getattr(transformers, config_name)(**sizes, **labels, **numbers)
    getattr(transformers, name)(config).save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(checkpoint / file, folder)
    return folder


@pytest.mark.parametrize(
    "adapter",
    [None, ThreeLabels(entailment=0, neutral=1, contradiction=2)],
    ids=["without", "adapter"],
)
@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_checkpoint_whose_head_was_not_trained_is_refused(
    kind: str, adapter: Any, checkpoint: Path, tmp_path: Path
) -> None:
    path = saved(kind, checkpoint, tmp_path / "m")
    with pytest.raises(BackendError, match=r"lacks \S*(classif|score|pooler)"):
        engine(path, adapter=adapter).score(PAIRS)


def test_a_head_of_another_shape_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    names = {str(number): f"LABEL_{number}" for number in range(2)}
    path = configured(checkpoint, tmp_path / "m", id2label=names, label2id=None)
    with pytest.raises(BackendError):
        engine(path, adapter=TwoLabels()).score(PAIRS)


@pytest.mark.parametrize("kind", ["T5", "causal"])
def test_weights_that_are_tied_to_others_are_not_missing(
    kind: str, checkpoint: Path, tmp_path: Path
) -> None:
    import transformers  # noqa: PLC0415 # the extra
    from safetensors.numpy import load_file  # noqa: PLC0415 # the group torch

    from groundtypes.backends.checkpoints import check_loading_report  # noqa: PLC0415 # as above

    path = saved(kind, checkpoint, tmp_path / "m")
    assert "lm_head.weight" not in load_file(path / "model.safetensors")
    network = getattr(transformers, OTHER_KINDS[kind][1])
    _, info = network.from_pretrained(path, output_loading_info=True)
    check_loading_report(info, str(path))


def test_a_report_names_some_of_the_weights() -> None:
    from groundtypes.backends.checkpoints import check_loading_report  # noqa: PLC0415 # as above

    missing = {f"head.{number}.weight" for number in range(9)}
    with pytest.raises(BackendError, match=r"lacks head\.0\.weight.* and 6 more"):
        check_loading_report({"missing_keys": missing, "unexpected_keys": {"mlm.bias"}}, "a/b")
    with pytest.raises(BackendError, match=r"has score\.weight in another shape"):
        check_loading_report({"mismatched_keys": {("score.weight", (1, 2), (3, 2))}}, "a/b")
    check_loading_report({"missing_keys": [], "unexpected_keys": ["mlm.bias"]}, "a/b")
