"""Replies in many languages: the classes of words, the hashed model, and what is English."""

import hashlib
import random
from array import array
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.refusal_replies import UNTRAINED_LANGUAGES, written_replies
from groundtypes import detect_refusal
from groundtypes.errors import BackendError
from groundtypes.refusals import model_file
from groundtypes.refusals.english_features import is_english, normalise, split_words
from groundtypes.refusals.hashed_model import (
    PLACES,
    HashedModel,
    load_hashed_model,
    places_of,
)
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.word_classes import WordClasses
from training.refusal_files import bytes_of_hashed

_DECLINING = {
    "German filter": (
        "Ihre Nachricht verstößt gegen unsere Richtlinien und wurde blockiert.",
        "refusal",
    ),
    "German documents": ("Dazu steht in den Unterlagen leider nichts.", "abstention"),
    "French documents": ("Les documents fournis ne précisent pas ce montant.", "abstention"),
    "Spanish question back": ("¿Podría indicarme a qué contrato se refiere?", "abstention"),
    "Italian": ("Mi dispiace, non posso aiutarti con questa richiesta.", "refusal"),
    "Dutch": ("Het spijt me, daar kan ik niet bij helpen.", "refusal"),
    "Polish": ("Niestety nie mam informacji na ten temat.", "abstention"),
    "Russian": ("В предоставленных документах об этом не сказано.", "abstention"),
    "Turkish": ("Üzgünüm, bu konuda yardımcı olamam.", "refusal"),
    "Hindi": ("दिए गए दस्तावेज़ में इसका उल्लेख नहीं है।", "abstention"),
    "Japanese": ("提供された資料には記載がありません。", "abstention"),
    "Korean": ("죄송하지만 그 요청은 도와드릴 수 없습니다.", "refusal"),
}
_ANSWERING = {
    "German": "Die Brücke wurde 1932 eröffnet.",
    "German negation": "Nein, die Kaution wird nicht verzinst.",
    "French": "La tour mesure 330 mètres et fut achevée en 1889.",
    "Spanish": "El contrato vence el 31 de marzo y puede prorrogarse una vez.",
    "Russian": "Мост открыли в 1932 году.",
    "Chinese": "这座桥于1932年通车。",
    "Arabic": "افتتح الجسر عام 1932.",
}


@pytest.mark.parametrize(("text", "kind"), _DECLINING.values(), ids=_DECLINING)
def test_a_text_of_another_language_that_declines_is_found(text: str, kind: str) -> None:
    assert detect_refusal(text).kind == kind


@pytest.mark.parametrize("text", _ANSWERING.values(), ids=_ANSWERING)
def test_an_answer_in_another_language_is_left_alone(text: str) -> None:
    assert detect_refusal(text).kind == "answer"


def test_the_span_is_the_sentence_that_declines() -> None:
    text = "Der Preis beträgt 40 Euro. Wann er fällig ist, steht nicht in den Unterlagen."
    refusal = detect_refusal(text)
    assert refusal.kind == "partial"
    assert refusal.span is not None
    assert text[slice(*refusal.span)].startswith("Wann")


def test_most_written_replies_that_were_not_trained_on_have_their_kind() -> None:
    rows = [row for row in written_replies() if row.part == "tune"]
    right = sum(detect_refusal(row.text).kind == row.kind for row in rows)
    assert right / len(rows) > 0.9


def test_whole_domains_and_languages_are_kept_from_training() -> None:
    rows = list(written_replies())
    parts: dict[str, set[str]] = {}
    for row in rows:
        if row.part != "untrained":
            parts.setdefault(row.domain, set()).add(row.part)
    assert all(len(of_domain) == 1 for of_domain in parts.values())
    assert {row.language for row in rows if row.part == "untrained"} == UNTRAINED_LANGUAGES
    assert not any(row.language in UNTRAINED_LANGUAGES for row in rows if row.part == "train")


def test_the_written_replies_are_as_many_as_their_card_says() -> None:
    rows = list(written_replies())
    kinds = Counter(row.kind for row in rows)
    assert len({row.text for row in rows}) == len(rows) >= 4_000
    assert len({row.domain for row in rows}) >= 60
    assert len({row.language for row in rows}) >= 16
    assert set(kinds) == {"answer", "refusal", "abstention", "partial"}
    assert 0.45 < kinds["answer"] / len(rows) < 0.55


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The bridge was opened in 1932.", True),
        ("Unclear.", True),
        ("I cannot say.", True),
        ("Das steht nicht im Text.", False),
        ("Der Film „The Matrix“ wird nicht erwähnt.", False),
        ("No lo sé.", False),
        ("Не знаю.", False),
        ("Ottawa", False),
    ],
)
def test_english_is_told_from_other_languages_by_its_frequent_words(
    text: str, english: bool
) -> None:
    opening = normalise(text, opening_spans(text))
    assert is_english(split_words(opening), is_ascii=opening.isascii()) is english


def test_words_are_classed_by_their_whole_beginning_end_or_a_part() -> None:
    classes = WordClasses([("A", "nicht"), ("B", "dokument*"), ("C", "*mez"), ("D", "*iyor*")])
    words = ("nicht", "dokumente", "gelmez", "gidiyorum", "nichts")
    assert [classes.of_word(word) for word in words] == [("A",), ("B",), ("C",), ("D",), ()]


def test_strings_of_scripts_without_spaces_are_found_in_a_run_longest_first() -> None:
    classes = WordClasses([("A", "不"), ("B", "不清楚")])
    assert list(classes.in_run("我不清楚不")) == [("B",), ("A",)]


@given(st.text(max_size=300))
def test_any_text_has_places_within_the_table(text: str) -> None:
    assert all(0 <= place < PLACES for places in places_of(text) for place in places)


def test_a_written_model_is_read_as_it_was() -> None:
    draw = random.Random(3)
    weights = [array("b", [draw.randint(-127, 127) for _ in range(PLACES)]) for _ in range(4)]
    parts = (weights, [0.1] * 4, [0.3] * 4)
    model = HashedModel(*parts)
    read = HashedModel.from_bytes(bytes_of_hashed(*parts))
    for text in ("Das wissen wir hier nicht.", "文中没有提到。", "", "42"):
        assert read.outputs(text) == model.outputs(text)


def test_outputs_do_not_depend_on_what_was_read_before() -> None:
    shipped = load_hashed_model()
    fresh = HashedModel.from_bytes(model_file.read_model_file("multilingual.bin"))
    texts = [text for text, _ in _DECLINING.values()] + list(_ANSWERING.values())
    assert [shipped.outputs(text) for text in texts * 2] == [
        fresh.outputs(text) for text in texts * 2
    ]


def test_the_model_in_the_package_is_the_one_that_its_checksum_names() -> None:
    folder = files("groundtypes.refusals") / "data"
    data = (folder / "multilingual.bin").read_bytes()
    wanted = (folder / "multilingual.bin.sha256").read_text(encoding="ascii").split()[0]
    assert hashlib.sha256(data).hexdigest() == wanted


def test_a_damaged_model_is_a_mistake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    detect_refusal("I cannot say.")  # The linear model is read before.
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "multilingual.bin").write_bytes(b"{}\n")
    (tmp_path / "data" / "multilingual.bin.sha256").write_text("0" * 64)
    monkeypatch.setattr(model_file, "files", lambda _: tmp_path)
    load_hashed_model.cache_clear()
    try:
        with pytest.raises(BackendError):
            detect_refusal("Das wissen wir hier nicht.")
    finally:
        load_hashed_model.cache_clear()


def test_a_body_of_another_size_is_refused() -> None:
    data = model_file.read_model_file("multilingual.bin")
    with pytest.raises(ValueError, match="bytes of weights"):
        HashedModel.from_bytes(data[:-1])
