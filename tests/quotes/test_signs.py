"""Case, superscripts and signs that mean something, and those that mean nothing."""

import pytest

from groundtypes import References, find_quote
from groundtypes.quotes import NearMiss
from groundtypes.quotes.search import search

#: name -> (one, the other): neither is a quote of the other.
DIFFERENT: dict[str, tuple[str, str]] = {
    "milliwatt": ("It emits 5 mW of light", "It emits 5 MW of light"),
    "milliwatt without a space": ("It emits 5mW of light", "It emits 5MW of light"),
    "milligram": ("The dose is 5 mg of it", "The dose is 5 Mg of it"),
    "megabit": ("The file has 5 Mb in all", "The file has 5 MB in all"),
    "kilobit": ("The file has 5 kb in all", "The file has 5 kB in all"),
    "gigabit": ("The line carries 10 Gb/s then", "The line carries 10 GB/s then"),
    "bits per second": ("The line carries 10 Mbps then", "The line carries 10 MBps then"),
    "second": ("It took 5 s in all", "It took 5 S in all"),
    "kelvin": ("It is at 300 K there", "It is at 300 k there"),
    "gram": ("It weighs 5 g in all", "It weighs 5 G in all"),
    "tonne": ("It holds 5 t in all", "It holds 5 T in all"),
    "hour": ("It took 5 h in all", "It took 5 H in all"),
    "millimolar": ("A dose of 5 mM was used", "A dose of 5 mm was used"),
    "nanomolar": ("A dose of 5 nM was used", "A dose of 5 nm was used"),
    "newton metre": ("A torque of 5 Nm was used", "A torque of 5 nm was used"),
    "pascal": ("It was at 5 Pa in all", "It was at 5 pA in all"),
    "megapascal": ("It was at 5 MPa in all", "It was at 5 mPa in all"),
    "electronvolt": ("It was at 5 meV in all", "It was at 5 MeV in all"),
    "hertz": ("It was at 5 mHz in all", "It was at 5 MHz in all"),
    "ohm": ("It has 5 mΩ in all", "It has 5 MΩ in all"),
    "million years": ("It is 5 Ma of it", "It is 5 mA of it"),
    "siemens": ("It has 5 mS in all", "It has 5 ms in all"),
    "international units": ("It has 5 mIU in all", "It has 5 MIU in all"),
    "millilitre": ("It holds 5 mL in all", "It holds 5 ML in all"),
    "calorie": ("It has 200 cal in all", "It has 200 Cal in all"),
    "quotient": ("A flow of 5 mg/dL was", "A flow of 5 Mg/dL was"),
    "ampere": ("The relay uses 2 mA of current", "The relay uses 2 MA of current"),
    "farad": ("It has 5 mF in all", "It has 5 MF in all"),
    "kelvin with a prefix": ("It is at 300 mK there", "It is at 300 MK there"),
    "amount": ("It has 5 mmol in all", "It has 5 Mmol in all"),
    "sievert": ("It was 5 mSv in all", "It was 5 MSv in all"),
    "gray": ("It was 5 mGy in all", "It was 5 MGy in all"),
    "lumen": ("It has 5 mlm in all", "It has 5 Mlm in all"),
    "picowatt": ("It emits 5 pW of light", "It emits 5 PW of light"),
    "picogram": ("It holds 5 pg of it", "It holds 5 Pg of it"),
    "zeptojoule": ("It takes 5 zJ in all", "It takes 5 ZJ in all"),
    "yoctogram": ("It weighs 5 yg in all", "It weighs 5 Yg in all"),
    "zettabit": ("It holds 5 Zb in all", "It holds 5 ZB in all"),
    "sloppy kilobit": ("The file has 5 Kb in all", "The file has 5 KB in all"),
    "knot": ("It was at 5 kn in all", "It was at 5 kN in all"),
    "unit of an entity": ("It emits 5&nbsp;mW of light", "It emits 5 MW of light"),
    "unit in a column": ("The power in mW is given", "The power in MW is given"),
    "in order": ("from 5 mW to 6 MW in all", "from 5 MW to 6 mW in all"),
    "sharp s": ("Man trinkt es in Maßen hier", "Man trinkt es in Massen hier"),
    "sharp s in other words": ("Die Buße war sehr lang", "Die Busse war sehr lang"),
    "spaced exponent": ("It has 10 ⁶ cells in all", "It has 10 cells in all"),
    "spaced exponent of HTML": ("It has 10 <sup>6</sup> cells in all", "It has 10 cells in all"),
    "exponent of HTML": ("It has 10<sup>6</sup> cells in all", "It has 106 cells in all"),
    "negative exponent of HTML": ("It is 10 <sup>-6</sup> of all", "It is 10 of all"),
    "negative exponent": ("It is 10 ⁻⁶ of all", "It is 10 of all"),
    "isotope": ("The ¹⁴C dating was done", "The C dating was done"),
    "isotope of HTML": ("The <sup>14</sup>C dating was done", "The C dating was done"),
    "other isotope": ("The ²³⁸U sample was old", "The ²³⁵U sample was old"),
    "isotope in a compound": ("The ¹³CO₂ gas was used", "The CO₂ gas was used"),
    "square": ("The value x² is then read", "The value x is then read"),
    "square of HTML": ("The value x<sup>2</sup> is read", "The value x is read"),
    "cubic metre": ("It holds 5 m³ of it", "It holds 5 m of it"),
    "cubic metre of one character": ("It holds 5 ㎥ of it", "It holds 5 m of it"),
    "charge": ("The Fe²⁺ ion was found", "The Fe³⁺ ion was found"),
    "water": ("The H₂O was found there", "The HO was found there"),
    "square of a function": ("The sin² term was used", "The sin term was used"),
    "born": ("Anna Berg (* 1990) was a poet", "Anna Berg (1990) was a poet"),
    "born without a space": ("Anna Berg (*1990) was a poet", "Anna Berg (1990) was a poet"),
    "loss": ("The result was (1,234) in May", "The result was 1,234 in May"),
    "loss in dollars": ("The result was ($1,234) in May", "The result was $1,234 in May"),
    "loss in percent": ("The result was (5.2%) in May", "The result was 5.2% in May"),
    "minus": ("The value a - b is then read", "The value a b is then read"),
    "minus sign": ("The value a − b is then read", "The value a b is then read"),
    "minus of words": ("The profit - loss is then read", "The profit loss is then read"),
    "minus one": ("The value x-5 is then read", "The value x5 is then read"),
    "minus one with a space": ("The value x-5 is then read", "The value x 5 is then read"),
    "minus one spaced": ("The value x - 5 is then read", "The value x 5 is then read"),
    "minus a bracket": ("The value (a) - (b) is read", "The value (a) (b) is read"),
    "dotless i": ("Onun sıkıntısı çok büyük", "Onun sikintisi çok büyük"),
}


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_case_and_signs_that_mean_something_count(one: str, other: str, fuzzy: bool) -> None:
    assert find_quote(other, f"Some words. {one}. More words.", fuzzy=fuzzy) is None
    assert find_quote(one, f"Some words. {other}. More words.", fuzzy=fuzzy) is None


#: name -> (one, the other): both are a quote of the other.
SAME: dict[str, tuple[str, str]] = {
    "capitals": ("It emits 5 mW of light", "IT EMITS 5 MW OF LIGHT"),
    "sloppy kilogram": ("It weighs 5 kg in all", "It weighs 5 Kg in all"),
    "sloppy kilometre": ("It was 5 km in all", "It was 5 KM in all"),
    "sloppy milligram": ("The dose is 500 mg of it", "The dose is 500 MG of it"),
    "kilobyte": ("The file has 5 kB in all", "The file has 5 KB in all"),
    "kilobit": ("The file has 5 kb in all", "The file has 5 Kb in all"),
    "horsepower": ("Er hat 150 PS im Ganzen", "Er hat 150 ps im Ganzen"),
    "sloppy pascal": ("It was at 5 Pa in all", "It was at 5 PA in all"),
    "sloppy kilovolt": ("It was at 5 kV in all", "It was at 5 KV in all"),
    "points": ("It is set in 12 pt type", "It is set in 12 PT type"),
    "afternoon": ("It opens at 5 Pm here", "It opens at 5 pm here"),
    "words": ("Its MS and MA degrees count", "Its Ms and Ma degrees count"),
    "litre": ("It holds 5 ml in all", "It holds 5 mL in all"),
    "unit in small letters": ("It makes 5 MW in May", "it makes 5 mw in may"),
    "clock": ("It opens at 5 PM here", "It opens at 5 pm here"),
    "money": ("It costs $5 M in all", "It costs $5 m in all"),
    "thousands": ("She ran a 5K race then", "She ran a 5k race then"),
    "case of a word": ("The Tower Was Built then", "the tower was built then"),
    "sharp s in capitals": ("die Straße war lang hier", "DIE STRASSE WAR LANG HIER"),
    "sharp s twice": ("die Straße war groß hier", "DIE STRASSE WAR GROSS HIER"),
    "capital sharp s": ("die Straße war lang hier", "DIE STRAẞE WAR LANG HIER"),
    "exponent": ("It has 10⁶ cells in all", "It has 10<sup>6</sup> cells in all"),
    "spaced exponent": ("It has 10⁶ cells in all", "It has 10 ⁶ cells in all"),
    "spaced exponent of HTML": ("It has 10 ⁶ cells in all", "It has 10 <sup>6</sup> cells in all"),
    "negative exponent": ("It is 10⁻⁶ of all here", "It is 10<sup>−6</sup> of all here"),
    "isotope": ("The ¹⁴C dating was done", "The <sup>14</sup>C dating was done"),
    "charge": ("The SO₄²⁻ ion was found", "The SO<sub>4</sub><sup>2−</sup> ion was found"),
    "positive charge": ("The H⁺ ion was found", "The H<sup>+</sup> ion was found"),
    "generation": ("The 5G network was built", "The 5g network was built"),
    "isotope on the line": ("The ¹⁴C dating was done", "The 14C dating was done"),
    "footnote": ("The tall tower² was built", "The tall tower was built"),
    "footnote of HTML": ("The tower<sup>2</sup> was built", "The tower was built"),
    "footnote before a word": ("It was built.² See the tower", "It was built. See the tower"),
    "dagger": ("The tall tower† was built", "The tall tower was built"),
    "double dagger": ("The tall tower‡ was built", "The tall tower was built"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_case_and_signs_that_mean_nothing_do_not_count(one: str, other: str) -> None:
    assert find_quote(other, f"Some words. {one}. More words.") is not None
    assert find_quote(one, f"Some words. {other}. More words.") is not None


#: name -> (one, the other): both are a quote of the other only where `fuzzy` is set.
PUNCTUATION: dict[str, tuple[str, str]] = {
    "long dash": ("The city — the largest — grew", "The city the largest grew"),
    "hyphen": ("The well-known tower was built", "The well known tower was built"),
    "hyphen before a number": ("The COVID-19 tests were done", "The COVID 19 tests were done"),
    "brackets": ("The tower (a tall one) was built", "The tower a tall one was built"),
    "dash for a comma": ("The city - the largest - grew", "The city, the largest, grew"),
    "full stop after a percentage": ("It was 45%. of all", "It was 45% of all"),
    "comma between amounts": ("It cost 5, $6 or more", "It cost 5 $6 or more"),
}


@pytest.mark.parametrize(("one", "other"), PUNCTUATION.values(), ids=PUNCTUATION)
def test_punctuation_is_tolerated_when_asked(one: str, other: str) -> None:
    for quote, words in ((one, other), (other, one)):
        reference = f"Some words. {words}. More words."
        assert find_quote(quote, reference) is None
        assert find_quote(quote, reference, fuzzy=True) is not None


def test_a_quote_over_two_blocks_is_told_so() -> None:
    references = References.of("- adults\n- children under six\n\n# Must take\n")
    result = search("children under six must take", references)
    assert isinstance(result, NearMiss)
    assert "heading" in result.explain()


#: The quote, the reference, and a word of the reason why equal words are no quote.
REASONS: list[tuple[str, str, str]] = [
    ("1 000 km", "<td>1</td><td>000 km</td>", "cells"),
    ("Tom is not guilty", "| Tom | is not |\n|---|---|\n| guilty | ok |", "cells"),
    ("- [x] refuse consent", "- [ ] refuse consent", "box"),
    ("- 5 points were paid", "+ 5 points were paid", "sign"),
]


@pytest.mark.parametrize(("quote", "reference", "word"), REASONS)
def test_joined_cells_and_other_marks_are_told_so(quote: str, reference: str, word: str) -> None:
    result = search(quote, References.of(reference))
    assert isinstance(result, NearMiss)
    assert word in result.explain()


def test_struck_out_words_are_told_so() -> None:
    result = search("They say the drug", References.of("They say ~~the drug~~ is safe so."))
    assert isinstance(result, NearMiss)
    assert result.explain() == 'the reference strikes out "the drug"'


#: A mark between a number and its sign is no punctuation.
INSIDE_NUMBERS: dict[str, str] = {
    "full stop": "About 45.% of all",
    "full stop of Chinese": "About 45\u3002% of all",
    "comma and space": "About 45, % of all",
    "after the currency": "It cost $.12 in all",
}


@pytest.mark.parametrize("quote", INSIDE_NUMBERS.values(), ids=INSIDE_NUMBERS)
def test_no_mark_may_stand_between_a_number_and_its_sign(quote: str) -> None:
    assert find_quote(quote, "About 45% of all. It cost $12 in all.", fuzzy=True) is None


def test_a_unit_in_another_case_is_named() -> None:
    result = search("It emits 5 mW of light", References.of("It emits 5 MW of light."))
    assert isinstance(result, NearMiss)
    assert result.altered
    assert result.differences == (("mW", "MW"),)
