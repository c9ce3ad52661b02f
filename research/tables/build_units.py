"""Write the table of units that the reader of figures knows.

    python -m tables.build_units

Pint knows what each unit measures, its factor to the base units, its symbols and its other names,
and the metric prefixes. This script chooses the units that stand after numbers in ordinary texts,
adds names that Pint does not have, and writes everything to
`src/groundtypes/text/data/units.json`, so that the library needs no Pint when it runs.

What Pint counts as a number without a dimension, or as two names of one dimension, has a dimension
of its own here where it means something else: 5 Bq are not 5 Hz, 5 kVA not 5 kW. A month has no
fixed number of days, so that months and years have a dimension of their own, too.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from pint import UnitRegistry

from tables.chosen_units import ENTRIES, Entry

TARGET: Final = Path(__file__).parents[2] / "src/groundtypes/text/data/units.json"


#: Names of Pint that are other words or mean something else in a text.
UNWANTED: Final = frozenset(
    "a at u hundredweight amu point count arcsec ton hand 'dag' # Δ°C Δ°F US_pint h d ' "
    "° deg avoirdupois_pound avoirdupois_ounce international_foot international_yard "
    "international_inch international_mile lb_t B Hg baud rps r PS "
    "cycle turn circle Cal c ħ us fur dot pel cp pt gray mho candle octet µ μ "
    "degreeC degreeF degreeK inchesHg".split()
)

#: What is counted in quotients. These are units only before "per": "120 beats per minute".
COUNTED: Final = {
    "beat": "beat", "heartbeat": "beat", "revolution": "revolution", "rotation": "revolution",
    "rev": "revolution", "frame": "frame", "dot": "dot", "breath": "breath", "word": "word",
}  # fmt: skip
#: Pint measures the gauss in a system of units of its own.
SAME_DIMENSION: Final = {"gauss": "tesla"}
#: Prefixes that Pint writes in one way only.
MORE_PREFIX_SYMBOLS: Final = {
    "K": "1000", "к": "1000", "М": "1000000", "м": "1/1000", "мк": "1/1000000", "с": "1/100",
    "Г": "1000000000",
}  # fmt: skip
MORE_PREFIX_WORDS: Final = {
    "zenti": "1/100", "dezi": "1/10", "hekto": "100", "mikro": "1/1000000", "chilo": "1000",
    "quilo": "1000", "quilô": "1000", "quiló": "1000", "kiló": "1000", "centí": "1/100",
    "milí": "1/1000", "mili": "1/1000", "кило": "1000", "санти": "1/100", "милли": "1/1000",
    "мега": "1000000", "гига": "1000000000", "микро": "1/1000000",
}  # fmt: skip


def dimensions(unit: Any) -> dict[str, int]:
    """Return the dimensions of a unit of Pint, with the names that are used here."""
    names = {"[substance]": "amount", "[]": "", "[printing_unit]": "dot"}
    return {
        names.get(name, name.strip("[]")): int(power)
        for name, power in dict(unit.dimensionality).items()
    }


def parsed(dimension: str) -> dict[str, int]:
    """Return the dimensions of "data/time": each name with its power."""
    above, _, below = dimension.partition("/")
    return {above: 1} | ({below: -1} if below else {})


def names_of(entry: Entry, registry: Any) -> tuple[list[str], list[str]]:
    """Return the symbols and the words of an entry."""
    symbols = entry.symbols.split()
    words = [name for name in entry.words.split(",") if name]
    if entry.pint.isidentifier() and not entry.dimension and not entry.words.startswith("ton"):
        definition = registry._units[entry.pint]  # noqa: SLF001 # Pint has no public way to them
        for name in (definition.name, definition.symbol, *definition.aliases):
            if name in UNWANTED or "_" in name or name.startswith(("Δ", "delta")):
                continue
            (words if name.isalpha() and len(name) > 3 and name.islower() else symbols).append(name)
    symbols += [name for name in words if not name.islower() and "*" not in name]
    forms = {
        form
        for name in words
        if name.islower() or "*" in name
        for form in ({name.replace("*", ""), name.replace("*", "s")} if "*" in name else {name})
    }
    return sorted(set(symbols)), sorted(forms)


def factor_of(entry: Entry, registry: Any) -> tuple[Fraction, Fraction]:
    """Return factor and offset: `value * factor + offset` is the value in base units."""
    if entry.factor:
        return Fraction(entry.factor), Fraction(0)
    quantity = registry.Quantity
    zero = quantity(Fraction(0), entry.pint).to_base_units().magnitude
    one = quantity(Fraction(1), entry.pint).to_base_units().magnitude
    if "degree_" not in entry.pint:
        zero = Fraction(0)
    return Fraction(one - zero), Fraction(zero)


def row_of(entry: Entry, registry: Any) -> dict[str, Any]:
    """Return what is written for an entry."""
    factor, offset = factor_of(entry, registry)
    dimension = (
        parsed(entry.dimension)
        if entry.dimension
        else dimensions(registry.Quantity(1, SAME_DIMENSION.get(entry.pint, entry.pint)))
    )
    if entry.pint in ("bit", "byte"):
        dimension = {"data": 1, "time": -1} if "/" in entry.dimension else {"data": 1}
        factor = Fraction(1, 8) if entry.pint == "bit" else Fraction(1)
    if entry.pint in ("degree", "arcminute", "arcsecond", "radian"):
        dimension = {"angle": 1}
        factor = {"degree": Fraction(1), "arcminute": Fraction(1, 60),
                  "arcsecond": Fraction(1, 3600)}.get(entry.pint, factor)  # fmt: skip
        if entry.pint == "radian":
            factor = Fraction("57.29577951308232")
    if entry.pint == "steradian":
        dimension = {"solid angle": 1}
    if entry.pint == "pixel":
        dimension, factor = {"pixel": 1}, Fraction(1)
    if entry.dimension == "mass/area":
        dimension = {"mass": 1, "length": -2}
    symbols, words = names_of(entry, registry)
    symbol = (entry.symbols.split() or [entry.words.partition(",")[0].replace("*", "")])[0]
    row: dict[str, Any] = {
        "symbol": symbol, "symbols": symbols, "words": words, "factor": str(factor),
        "dimensions": dimension,
    }  # fmt: skip
    if offset:
        row["offset"] = str(offset)
    if entry.prefixes:
        row["prefixes"] = entry.prefixes.split()
    return row


def written() -> str:
    """Return the table as it is written."""
    registry: Any = UnitRegistry(non_int_type=Fraction, autoconvert_offset_to_baseunit=True)
    prefixes = {
        name: prefix
        for name, prefix in registry._prefixes.items()  # noqa: SLF001
        if name and Fraction(prefix.converter.scale) > 0
    }
    symbols = {
        form: str(Fraction(prefix.converter.scale))
        for name, prefix in prefixes.items()
        for form in (prefix.symbol, *prefix.aliases)
        if len(form) <= 2 and not form.startswith("demi")
    }
    words = {
        prefix.name: str(Fraction(prefix.converter.scale))
        for prefix in prefixes.values()
        if prefix.name.isalpha()
    }
    table = {
        "source": "research/tables/build_units.py with Pint",
        "prefix_symbols": dict(sorted((symbols | MORE_PREFIX_SYMBOLS).items())),
        "prefix_words": dict(sorted((words | MORE_PREFIX_WORDS).items())),
        "counted": COUNTED,
        "units": [row_of(entry, registry) for entry in ENTRIES],
    }
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in table.pop("units"))
    head = json.dumps(table, ensure_ascii=False, indent=0)[:-2]
    return f'{head},\n"units": [\n{lines}\n]\n}}\n'


def main() -> None:
    """Write the table."""
    TARGET.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
