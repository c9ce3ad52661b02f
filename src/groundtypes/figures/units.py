"""The table of units, which Pint made, and what a name of a unit may mean.

The table is read when the first unit is looked up. Symbols are compared with their case, since mW
and MW are different units; words are not. A name may have several meanings: there are a short and
a long ton.
"""

from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.currencies import money_words
from groundtypes.figures.figure import simplify
from groundtypes.figures.measure import Measure, power
from groundtypes.figures.unit_words import unit_words
from groundtypes.text.units import unit_table

#: In front of the name of a length, without a space: "Quadratmeter", "sqm".
_ATTACHED_POWERS: Final = (("quadrat", 2), ("kubik", 3), ("sq", 2))
#: Shorter words are compared with their case.
_SHORTEST_WORD: Final = 4
#: Units with the name of a person, which in a text is mostly the person: "In 1687 Newton wrote".
_PERSONS: Final = frozenset(
    "newton weber henry curie tesla joule kelvin pascal dalton hertz gauss siemens celsius "
    "coulomb faraday watt volt".split()
)


class _Table(NamedTuple):
    """The units by their names, and the prefixes."""

    symbols: dict[str, list[Measure]]
    words: dict[str, list[Measure]]
    #: Units that take prefixes, each with the factors of these.
    prefixed_symbols: dict[str, list[tuple[Measure, dict[str, Fraction]]]]
    prefixed_words: dict[str, list[tuple[Measure, dict[str, Fraction]]]]
    counted: dict[str, str]
    first_words: frozenset[str]


def meanings(name: str) -> tuple[Measure, ...]:
    """Return what the name or symbol of a unit may mean; nothing if it is not known."""
    found = _meanings(name)
    if found or len(name) < _SHORTEST_WORD:
        return found
    lower = name.lower()
    if lower == name or (lower in _PERSONS and not name.isupper()):
        return found
    return _meanings(lower)


@lru_cache(maxsize=8192)
def _meanings(name: str) -> tuple[Measure, ...]:
    table = _table()
    found = [
        *table.symbols.get(name, ()), *table.words.get(name, ()), *money_words().get(name, ()),
        *_with_prefix(name, table.prefixed_symbols, longest=2),
        *(_with_prefix(name, table.prefixed_words, longest=6) if len(name) > 5 else ()),
    ]  # fmt: skip
    for words, exponent in _ATTACHED_POWERS:
        if not found and name.startswith(words):
            lengths = meanings(name.removeprefix(words).lstrip("- "))
            found = [power(item, exponent) for item in lengths if _is_length(item)]
    if not found and (unit := unit_words().get(name)):
        exponent = {"²": 2, "³": 3}.get(unit[-1], 1)
        return tuple(power(measure, exponent) for measure in meanings(unit.rstrip("²³")))
    return tuple(dict.fromkeys(found))


def _is_length(measure: Measure) -> bool:
    return measure.dimension == (("length", 1),)


def _with_prefix(
    name: str, units: dict[str, list[tuple[Measure, dict[str, Fraction]]]], longest: int
) -> list[Measure]:
    """Return the meanings of a name that begins with a prefix."""
    found = []
    for length in range(1, min(longest, len(name) - 1) + 1):
        for unit, factors in units.get(name[length:], ()):
            if factor := factors.get(name[:length]):
                scaled = simplify(Fraction(unit.factor) * factor)
                found.append(Measure(unit.dimension, name[:length] + unit.symbol, scaled))
    return found


def begins_longer_name(word: str) -> bool:
    """Whether a name of several words may begin with the word."""
    return word in _table().first_words


def counted(word: str) -> str | None:
    """Return the unit that is counted only in quotients: the beat of "120 beats per minute"."""
    return _table().counted.get(word)


@cache
def _table() -> _Table:
    """Read the table."""
    data = unit_table()
    symbols = {name: Fraction(factor) for name, factor in data["prefix_symbols"].items()}
    words = {name: Fraction(factor) for name, factor in data["prefix_words"].items()}
    table = _Table({}, {}, {}, {}, {}, frozenset())
    for row in data["units"]:
        measure = Measure(
            tuple(sorted(row["dimensions"].items())),
            row["symbol"],
            simplify(Fraction(row["factor"])),
            simplify(Fraction(row.get("offset", 0))),
        )
        allowed = row.get("prefixes", ())
        if allowed == ["1024"]:
            of_symbols = {letter: Fraction(1024**count) for letter, count in _POWERS_OF_1024}
            of_words = {word: Fraction(1024**count) for word, count in _WORDS_OF_1024}
        else:
            of_symbols = {name: symbols[name] for name in allowed}
            of_words = words
            of_symbols |= {name: words_ for name, words_ in symbols.items() if name[0] > "\u0400"}
        for names, direct, prefixed, factors in (
            (row["symbols"], table.symbols, table.prefixed_symbols, of_symbols),
            (row["words"], table.words, table.prefixed_words, of_words),
        ):
            for name in names:
                direct.setdefault(name.replace("-", " "), []).append(measure)
                if allowed:
                    prefixed.setdefault(name.replace("-", " "), []).append((measure, factors))
        if allowed:  # Cyrillic symbols stand among the words, which have no upper case
            for name in row["words"]:
                if len(name) <= 2:
                    table.prefixed_symbols.setdefault(name, []).append((measure, of_symbols))
    table.counted.update(data["counted"])
    names = (*table.symbols, *table.words, *money_words())
    first_words = {name.partition(" ")[0] for name in names if " " in name}
    first_words |= {word.lower() for word in first_words}
    first_words |= {
        prefix + name.partition(" ")[0]
        for name in table.prefixed_words
        if " " in name
        for prefix in words
    }
    return table._replace(first_words=frozenset(first_words))


#: A kilobyte is 1,000 bytes or 1,024: writers use both.
_POWERS_OF_1024: Final = (("k", 1), ("K", 1), ("M", 2), ("G", 3), ("T", 4), ("P", 5))
_WORDS_OF_1024: Final = (("kilo", 1), ("mega", 2), ("giga", 3), ("tera", 4), ("peta", 5))
