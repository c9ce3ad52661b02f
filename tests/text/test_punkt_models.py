"""Sentences of other languages are cut by NLTK's models of these, where the user has them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nltk.data
import pytest
from nltk.tokenize.punkt import PunktParameters, PunktTrainer

from corpora.refusal_replies import written_replies
from groundtypes.text import punkt_models
from groundtypes.text.sentences import sentence_spans

#: The name before which the small model sees an abbreviation that no list of ours has.
NAMES = "Weber Lang Maier Huber Kraus Vogel Sommer Winter Berger Fuchs".split()
GERMAN = "Das Gutachten hat Bmt. Steiner in dieser Woche noch nicht fertig geschrieben."
ENGLISH = "The report was written by the Bmt. They have not read all of it in this week."


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def save(parameters: PunktParameters, folder: Path) -> None:
    """Write a model as the files of NLTK's data."""
    folder.mkdir(parents=True, mode=0o700)
    words = {"abbrev_types.txt": parameters.abbrev_types, "sent_starters.txt": set()}
    for name, found in words.items():
        (folder / name).write_text("\n".join(sorted(found)), encoding="utf-8")
    (folder / "collocations.tab").write_text("", encoding="utf-8")
    rows = [f"{word}\t{flags}" for word, flags in sorted(parameters.ortho_context.items())]
    (folder / "ortho_context.tab").write_text("\n".join(rows), encoding="utf-8")


@pytest.fixture
def german_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A German model, trained by NLTK's trainer, in a folder that NLTK reads."""
    german = (reply.text for reply in written_replies() if reply.language == "de")
    learned = (f"Darüber hat Bmt. {name} schon mit uns gesprochen." for name in NAMES * 4)
    trainer = PunktTrainer()
    trainer.train("\n".join([*german, *learned]), finalize=True)
    parameters = trainer.get_params()
    assert "bmt" in parameters.abbrev_types
    save(parameters, tmp_path / "tokenizers" / "punkt_tab" / "german")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    punkt_models._load.cache_clear()
    yield
    punkt_models._load.cache_clear()


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """NLTK without any data."""
    monkeypatch.setattr(nltk.data, "path", [])
    punkt_models._load.cache_clear()
    yield
    punkt_models._load.cache_clear()


@pytest.mark.usefixtures("german_model")
def test_a_model_of_the_language_knows_its_abbreviations() -> None:
    assert cut(GERMAN) == [GERMAN]


@pytest.mark.usefixtures("no_model")
def test_without_a_model_our_rules_cut() -> None:
    assert len(cut(GERMAN)) == 2


@pytest.mark.usefixtures("german_model")
@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        "Le rapport de l'Bmt. Il n'a pas encore été écrit pendant cette semaine.",
        "",
        "1889. 1932.",
    ],
    ids=["English", "a language without a model", "nothing", "numbers"],
)
def test_other_texts_are_cut_by_our_rules(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_model = sentence_spans(text)
    monkeypatch.setattr(punkt_models, "_may_have_models", lambda: False)
    assert sentence_spans(text) == with_model


@pytest.mark.usefixtures("german_model")
def test_layout_closing_marks_and_long_texts_are_still_cut_by_our_rules() -> None:
    text = '# Der Turm\n\n- Das ist "nicht erlaubt." Danach kommt der Bmt. Steiner noch.\n'
    assert cut(text) == [
        "# Der Turm",
        '- Das ist "nicht erlaubt."',
        "Danach kommt der Bmt. Steiner noch.",
    ]
    long = GERMAN + "!" * 1_000_000
    spans = sentence_spans(long)
    assert "".join(long[start:end] for start, end in spans).replace(" ", "") == long.replace(
        " ", ""
    )


def test_without_nltk_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(punkt_models, "_may_have_models", lambda: False)
    assert len(cut(GERMAN)) == 2


@pytest.mark.parametrize("has_models", [False, True])
def test_nltk_is_imported_only_where_it_has_models(tmp_path: Path, *, has_models: bool) -> None:
    if has_models:
        (tmp_path / "tokenizers" / "punkt_tab").mkdir(parents=True)
    code = (
        "import sys; from groundtypes.text.sentences import sentence_spans; "
        f"sentence_spans({GERMAN!r}); print('nltk' in sys.modules)"
    )
    environment = {**os.environ, "NLTK_DATA": str(tmp_path), "HOME": str(tmp_path)}
    printed = subprocess.run(  # our own code
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout
    assert printed == f"{has_models}\n"
