"""What belongs to a number: sign, currency, thousands, fraction, range, exponent, scale, unit.

The patterns match in plain text (`edge_context`), and no quote may begin or end inside of a match.
It begins with the last character of what is on the left, and ends with the first one of what is on
the right, or with a whole word.
"""

import re
from typing import Final

from groundtypes.text.characters import WORD

__all__ = [
    "AFTER_NUMBER",
    "BEFORE_NUMBER",
    "INSIDE_NUMBER",
    "NUMERAL_CHARACTERS",
    "NUMERAL_WORDS",
    "SCALE_WORDS",
    "SIGN_WORDS",
    "cuts_ordinal",
]

_CURRENCY_SIGNS: Final = (
    "$\u00a2-\u00a5\u058f\u060b\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20cf\ufdfc"
    "\uffe0\uffe1\uffe5\uffe6"
)
_CURRENCY_CODES: Final = (
    "EUR|USD|GBP|JPY|CHF|CNY|RMB|INR|AUD|CAD|NZD|HKD|SGD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RUB|"
    "UAH|TRY|ILS|AED|SAR|EGP|ZAR|NGN|KES|BRL|MXN|ARS|CLP|COP|PEN|KRW|TWD|THB|VND|IDR|MYR|PHP|PKR|"
    "BDT|LKR|BTC|ETH|Rs\\.?|kr\\.?|Fr\\.|SFr\\.?|Kč|zł|Ft|лв\\.?|руб\\.?|грн\\.?"
)
#: Numbers that a smaller number multiplies, and parts of a hundred.
_SCALES: Final = (
    "hundred|thousand|million|billion|trillion|quadrillion|dozen|lakh|crore|bn|mn|mln|mio|mrd|"
    "percent|percentage|per cent|pct|permille|hundert|tausend|million(?:en)?|milliarden?|billionen|"
    "prozent|promille|dutzend|mille|milliers?|millions?|milliards?|pour cent|pour mille|mil|"
    "mill[oó]n(?:es)?|bill[oó]n(?:es)?|por cento|por ciento|por mil|milh(?:ão|ões)|bilh(?:ão|ões)|"
    "mila|milion[ei]|miliard[oi]|per mille|duizend|miljoen|miljard|procent[aou]?|prosent|"
    "tusen|tusind|miljon(?:er)?|miljard(?:er)?|millioner|milliard(?:er)?|tuhatta|miljoonaa?|"
    "miljardia?|prosenttia?|tysi[ąę]ce?|tysięcy|tys\\.?|milion(?:y|ów|ů)?|mld|miliard(?:y|ów|ů)?|"
    "tisíce?|bin|milyon|milyar|тысяч[аиу]?|тыс\\.?|миллион(?:а|ов)?|млн|миллиард(?:а|ов)?|млрд|"
    "процент(?:а|ов)?|тисяч[аі]?|мільйон(?:а|ів)?|мільярд(?:а|ів)?|відсот(?:ок|ка|ків)|"
    "χιλιάδες|εκατομμύρι[αο]|δισεκατομμύρι[αο]|τοις εκατό|ألف|آلاف|مليون|ملايين|مليار|"
    "بالمئة|بالمائة|في المئة|في المائة|אלף|אלפים|מיליון|מיליארד|אחוז|אחוזים|हज़ार|हजार|लाख|करोड़|"
    "प्रतिशत|फीसदी|nghìn|ngàn|triệu|tỷ|tỉ|phần trăm|ribu|juta|miliar|triliun|persen|"
    "천|만|억|조|퍼센트"
).replace(" ", "[ ]")
#: Symbols of units, except those that are also common words, such as "in" and "a".
_UNITS: Final = (
    "[kcmµμnd]?m[²³]?|km[²³]|[kmµμnp]?g|[kMG]?t|[cdmµμn]?[lL]|[munµμpkMGT]?mol|[kMGT]?Hz|[kMGm]?[WVNJ]|"
    "[kMGT]?Wh|[mµμ]A|[mkM]Pa|hPa|mbar|mmHg|[kMGT]i?B|[kMGT]bit|kcal|cal|ppm|ppb|pH|IU|IE|dB|K|"
    "h|min|sec|ms|µs|ns|hrs?|ft|mph|kph|lbs?|oz|ha|km/h|m/s|[°º][CF]?|℃|℉|p\\.m\\.|a\\.m\\.|pm|PM|"
    "AM|BCE?|B\\.C\\.|v\\. ?Chr|av\\. ?J|до н"
).replace(" ", "[ ]")
#: Words for a minus sign before a number.
SIGN_WORDS: Final = frozenset(
    "minus moins menos meno miinus negative минус мінус μείον ناقص מינוס माइनस eksi".split()
)
_SIGN_WORDS: Final = "|".join(sorted(SIGN_WORDS))
_RANGE_WORDS: Final = (
    "to|or|and|bis|oder|und|à|ou|et|до|или|и|til|till|eller|og|och|tot|of|en|al|a|o|y|e|až|do|lub"
)
#: Words of a range between two amounts that both have a unit.
_SPAN_WORDS: Final = "to|bis|à|до|til|till|tot|až|do"
_NUMERALS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig "
    "sechzig siebzig achtzig neunzig deux trois quatre cinq sept huit neuf dix onze douze quinze "
    "vingt trente quarante cinquante soixante dos tres cuatro cinco seis siete ocho nueve diez "
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa due tre quattro cinque "
    "sei sette otto nove dieci venti dois duas três quatro oito dez vinte drie vijf zes zeven acht "
    "negen tien twintig fem sex sju åtta nio tio tjugo fire syv otte ti tyve два две три четыре "
    "пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят"
).split()
#: Words that count a scale word ("five million").
NUMERAL_WORDS: Final = frozenset(_NUMERALS)
SCALE_WORDS: Final = re.compile(rf"(?i)(?:{_SCALES})(?!{WORD})")

_END: Final = rf"(?!{WORD}|')"
_FRACTIONS: Final = "\u00bc-\u00be\u2150-\u215e"
_CHINESE_NUMERALS: Final = "〇零一二三四五六七八九十百千万萬億亿兆两"
#: Characters of numbers beside digits.
NUMERAL_CHARACTERS: Final = _FRACTIONS + _CHINESE_NUMERALS
_PERCENT: Final = r"(?:[%\u2030\u2031\u2103\u2109]|[\u00b0\u00ba][CF]?)"
_RELATIONS: Final = "\u2264\u2265\u2a7d\u2a7e\u2260\u226a\u226b\u00b1\u2213\u2248\u2243\u2245~"
#: Inside a number. Of two alternatives that begin with the same characters, the longer is first.
INSIDE_NUMBER: Final = re.compile(
    rf"""\d[ ]?{_PERCENT}?[ ]?(?:\u00b1|\+/-|\+-)[ ]?\d
    |\d(?:[ ]?{_PERCENT}|[ ](?:{_UNITS}))?[-~\u2212\u2014][{_CURRENCY_SIGNS}]?[.]?\d
    |(?<!\d\d\d)\d(?:[ ]?{_PERCENT})?[ ][-~\u2212][ ][{_CURRENCY_SIGNS}]?[.]?\d
    |\d{{4}}[ ]-[ ]\d{{4}}
    |\d[ ]?%?[ ](?i:{_RANGE_WORDS})[ ]\d[\d.,]{{0,12}}[ ]?
        (?:{_PERCENT}|(?:{_UNITS}|(?i:{_SCALES})){_END})
    |\d[ ]?(?:{_PERCENT}|(?:{_UNITS})(?!{WORD}))[ ](?i:{_SPAN_WORDS})[ ]\d[\d.,]{{0,12}}[ ]?
        (?:{_PERCENT}|(?:{_UNITS}|(?i:{_SCALES})){_END})
    |(?<![\w.,])\d{{1,3}}(?:[ ]\d{{3}})+(?!\d)
    |\d\n000(?!\d)
    |\d[ -](?:\d+/\d|[{_FRACTIONS}])
    |\d[.,'\u00b7:_\u02bc]\d
    |\d[ ]?/[ ]?\d
    |\d[ ]?[\u00d7*x\u00b7\u22c5][ ]?\d
    |\d[ ]and[ ]an?[ ](?:half|quarter|third)
    |[\d)]\^[-+(\u2212]?\d
    |[\d{_FRACTIONS}][ ]?-?(?i:{_SCALES}){_END}
    |[\d{_FRACTIONS}][ ]?{_PERCENT}
    |\d['"\u2032\u2033][ ]?\d
    |\d[万萬億亿兆千百十]
    |[{_CHINESE_NUMERALS}]{{2,}}""",
    re.VERBOSE,
)
#: What precedes a number and belongs to it: a sign, a comparison, a currency.
BEFORE_NUMBER: Final = re.compile(
    rf"""(?:[A-Z]{{1,3}})?[-+\u2212]?[{_CURRENCY_SIGNS}][ ]?[-+\u2212]?[.,]?\d
    |(?<!{WORD})(?:{_CURRENCY_CODES})[ ]?[-+\u2212]?[.,]?\d
    |(?<![\w.)\]])[-+=][.,]?\d
    |\u2212[ ]?[.,]?\d
    |(?:<|>|[<>]=|[{_RELATIONS}]|\+-)[.,]?\d
    |(?:<|(?<=[^\s>])[ ]>|[<>]=|[{_RELATIONS}])[ ][.,]?\d
    |(?<!{WORD})(?i:{_SIGN_WORDS})[ ]\d
    |(?:零下|マイナス|负|負|영하[ ]?)[\d{_CHINESE_NUMERALS}]
    |(?<![\w)\].])\.\d
    |(?<!\w)[%#]\d""",
    re.VERBOSE,
)
#: What follows a number and belongs to it: the symbol of a unit, a currency, "or more".
AFTER_NUMBER: Final = re.compile(
    rf"""[\d{_FRACTIONS}][ ](?:{_UNITS}){_END}
    |[\d{_FRACTIONS}][ ]?(?:[{_CURRENCY_SIGNS}]|(?:{_CURRENCY_CODES}){_END})(?![ ]?\d)
    |\d[\u2032\u2033+円元圓圆]""",
    re.VERBOSE,
)
#: A number of one or two digits with a full stop is an ordinal where a small letter follows
#: ("3. oktober"), and in German also before a capital one, after an article or preposition.
_ORDINAL: Final = re.compile(r"(?<![\w.,/-])(?P<before>[^\W\d_]+[ \xa0])?\d{1,2}\.?\Z")
_AFTER_ORDINAL: Final = re.compile(r"\.?[ \xa0](?P<letter>[^\W\d_])")
_BEFORE_ORDINAL: Final = frozenset(
    "am vom zum zur beim im der die das dem den des ein eine einen einem einer eines ab seit bis "
    "ins jeder jede jedes jeden jedem".split()
)


def cuts_ordinal(text: str, end: int) -> bool:
    """Whether the end is inside an ordinal or between it and its noun, as in "2. Weltkrieg"."""
    stop = end - 1 if text[end - 1] == "." else end
    if not text[max(0, stop - 1) : stop].isdigit():
        return False
    after = _AFTER_ORDINAL.match(text, end)
    if after is None or (stop < end) == (text[end] == "."):
        return False
    before = _ORDINAL.search(text[max(0, end - 24) : end])
    if before is None:
        return False
    if after["letter"].islower():
        return True
    return (before["before"] or "").rstrip().lower() in _BEFORE_ORDINAL
