"""Make the tiny model on which the tests of `OnnxNLI` run: a BERT of random weights.

    python -m scripts.build_tiny_nli

It knows two dozen words and no language, but its files are like those of a real model, made by
the same export. Needs numpy, onnx, onnxruntime, safetensors and tokenizers.
"""

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

TARGET = Path(__file__).parents[2] / "tests" / "backends" / "tiny"
WORDS = (
    "a an the man woman dog cat rain sun hill bridge is are was not no never runs sleeps falls "
    "old new red tall here there in on under 19 ##32 ##s ##ed . , ?"
).split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [mark + letter for mark in ("", "##") for letter in "abcdefghijklmnopqrstuvwxyz"]
CONFIG: dict[str, Any] = {
    "architectures": ["BertForSequenceClassification"],
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
    "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
    "label2id": {"entailment": 0, "neutral": 1, "contradiction": 2},
}


def tokenizer() -> Tokenizer:
    """Return a tokenizer for pieces of words, as BERT has."""
    pieces = dict.fromkeys([*SPECIAL, *WORDS, *LETTERS])
    made = Tokenizer(
        models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]")  # noqa: S106 # a piece of a word
    )
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.add_special_tokens(SPECIAL)
    return made


def weights(words: int) -> dict[str, Any]:
    """Return random weights, large enough that the labels of pairs differ."""
    random_numbers = np.random.default_rng(3)
    size, wide = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    made: dict[str, Any] = {}

    def put(name: str, *shape: int, spread: float = 0.4) -> None:
        made[name] = random_numbers.normal(0, spread, shape).astype(np.float32)

    def linear(name: str, outputs: int, inputs: int, spread: float = 0.4) -> None:
        put(f"{name}.weight", outputs, inputs, spread=spread)
        put(f"{name}.bias", outputs, spread=0.1)

    def norm(name: str) -> None:
        made[f"{name}.weight"] = np.ones(size, np.float32)
        made[f"{name}.bias"] = np.zeros(size, np.float32)

    rows = {"word": words, "position": CONFIG["max_position_embeddings"], "token_type": 2}
    for name, count in rows.items():
        put(f"bert.embeddings.{name}_embeddings.weight", count, size)
    norm("bert.embeddings.LayerNorm")
    for number in range(CONFIG["num_hidden_layers"]):
        base = f"bert.encoder.layer.{number}"
        for name in ("query", "key", "value"):
            linear(f"{base}.attention.self.{name}", size, size)
        linear(f"{base}.attention.output.dense", size, size)
        norm(f"{base}.attention.output.LayerNorm")
        linear(f"{base}.intermediate.dense", wide, size)
        linear(f"{base}.output.dense", size, wide)
        norm(f"{base}.output.LayerNorm")
    linear("bert.pooler.dense", size, size)
    linear("classifier", 3, size, spread=1.0)
    return made


def pairs(count: int = 400) -> list[dict[str, str]]:
    """Return pairs of random sentences."""
    dice = random.Random(3)
    words = [word for word in WORDS if word.isalpha()]

    def sentence() -> str:
        return " ".join(dice.choices(words, k=dice.randint(1, 20))) + "."

    return [{"premise": sentence(), "hypothesis": sentence()} for _ in range(count)]


def checkpoint(folder: Path) -> None:
    """Write a checkpoint as a training leaves it."""
    from safetensors.numpy import save_file  # noqa: PLC0415 # the tests take only words from here

    folder.mkdir(parents=True, exist_ok=True)
    made = tokenizer()
    made.save(str(folder / "tokenizer.json"))
    config = {**CONFIG, "vocab_size": made.get_vocab_size()}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(names), encoding="utf-8")
    save_file(weights(config["vocab_size"]), folder / "model.safetensors", {"format": "pt"})


def main() -> None:
    """Make the folder."""
    from training.export_onnx import export  # noqa: PLC0415 # the same

    with tempfile.TemporaryDirectory() as folder:
        checkpoint(Path(folder))
        # Random weights decide by less than trained ones, so that rounding changes more labels.
        agreement = export(folder, TARGET, pairs(), max_length=64, agreement=0.9)
    print(f"{agreement:.1%} of the labels survive int8")


if __name__ == "__main__":
    main()
