"""Export a trained BERT cross-encoder to the folder that `OnnxNLI` reads.

    python -m training.export_onnx CHECKPOINT TARGET [--pairs FILE.jsonl]

CHECKPOINT is an ordinary Hugging Face folder of a `BertForSequenceClassification` with its
tokenizer. TARGET gets `model.onnx` in int8, `tokenizer.json`, `config.json` and `SHA256SUMS`.
"""

import argparse
import gzip
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from corpora.wikipedia import wikipedia_passages
from groundtypes.backends.calibration import CONFIG_KEY
from training.bert_graph import Array, Bert, Channels

__all__ = ["export", "sign"]

#: The largest model file that the package can contain.
LARGEST: Final = 30 * 2**20
#: The share of labels that must stay the same.
AGREEMENT: Final = 0.99


def export(
    checkpoint: str | Path,
    target: str | Path,
    pairs: Sequence[Mapping[str, str]],
    *,
    max_length: int = 320,
    weight_bits: int = 7,
    temperature: float | None = None,
    agreement: float = AGREEMENT,
) -> float:
    """Write the folder of the exported model; return the share of pairs that keep their label.

    `pairs` hold `premise` and `hypothesis`. Every other pair sets the scales, and the rest
    check the result.

    Raises:
        SystemExit: Too many labels changed, or the file is too large.
    """
    checkpoint, target = Path(checkpoint), Path(target)
    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8"))
    if config.get("model_type") != "bert":
        raise SystemExit(f"{checkpoint} is no BERT, but {config.get('model_type')}")
    bert = Bert(load_file(checkpoint / "model.safetensors"), config)
    feeds = _feeds(checkpoint / "tokenizer.json", pairs, max_length, config)
    plain = bert.graph()
    names = list(dict.fromkeys(plain.measured.values()))
    found = _channels(plain.model(["logits", *names]), names, feeds[::2])
    ranges = {name: found[value] for name, value in plain.measured.items()}
    model = bert.graph(ranges, weight_bits).model(["logits"])
    kept_labels = _agreement(plain.model(["logits"]), model, feeds[1::2])
    data = model.SerializeToString()
    if kept_labels < agreement:
        raise SystemExit(f"only {kept_labels:.2%} of the labels survive int8")
    if len(data) > LARGEST:
        raise SystemExit(f"the model has {len(data) / 2**20:.1f} MiB")
    kept = {
        "model_type": "bert",
        "id2label": config["id2label"],
        "max_length": max_length,
        "pad_token_id": config.get("pad_token_id", 0),
    }
    kept |= {key: config[key] for key in ("temperature", CONFIG_KEY) if key in config}
    if temperature is not None:
        kept["temperature"] = temperature
    target.mkdir(parents=True, exist_ok=True)
    (target / "model.onnx").write_bytes(data)
    (target / "config.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    shutil.copyfile(checkpoint / "tokenizer.json", target / "tokenizer.json")
    sign(target)
    return kept_labels


def sign(folder: Path) -> None:
    """Write `SHA256SUMS` anew; needed after every change of a file."""
    lines = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("config.json", "model.onnx", "tokenizer.json")
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


Feed = dict[str, Array]


def _feeds(
    tokenizer: Path, pairs: Sequence[Mapping[str, str]], window: int, config: Mapping[str, Any]
) -> list[Feed]:
    """Return the inputs of each pair on its own."""
    reader = Tokenizer.from_file(str(tokenizer))
    reader.no_padding()
    reader.enable_truncation(min(window, config["max_position_embeddings"]))
    encodings = reader.encode_batch([(pair["premise"], pair["hypothesis"]) for pair in pairs])
    return [
        {
            "input_ids": np.array([encoding.ids], np.int64),
            "attention_mask": np.array([encoding.attention_mask], np.int64),
            "token_type_ids": np.array([encoding.type_ids], np.int64),
        }
        for encoding in encodings
    ]


def _session(model: Any) -> Any:
    options = ort.SessionOptions()
    options.log_severity_level = 3
    return ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def _channels(model: Any, names: Sequence[str], feeds: Sequence[Feed]) -> dict[str, Channels]:
    """Return the least, the largest and the mean value of each channel of named values."""
    session = _session(model)
    least: dict[str, list[Array]] = {name: [] for name in names}
    largest: dict[str, list[Array]] = {name: [] for name in names}
    means: dict[str, list[Array]] = {name: [] for name in names}
    for feed in feeds:
        for name, value in zip(names, session.run(None, feed)[1:], strict=True):
            rows = value.reshape(-1, value.shape[-1])
            least[name].append(rows.min(axis=0))
            largest[name].append(rows.max(axis=0))
            means[name].append(rows.mean(axis=0))
    return {
        name: (
            np.min(least[name], axis=0),
            np.max(largest[name], axis=0),
            np.mean(means[name], axis=0),
        )
        for name in names
    }


def _agreement(one: Any, other: Any, feeds: Sequence[Feed]) -> float:
    """Return the share of inputs to which two models give the same label."""
    sessions = _session(one), _session(other)
    same = 0
    for feed in feeds:
        first, second = (int(session.run(None, feed)[0].argmax()) for session in sessions)
        same += first == second
    return same / len(feeds)


def _read_pairs(path: Path) -> list[dict[str, str]]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _pairs_of_the_repository() -> list[dict[str, str]]:
    """Return pairs of paragraphs and sentences of the texts that the benchmarks read."""
    texts = [text.strip() for text in wikipedia_passages() if len(text) >= 200][:800]
    return [
        {"premise": " ".join(text.split()[:110]), "hypothesis": other.split(". ")[0][:300]}
        for text, other in zip(texts, [texts[0], *texts], strict=False)
    ]


def main() -> None:
    """Export as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument(
        "--pairs", type=Path, help="JSON Lines with premise and hypothesis, 500 or more"
    )
    parser.add_argument("--max-length", type=int, default=320)
    parser.add_argument("--weight-bits", type=int, default=7, choices=(7, 8))
    parser.add_argument("--temperature", type=float)
    parser.add_argument("--agreement", type=float, default=AGREEMENT)
    options = parser.parse_args()
    pairs = _read_pairs(options.pairs) if options.pairs else _pairs_of_the_repository()
    kept = export(
        options.checkpoint,
        options.target,
        pairs,
        max_length=options.max_length,
        weight_bits=options.weight_bits,
        temperature=options.temperature,
        agreement=options.agreement,
    )
    size = (options.target / "model.onnx").stat().st_size / 2**20
    print(f"{kept:.2%} of {len(pairs) // 2} labels survive int8; {size:.1f} MiB")


if __name__ == "__main__":
    main()
