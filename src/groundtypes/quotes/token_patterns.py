"""The regular expressions of the scanner: what a token looks like, before its context is known."""

import re
from typing import Final

from groundtypes.text.characters import DASHES, MARKS, SPACELESS, WORD

__all__ = ["ENTITY", "INTERVAL_WORDS", "LINK_START", "TOKEN", "UNIT_WORDS"]

#: HTML elements; other text between angle brackets may be part of a sentence.
_TAG_NAMES: Final = (
    "abbr|a|big|blockquote|br|b|caption|cite|code|dd|del|div|dl|dt|em|figcaption|figure|font|"
    "h[1-6]|hr|i|img|ins|kbd|li|mark|ol|pre|p|q|ref|section|small|span|strike|strong|sub|sup|s|"
    "table|tbody|td|tfoot|thead|th|tr|tt|ul|u|wbr"
)
#: An attribute of an HTML tag.
_ATTRIBUTE: Final = (
    r"""\s{1,9}[A-Za-z-]{1,30}=(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,200})"""
)
_SUPERSCRIPTS: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SUBSCRIPTS: Final = "\u2080-\u2089"
#: Vulgar fractions and raised or lowered digits are not part of a word.
_LETTER: Final = WORD[:-1] + rf"\d{_SUPERSCRIPTS}{_SUBSCRIPTS}\u00bc-\u00be\u2150-\u215f]"
#: The numbers of a footnote mark: 1; 2, 3; 4-6.
_NUMBER_LIST: Final = r"\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,12}"
#: The alternatives are tried in this order; the name of the one that matches tells the scanner
#: which rule applies. Repetitions that could backtrack are bounded, so that no text makes it slow.
TOKEN: Final = re.compile(
    rf"""(?P<word>{_LETTER}+(?:(?<=[nN\uff4e\uff2e])['\u2019\uff07][tT\uff54\uff34](?!{_LETTER}))?)
    |(?P<list_number>^[ \t]{{0,8}}\d{{1,2}}[.)](?=\s))
    |(?P<number>(?:(?<![\w.)\]])\.(?=\d))?[\d{_SUBSCRIPTS}]+(?:[.,\uff0e\uff0c]\d+)*)
    |(?P<spaceless>[{SPACELESS}][{MARKS}]*)
    |(?P<ellipsis>\.{{3,}}|[\u2026\u22ef]|\.\ \.\ \.)
    |(?P<fraction>[\u00bc-\u00be\u2150-\u215f])
    |(?P<bracket>(?i:-[LR][RSC]B-))
    |(?P<operator>[<\uff1c][=\uff1d]|[>\uff1e][=\uff1d]|[=\uff1d][<>\uff1c\uff1e]|[!\uff01][=\uff1d]|\+/-|\+-|->)
    |(?P<dash>[{DASHES}]+)
    |(?P<tag>(?i:</?(?:{_TAG_NAMES})(?:{_ATTRIBUTE}){{0,9}}\s?/?>))
    |(?P<edited_word>\[[A-Za-z]\]{_LETTER}+)
    |(?P<footnote>\[(?:{_NUMBER_LIST}|[a-z]|(?i:note\s\d{{1,3}}|citation\ needed|edit
        |clarification\ needed|who\?|when\?)|\^[\w-]{{1,20}})\]|[\u2020\u2021]|[{_SUPERSCRIPTS}]+)
    |(?P<link>\]\((?:[^\s()<>]|\([^\s()]{{0,100}}\)){{1,300}}(?:\s"[^"\n]{{0,200}}")?\))
    |(?P<escape>\\[!-/:-@\[-`{{-~])
    |(?P<emphasis>[*_~]+)
    |(?P<other>\S)""",
    re.VERBOSE | re.MULTILINE,
)
#: A character reference of HTML, such as `&amp;` or `&#160;`.
ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
LINK_START: Final = re.compile(r"!?\[[^\[\]\n]{0,300}\]\([^\s()]")
#: After these words, numbers in brackets are an interval, not a footnote mark.
INTERVAL_WORDS: Final = frozenset(
    "range interval iqr ci between from mean median score scale values value bounds limits".split()
)
#: Units of more than two letters that may have an exponent.
UNIT_WORDS: Final = frozenset("mol min sec rad mile inch yard foot feet metre meter".split())
