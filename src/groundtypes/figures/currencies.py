"""Currencies: their signs, codes and words, and which of them a word may mean."""

from functools import cache
from typing import Final

from groundtypes.figures.measure import Measure
from groundtypes.words import named_words

#: Without a country, "dollar" may be any of these.
_DOLLARS: Final = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD")
#: Sign or word -> the currencies that it may mean.
CURRENCIES: Final[dict[str, tuple[str, ...]]] = {
    "$": _DOLLARS, "US$": ("USD",), "A$": ("AUD",), "AU$": ("AUD",), "C$": ("CAD",),
    "CA$": ("CAD",), "NZ$": ("NZD",), "HK$": ("HKD",), "S$": ("SGD",), "R$": ("BRL",),
    "€": ("EUR",), "£": ("GBP",), "¥": ("JPY", "CNY"), "₹": ("INR",), "₩": ("KRW",),
    "₽": ("RUB",), "₺": ("TRY",), "₪": ("ILS",), "₫": ("VND",), "₱": ("PHP",), "₦": ("NGN",),
    "Rs": ("INR", "PKR"), "Rs.": ("INR", "PKR"), "dollar": _DOLLARS, "US dollar": ("USD",),
    "U.S. dollar": ("USD",), "American dollar": ("USD",), "Canadian dollar": ("CAD",),
    "Australian dollar": ("AUD",), "buck": _DOLLARS, "euro": ("EUR",), "pound": ("GBP",),
    "quid": ("GBP",), "pound sterling": ("GBP",), "yen": ("JPY",), "yuan": ("CNY",),
    "renminbi": ("CNY",), "RMB": ("CNY",), "rupee": ("INR", "PKR"), "franc": ("CHF", "FRF"),
    "rouble": ("RUB",),
    "ruble": ("RUB",), "peso": ("MXN", "ARS", "PHP"), "won": ("KRW",), "krona": ("SEK",),
    "kronor": ("SEK",), "krone": ("NOK", "DKK"), "real": ("BRL",), "mark": ("DEM",),
    "shilling": ("GBP", "KES"), "guinea": ("GBP",), "TL": ("TRY",),
}  # fmt: skip
#: Codes of ISO 4217 that are no other words or abbreviations.
CODES: Final = tuple(
    (
        "USD EUR GBP JPY CNY CHF INR CAD AUD NZD HKD SGD SEK NOK DKK RUB BRL MXN KRW TRY ZAR PLN "
        "CZK HUF ILS THB IDR MYR PHP VND NGN KES PKR AED SAR UAH RON BGN ISK TWD ARS CLP COP EGP "
        "QAR KWD BHD OMR JOD TND DZD KZT UZS AZN BYN RSD LKR BDT NPR GHS ETB UGX TZS UYU PYG RMB "
        "DEM FRF ITL"
    ).split()
)
CURRENCIES.update({code: (code,) for code in CODES if code != "RMB"})
#: Signs and codes that may precede an amount, the longest first.
SIGNS: Final = tuple(
    sorted((name for name in CURRENCIES if not name.islower()), key=len, reverse=True)
)

#: Words with other meanings: only their plural is a unit.
_PLURAL_ONLY: Final = frozenset(("real", "mark", "guinea"))
#: Hundredths: their names, and what they are hundredths of.
_HUNDREDTHS: Final = (
    (("euro cents", "euro cent", "eurocents", "eurocent"), ("EUR",)),
    (("cents", "cent", "¢", "ct"), (*_DOLLARS, "EUR")), (("pence", "pennies", "penny"), ("GBP",)),
)  # fmt: skip


def money(names: tuple[str, ...], symbol: str, factor: str = "1") -> tuple[Measure, ...]:
    """Return what an amount in one of the currencies measures."""
    return tuple(
        Measure(((f"money:{name}", 1),), symbol if len(names) > 1 else name, factor)
        for name in names
    )


@cache
def spaceless_currencies() -> tuple[str, ...]:
    """Return the names in scripts without spaces between words, which any letter may follow."""
    return tuple(name for _, _, name in named_words("spaceless currency"))


@cache
def money_words() -> dict[str, tuple[Measure, ...]]:
    """Return what each word or sign after an amount means."""
    words: dict[str, tuple[Measure, ...]] = {}
    for name, currencies in CURRENCIES.items():
        meanings = money(currencies, name)
        is_word = name.islower() or " " in name
        if name == "won" or name not in _PLURAL_ONLY:
            words[name] = meanings
        if is_word:
            words[f"{name}s"] = meanings
    del words["won"]
    for kind in ("currency", "spaceless currency"):
        for codes, _, name in named_words(kind):
            words[name] = money(tuple(codes.split()), name)
    for currency, _, country in named_words("country of"):
        code, noun = currency.split()
        for form in (noun, f"{noun}s", noun.capitalize(), f"{noun.capitalize()}s"):
            words[f"{country} {form}"] = words[f"{country} {form}".lower()] = money((code,), form)
    for names, currencies in _HUNDREDTHS:
        words |= dict.fromkeys(names, money(currencies, names[0], "1/100"))
    return words
