"""The table of units that Pint made, and which short names after a number are symbols of units.

The table is read when the first of them is looked up. Symbols are compared with their case, since
mW and MW are different units.
"""

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from groundtypes.words import all_words

#: Single letters that are symbols wherever they follow a number and a space.
_LETTERS: Final = frozenset("mgltLhKWVNJ\u2113\u03a9\u2126\u00c5\u212bđ")
#: A metric prefix and capitals: what a symbol looks like that no table has, such as "cSt".
_LIKE_A_SYMBOL: Final = re.compile("[fpnu\u00b5\u03bcmkc][A-Z]{1,2}[a-z]{0,2}(?<!s)")


@cache
def unit_table() -> dict[str, Any]:
    """Return the table as it is stored: units, their names and their prefixes."""
    path = files("groundtypes.text").joinpath("data", "units.json")
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table


@lru_cache(maxsize=4096)
def is_unit_symbol(name: str) -> bool:
    """Whether a short name after a number is the symbol of a unit, or looks like one."""
    return name in _symbols() or (
        name not in all_words("no unit symbol") and _LIKE_A_SYMBOL.fullmatch(name) is not None
    )


def is_doubtful_symbol(name: str) -> bool:
    """Whether a symbol of a unit is also a word, a name or a letter that numbers something."""
    return name in all_words("doubtful unit symbol") or (len(name) == 1 and name not in _LETTERS)


@lru_cache(maxsize=4096)
def is_unit_word(name: str) -> bool:
    """Whether a word is the name of a unit: hours, metres, percent."""
    return name.lower() in _words()


@cache
def _symbols() -> frozenset[str]:
    names = set(all_words("symbol of a unit"))
    for unit in unit_table()["units"]:
        prefixes = [prefix for prefix in unit.get("prefixes", ()) if not prefix.isdigit()]
        for symbol in unit["symbols"]:
            if symbol.isalpha() and not _is_written_out(symbol):
                names.update((symbol, *(prefix + symbol for prefix in prefixes)))
    return frozenset(names) - all_words("word that is also a symbol")


def _is_written_out(name: str) -> bool:
    """Whether a symbol of the table is rather a word, such as "Stunde" and "tons"."""
    if name == "Torr" or name in all_words("long unit symbol"):
        return False
    return len(name) > 3 and (name.istitle() or name.islower()) and name[0] <= "z"


@cache
def _words() -> frozenset[str]:
    table = unit_table()
    names: set[str] = set()
    for unit in table["units"]:
        for word in unit["words"]:
            names.add(word)
            if unit.get("prefixes"):
                names.update(prefix + word for prefix in table["prefix_words"])
        names.update(symbol.lower() for symbol in unit["symbols"] if _is_written_out(symbol))
    return frozenset(name for name in names if len(name) > 2 and " " not in name) | all_words(
        "counted like a unit"
    )
