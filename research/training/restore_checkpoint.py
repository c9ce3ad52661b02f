"""Make a Hugging Face checkpoint of the shipped int8 model, to train on or to compare engines with.

    python -m training.restore_checkpoint MODEL ENCODER TARGET

MODEL is a folder that `export_onnx.py` wrote; ENCODER the folder that training started from, whose
tokenizer and sizes are taken. What int8 rounded stays rounded.
"""

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

from training.onnx_graph import Array

__all__ = ["main", "restore"]

_LINEARS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
_TOKENIZER = ("tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


def restore(model: Path, encoder: Path, target: Path) -> None:
    """Write the checkpoint to the folder `target`."""
    settings = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
    shipped = json.loads((model / "config.json").read_text(encoding="utf-8"))
    graph = onnx.load(model / "model.onnx").graph
    kept = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights = {name: _plain(kept[name]) for name in kept if name.startswith("bert.")}
    table = "bert.embeddings.{}_embeddings.weight".format
    weights[table("word")] = _plain(kept["words"] * kept["words_scales"])
    weights[table("position")] = _plain(kept["positions"])
    weights[table("token_type")] = _plain(kept["types"])
    for made, name in (("pooler", "bert.pooler.dense"), ("classifier", "classifier")):
        weights[f"{name}.weight"] = _plain(kept[f"{made}_weight"].T)
        weights[f"{name}.bias"] = _plain(kept[f"{made}_bias"])
    size = settings["hidden_size"] // settings["num_attention_heads"]
    for number in range(settings["num_hidden_layers"]):
        for made, name in _LINEARS.items():
            weight, bias = _linear(kept, f"{made}{number}", _even(kept, made, number))
            if made == "query":  # the exported query is scaled; this undoes it
                weight, bias = weight * size**0.5, bias * size**0.5
            base = f"bert.encoder.layer.{number}.{name}"
            weights[f"{base}.weight"], weights[f"{base}.bias"] = _plain(weight.T), _plain(bias)
    target.mkdir(parents=True, exist_ok=True)
    save_file(weights, target / "model.safetensors", metadata={"format": "pt"})
    labels = shipped["id2label"]
    settings |= {
        "architectures": ["BertForSequenceClassification"],
        "id2label": labels,
        "label2id": {label: int(number) for number, label in labels.items()},
    }
    text = json.dumps(settings, indent=1) + "\n"
    (target / "config.json").write_text(text, encoding="utf-8")
    shutil.copyfile(model / "tokenizer.json", target / "tokenizer.json")
    for name in _TOKENIZER:
        if (encoder / name).exists():
            shutil.copyfile(encoder / name, target / name)


def _plain(value: Array) -> Array:
    return np.ascontiguousarray(value, dtype=np.float32)


def _even(kept: dict[str, Array], made: str, number: int) -> Array:
    """Return by what the input of a product was divided; key and value share that of the query."""
    last = f"query{number}_even", f"key{number}_even"
    names = [f"{made}{number}_even"]
    if made in {"key", "value"}:
        # The last layer queries the first token only, so its keys have their own scale.
        names = [last[1], last[0]]
    return next(kept[name] for name in names if name in kept)


def _linear(kept: dict[str, Array], name: str, even: Array) -> tuple[Array, Array]:
    weight = kept[f"{name}_weight"].astype(np.float32) * kept[f"{name}_scales"]
    return weight * even[:, None], kept[f"{name}_bias"]


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line, and restore."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("model", "encoder", "target"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args(argv)
    restore(options.model, options.encoder, options.target)


if __name__ == "__main__":
    main()
