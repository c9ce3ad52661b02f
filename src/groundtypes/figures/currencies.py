"""Currencies: their signs, codes and words, and which of them a word may mean."""

from functools import cache
from typing import Final

from groundtypes.figures.measure import Measure

__all__ = ["CODES", "CURRENCIES", "EAST_ASIAN", "SIGNS", "money", "money_words"]

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
#: Names of other languages.
_FOREIGN: Final = {
    **dict.fromkeys(("francs suisses", "franc suisse", "francos suizos", "franchi svizzeri",
                     "schweizer franken"), ("CHF",)),
    **dict.fromkeys(("francos", "franchi", "franków", "швейцарских франков"), ("CHF", "FRF")),
    **dict.fromkeys(("euroa",), ("EUR",)),
    **dict.fromkeys(("dollars américains", "dólares estadounidenses", "dólares americanos",
                     "dollari americani", "dolarów", "dolary", "dolarů", "долл", "доларів"),
                    _DOLLARS),
    **dict.fromkeys(("libras", "libras esterlinas", "sterline", "pfund sterling", "funtów",
                     "фунтов стерлингов", "фунтов"), ("GBP",)),
    **dict.fromkeys(("ienes", "iene", "йен", "иен", "jenów"), ("JPY",)),
    **dict.fromkeys(("юаней", "юаня", "yuanes", "yuans"), ("CNY",)),
    **dict.fromkeys(("rubel", "roubles", "rublos", "rubli", "рублях",
                     "rubeln", "rublů", "rubla"), ("RUB",)),
    **dict.fromkeys(("rupien", "roupies", "rupias", "rupie", "rúpias"), ("INR", "PKR")),
    **dict.fromkeys(("złote", "złoty", "zloty", "zlotys", "злотых"), ("PLN",)),
    **dict.fromkeys(("lire", "lira", "liras", "lir"), ("TRY", "ITL")),
    **dict.fromkeys(("kč", "korun", "koruny", "korun českých"), ("CZK",)),
    "Kč": ("CZK",), "Yen": ("JPY",), "Lei": ("RON",),
    **dict.fromkeys(("lei", "leu"), ("RON",)), "forint": ("HUF",), "forints": ("HUF",),
    "Ft": ("HUF",), "грн": ("UAH",), "гривень": ("UAH",), "₴": ("UAH",), "₸": ("KZT",),
    "฿": ("THB",), "baht": ("THB",), "rand": ("ZAR",), "shekels": ("ILS",), "shekel": ("ILS",),
    "couronnes": ("SEK", "NOK", "DKK", "CZK"), "coronas": ("SEK", "NOK", "DKK", "CZK"),
    "corone": ("SEK", "NOK", "DKK", "CZK"), "coroas": ("SEK", "NOK", "DKK", "CZK"),
    "kroner": ("NOK", "DKK"),
    "dólares": _DOLLARS, "dólar": _DOLLARS, "dollari": _DOLLARS, "долларов": _DOLLARS,
    "доллара": _DOLLARS, "доллар": _DOLLARS, "евро": ("EUR",), "рублей": ("RUB",),
    "рубля": ("RUB",), "рубль": ("RUB",), "руб": ("RUB",), "livres sterling": ("GBP",),
    "pesos": ("MXN", "ARS", "PHP"), "reais": ("BRL",), "yenes": ("JPY",), "złotych": ("PLN",),
    "kronen": ("NOK", "DKK"), "franken": ("CHF", "FRF"), "zł": ("PLN",),
    "kr": ("SEK", "NOK", "DKK"),
}  # fmt: skip


#: Countries before the name of their currency.
_COUNTRIES: Final = {
    "US": ("USD", "dollar"), "U.S.": ("USD", "dollar"), "American": ("USD", "dollar"),
    "Canadian": ("CAD", "dollar"), "Australian": ("AUD", "dollar"), "Singapore": ("SGD", "dollar"),
    "New Zealand": ("NZD", "dollar"), "Hong Kong": ("HKD", "dollar"), "Swiss": ("CHF", "franc"),
    "British": ("GBP", "pound"), "Indian": ("INR", "rupee"), "Pakistani": ("PKR", "rupee"),
    "Mexican": ("MXN", "peso"), "Philippine": ("PHP", "peso"), "Argentine": ("ARS", "peso"),
    "Russian": ("RUB", "ruble"), "Turkish": ("TRY", "lira"),
    "Swedish": ("SEK", "kronor"), "Norwegian": ("NOK", "kroner"), "Danish": ("DKK", "kroner"),
    "Japanese": ("JPY", "yen"), "Chinese": ("CNY", "yuan"), "Polish": ("PLN", "zloty"),
    "South African": ("ZAR", "rand"), "Thai": ("THB", "baht"),
}  # fmt: skip
#: Names in scripts without spaces between words, which any letter may follow.
EAST_ASIAN: Final[dict[str, tuple[str, ...]]] = {
    "円": ("JPY",), "日元": ("JPY",), "엔": ("JPY",), "元": ("CNY", "TWD", "HKD"),
    "人民元": ("CNY",), "人民币": ("CNY",), "人民幣": ("CNY",), "위안": ("CNY",), "원": ("KRW",),
    "韩元": ("KRW",), "ウォン": ("KRW",), "米ドル": ("USD",), "美元": ("USD",), "달러": _DOLLARS,
    "ドル": _DOLLARS, "欧元": ("EUR",), "歐元": ("EUR",), "ユーロ": ("EUR",), "유로": ("EUR",),
    "英镑": ("GBP",), "英鎊": ("GBP",), "ポンド": ("GBP",), "파운드": ("GBP",), "港元": ("HKD",),
    "卢布": ("RUB",), "盧布": ("RUB",),
}  # fmt: skip


def money(names: tuple[str, ...], symbol: str, factor: str = "1") -> tuple[Measure, ...]:
    """Return what an amount in one of the currencies measures."""
    return tuple(
        Measure(((f"money:{name}", 1),), symbol if len(names) > 1 else name, factor)
        for name in names
    )


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
    words |= {name: money(currencies, name) for name, currencies in _FOREIGN.items()}
    words |= {name: money(currencies, name) for name, currencies in EAST_ASIAN.items()}
    for country, (code, noun) in _COUNTRIES.items():
        for form in (noun, f"{noun}s", noun.capitalize(), f"{noun.capitalize()}s"):
            words[f"{country} {form}"] = words[f"{country} {form}".lower()] = money((code,), form)
    for names, currencies in _HUNDREDTHS:
        words |= dict.fromkeys(names, money(currencies, names[0], "1/100"))
    return words
