"""Train the convolutional model of refusals on word vectors and write its file.

    python -m training.convolutional_refusals --data DATA --encoder FILE

Needs torch and numpy. `FILE` is what `training.refusal_encoder` wrote.
`research/notes/refusal-model.md` says which rows are trained, tuned and reported on.
"""

import argparse
import hashlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from corpora.refusal_replies import written_replies
from groundtypes.refusals.convolution import (
    CLASSES,
    MARKS,
    OUTPUTS,
    WIDTH,
    ConvolutionalModel,
    Parameters,
    WordList,
    classes_of_token,
    to_marks,
)
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.word_classes import load_word_classes
from training.refusal_files import bytes_of_convolution
from training.refusal_templates import examples, phrases
from training.refusals import CLAIMS, ORDINARY, PASSAGES, train_rows

__all__ = ["Network", "export", "main", "weighted_texts"]

OUT: Final = Path(__file__).parents[2] / "src/groundtypes/refusals/data/convolution.bin"
#: The length of the encoder's vectors after a principal component analysis, and of the model's.
_COMPONENTS: Final = 128
_DIMENSIONS: Final = 48
_FILTERS: Final = 128
_REPLY_COMPONENTS: Final = 64
_EPOCHS: Final = 20
_BATCH: Final = 128
_SORTED: Final = 640
_RATE: Final = 4e-3
_DECAY: Final = 1e-2
#: Noise on the vectors, and the shares of classes, words and filters that are left out at random.
_NOISE: Final = 0.3
_NO_CLASSES: Final = 0.15
_NO_WORD: Final = 0.1
_NO_FILTER: Final = 0.3
#: How much the opinions of the encoder count beside the labels, and its vectors beside both.
_OPINION: Final = 0.7
_VECTOR: Final = 0.3
#: Public sets of which three rows in ten are taken, and rows that count half.
_THINNED: Final = frozenset({"nomiracl_en", *CLAIMS, *ORDINARY})
_HALVED: Final = frozenset({"nomiracl_en", "templates"})
#: English has far more replies in varied wordings than the others, which these would drown out.
_OF_VARIED_ENGLISH: Final = 0.5
_EACH: Final = 3
#: Integers of vectors reach to 127, those of filters to this.
_FILTER_RANGE: Final = 4_000

_PAD: Final = 0
_UNKNOWN: Final = 1 + len(MARKS)
_SPECIAL: Final = 2 + len(MARKS)

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A training text, the number of its kind, and what the encoder says of it, if it was asked."""

    tokens: list[int]
    kind: int
    weight: float
    opinion: Array | None
    vector: Array | None


class Network(torch.nn.Module):  # type: ignore[misc] # torch has no types here
    """The model as torch trains it: see `groundtypes.refusals.convolution`."""

    def __init__(self, vectors: Array, classes: Array) -> None:
        super().__init__()
        self.vectors = torch.tensor(vectors)
        self.class_marks = torch.tensor(classes)
        self.projection = torch.nn.Linear(_COMPONENTS, _DIMENSIONS, bias=False)
        self.projection.weight.data = 0.3 * torch.eye(_COMPONENTS)[:_DIMENSIONS]
        self.of_classes = torch.nn.Linear(len(CLASSES), _DIMENSIONS, bias=False)
        torch.nn.init.normal_(self.of_classes.weight, 0, 0.3)
        self.special = torch.nn.Embedding(_SPECIAL, _DIMENSIONS, padding_idx=_PAD)
        self.filters = torch.nn.Conv1d(_DIMENSIONS, _FILTERS, WIDTH, padding=WIDTH // 2)
        self.output = torch.nn.Linear(_FILTERS, OUTPUTS)
        self.reply_vector = torch.nn.Linear(_FILTERS, _REPLY_COMPONENTS)

    def forward(self, tokens: Any) -> tuple[Any, Any]:
        """Return the outputs and the guessed vector of each row of tokens, in training."""
        distinct, places = torch.unique(tokens, return_inverse=True)
        vectors = self.vectors[distinct]
        vectors = vectors + torch.randn_like(vectors) * _NOISE
        kept = torch.rand(len(distinct), 1) > _NO_CLASSES
        of_words = self.projection(vectors) + self.of_classes(self.class_marks[distinct] * kept)
        of_special = self.special(distinct.clamp(max=_SPECIAL - 1))
        of_tokens = torch.where((distinct < _SPECIAL)[:, None], of_special, of_words)[places]
        left_out = (torch.rand(tokens.shape) < _NO_WORD) & (tokens > MARKS.index(">") + 1)
        of_tokens = torch.where(left_out[..., None], self.special.weight[_UNKNOWN], of_tokens)
        of_tokens = of_tokens * (tokens != _PAD)[..., None]
        values = self.filters(of_tokens.transpose(1, 2))
        pooled = values.masked_fill((tokens == _PAD)[:, None], -1e4).amax(2).relu()
        pooled = torch.nn.functional.dropout(pooled, _NO_FILTER)
        return self.output(pooled), self.reply_vector(pooled)


def _loss(network: Network, batch: Sequence[Example]) -> Any:
    longest = max(len(example.tokens) for example in batch)
    padded = [example.tokens + [_PAD] * (longest - len(example.tokens)) for example in batch]
    outputs, vectors = network(torch.tensor(padded))
    probabilities = torch.log_softmax(outputs, 1)
    targets = torch.zeros(len(batch), OUTPUTS)
    for row, example in enumerate(batch):
        share = 0.0 if example.opinion is None else _OPINION
        targets[row, example.kind] = 1 - share
        if example.opinion is not None:
            targets[row] += share * torch.tensor(example.opinion)
    weights = torch.tensor([example.weight for example in batch])
    loss = -(weights * (targets * probabilities).sum(1)).mean()
    wanted = [example.vector for example in batch]
    known = [row for row, vector in enumerate(wanted) if vector is not None]
    if known:
        truth = torch.tensor(np.stack([vector for vector in wanted if vector is not None]))
        loss = loss + _VECTOR * torch.nn.functional.mse_loss(vectors[known], truth)
    return loss


def train(network: Network, examples_: Sequence[Example]) -> None:
    """Fit the network to the examples."""
    steps = _EPOCHS * (len(examples_) // _BATCH + 1)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    draw = np.random.default_rng(0)
    for _ in range(_EPOCHS):
        order = draw.permutation(len(examples_))
        # Texts of about one length share a batch.
        groups = [order[start : start + _SORTED] for start in range(0, len(order), _SORTED)]
        order = np.concatenate(
            [sorted(group, key=lambda row: len(examples_[row].tokens)) for group in groups]
        )
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        for batch in draw.permutation(len(batches)):
            loss = _loss(network, [examples_[row] for row in batches[batch]])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def export(network: Network, words: Sequence[str], vectors: Array) -> Parameters:
    """Return the parameters of a trained network, as integers."""
    projected = vectors @ network.projection.weight.detach().numpy().T
    # The few numbers beyond are cut, so that the others are finer.
    vector_step = float(np.quantile(np.abs(projected), 0.9999)) / 127
    filters = network.filters.weight.detach().numpy()  # filter, dimension, place
    filter_step = float(np.abs(filters).max()) / _FILTER_RANGE
    step = vector_step * filter_step
    of_places = filters.transpose(2, 1, 0) / filter_step
    return Parameters(
        words,
        array("b", np.rint(projected / vector_step).clip(-127, 127).astype(np.int8).tobytes()),
        _integers(network.special.weight.detach().numpy()[1:_UNKNOWN] / vector_step),
        _integers(network.of_classes.weight.detach().numpy().T / vector_step),
        _integers(of_places),
        [round(bias / step) for bias in network.filters.bias.tolist()],
        [[round(weight, 5) for weight in row] for row in network.output.weight.tolist()],
        [round(bias, 5) for bias in network.output.bias.tolist()],
        step,
    )


def _integers(values: Array) -> "array[int]":
    return array("h", np.rint(values).astype(np.int16).ravel().tolist())


def weighted_texts(folder: Path) -> Iterator[tuple[str, str, float]]:
    """Yield each training text with its kind and weight; three rows in ten of the large sets."""
    for reply in written_replies():
        if reply.part == "train":
            is_common = reply.language != "en" or reply.wording == "common"
            yield reply.text, reply.kind, 1.0 if is_common else _OF_VARIED_ENGLISH
    for row in train_rows(folder, without=("templates", "written", *CLAIMS[1:], PASSAGES)):
        number = int(hashlib.sha256(row.text.encode()).hexdigest(), 16) % 10
        if row.origin not in _THINNED or number < 3:  # three in ten
            yield row.text, row.kind, 0.5 if row.origin in _HALVED else 1.0
    yield from ((text, kind, 1.0) for text, kind in phrases())
    yield from ((text, kind, 0.5) for text, kind in examples(_EACH))


def components(vectors: Array, count: int) -> Array:
    """Return the first principal components of vectors, of the same mean length in every run."""
    centred = vectors - vectors.mean(0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    found = centred @ directions[:, ::-1][:, :count]
    return np.asarray(found / np.sqrt((found**2).sum(1).mean() / vectors.shape[1]))


def token_vectors(tokens: Sequence[str], known: WordList, vectors: Array) -> tuple[Array, Array]:
    """Return the vectors of the special tokens, empty, and of words; and the classes of each."""
    of_tokens = np.zeros((_SPECIAL + len(tokens), _COMPONENTS), np.float32)
    classes = np.zeros((_SPECIAL + len(tokens), len(CLASSES)), np.float32)
    word_classes = load_word_classes()
    for row, token in enumerate(tokens, _SPECIAL):
        similar = list(known.similar(token))
        if similar:
            of_tokens[row] = vectors[similar].mean(0)
        for name in classes_of_token(token, word_classes):
            classes[row, CLASSES.index(name)] = 1
    return of_tokens, classes


def main(argv: Sequence[str] | None = None) -> None:
    """Train and write the model with its checksum; print the scores of the tune domains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    asked = np.load(args.encoder)
    words = list(map(str, asked["words"]))
    vectors = components(asked["vectors"].astype(np.float32), _COMPONENTS)
    of_replies = components(asked["reply_vectors"].astype(np.float32), _REPLY_COMPONENTS)
    of_replies = (of_replies / of_replies.std(0).mean()).astype(np.float32)
    rows = {str(text): row for row, text in enumerate(asked["replies"])}
    known = WordList(words)
    numbers: dict[str, int] = {mark: 1 + place for place, mark in enumerate(MARKS)}
    number = _numbering(numbers)
    training: list[Example] = []
    for text, kind, weight in weighted_texts(args.data):
        tokens = [number(token) for token in to_marks(_opening(text), known)]
        row = rows.get(text)
        opinion, vector = (None, None) if row is None else (asked["opinions"][row], of_replies[row])
        training.append(Example(tokens, ("answer", *KINDS).index(kind), weight, opinion, vector))
    network = Network(*token_vectors(list(numbers)[len(MARKS) :], known, vectors))
    train(network, training)
    parameters = export(network, words, vectors)
    data = bytes_of_convolution(parameters)
    args.out.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    args.out.with_name(args.out.name + ".sha256").write_text(f"{checksum}  {args.out.name}\n")
    print(f"{len(data):,} bytes, SHA-256 {checksum}")
    model = ConvolutionalModel(parameters)
    tuned = [row for row in written_replies() if row.part == "tune"]
    found = [model.outputs(_opening(row.text)) for row in tuned]
    right = sum(
        ("answer", *KINDS)[outputs.index(max(outputs))] == row.kind
        for row, outputs in zip(tuned, found, strict=True)
    )
    print(f"{right / len(tuned):.1%} of {len(tuned)} kinds are right")


def _numbering(numbers: dict[str, int]) -> Callable[[str], int]:
    """Return a function that numbers tokens as they come, beyond those of the marks."""
    return lambda token: numbers.setdefault(token, len(numbers) - len(MARKS) + _SPECIAL)


def _opening(text: str) -> str:
    return " ".join(text[start:end] for start, end in opening_spans(text))


if __name__ == "__main__":
    main()
