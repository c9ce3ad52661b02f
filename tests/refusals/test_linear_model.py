"""The linear models of refusals: they are read as written, and a damaged file is a mistake."""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.refusal_sets import part
from groundtypes import detect_refusal
from groundtypes.errors import BackendError
from groundtypes.refusals import detect, mixture, model_file
from groundtypes.refusals.english_features import (
    is_english,
    may_decline,
    ngrams,
    normalise,
    split_words,
    to_tokens,
    words_outside_quotations,
)
from groundtypes.refusals.linear_model import (
    SHORT_TEXT,
    LinearModel,
    load_long_model,
    load_short_model,
)
from groundtypes.refusals.opening import opening_spans
from training.refusal_files import linear_model
from training.refusal_templates import examples

_WORD = st.text("abcdefgh<>é", min_size=1, max_size=5)
_NGRAM = st.lists(_WORD, min_size=1, max_size=4).map(tuple)
_WEIGHTS = st.tuples(*[st.integers(-127, 127)] * 4)
_FILES = ["refusals.bin", "short_refusals.bin"]
_SHORT = "I cannot help with that."
_LONG = _SHORT + " The bridge was opened in the year 1932." * 10
#: An answer with words of the abstentions that were written for the project, which are short.
_LONG_ANSWER = (
    "Based on the provided passages, it appears that the baker was a Quaker. Passage 1 states that "
    "he was, and this fact is also mentioned in passages 4 and 8. There is no information in the "
    "other passages that would contradict this statement. Therefore, the answer to the question is "
    "yes, and the year in which he joined the meeting in the town is given as 1761."
)


def _tokens(text: str) -> list[str]:
    opening = normalise(text, opening_spans(text))
    return to_tokens(words_outside_quotations(opening, split_words(opening)), is_whole=True)


@given(st.dictionaries(_NGRAM, _WEIGHTS, min_size=1, max_size=20))
def test_a_written_model_is_read_as_it_was(weights: dict[tuple[str, ...], tuple[int, ...]]) -> None:
    model = linear_model(weights, (0.1, 0.2, 0.3, 0.4), (1.0, -1.0, 0.5, 0.0))
    assert dict(zip(sorted(weights), zip(*model.weights, strict=True), strict=True)) == weights


@given(
    st.dictionaries(_NGRAM, _WEIGHTS, min_size=1, max_size=20),
    st.lists(st.text("ab", min_size=1, max_size=1), max_size=12),
)
def test_the_ngrams_that_are_found_are_those_of_the_model(
    weights: dict[tuple[str, ...], tuple[int, ...]], tokens: list[str]
) -> None:
    short = {tuple(word[:1] for word in ngram): numbers for ngram, numbers in weights.items()}
    model = linear_model(short, (0.1,) * 4, (0.0,) * 4)
    names = sorted(short)
    found = model.find_ngrams(tokens)
    assert {names[number] for number in found if number >= 0} == short.keys() & set(ngrams(tokens))


@given(_WEIGHTS, _WEIGHTS)
def test_an_ngram_counts_once_however_often_it_occurs_in_an_opening(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    model = linear_model({("a",): one, ("b",): other}, (0.1,) * 4, (0.3,) * 4)
    often = model.find_ngrams(["a", "b", "a", "x", "a"])
    once = model.find_ngrams(["a", "b"])
    assert model.outputs(often) == model.outputs(once)


@pytest.mark.parametrize("name", _FILES)
def test_a_model_in_the_package_is_small_and_the_one_that_its_checksum_names(name: str) -> None:
    folder = files("groundtypes.refusals") / "data"
    data = (folder / name).read_bytes()
    wanted = (folder / f"{name}.sha256").read_text(encoding="ascii").split()
    assert len(data) <= 600_000
    assert [hashlib.sha256(data).hexdigest(), name] == wanted


@pytest.fixture
def copied_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Let the models be read from a copy of their folder, which a test may damage."""
    folder = tmp_path / "data"
    shutil.copytree(str(files("groundtypes.refusals") / "data"), folder)
    monkeypatch.setattr(model_file, "files", lambda _: tmp_path)
    loaders = (load_long_model, load_short_model)
    for load in loaders:
        load.cache_clear()
    yield folder
    for load in loaders:
        load.cache_clear()


@pytest.mark.parametrize(
    ("name", "text", "other"),
    [(_FILES[0], _LONG, _SHORT), (_FILES[1], _SHORT, _LONG)],
    ids=_FILES,
)
def test_a_damaged_model_is_a_mistake_for_the_texts_that_it_judges(
    name: str, text: str, other: str, copied_files: Path
) -> None:
    (copied_files / name).write_bytes((copied_files / name).read_bytes()[:-1] + b"\x7f")
    with pytest.raises(BackendError, match="damaged"):
        detect_refusal(text)
    assert detect_refusal(other).kind == "refusal"


def test_long_texts_are_judged_by_the_model_that_has_not_learned_the_short_replies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert detect_refusal(_LONG_ANSWER).kind == "answer"
    monkeypatch.setattr(detect, "load_long_model", load_short_model)
    assert detect_refusal(_LONG_ANSWER).kind == "abstention"


def test_of_longer_english_texts_the_linear_model_decides_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[float]] = []

    def english_outputs(linear: list[float], *_: str) -> list[float]:
        asked.append(linear)
        return linear

    monkeypatch.setattr(detect, "english_outputs", english_outputs)
    reply = "The report does not say who paid for the bridge."
    padding = " It has a map and a list of towns"
    text = reply + padding * ((mixture.BRIEF_TEXT - len(reply)) // len(padding))
    text += "." * (mixture.BRIEF_TEXT - len(text))

    detect_refusal(text)
    assert len(asked) == 1
    detect_refusal(text + ".")
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("length", "load"), [(SHORT_TEXT, load_short_model), (SHORT_TEXT + 1, load_long_model)]
)
def test_the_length_of_a_text_says_which_model_judges_it(
    length: int, load: Callable[[], LinearModel]
) -> None:
    assert detect._linear_model("x" * length) is load()


def test_no_written_example_that_declines_is_passed_over_by_the_guard() -> None:
    passed = [
        text
        for text, kind in examples(3)
        if kind != "answer"
        and not may_decline(split_words(normalise(text, opening_spans(text))))
        and detect_refusal(text).kind == "answer"
    ]
    assert passed == []


def test_written_examples_of_several_words_are_recognised_as_english() -> None:
    for text, _ in examples(2):
        opening = normalise(text, opening_spans(text))
        words = split_words(opening)
        if len(words) > 3 and "Je ne" not in text:
            assert is_english(words, is_ascii=opening.isascii()), text


def test_examples_are_the_same_each_time() -> None:
    assert list(examples(2)) == list(examples(2))


def test_rows_keep_their_part() -> None:
    parts = [part(f"row-{number}") for number in range(1000)]
    assert parts == [part(f"row-{number}") for number in range(1000)]
    assert 550 < parts.count("train") < 650
    assert 160 < parts.count("test") < 240


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One sentence here only.", 1),
        ("The U.S. Senate met at 5 p.m. on Monday. It rained then.", 2),
        ("First of all it rained. Then it snowed a bit. It froze after that. " * 9, 3),
        ("", 0),
        (" \n\t ", 0),
        ("I'm sorry. I cannot help with that request.", 1),
        ("It rained a whole day\n\nThen it snowed for weeks", 2),
        ("東京は日本の首都です。とても大きな都市で、人口も多いです。", 1),
    ],
)
def test_an_opening_is_cut_into_sentences(text: str, count: int) -> None:
    assert len(opening_spans(text)) == count


@given(st.text(max_size=1500))
def test_spans_of_an_opening_are_in_order_inside_the_text(text: str) -> None:
    before = 0
    for start, end in opening_spans(text):
        assert before <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        before = end


def test_ngrams_mark_where_sentences_begin_and_the_text_ends() -> None:
    text = "I cannot help with that request. It is against the rules."
    found = set(ngrams(_tokens(text)))
    assert ("<t>", "i", "can", "not") in found
    assert ("<s>", "it") in found
    assert ("rules", "</t>") in found


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("I can't help.", "I cannot help."),
        ("I cannot help.", "I can not help."),
        ("I won't do it.", "I will not do it."),
        ("It doesn't say.", "It does not say."),
        ("I’m afraid we’ve nothing.", "I am afraid we have nothing."),
        ("There's no date; that's all.", "There is no date; that is all."),
        ("They'd refuse, I'll not.", "They would refuse, I will not."),
        ("The 'document' is silent.", "The document is silent."),
    ],
)
def test_contractions_read_like_what_they_stand_for(said: str, same: str) -> None:
    assert _tokens(said) == _tokens(same)


@pytest.mark.parametrize("word", ["don't", "mustn't", "wasn't", "can't", "model's", "nobody'd"])
def test_a_contraction_may_decline_like_its_first_half(word: str) -> None:
    assert may_decline([word])
