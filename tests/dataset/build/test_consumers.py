"""The files are read by their consumers, and train a model: Hugging Face's datasets, and TRL."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundtypes.dataset import build_dataset
from tests.dataset.samples import Answer, call, facts, row

datasets = pytest.importorskip("datasets")

CALLS = [call(number, facts(number, number % 2 == 0), facts(number, True)) for number in range(40)]


@pytest.fixture
def no_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets.disable_progress_bars()


@pytest.fixture
def folder(tmp_path: Path, no_progress: None) -> Path:
    return tmp_path / "data"


def load(folder: Path, kind: str) -> Any:
    return datasets.load_dataset(str(folder), kind, cache_dir=str(folder.parent / "cache"))


@pytest.mark.torch
@pytest.mark.parametrize("style", ["messages", "tools"])
def test_datasets_loads_both_kinds_by_the_card(folder: Path, style: Any) -> None:
    built = build_dataset(Answer, CALLS, folder, formats=["jsonl"], style=style)
    supervised, preference = load(folder, "supervised"), load(folder, "preference")
    counts = built.manifest["counts"]
    for split in ("train", "test"):
        assert len(supervised[split]) == counts[f"supervised {split}"] > 0
        assert len(preference[split]) == counts[f"preference {split}"] > 0
    pair = preference["train"][0]
    assert pair["prompt"][-1]["role"] == "user"
    assert pair["reasons"][0]["slug"] == "quote_altered"
    said = supervised["train"][0]["messages"][-1]
    if style == "tools":
        said = said["tool_calls"][0]["function"]
        assert json.loads(said["arguments"])["facts"]
        assert json.loads(supervised["train"][0]["tools"])[0]["function"]["name"] == "Answer"
    else:
        assert json.loads(said["content"])["facts"]


def tiny_model() -> tuple[Any, Any]:
    """Return a model with random weights and a tokenizer of bytes, both made here."""
    import torch  # noqa: PLC0415
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: PLC0415
    from transformers import (  # noqa: PLC0415
        LlamaConfig,
        LlamaForCausalLM,
        PreTrainedTokenizerFast,
    )

    torch.manual_seed(0)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {token: number for number, token in enumerate(["<pad>", "<s>", "</s>", *alphabet])}
    made = Tokenizer(models.BPE(vocab=words, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made)
    tokenizer.add_special_tokens(
        dict(zip(("pad_token", "bos_token", "eos_token"), words, strict=False))
    )
    tokenizer.chat_template = (
        "{% for message in messages %}<s>{{ message['role'] }}\n{{ message['content'] }}"
        "{% if message.get('tool_calls') %}{% for call in message['tool_calls'] %}"
        "{{ call['function']['arguments'] }}{% endfor %}{% endif %}</s>{% endfor %}"
        "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
    )
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=2048,
        pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )  # fmt: skip
    return LlamaForCausalLM(config), tokenizer


def step(trainer: Any) -> float:
    """Train one step, and return its loss once the weights are seen to have moved."""
    before = [weight.detach().clone() for weight in trainer.model.parameters()]
    done = trainer.train()
    after = list(trainer.model.parameters())
    assert any(bool((old != new).any()) for old, new in zip(before, after, strict=True))
    return float(done.training_loss)


OPTIONS: dict[str, Any] = {
    "max_steps": 1, "per_device_train_batch_size": 2, "use_cpu": True, "report_to": [],
    "save_strategy": "no", "logging_steps": 1, "disable_tqdm": True, "max_length": 1024,
    "learning_rate": 1e-2, "bf16": False,
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")  # the trainers' own
@pytest.mark.parametrize("style", ["messages", "tools"])
def test_a_supervised_step_of_trl_runs(folder: Path, style: Any) -> None:
    trl = pytest.importorskip("trl")
    build_dataset(Answer, CALLS, folder, formats=["jsonl"], style=style)
    model, tokenizer = tiny_model()
    trainer = trl.SFTTrainer(
        model=model,
        args=trl.SFTConfig(output_dir=str(folder.parent / "run"), **OPTIONS),
        train_dataset=load(folder, "supervised")["train"],
        processing_class=tokenizer,
    )
    assert 0 < step(trainer) < 20


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")  # the trainers' own
def test_a_preference_step_of_trl_runs(folder: Path) -> None:
    trl = pytest.importorskip("trl")
    build_dataset(Answer, CALLS, folder, formats=["jsonl"])
    model, tokenizer = tiny_model()
    reference, _ = tiny_model()
    trainer = trl.DPOTrainer(
        model=model,
        ref_model=reference,
        args=trl.DPOConfig(output_dir=str(folder.parent / "run"), **OPTIONS),
        train_dataset=load(folder, "preference")["train"],
        processing_class=tokenizer,
    )
    # A model that has learnt nothing prefers nothing: the loss is the logarithm of 2.
    assert abs(step(trainer) - 0.693) < 0.01


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")  # the trainers' own
def test_the_file_for_openai_is_read_by_trl_too(folder: Path) -> None:
    trl = pytest.importorskip("trl")
    build_dataset(Answer, [row(number) for number in range(20)], folder, formats=["openai"])
    loaded = datasets.load_dataset(
        "json", data_files=str(folder / "openai" / "train.jsonl"), split="train",
        cache_dir=str(folder.parent / "cache"),
    )  # fmt: skip
    model, tokenizer = tiny_model()
    trainer = trl.SFTTrainer(
        model=model,
        args=trl.SFTConfig(output_dir=str(folder.parent / "run"), **OPTIONS),
        train_dataset=loaded,
        processing_class=tokenizer,
    )
    assert step(trainer) > 0
