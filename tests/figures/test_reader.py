"""Reading figures: what they mean, what is none, and laws for every number."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes import References
from groundtypes.figures import find_figures
from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.index import FigureIndex
from groundtypes.figures.numbers import ORDINALS
from groundtypes.figures.outcomes import nearest_figures

#: text -> (words of the figure, kind, value as it is written)
READ: dict[str, tuple[str, str, object]] = {
    "It has 5 km.": ("5 km", "length", 5),
    "1,200": ("1,200", "number", 1200),
    "1.234.567,89": ("1.234.567,89", "number", Fraction("1234567.89")),
    "1 200": ("1 200", "number", 1200),
    "1\u202f200": ("1\u202f200", "number", 1200),
    "1’200": ("1’200", "number", 1200),
    "1,00,000": ("1,00,000", "number", 100_000),
    "12,5": ("12,5", "number", Fraction("12.5")),
    "−0.42": ("−0.42", "number", Fraction("-0.42")),
    ".257": (".257", "number", Fraction("0.257")),
    "1.2e3": ("1.2e3", "number", 1200),
    "3 × 10⁸": ("3 × 10⁸", "number", 300_000_000),
    "10^6": ("10^6", "number", 1_000_000),
    "½": ("½", "number", Fraction(1, 2)),
    "2½": ("2½", "number", Fraction(5, 2)),
    "1 3/4": ("1 3/4", "number", Fraction(7, 4)),
    "3/4": ("3/4", "number", Fraction(3, 4)),
    "three quarters": ("three quarters", "number", Fraction(3, 4)),
    "a third of it": ("a third", "number", Fraction(1, 3)),
    "half of it": ("half", "number", Fraction(1, 2)),
    "half an hour": ("half an hour", "duration", Fraction(1, 2)),
    "twenty-one": ("twenty-one", "number", 21),
    "two hundred and five": ("two hundred and five", "number", 205),
    "1.2 million": ("1.2 million", "number", 1_200_000),
    "3k": ("3k", "number", 3000),
    "a dozen eggs": ("a dozen", "count", 12),
    "half a million": ("half a million", "number", 500_000),
    "two point five million": ("two point five million", "number", 2_500_000),
    "50 %": ("50 %", "percent", 50),
    "５０％": ("５０％", "percent", 50),
    "5 per cent": ("5 per cent", "percent", 5),
    "3‰": ("3‰", "percent", 3),
    "$5 million": ("$5 million", "money", 5_000_000),
    "5 USD": ("5 USD", "money", 5),
    "US$5bn": ("US$5bn", "money", 5_000_000_000),
    "20 cents": ("20 cents", "money", 20),
    "5 kg": ("5 kg", "mass", 5),
    "5 ft 10 in": ("5 ft 10 in", "length", Fraction(70, 12)),
    "2 h 30 min": ("2 h 30 min", "duration", Fraction(5, 2)),
    "a 12-year-old": ("12-year", "months", 12),
    "25 °C": ("25 °C", "temperature", 25),
    "100 km/h": ("100 km/h", "speed", 100),
    "3 square miles": ("3 square miles", "area", 3),
    "512 MB": ("512 MB", "data", 512),
    "750 ml": ("750 ml", "volume", 750),
    "4 March 2021": ("4 March 2021", "date", ("day", 2021, 3, 4)),
    "March 4th, 2021": ("March 4th, 2021", "date", ("day", 2021, 3, 4)),
    "2021-03-04": ("2021-03-04", "date", ("day", 2021, 3, 4)),
    "2021-03-04T12:30:00Z": ("2021-03-04", "date", ("day", 2021, 3, 4)),
    "T12:30:00Z": ("12:30:00Z", "time", 45_000),
    "Mar 2021": ("Mar 2021", "date", ("month", 2021, 3)),
    "4 March": ("4 March", "date", ("yearless", 3, 4)),
    "in 1889": ("1889", "date", ("year", 1889)),
    "44 BC": ("44 BC", "date", ("year", -44)),
    "the 1990s": ("1990s", "date", ("decade", 199)),
    "mid-1990s": ("1990s", "date", ("decade", 199)),
    "the 19th century": ("19th century", "date", ("century", 19)),
    "the nineteenth century": ("nineteenth century", "date", ("century", 19)),
    "3:30 pm": ("3:30 pm", "time", 55_800),
    "5 p.m.": ("5 p.m.", "time", 61_200),
    "5–10 km": ("5–10 km", "range", ("length", 5000, 10_000)),
    "from 5 to 10": ("from 5 to 10", "range", ("number", 5, 10)),
    "between 5 and 10 kg": ("between 5 and 10 kg", "range", ("mass", 5, 10)),
    "5-10 million": ("5-10 million", "range", ("number", 5_000_000, 10_000_000)),
    "two to three million": ("two to three million", "range", ("number", 2_000_000, 3_000_000)),
    "from one to a hundred": ("from one to a hundred", "range", ("number", 1, 100)),
    "between 5 and 10 million euros": (
        "between 5 and 10 million euros",
        "range",
        ("money:EUR", 5_000_000, 10_000_000),
    ),
    "zwischen 5 und 10 Mio. Euro": (
        "zwischen 5 und 10 Mio. Euro",
        "range",
        ("money:EUR", 5_000_000, 10_000_000),
    ),
    "5 bis 10 Mio. Euro": ("5 bis 10 Mio. Euro", "range", ("money:EUR", 5_000_000, 10_000_000)),
    "€5 to €10 million": ("€5 to €10 million", "range", ("money:EUR", 5_000_000, 10_000_000)),
    "€500 to €1 million": ("€500 to €1 million", "range", ("money:EUR", 500, 1_000_000)),
    "from 900,000 to 1.2 million": (
        "from 900,000 to 1.2 million",
        "range",
        ("number", 900_000, 1_200_000),
    ),
    "between 5 euros and 10 million euros": (
        "between 5 euros and 10 million euros",
        "range",
        ("money:EUR", 5, 10_000_000),
    ),
    "8 o'clock in the evening": ("8 o'clock in the evening", "time", 72_000),
    "8 o'clock in the morning": ("8 o'clock in the morning", "time", 28_800),
    "eight o'clock at night": ("eight o'clock at night", "time", 72_000),
    "8 Uhr abends": ("8 Uhr abends", "time", 72_000),
    "took 1:20 h": ("1:20 h", "duration", 4800),
    "in 2:15:30": ("2:15:30", "duration", 8130),
    "at 02:15": ("02:15", "time", 8100),
    "the fourth of July": ("fourth of July", "date", ("yearless", 7, 4)),
    "on the fourth of July, 1776": ("fourth of July, 1776", "date", ("day", 1776, 7, 4)),
    "May twenty-first": ("May twenty-first", "date", ("yearless", 5, 21)),
    "on May the fourth": ("May the fourth", "date", ("yearless", 5, 4)),
    "the second of June two thousand and four": (
        "second of June two thousand and four",
        "date",
        ("day", 2004, 6, 2),
    ),
    "the last third of May": ("third", "ordinal", 3),
    "in March 15 people": ("15", "count", 15),
    "nineteen eighty-four": ("nineteen eighty-four", "date", ("year", 1984)),
    "nineteen oh five": ("nineteen oh five", "date", ("year", 1905)),
    "ten sixty-six": ("ten sixty-six", "date", ("year", 1066)),
    "the nineteen-sixties": ("nineteen-sixties", "date", ("decade", 196)),
    "nineteen eighty-year-olds": ("nineteen", "number", 19),
    "at sixteen thirty": ("sixteen", "number", 16),
    "three quarters of a million": ("three quarters of a million", "number", 750_000),
    "a tenth of a million": ("a tenth of a million", "number", 100_000),
    "3/4 of a million": ("3/4 of a million", "number", 750_000),
    "half of one per cent": ("half of one per cent", "percent", Fraction(1, 2)),
    "3 deaths per 1,000 births": ("3 deaths per 1,000", "number", Fraction(3, 1000)),
    "BP 128 over 82": ("128 over 82", "ratio", ("/", 128, 82)),
    "120 over 80 pages": ("120", "number", 120),
    "50p": ("50p", "money", 50),
    "1080p": ("1080p", "identifier", "1080p"),
    "2 euros and 10 cents": ("2 euros and 10 cents", "money", Fraction("2.1")),
    "4x6 m": ("4", "length", 4),
    "a 4x4 car": ("4x4", "identifier", "4x4"),
    "20 deg C": ("20 deg C", "temperature", 20),
    "3rd": ("3rd", "ordinal", 3),
    "the third": ("third", "ordinal", 3),
    "GPT-4": ("GPT-4", "identifier", "gpt4"),
    "COVID-19": ("COVID-19", "identifier", "covid19"),
    "Python 3.11": ("3.11", "identifier", "python3.11"),
    "3.11.2": ("3.11.2", "identifier", "3.11.2"),
    "CO₂ and H2O": ("H2O", "identifier", "h2o"),
    "٣٤٥": ("٣٤٥", "number", 345),
    "1\u200b200": ("1\u200b200", "number", 1200),
    "$5 \\times 10^{6}$ cells": ("5 \\times 10^{6}", "count", 5_000_000),
    "$10\\,\\mathrm{mg}$": ("10\\,\\mathrm{mg", "mass", 10),
    "10~mg": ("10~mg", "mass", 10),
    "5\\%": ("5\\%", "percent", 5),
    "**1,200** rooms": ("1,200", "count", 1200),
}

#: text -> (comparison, whether it is approximate)
HEDGED: dict[str, tuple[Comparison, bool]] = {
    "more than 5": (Comparison.MORE, False),
    "> 5": (Comparison.MORE, False),
    "at least 5": (Comparison.AT_LEAST, False),
    "5 or more": (Comparison.AT_LEAST, False),
    "5+ rooms": (Comparison.AT_LEAST, False),
    "fewer than 5": (Comparison.LESS, False),
    "up to 5": (Comparison.AT_MOST, False),
    "≤ 5": (Comparison.AT_MOST, False),
    "max. 5 kg": (Comparison.AT_MOST, False),
    "5 kg max.": (Comparison.AT_MOST, False),
    "Max 5": (Comparison.EXACTLY, False),
    "min. 5 kg": (Comparison.AT_LEAST, False),
    "not over 5": (Comparison.AT_MOST, False),
    "no longer than 5 m": (Comparison.AT_MOST, False),
    "must not exceed 5 kg": (Comparison.AT_MOST, False),
    "cannot hold more than 5 kg": (Comparison.AT_MOST, False),
    "never fell below 5": (Comparison.AT_LEAST, False),
    "do not keep for more than 5 days": (Comparison.AT_MOST, False),
    "has not eaten for more than 5 days": (Comparison.MORE, False),
    "not only more than 5": (Comparison.MORE, False),
    "no children under 5": (Comparison.LESS, False),
    "less than or equal to 5": (Comparison.AT_MOST, False),
    "equal to or more than 5": (Comparison.AT_LEAST, False),
    "5 kg and up": (Comparison.AT_LEAST, False),
    "5 at most": (Comparison.AT_MOST, False),
    "about 5": (Comparison.EXACTLY, True),
    "~5": (Comparison.EXACTLY, True),
    "nearly 5 km": (Comparison.EXACTLY, True),
    "5 or so": (Comparison.EXACTLY, True),
    "5": (Comparison.EXACTLY, False),
}

NONE = {
    "a pronoun": "One of them and no one else, one another, this one.",
    "a list": "1. Wash it\n2. Dry it\n  3) Fold it",
    "a footnote": "It was so.[3] And so.[4, 5][6–8]",
    "a superscript": "It was so.² And so¹⁵",
    "an unnumbered month": "It may be in March; they march.",
    "a second": "A second chance, wait a second. Second, seconds later.",
    "a half": "His half-brother scored in the second-half... in half-time.",
    "vague numbers": "Hundreds of people, several million, a few hundred, dozens.",
    "a link": "See https://example.org/2021/03/04?page=5 and www.example.org/7.",
    "an escaped footnote": "It was so.\\[3\\] And so.",
    "an entity": "Tom&#39;s &#160; house",
    "no words": "Attend the phone, tendon, weight, sixties, thousands, bones.",
    "quarters": "The headquarters and the quarterback in the quarter.",
}


@pytest.mark.parametrize("text", READ)
def test_a_figure_is_read(text: str) -> None:
    words, kind, value = READ[text]
    figure = find_figures(text)[0]
    if text == "CO₂ and H2O":
        figure = find_figures(text)[-1]
    assert figure.text == words
    assert figure.kind == kind
    assert value in figure.values
    assert not any(isinstance(value, float | Decimal) for value in figure.values)


@pytest.mark.parametrize("text", HEDGED)
def test_a_comparison_or_approximation_is_read(text: str) -> None:
    (figure,) = find_figures(text)
    assert (figure.comparison, figure.approximate) == HEDGED[text]


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_figure_is_not_read(name: str) -> None:
    needed = [figure.text for figure in find_figures(NONE[name]) if not figure.incidental]
    assert [text for text in needed if text.lower() != "second"] == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1.200", {Fraction("1.2"), 1200}),
        ("03/04/2021", {("day", 2021, 3, 4), ("day", 2021, 4, 3)}),
        ("1987", {1987, ("year", 1987)}),
        ("14:50", {53_400, (14, 50)}),
    ],
)
def test_an_ambiguous_figure_has_every_meaning(text: str, values: set[object]) -> None:
    (figure,) = find_figures(text)
    assert set(figure.values) >= values


def _supports(reference: str, text: str) -> bool:
    index = FigureIndex([reference])
    return all(index.find(figure) is not None for figure in find_figures(text))


@pytest.mark.parametrize("hours", range(-12, 15))
def test_a_time_with_a_zone_and_a_date_is_one_moment(hours: int) -> None:
    zone = f"{hours:+03d}:00"
    moment = datetime(2024, 3, 1, 6, 30, tzinfo=UTC)
    there = moment.astimezone(timezone(timedelta(hours=hours)))
    local = f"{there:%Y-%m-%dT%H:%M}{zone}"
    for text in (f"{moment:%d %B %Y, %H:%M} UTC", f"{moment:%Y-%m-%dT%H:%M}Z"):
        assert _supports(local, text)
        assert _supports(text, local)
    for days in (-1, 1):
        other = moment + timedelta(days=days)
        assert not _supports(local, f"{other:%Y-%m-%dT%H:%M}Z")
        assert not _supports(f"{other:%d %B %Y}, {other:%H:%M} UTC", local)


@given(
    day=st.dates(date(1700, 1, 1), date(2199, 12, 31)),
    form=st.sampled_from(("{day} of {month} {year}", "{month} {day}, {year}", "{month} the {day}")),
)
@settings(max_examples=200, deadline=None)
def test_a_date_in_words_is_the_date_in_digits(day: date, form: str) -> None:
    text = form.format(day=_ordinal(day.day), month=f"{day:%B}", year=day.year)
    (figure,) = find_figures(f"on {text}.")
    (reading,) = figure.readings
    parts = ("day", day.year, day.month, day.day) if "{year}" in form else None
    assert reading.value == (parts or ("yearless", day.month, day.day))


def _ordinal(number: int) -> str:
    ordinals = {value: word for word, value in ORDINALS.items()}
    if number in ordinals:
        return ordinals[number]
    return ("twenty-" if number < 30 else "thirty-") + ordinals[number % 10]


def test_one_and_first_and_an_hour_are_incidental() -> None:
    figures = find_figures("one man, first, an hour, two, 1, 1st")
    assert [figure.incidental for figure in figures] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


FORMS: dict[str, Callable[[int], str]] = {
    "plain": str,
    "commas": "{:,}".format,
    "points": lambda number: f"{number:,}".replace(",", "."),
    "spaces": lambda number: f"{number:,}".replace(",", " "),
    "no-break spaces": lambda number: f"{number:,}".replace(",", "\u00a0"),
    "thin spaces": lambda number: f"{number:,}".replace(",", "\u202f"),
    "apostrophes": lambda number: f"{number:,}".replace(",", "'"),
    "curly apostrophes": lambda number: f"{number:,}".replace(",", "’"),
    "full width": lambda number: str(number).translate(
        str.maketrans("0123456789", "０１２３４５６７８９")
    ),
    "arabic": lambda number: str(number).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    "two decimals": "{:,}.00".format,
}


@pytest.mark.parametrize("form", FORMS)
@given(number=st.integers(0, 10**15))
@settings(max_examples=100, deadline=None)
def test_an_integer_in_any_form_reads_back(form: str, number: int) -> None:
    text = FORMS[form](number)
    (figure,) = find_figures(text)
    assert figure.text == text
    assert number in figure.values


@given(number=st.decimals(-(10**9), 10**9, places=3))
@settings(max_examples=200, deadline=None)
def test_a_decimal_reads_back(number: Decimal) -> None:
    (figure,) = find_figures(f"x = {number:f} !")
    assert Fraction(number) in figure.values


_WORDS = st.sampled_from(
    "5 10 1,200 1.200 1990 2021-03-04 four twenty hundred million half third quarter dozen one "
    "km kg % $ € ft in h min °C MB March May 4th a an the and to from between of or - – . , : / ( "
    ") [ ] [3] about more than at least up ~ < ≥ + ** ½ ² \u200b \u202e \x00 \ud800 😀 ٣ ５ GPT-4 "
    "v2.0 BC AD pm century s people rooms nineteen eighty oh fourth July over BP p x4 T23:00-05:00 "
    "UTC deg C not exceed than equal deaths body weight daily".split()
)
TEXTS = st.lists(st.tuples(_WORDS, st.sampled_from(["", " ", "\n", "\u00a0"])), max_size=25).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


@given(text=TEXTS | st.text(max_size=80))
@settings(max_examples=600, deadline=None)
def test_spans_cut_out_their_figures_in_order(text: str) -> None:
    end = 0
    for figure in find_figures(text):
        assert text[figure.start : figure.end] == figure.text
        assert end <= figure.start < figure.end
        assert figure.readings
        end = figure.end


@given(text=TEXTS | st.text(max_size=80))
@settings(max_examples=600, deadline=None)
def test_every_text_supports_its_own_figures(text: str) -> None:
    index = FigureIndex([text])
    for figure in find_figures(text):
        assert index.find(figure) is not None, figure


def test_the_nearest_figures_are_at_most_three_and_none_twice() -> None:
    references = References.of(["5 km, 6 km, 7 km, 8 km, 9 rooms, 1990"])
    (figure,) = find_figures("7.5 km")
    assert nearest_figures(figure, references) == ["7 km", "8 km", "6 km"]


def test_a_figure_is_plain_data() -> None:
    (figure,) = find_figures("about 5 km")
    assert isinstance(figure, Figure)
    assert (figure.start, figure.end, figure.unit) == (0, 10, "km")
