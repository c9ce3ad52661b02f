"""The table of units that Pint made, and which short names after a number are symbols of units.

The table is read when the first of them is looked up. Symbols are compared with their case, since
mW and MW are different units.
"""

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

__all__ = ["is_doubtful_symbol", "is_unit_symbol", "is_unit_word", "unit_table"]

#: Symbols in use that the table does not have.
_MORE_SYMBOLS: Final = frozenset(
    "kbp Mbp Gbp nt pt TL kTL Nm kNm mNm Ncm mya bya kya k tn AD CE PFU TEU teu boe mcf bcf dwt "
    "cpm dpm rcf NTU FNU dtex GWe MWe MWth GWth kVAr sqm sqft cbm qm bhp CV PS HP FPS DPI BPM "
    "PPM UI UA dH HU кг г мг мкг т ц км м см мм мкм нм л мл дл га ч мин сек мс Вт кВт МВт ГВт "
    "кВтч Гц кГц МГц ГГц Па кПа МПа Дж кДж ккал кал эВ кэВ МэВ А мА мВ кВ Ом кОм МОм дБ моль "
    "ммоль ГБ МБ КБ кБ ТБ Мбит Гбит об атм бар руб грн тг บาท กก กม ซม มม กรัม đ đồng VNĐ".split()
)
#: Symbols of the table that are far more often another word.
_WORDS: Final = frozenset("in x au um us day cup ton tons Tag bit amp amps var bips deg".split())
#: Names of more than three small letters that are symbols and not written out.
_LONG_SYMBOLS: Final = frozenset(
    "kcal mmhg psig ppmv ppbv pptv osmol floz tbsp arcmin arcsec mbar kbar mkat nkat mrad mmol "
    "nmol pmol fmol kmol umol kpsi kbps kbit mohm kohm sqft dtex".split()
)
#: Symbols that are also a word, a name or an abbreviation: what is around them decides.
_DOUBTFUL: Final = frozenset(
    "k tn AD CE bar mi mo rad kat cd cal ka Ma Ga bu ct pc erg PS UI UA IE CV HU AU pt gal lm sr "
    "hp dyn ng ps fs fm nt MS MA MC MG MM MN NM CM KM Km LB FT VA VAR HP FPS Cal Ci об".split()
)
#: Single letters that are symbols wherever they follow a number and a space.
_LETTERS: Final = frozenset("mgltLhKWVNJ\u2113\u03a9\u2126\u00c5\u212bđ")
#: A metric prefix and capitals: what a symbol looks like that no table has, such as "cSt".
_LIKE_A_SYMBOL: Final = re.compile("[fpnu\u00b5\u03bcmkc][A-Z]{1,2}[a-z]{0,2}(?<!s)")
#: Names of the same form that are no units: kinds of antibodies and cells, a degree.
_NO_SYMBOLS: Final = frozenset("mAb nAb pAb mDC pDC cDC uPA cGMP mAP cAD".split())


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
        name not in _NO_SYMBOLS and _LIKE_A_SYMBOL.fullmatch(name) is not None
    )


def is_doubtful_symbol(name: str) -> bool:
    """Whether a symbol of a unit is also a word, a name or a letter that numbers something."""
    return name in _DOUBTFUL or (len(name) == 1 and name not in _LETTERS)


@lru_cache(maxsize=4096)
def is_unit_word(name: str) -> bool:
    """Whether a word is the name of a unit: hours, metres, percent."""
    return name.lower() in _words()


@cache
def _symbols() -> frozenset[str]:
    names = set(_MORE_SYMBOLS)
    for unit in unit_table()["units"]:
        prefixes = [prefix for prefix in unit.get("prefixes", ()) if not prefix.isdigit()]
        for symbol in unit["symbols"]:
            if symbol.isalpha() and not _is_written_out(symbol):
                names.update((symbol, *(prefix + symbol for prefix in prefixes)))
    return frozenset(names) - _WORDS


def _is_written_out(name: str) -> bool:
    """Whether a symbol of the table is rather a word, such as "Stunde" and "tons"."""
    if name == "Torr" or name in _LONG_SYMBOLS:
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
    return frozenset(name for name in names if len(name) > 2 and " " not in name) | _COUNTED


#: What doses and ages are counted in, as often as in units.
_COUNTED: Final = frozenset(
    "tablet tablets pill pills capsule capsules drop drops dose doses puff puffs spoonful "
    "spoonfuls point points people persons patients participants times dollars euros pounds "
    "francs tabletten tropfen kapseln comprimés comprimidos compresse gouttes gotas gocce".split()
)
