"""Export a trained cross-encoder to the folder that `OnnxNLI` reads.

    python -m training.export_onnx CHECKPOINT TARGET [--pairs FILE.jsonl] [--weight-bits BITS]

CHECKPOINT is an ordinary Hugging Face folder of a `BertForSequenceClassification` or an
`MPNetForSequenceClassification` with its tokenizer. TARGET gets `model.onnx`, `tokenizer.json`,
`config.json` and `SHA256SUMS`. With 7 or 8 bits everything is int8 (`int8_graph.py`); with 4, the
weights of the layers are stored in blocks of 4 bits (`block_graph.py`), and kinds of product that
`--eight-bits` names in int8.
"""

import argparse
import gzip
import hashlib
import json
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from corpora.wikipedia import wikipedia_passages
from groundtypes.backends.calibration import CONFIG_KEY
from training.activations import Feed, measured_channels, session
from training.bert_graph import Bert
from training.block_graph import BlockGraph
from training.encoder_graph import KINDS, Encoder
from training.int8_graph import Int8Graph
from training.mpnet_graph import MPNet
from training.onnx_graph import Graph

__all__ = ["export", "load_encoder", "sign"]

_ENCODERS: Final[Mapping[str, type[Encoder]]] = {"bert": Bert, "mpnet": MPNet}
#: The largest model file, in bytes: of BERT, what the package can contain; of MPNet, what a
#: package of its own can, since PyPI takes files of up to 100 MB.
_LARGEST: Final = {"bert": 30 * 2**20, "mpnet": 95_000_000}
#: The share of labels that must stay the same.
AGREEMENT: Final = 0.99


def export(
    checkpoint: str | Path,
    target: str | Path,
    pairs: Sequence[Mapping[str, str]],
    *,
    max_length: int = 320,
    weight_bits: int = 7,
    eight_bits: Collection[str] = (),
    temperature: float | None = None,
    agreement: float = AGREEMENT,
) -> float:
    """Write the folder of the exported model; return the share of pairs that keep their label.

    `pairs` hold `premise` and `hypothesis`. Every other pair shows what the weights multiply, by
    which they are rounded, and the rest check the result. `eight_bits` are the kinds of product
    that have 8 bits where the others have 4.

    Raises:
        SystemExit: The model is of another kind, too many labels changed, or the file is too large.
    """
    checkpoint, target = Path(checkpoint), Path(target)
    encoder = load_encoder(checkpoint)
    config = encoder.config
    feeds = _feeds(checkpoint / "tokenizer.json", pairs, max_length, encoder)
    plain = encoder.build(Graph())
    channels = measured_channels(plain, feeds[::2], moments=weight_bits == 4)
    graph = (
        BlockGraph(ranges=channels, eight_bits=eight_bits)
        if weight_bits == 4
        else Int8Graph(ranges=channels, weight_bits=weight_bits)
    )
    model = encoder.build(graph).model(["logits"])
    kept_labels = _agreement(plain.model(["logits"]), model, feeds[1::2])
    data = model.SerializeToString()
    if kept_labels < agreement:
        raise SystemExit(f"only {kept_labels:.2%} of the labels survive rounding")
    if len(data) > _LARGEST[config["model_type"]]:
        raise SystemExit(f"the model has {len(data) / 1e6:.1f} MB")
    kept = {
        "model_type": config["model_type"],
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


def load_encoder(checkpoint: Path) -> Encoder:
    """Return the weights and sizes of a checkpoint, as its kind of model computes with them.

    Raises:
        SystemExit: It is of a kind that is not known here.
    """
    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8"))
    kind = config.get("model_type")
    if kind not in _ENCODERS or config.get("hidden_act", "gelu") != "gelu":
        raise SystemExit(
            f"{checkpoint} is {kind} with {config.get('hidden_act')}; what can be exported are "
            f"{' and '.join(_ENCODERS)} with gelu"
        )
    return _ENCODERS[kind](load_file(checkpoint / "model.safetensors"), config)


def sign(folder: Path) -> None:
    """Write `SHA256SUMS` anew; needed after every change of a file."""
    lines = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("config.json", "model.onnx", "tokenizer.json")
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def _feeds(
    tokenizer: Path, pairs: Sequence[Mapping[str, str]], window: int, encoder: Encoder
) -> list[Feed]:
    """Return the inputs of each pair on its own."""
    reader = Tokenizer.from_file(str(tokenizer))
    reader.no_padding()
    reader.enable_truncation(min(window, encoder.window))
    encodings = reader.encode_batch([(pair["premise"], pair["hypothesis"]) for pair in pairs])
    return [
        {
            name: np.array([values], np.int64)
            for name, values in (
                ("input_ids", encoding.ids),
                ("attention_mask", encoding.attention_mask),
                ("token_type_ids", encoding.type_ids),
            )
            if name in encoder.inputs
        }
        for encoding in encodings
    ]


def _agreement(one: Any, other: Any, feeds: Sequence[Feed]) -> float:
    """Return the share of inputs to which two models give the same label."""
    sessions = session(one), session(other)
    same = 0
    for feed in feeds:
        first, second = (int(running.run(None, feed)[0].argmax()) for running in sessions)
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
    parser.add_argument("--weight-bits", type=int, default=7, choices=(4, 7, 8))
    parser.add_argument(
        "--eight-bits",
        nargs="+",
        default=(),
        choices=KINDS,
        metavar="KIND",
        help=f"with --weight-bits 4, products that have 8 bits: {', '.join(KINDS)}",
    )
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
        eight_bits=options.eight_bits,
        temperature=options.temperature,
        agreement=options.agreement,
    )
    size = (options.target / "model.onnx").stat().st_size / 1e6
    print(f"{kept:.2%} of {len(pairs) // 2} labels survive rounding; {size:.1f} MB")


if __name__ == "__main__":
    main()
