"""The convolutional model: its words, its arithmetic in packed integers, and its file."""

import hashlib
from array import array
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes import detect_refusal
from groundtypes.errors import BackendError
from groundtypes.refusals import convolution, mixture, model_file
from groundtypes.refusals.convolution import (
    CLASSES,
    MARKS,
    OUTPUTS,
    WIDTH,
    ConvolutionalModel,
    Parameters,
    WordList,
    load_convolution,
    to_marks,
)
from groundtypes.refusals.word_classes import load_word_classes
from training.refusal_files import bytes_of_convolution

_DIMENSIONS, _FILTERS = 3, 4
_WORDS = ["bridge", "bridged", "xyzzy"]
_SMALL = st.integers(-500, 500)


@st.composite
def _parameters(draw: st.DrawFn) -> Parameters:
    def numbers(count: int) -> "array[int]":
        return array("h", draw(st.lists(_SMALL, min_size=count, max_size=count)))

    return Parameters(
        _WORDS,
        array("b", [1, 2, 3, 3, 4, -5, -127, 127, 0]),
        numbers(len(MARKS) * _DIMENSIONS),
        array("h", [0] * len(CLASSES) * _DIMENSIONS),
        numbers(WIDTH * _DIMENSIONS * _FILTERS),
        list(numbers(_FILTERS)),
        [[1.0, 0.5, -0.25, 2.0], [0.0, 1.0, 0.0, -1.0], [0.5] * 4, [-1.0] * 4],
        [0.5, 0.25, -0.5, 0.0],
        0.125,
    )


def _outputs(parameters: Parameters, vectors: list[list[int]]) -> list[float]:
    """Return what the model says of tokens with these vectors, by plain loops."""
    pooled = [0] * _FILTERS
    empty = [0] * _DIMENSIONS
    around = [empty, *vectors, empty]
    for start in range(len(vectors)):
        for number in range(_FILTERS):
            value = parameters.biases[number]
            for place in range(WIDTH):
                for dimension in range(_DIMENSIONS):
                    row = place * _DIMENSIONS + dimension
                    weight = parameters.filters[row * _FILTERS + number]
                    value += weight * around[start + place][dimension]
            pooled[number] = max(pooled[number], value)
    return [
        bias
        + sum(weight * parameters.step * value for weight, value in zip(row, pooled, strict=True))
        for row, bias in zip(parameters.weights, parameters.output_biases, strict=True)
    ]


@settings(deadline=None, max_examples=30)
@given(_parameters())
def test_packed_integers_give_what_plain_loops_give(parameters: Parameters) -> None:
    def mark(name: str) -> list[int]:
        return list(parameters.marks[MARKS.index(name) * _DIMENSIONS :][:_DIMENSIONS])

    vectors = [mark("<"), [1, 2, 3], mark("#"), [-127, 127, 0], [0] * 3, mark("?"), mark(">")]
    found = ConvolutionalModel(parameters).outputs("Bridge 12 xyzzy qqqq?")
    assert found == pytest.approx(_outputs(parameters, vectors))


@settings(deadline=None, max_examples=30)
@given(_parameters())
def test_a_written_model_is_read_as_it_was(parameters: Parameters) -> None:
    assert Parameters.from_bytes(bytes_of_convolution(parameters)) == parameters


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=300))
def test_any_text_has_four_outputs(text: str) -> None:
    assert len(load_convolution().outputs(text)) == OUTPUTS


def test_outputs_do_not_depend_on_what_was_read_before() -> None:
    texts = ["Das steht nicht im Text.", "資料には記載がありません。", "The bridge", "", "42?"] * 2
    fresh = ConvolutionalModel(
        Parameters.from_bytes((files("groundtypes.refusals") / "data/convolution.bin").read_bytes())
    )
    assert list(map(load_convolution().outputs, texts)) == list(map(fresh.outputs, texts))


def test_a_word_is_read_as_known_words_that_share_more_than_half_of_it() -> None:
    words = WordList(["answer", "document", "documents", "zeal"])
    found = [list(words.similar(w)) for w in ("answer", "documental", "docu", "zealous", "a", "")]
    assert found == [[0], [1, 2], [1, 2], [3], [], []]


def test_a_run_without_spaces_is_read_as_its_longest_known_words() -> None:
    words = WordList(["不", "不清楚", "清楚"])
    assert list(words.segments("我不清楚不清")) == ["不清楚", "不"]


def test_the_tokens_of_an_opening_are_marks_and_words() -> None:
    tokens = list(to_marks('Nein. "12"? 不清楚!', WordList(["不", "清楚"])))
    assert tokens == ["<", "nein", ".", '"', "#", '"', "?", "不", "清楚", "!", ">"]


def test_the_classes_of_the_model_are_those_of_the_word_lists() -> None:
    text = (files("groundtypes.refusals") / "data/word_classes.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if ":" in line and not line.startswith(("#", "["))]
    assert {line.partition(":")[0] for line in lines} == set(CLASSES)
    assert "NEG" in load_word_classes().of_word("nicht")


def test_the_model_in_the_package_is_the_one_that_its_checksum_names() -> None:
    folder = files("groundtypes.refusals") / "data"
    data = (folder / "convolution.bin").read_bytes()
    wanted = (folder / "convolution.bin.sha256").read_text(encoding="ascii").split()[0]
    assert hashlib.sha256(data).hexdigest() == wanted
    assert len(data) <= 3_000_000


def test_a_damaged_model_is_a_mistake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "convolution.bin").write_bytes(b"{}\n")
    (tmp_path / "data" / "convolution.bin.sha256").write_text("0" * 64)
    detect_refusal("I cannot say.")  # The linear model is read before.
    monkeypatch.setattr(model_file, "files", lambda _: tmp_path)
    convolution.load_convolution.cache_clear()
    try:
        with pytest.raises(BackendError):
            detect_refusal("Das wissen wir hier nicht.")
    finally:
        convolution.load_convolution.cache_clear()


def test_a_body_of_another_size_is_refused() -> None:
    data = (files("groundtypes.refusals") / "data/convolution.bin").read_bytes()
    with pytest.raises(ValueError, match="bytes after its first line"):
        Parameters.from_bytes(data[:-1])


def test_an_answer_of_names_is_not_read_by_the_convolution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    load = convolution.load_convolution

    def loaded() -> convolution.ConvolutionalModel:
        asked.append("convolution")
        return load()

    monkeypatch.setattr(mixture, "load_convolution", loaded)
    assert detect_refusal("Hamburg, Kiel, Rostock").kind == "answer"
    assert not asked
    assert detect_refusal("Das wissen wir hier nicht.").kind == "abstention"
    assert asked
