"""Which short names after a number are symbols of units."""

import pytest

from groundtypes.text.units import is_doubtful_symbol, is_unit_symbol, is_unit_word


@pytest.mark.parametrize("name", "mg mSv nM kDa bp rpm keV kΩ Mbps Torr TL кг кВт".split())
def test_a_symbol_of_the_table_or_in_use_is_one(name: str) -> None:
    assert is_unit_symbol(name)
    assert not is_doubtful_symbol(name)


def test_a_prefix_with_a_capital_looks_like_a_symbol() -> None:
    assert is_unit_symbol("cSt")


@pytest.mark.parametrize(
    "name", "men in US EU au um mRNA iPad PhD MPs hCG MEd mAb TV Stunde Tag cup tons".split()
)
def test_words_and_names_are_no_symbols(name: str) -> None:
    assert not is_unit_symbol(name)


@pytest.mark.parametrize("name", "T A U bar MS Ma s".split())
def test_a_symbol_that_is_also_a_word_or_letter_is_doubtful(name: str) -> None:
    assert is_unit_symbol(name)
    assert is_doubtful_symbol(name)


@pytest.mark.parametrize("name", "hours kilometres Stunden heures percent tablets".split())
def test_names_of_units_and_doses_are_known(name: str) -> None:
    assert is_unit_word(name)


def test_other_words_are_no_names_of_units() -> None:
    assert not is_unit_word("men")
