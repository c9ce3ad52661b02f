import re

import pytest
from babel.core import get_cldr_version

from groundtypes.figures.bounds import modifier_after, phrase_before
from groundtypes.words import all_words, languages, named_words, words_of

#: Both ends of a bound, and the months, are known in each of these languages.
MANY = 40


@pytest.mark.parametrize("kind", ["at least", "at most"])
def test_many_languages_have_words_for_bounds(kind: str) -> None:
    assert len(languages(kind)) >= MANY
    assert all(word == word.strip() and word for words in words_of(kind).values() for word in words)


def test_each_language_with_months_has_all_twelve() -> None:
    found: dict[str, set[str]] = {}
    for kind in ("month", "short month"):
        for number, language, _ in named_words(kind):
            found.setdefault(language, set()).add(number)
    assert len(found) >= MANY
    assert all(len(numbers) == 12 for numbers in found.values())


def test_names_of_named_words_are_what_their_readers_expect() -> None:
    assert all(name.isdigit() for name, _, _ in named_words("scale"))
    assert "symbol" not in {name for name, _, _ in named_words("unit")}
    assert all_words("second negation") == set(words_of("second negation")["mul"])


def test_an_unknown_kind_has_no_words() -> None:
    assert words_of("colour") == {}
    assert languages("colour") == ()


def test_no_phrase_bounds_a_figure_both_upwards_and_downwards() -> None:
    for where in ("", " behind"):
        upwards, downwards = (
            {
                word.lstrip("?")
                for kind in kinds
                for words in words_of(kind + where).values()
                for word in words
            }
            for kinds in (("at least", "more", "since"), ("at most", "less", "until"))
        )
        assert not upwards & downwards


def test_hostile_texts_are_read_in_bounded_time() -> None:
    text = "at " * 50_000
    assert phrase_before(text, 0, len(text), may_be_year=False) is None
    assert modifier_after("x " * 50_000, 0) is None


def test_the_files_hold_what_babel_says() -> None:
    from tables import build_words  # noqa: PLC0415 # needs Babel

    for path in sorted(build_words.FOLDER.glob("*.txt")):
        shipped = path.read_text(encoding="utf-8")
        version = re.search(r"\[CLDR (\S+),", shipped)
        if version and version[1] != get_cldr_version():
            pytest.skip("Babel has another version of CLDR")
        assert build_words.written(path) == shipped
