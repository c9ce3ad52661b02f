"""What the scanner looks for: kinds of tokens, patterns, and tables of marks that mean the same."""

import re
from typing import Final

from groundtypes.text.characters import DASHES, MARKS, QUOTATION_MARKS, SPACELESS, WORD

__all__ = [
    "BULLETS",
    "CLOSING",
    "DASH",
    "DIGITS",
    "ELLIPSIS",
    "ENTITY",
    "FOOTNOTE",
    "HYPHEN",
    "LINK_OPENS",
    "MARKUP",
    "NUMBER",
    "OPERATORS",
    "POINT",
    "POINTS",
    "PRIMES",
    "QUOTATION",
    "QUOTES",
    "RANGES",
    "SCAN",
    "SIGN",
    "SKIPPED",
    "SUPER",
    "UNITS",
    "WORD_KIND",
]

WORD_KIND: Final = "w"
NUMBER: Final = "n"
SIGN: Final = "s"  # operators, comparison and percent signs, ? and !: always matter
SUPER: Final = "^"  # the caret of an exponent
POINT: Final = "p"  # , ; : . and brackets
DASH: Final = "d"
HYPHEN: Final = "h"  # a dash at a line break, which may be the typesetter's
QUOTATION: Final = "q"
MARKUP: Final = "m"  # Markdown, HTML, bullets
FOOTNOTE: Final = "f"
ELLIPSIS: Final = "e"
#: Kinds that may stand on one side only.
SKIPPED: Final = frozenset("qmf")

_TAGS: Final = (
    "abbr|a|big|blockquote|br|b|caption|cite|code|dd|del|div|dl|dt|em|figcaption|figure|font|"
    "h[1-6]|hr|i|img|ins|kbd|li|mark|ol|pre|p|q|ref|section|small|span|strike|strong|sub|sup|s|"
    "table|tbody|td|tfoot|thead|th|tr|tt|ul|u|wbr"
)
_ATTRIBUTE: Final = (
    r"""\s{1,9}[A-Za-z-]{1,30}=(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,200})"""
)
_SUPERS: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SUBS: Final = "\u2080-\u2089"
LETTER: Final = WORD[:-1] + rf"\d{_SUPERS}{_SUBS}\u00bc-\u00be\u2150-\u215f]"
_NUMBER_LIST: Final = r"\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,12}"
SCAN: Final = re.compile(
    rf"""(?P<word>{LETTER}+(?:(?<=[nN\uff4e\uff2e])['\u2019\uff07][tT\uff54\uff34](?!{LETTER}))?)
    |(?P<item>^[ \t]{{0,8}}\d{{1,2}}[.)](?=\s))
    |(?P<number>(?:(?<![\w.)\]])\.(?=\d))?[\d{_SUBS}]+(?:[.,\uff0e\uff0c]\d+)*)
    |(?P<cluster>[{SPACELESS}][{MARKS}]*)
    |(?P<ellipsis>\.{{3,}}|[\u2026\u22ef]|\.\ \.\ \.)
    |(?P<fraction>[\u00bc-\u00be\u2150-\u215f])
    |(?P<bracket>(?i:-[LR][RSC]B-))
    |(?P<operator>[<\uff1c][=\uff1d]|[>\uff1e][=\uff1d]|[=\uff1d][<>\uff1c\uff1e]|[!\uff01][=\uff1d]|\+/-|\+-|->)
    |(?P<dash>[{DASHES}]+)
    |(?P<tag>(?i:</?(?:{_TAGS})(?:{_ATTRIBUTE}){{0,9}}\s?/?>))
    |(?P<edited>\[[A-Za-z]\]{LETTER}+)
    |(?P<note>\[(?:{_NUMBER_LIST}|[a-z]|(?i:note\s\d{{1,3}}|citation\ needed|edit
        |clarification\ needed|who\?|when\?)|\^[\w-]{{1,20}})\]|[\u2020\u2021]|[{_SUPERS}]+)
    |(?P<link>\]\((?:[^\s()<>]|\([^\s()]{{0,100}}\)){{1,300}}(?:\s"[^"\n]{{0,200}}")?\))
    |(?P<escape>\\[!-/:-@\[-`{{-~])
    |(?P<marks>[*_~]+)
    |(?P<other>\S)""",
    re.VERBOSE | re.MULTILINE,
)
ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
LINK_OPENS: Final = re.compile(r"!?\[[^\[\]\n]{0,300}\]\([^\s()]")
DIGITS: Final = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089",
    "01234567890123456789",
)
OPERATORS: Final = {
    "<=": "\u2264", "=<": "\u2264", ">=": "\u2265", "!=": "\u2260", "+/-": "\u00b1",
    "+-": "\u00b1", "->": "\u2192", "=>": "\u21d2", "\u2a7d": "\u2264", "\u2a7e": "\u2265",
}  # fmt: skip
POINTS: Final = {
    **{mark: mark for mark in ",;:.()[]{}\u00b7"},
    "\u3001": ",",
    "\u3002": ".",
    "\uff61": ".",
    "\uff64": ",",
    "\u060c": ",",
    "\u061b": ";",
    "\u3010": "[",
    "\u3011": "]",
    "\u3014": "[",
    "\u3015": "]",
}
CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
BULLETS: Final = frozenset(
    "\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043\uf0b7\uf0a7"
)
QUOTES: Final = re.compile(f"[{QUOTATION_MARKS}]")
# Typeset marks that curl are quotation marks, not inches.
PRIMES: Final = {"\u2033": '"', "\u2032": "'", '"': '"', "'": "'"}
#: Words after which a bracket with numbers is a range and no footnote.
RANGES: Final = frozenset(
    "range interval iqr ci between from mean median score scale values value bounds limits".split()
)
UNITS: Final = frozenset("mol min sec rad mile inch yard foot feet metre meter".split())
