"""Numbers: whether a text states one, with its unit, and how it differs from what is stated."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Final, NamedTuple

from groundtypes.figures.figure import Figure, Reading
from groundtypes.validators.typed.candidates import Candidate, Source
from groundtypes.validators.typed.finding import Finding, Options, choose
from groundtypes.validators.typed.units import FieldUnit, counts_noun

#: Kinds of readings that are no amounts of anything.
_NO_AMOUNTS: Final = ("time", "timestamp", "identifier", "label", "range", "ratio")
_BARE: Final = ("number", "cell", "bare cell", "ordinal")
#: A float of a converted unit may be off by this share.
_FLOAT_ERROR: Final = Fraction(1, 10**9)
#: By how large a share a rounding may be off.
_ROUNDING: Final = Fraction(1, 10)
_MOST_ZEROS: Final = 15
_DECIMAL: Final = re.compile(r"[0-9]{1,12}\.[0-9]{1,6}", re.ASCII)
_YEARS: Final = range(1000, 2200)


class Amount(NamedTuple):
    """What a candidate says in the unit of the field; `fits` is `None` where it has no unit."""

    value: Fraction
    fits: bool | None
    kind: str
    step: Fraction


def exact(value: float | Decimal | Fraction) -> Fraction | None:
    """Return a number as a fraction: a float as it is written. `None` if it is not finite."""
    if isinstance(value, float):
        return Fraction(repr(value)) if isfinite(value) else None
    if isinstance(value, Decimal) and not value.is_finite():
        return None
    return Fraction(value)


def find_number(
    value: Fraction, source: Source, unit: FieldUnit | None, options: Options
) -> Finding:
    """Return whether the source states a number, and how it differs from what is stated."""
    known = [
        (one, amounts)
        for one in source.candidates()
        if (amounts := list(_amounts(one, source, unit, value)))
    ]
    return choose(known, source, options, _Comparison(value, unit, options))


class _Comparison(NamedTuple):
    """Compares a number with the amounts of candidates."""

    value: Fraction
    unit: FieldUnit | None
    options: Options

    def equals(self, amount: Amount) -> bool:
        """Whether an amount is the value, within the tolerance."""
        off = abs(amount.value - self.value)
        if off == 0 or off <= self.options.tolerance(amount.value):
            return True
        if _is_recurring(amount.value):  # 1/3 and 0.333
            step = _step(self.value)
            return step < Fraction(1, 100) and off <= step
        return off <= abs(self.value) * _FLOAT_ERROR

    def difference(self, amount: Amount) -> str | None:
        """Return the fault of a value that is near an amount: wrong sign, scale, or rounded."""
        if amount.value == 0 or self.value == 0:
            return None
        if amount.value == -self.value:
            return "value_wrong_sign"
        ratio = abs(self.value / amount.value)
        if _is_power_of_ten(ratio):
            return "value_wrong_scale"
        off = abs(amount.value - self.value)
        is_rounding = off < _step(self.value) or 2 * off <= amount.step
        if off <= abs(amount.value) * _ROUNDING and is_rounding:
            return "value_rounded"
        return None

    def write(self, amount: Amount) -> str:
        """Return an amount as the field should have it."""
        return written(amount.value)


def written(value: Fraction) -> str:
    """Return a number in digits."""
    if value.denominator == 1:
        return str(value.numerator)
    if _is_recurring(value):
        return repr(float(value))
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def _amounts(
    candidate: Candidate, source: Source, unit: FieldUnit | None, value: Fraction
) -> Iterator[Amount]:
    """Yield what a candidate may say in the unit of the field."""
    figure = candidate.figure
    text = source.references.texts[candidate.text]
    noun = None
    if unit is not None and unit.noun:
        noun = counts_noun(figure, text[candidate.end : candidate.end + 60], unit.noun)
    has_unit = unit is not None and any(
        each.kind in {meaning for meaning, _ in unit.meanings} for each in figure.readings
    )
    for reading in figure.readings:
        if has_unit and reading.kind == "cell":
            continue  # the digits of a cell whose header says that they are thousands
        for amount in _of_reading(reading, figure, unit, counts=noun):
            yield amount
            if candidate.negative:
                yield amount._replace(value=-amount.value)
        year = reading.value[1] if isinstance(reading.value, tuple) else None
        if reading.kind == "date" and unit is None and value == year and value in _YEARS:
            yield Amount(value, None, "date", Fraction(1))


def _of_reading(
    reading: Reading, figure: Figure, unit: FieldUnit | None, *, counts: bool | None
) -> Iterator[Amount]:
    step = Fraction(figure.step)
    kind, value, number, _, _ = reading
    if kind == "label" and isinstance(value, str) and _DECIMAL.fullmatch(value):
        kind, value = "number", Fraction(value)  # of "Subtotal 42.00"
    if isinstance(value, tuple | str) or kind.startswith(_NO_AMOUNTS):
        return
    plain = Fraction(value if number is None else number)
    name = f"{kind} {figure.unit}" if kind == "count" else kind
    if unit is None:
        yield Amount(plain, None, name, step)
        if kind in ("percent", "percentage points"):
            yield Amount(Fraction(value), None, name, step / 100)
        return
    if unit.noun:
        scale = Fraction(unit.scale)
        yield Amount(plain / scale, counts, name, step / scale)
        if scale != 1 and counts is None:
            yield Amount(plain, None, name, step)
        return
    for meaning, factor in unit.meanings:
        if kind == meaning or (kind == "count" and meaning == "number"):
            amount = Fraction(value - unit.offset) / Fraction(factor)
            yield Amount(amount, True, "unit", step * amount / plain if plain else step)
            if amount != plain:
                yield Amount(plain, False, "unit", step)
            return
        if kind in _BARE:
            yield Amount(plain, None, "unit", step)
            if meaning.startswith("money") and factor != 1:
                yield Amount(plain / Fraction(factor), None, "unit", step / Fraction(factor))
            return
    yield Amount(plain, False, name, step)


def _step(value: Fraction) -> Fraction:
    """Return the place value of the last digit that is not zero."""
    digits = written(value)
    whole, _, decimals = digits.partition(".")
    if decimals:
        return Fraction(1, 10 ** len(decimals))
    zeros = len(whole) - len(whole.rstrip("0"))
    return Fraction(10 ** min(zeros, _MOST_ZEROS))


def _is_recurring(value: Fraction) -> bool:
    denominator = value.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator != 1


def _is_power_of_ten(ratio: Fraction) -> bool:
    return re.fullmatch("10+", str(max(ratio, 1 / ratio))) is not None
