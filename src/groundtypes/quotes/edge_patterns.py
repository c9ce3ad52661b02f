"""What is one word or number, so that no quote may begin or end inside of it.

The patterns match in plain text (`boundaries`). A match begins with the last character of what is
on the left of an edge, and ends with the first one of what is on the right, or with a whole word.
They are compiled when an edge is first met that is not plainly one between two words.
"""

from typing import Final

from groundtypes.text.characters import SPACELESS
from groundtypes.words import words_of

#: One character of a word; the class of all word characters takes long to compile.
WORD: Final = r"[\w\u0300-\u036f]"


def any_of(kind: str) -> str:
    """Return a pattern of the words of a kind, each of them a regular expression."""
    return "|".join(words_of(kind)["mul"]).replace(" ", "[ ]")


_CURRENCY_CODES: Final = any_of("edge currency code")
SCALES: Final = any_of("edge scale")
_TIMES: Final = any_of("edge clock")
_SIGN_WORDS: Final = any_of("edge minus")
RANGE_WORDS: Final = any_of("edge range")
#: Words of a range between two amounts that both have a unit.
SPAN_WORDS: Final = any_of("edge span")
_PREFIXES: Final = any_of("edge prefix")
_AND: Final = any_of("edge conjunction")
_CURRENCY_SIGNS: Final = (
    "$\u00a2-\u00a5\u058f\u060b\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20cf\ufdfc"
    "\uffe0\uffe1\uffe5\uffe6"
)
_END: Final = rf"(?!{WORD}|')"
_FRACTIONS: Final = "\u00bc-\u00be\u2150-\u215e"
_CHINESE_NUMERALS: Final = "〇零一二三四五六七八九十百千万萬億亿兆两"
#: Powers of ten of East Asian numbers, which another number may follow: 1万2345, 3억 5천만.
_MYRIADS: Final = "万萬億亿兆千百十만억조천백"
#: Measures, currencies and shares of East Asian texts, which follow a number without a space.
CJK_UNITS: Final = f"(?:{any_of('edge East Asian unit')})"
#: What East Asian texts count with a word behind the number: people, things, times and dates.
_CJK_COUNTERS: Final = f"(?:{any_of('edge East Asian counter')})"
#: Before a numeral, these make another word of it: Friday (星期五), a name (张三), only (唯一).
_NO_WORD: Final = (
    "(?<![期周週拜曜初老])(?<!张(?=三))(?<!張(?=三))(?<!李(?=四))(?<!王(?=五))"
    "(?<![统統唯万萬同專专單单之不逐合归歸如均画划](?=一))"
)
_KOREAN_UNITS: Final = (
    "(?:원|달러|유로|엔|위안|파운드)"
    "(?=\\Z|[^가-힣]|[이은을의에도대가과와쯤씩만정](?![가-힣]{3})|으로|까지|부터|짜리)"
)
_PERCENT: Final = r"(?:[%\u2030\u2031\u2103\u2109]|[\u00b0\u00ba][CF]?)"
_RELATIONS: Final = "\u2264\u2265\u2a7d\u2a7e\u2260\u226a\u226b\u00b1\u2213\u2248\u2243\u2245~"
#: Signs of a rise or a fall.
_ARROWS: Final = "\u25b2\u25b3\u25bc\u25bd\u2191\u2193\u2b06\u2b07\u2197\u2198\U0001f53a-\U0001f53d"

#: Inside a number. Of two alternatives that begin with the same characters, the longer is first.
INSIDE_NUMBER: Final = rf"""\d[{_MYRIADS}]{{1,2}}[ ]?\d
    |[\d{_CHINESE_NUMERALS}](?:点|點|分之|ぶんの)[\d{_CHINESE_NUMERALS}]
    |\d[ ]?{_PERCENT}?[ ]?(?:\u00b1|\+/-|\+-)[ ]?\d
    |\d(?:[ ]?{_PERCENT}|[ ][^\W\d_]{{1,3}})?[-~\u2212\u2014][{_CURRENCY_SIGNS}]?[.]?\d
    |(?<!\d\d\d)\d(?:[ ]?{_PERCENT})?[ ][-~\u2212][ ][{_CURRENCY_SIGNS}]?[.]?\d
    |(?<![\w.,])\d{{1,3}}(?:[ ]\d{{3}})+(?!\d)
    |\d[ -](?:\d+/\d|[{_FRACTIONS}])
    |\d[.,'\u00b7:_\u02bc]\d
    |\d[ ]?/[ ]?\d
    |\d[ ]?[\u00d7*x\u00b7\u22c5][ ]?\d
    |\d[ ]and[ ]an?[ ](?:half|quarter|third)
    |[\d)]\^[({{]?[-+\u2212]?\d
    |[\d{_FRACTIONS}][ ]?-?(?i:{SCALES}){_END}
    |[\d{_FRACTIONS}][ ]?{_PERCENT}
    |\d['"\u2032\u2033][ ]?\d
    |\d[ ]?[万萬億亿兆千百十]
    |[{_CHINESE_NUMERALS}]{{2,}}"""
#: What precedes a number and belongs to it: a sign, a comparison, a currency.
BEFORE_NUMBER: Final = rf"""(?:[A-Z]{{1,3}})?[-+\u2212]?[{_CURRENCY_SIGNS}][ ]?[-+\u2212]?[.,]?\d
    |(?<!{WORD})(?:{_CURRENCY_CODES})[ ]?[-+\u2212]?[.,]?\d
    |(?<![\w.)\]])[-+=][.,]?\d
    |\u2212[ ]?[.,]?\d
    |(?:<|>|[<>]=|[{_RELATIONS}]|\+-)[.,]?\d
    |(?:<|(?<=[^\s>])[ ]>|[<>]=|[{_RELATIONS}])[ ][.,]?\d
    |(?<!{WORD})(?i:{_SIGN_WORDS})[ ]\d
    |(?:零下|氷点下|マイナス|负|負|[百千万]分之|第)[\d{_CHINESE_NUMERALS}]
    |(?:영하|마이너스|ลบ|ร้อยละ)[ ]?\d
    |(?<!{WORD})(?i:min)[ ]\d[\d.,]{{0,9}}[ ]?(?:[%°]|graden|procent|euro)
    |(?<!{WORD})(?i:yüzde|percento|بنسبة)[ ]\d
    |[{_ARROWS}]\ufe0f?[ ]?[$\u20ac\u00a3]?[.,]?\d
    |(?<![\w)\].])\.\d
    |(?<!\w)[%#]\d"""
#: What follows a number and belongs to it: the symbol of a unit, a currency, "or more".
AFTER_NUMBER: Final = rf"""[\d{_FRACTIONS}][ ](?:{_TIMES}){_END}
    |[\d{_FRACTIONS}][ ]?(?:[A-Z]{{0,3}}[{_CURRENCY_SIGNS}]|(?:{_CURRENCY_CODES}){_END})(?![ ]?\d)
    |\d[\u2032\u2033+円元圓圆]
    |(?:(?<=[\d十百千])|(?<=\d[ ]))[{_MYRIADS}][ ]?(?:{CJK_UNITS}|{_CJK_COUNTERS})
    |\d[ ]?(?:{CJK_UNITS}|{_CJK_COUNTERS})
    |(?<=[{_CHINESE_NUMERALS}])[{_CHINESE_NUMERALS}](?:年|条|條|章|元|円|号|人|歳|岁)
    |{_NO_WORD}[{_CHINESE_NUMERALS}](?:{CJK_UNITS}|{_CJK_COUNTERS})
    |\d[.,][-\u2212\u2014]{{1,2}}(?!\d)
    |(?:(?<=\d)|(?<=\d[천백십]))[만억조천][ ]?{_KOREAN_UNITS}
    |\d[ ]{_KOREAN_UNITS}
    |\d[ ]?(?:พัน|หมื่น|แสน|ล้าน|เปอร์เซ็นต์|บาท|กิโล|กรัม|เมตร|ลิตร|องศา)"""
#: The same over a line break, which the text of a PDF has in the middle of an amount: what follows
#: the number, and what precedes it.
AFTER_LINE_BREAK: Final = (
    rf"(?:{SCALES}){_END}|{_PERCENT}"
    rf"|(?:[{_CURRENCY_SIGNS}]|(?:{_CURRENCY_CODES}){_END})(?![ ]?\d)"
)
BEFORE_LINE_BREAK: Final = (
    rf"(?:[{_CURRENCY_SIGNS}\u2212<{_RELATIONS}\u00d7]"
    rf"|(?<!{WORD})(?:{_CURRENCY_CODES}|(?i:{_SIGN_WORDS})))\Z"
)

_LETTER: Final = r"[^\W\d_]"
#: Inside a word: a compound with a hyphen or slash, a name with signs, an address, a contraction.
INSIDE_WORD: Final = rf"""{WORD}[-/&@_\u00b7\u2212]{WORD}
    |{WORD}-[ ]?\n[ ]*[^\W\d_]
    |{WORD}-(?:[,/]|[ ](?i:{_AND})(?!{WORD}))
    |(?<!{WORD})(?i:{_PREFIXES})\u2014{WORD}
    |(?<!{WORD})(?:[A-DFO]{{1,3}})-(?![\w-])
    |{WORD}\+
    |{WORD}\#{WORD}
    |(?<!{WORD})[A-Za-z][#\u266f\u266d](?!\w)
    |{WORD}(?:::|://){WORD}
    |[A-Z]{{2}}:{_LETTER}|{WORD}:in(?:nen)?(?!{WORD})
    |[A-Za-z]:\\\w|\w\\{{1,2}}\w(?=[\w\\.]*\\)
    |[\u05d0-\u05ea][\u05f3\u05f4"'][\u05d0-\u05ea]
    |{WORD}[\u207a\u207b]
    |(?<!\w)(?:(?:[A-Z][a-z]?\d{{0,2}}){{1,7}}\d|OH|HO|CN|SCN|Cl|Br)[-\u2212](?![\w-])
    |(?<!\w)(?:[A-Z][a-z]?\d{{0,2}}){{1,8}}\u2212(?![\w\u2212])
    |[A-Z\d)]\u2212(?![\w\u2212\s]|\s\d)
    |(?<![\w,])(?:[A-Z]|\d{{1,2}})'?,(?:(?:[A-Z]|\d{{1,2}})'?,){{0,3}}(?:[A-Z]|\d{{1,2}})'?-{_LETTER}
    |(?<!{WORD})[^\W\d_]{{1,2}}\^[-+\u2212]?\d
    |{WORD}(?:\((?:s|es|n|en|e|r|in|innen|nen|ies|ed)\)|/-{_LETTER})
    |\({_LETTER}{{1,6}}-?\){_LETTER}
    |\)-{_LETTER}
    |\[{_LETTER}\]{_LETTER}
    |{_LETTER}[ ]?(?i:n't|'(?:s|re|ve|ll|d|m|t))(?!{WORD})
    |{_LETTER}'{_LETTER}
    |\d's(?!{WORD})"""
#: What precedes a word and belongs to it.
BEFORE_WORD: Final = rf"""(?<!{WORD})(?:[@$]|(?<=\s)\#)(?=[^\W\d]){WORD}
    |(?<![\w.)\]"'])\.(?:[A-Z]{{2}}|[a-z])
    |(?<!{WORD})(?i:{_AND})[ ]-{WORD}
    |[不未非无無没沒][{SPACELESS}]"""
#: Numbers of telephones and accounts, and paragraphs of laws: +49 30 1234567, Tel. 030/123 45-67,
#: DE89 3704 0044 0532 0130 00, 4111 1111 1111 1111, Rule 12(b)(6).
IDENTIFIER: Final = (
    r"(?P<telephone>\+\d{1,3}(?:[ ./-]{0,2}\(?\d{1,5}\)?){1,6}"
    r"|(?i:(?<!\w)(?:tel(?:ephone|efon)?|phone|fon|fax|mobile?|handy|hotline|call)[.:]{0,2}[ ])"
    r"\(?\d{2,5}\)?(?:[ ./-]{1,2}\d{1,8}){1,5})"
    r"|(?<!\w)[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?!\w)"
    r"|(?<![\w.,])\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}(?!\w)"
    r"|(?<![^\W\d_])\d{1,4}[a-z]?(?:\((?:[a-z]{1,2}|[ivxlIVXL]{1,5}|[A-Z]|\d{1,2})\)){1,5}"
)
