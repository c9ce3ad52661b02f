"""The table of units and the grammar of quotients, products and powers of units."""

import subprocess
import sys
from fractions import Fraction
from importlib.metadata import version

import pytest

from groundtypes.figures import find_figures

#: text -> (kind, how many base units the quantity has)
READ: dict[str, tuple[str, Fraction]] = {
    "5 mg/dL": ("mass/length³", Fraction("0.05")),
    "5 milligrams per decilitre": ("mass/length³", Fraction("0.05")),
    "5 mmol/L": ("amount/length³", Fraction(5)),
    "50 µg/m³": ("mass/length³", Fraction("5e-8")),
    "50 μg m⁻³": ("mass/length³", Fraction("5e-8")),
    "8 m s⁻¹": ("speed", Fraction(8)),
    "8 m s-1": ("speed", Fraction(8)),
    "36 km/h": ("speed", Fraction(10)),
    "36 kph": ("speed", Fraction(10)),
    "9.81 metres per second squared": ("length/time²", Fraction("9.81")),
    "5 mg/kg/day": ("mass/mass/time", Fraction("5e-6") / 86400),
    "5 mg per kg of body weight per day": ("mass/mass/time", Fraction("5e-6") / 86400),
    "5 mg/kg bw/day": ("mass/mass/time", Fraction("5e-6") / 86400),
    "5 g of salt a day": ("mass/time", Fraction("0.005") / 86400),
    "45p a mile": ("money:GBP/length", Fraction("0.45") / Fraction("1609.344")),
    "5 l/100 km": ("area", Fraction("5e-8")),
    "2 N m": ("energy", Fraction(2)),
    "1 kWh": ("energy", Fraction(3_600_000)),
    "1 kilowatt-hour": ("energy", Fraction(3_600_000)),
    "16 mA": ("current", Fraction("0.016")),
    "16 A": ("current", Fraction(16)),
    "5 mW": ("power", Fraction("0.005")),
    "5 MW": ("power", Fraction(5_000_000)),
    "15 ppb": ("percent", Fraction("15e-9")),
    "3 Quadratkilometer": ("area", Fraction(3_000_000)),
    "3 sq ft": ("area", 3 * Fraction("0.3048") ** 2),
    "5 км/ч": ("speed", Fraction(25, 18)),
    "12 XYZ": ("unit XYZ", Fraction(12)),
    "12 XYZ/mL": ("unit XYZ/length³", Fraction(12_000_000)),
    "60 fps": ("frame/time", Fraction(60)),
    "60 frames per second": ("frame/time", Fraction(60)),
    "300 people per km²": ("count/length²", Fraction("3e-4")),
    "−40 °F": ("temperature", Fraction("233.15")),
    "40 degrees below zero Celsius": ("temperature", Fraction("233.15")),
}


@pytest.mark.parametrize("text", READ)
def test_a_unit_is_read_with_its_dimension_and_factor(text: str) -> None:
    (figure,) = find_figures(text)
    kind, value = READ[text]
    assert figure.text == text
    assert (kind, value) in [(reading.kind, reading.value) for reading in figure.readings]


@pytest.mark.parametrize(
    "text",
    [
        "12 EU states",
        "3 NBA titles",
        "In 2020 NATO met",
        "In 1687 Newton wrote",
        "5 iPhones",
        "3 vs 4",
        "the 4 of them",
    ],
)
def test_an_ordinary_word_after_a_number_is_no_unit(text: str) -> None:
    kinds = {figure.kind for figure in find_figures(text)}
    assert kinds <= {"number", "count", "date"}


def test_the_rate_of_a_price_may_be_left_out_and_a_concentration_may_not() -> None:
    (price,) = find_figures("$500 a month")
    assert ("money:USD", 500, True) in [
        (reading.kind, reading.value, reading.partial) for reading in price.readings
    ]
    (concentration,) = find_figures("5 mg/kg")
    assert not any(reading.partial for reading in concentration.readings)


def test_the_table_is_read_when_a_figure_is_and_not_on_import() -> None:
    code = (
        "import groundtypes, groundtypes.figures.units as units\n"
        "assert units._table.cache_info().currsize == 0\n"
        "assert groundtypes.figures.find_figures('5 km')\n"
        "assert units._table.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_table_is_what_its_script_writes() -> None:
    pytest.importorskip("pint")
    if tuple(map(int, version("pint").split(".")[:2])) > (0, 25):
        pytest.skip("from Pint 0.26 on, the fathom is no longer of survey feet")
    from tables import build_units  # noqa: PLC0415 # needs Pint

    shipped = build_units.TARGET.read_text(encoding="utf-8")
    assert build_units.written() == shipped
