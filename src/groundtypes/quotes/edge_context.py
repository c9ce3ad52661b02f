"""The text beside an edge of a quote in one plain notation: without markup and variants."""

import html
import re
from typing import Final

from groundtypes.text.characters import INVISIBLE
from groundtypes.text.latex import with_signs

#: How many characters beside an edge are read, and how many where a tag is open at their end.
_REACH: Final = 64
_REACH_OF_TAG: Final = 400
_BLOCK_NAMES: Final = (
    "p|div|li|ul|ol|dl|dt|dd|td|th|tr|table|thead|tbody|tfoot|caption|h[1-6]|hr|blockquote|"
    "section|article|pre|figure|figcaption"
)
_BLOCK_TAG: Final = re.compile(rf"(?i)</?(?:{_BLOCK_NAMES})(?:\s[^<>]{{0,400}})?/?>")
_BREAK_TAG: Final = re.compile(r"(?i)\s{0,4}<br\s{0,4}/?>\s{0,4}")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,400}>|<!--.{0,400}?-->")
_LINE_HYPHENATION: Final = re.compile(r"[\u00ad\u00ac][ \t]{0,9}(?=\r?\n)")
#: Spaces of LaTeX, as between a number and its unit.
_TIE: Final = re.compile(r"(?:(?<!~)~|\\[,;:])(?=[^\W\d_]|\\|%)")
#: A footnote mark, the address of a Markdown link, emphasis, code and escapes. An underscore inside
#: of a word and an asterisk between numbers are no emphasis.
_MARKUP: Final = re.compile(
    r"""\[(?:\d{1,3}|citation\ needed)\]
    |\]\((?:[^\s()<>]|\([^\s()]{0,100}\)){1,300}\)
    |(?<!\d)\*+|\*+(?!\d)|`+|~~
    |(?<![^\W_])_+|_+(?![^\W_])
    |\\(?=[!-/:-@\[-`{-~])""",
    re.VERBOSE,
)
_PLAIN: Final = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys("\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009", " ")
    | dict.fromkeys("\u200a\u202f\u205f\u3000", " ")
    | dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\ufe58\ufe63\uff0d\u058a\u05be", "-")
    | dict.fromkeys("\u2014\u2015\u2e3a\u2e3b", "\u2014")
    | dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07\uff40\u00b4", "'")
    | dict.fromkeys("\u2044\u2215", "/")
    | dict.fromkeys("\u223c\u301c\uff5e", "~")
    | {"\u066a": "%", "\u066b": ".", "\u066c": ",", "\u066f": "+", "\u2219": "\u00b7"}
    | {chr(0x2080 + digit): str(digit) for digit in range(10)}
)
_IS_PLAIN: Final = re.compile(r"[\w .,;:!?()'\"/%$+-]*\Z", re.ASCII)


def plain_before(text: str, at: int) -> str:
    """Return the plain form of what is directly before an offset."""
    start = max(0, at - _REACH)
    if start and text.find("<", start, at) <= text.find(">", start, at):
        # The stretch may begin inside of a tag.
        opening = text.rfind("<", max(0, at - _REACH_OF_TAG), start + 1)
        if opening >= 0:
            start = opening
    return _plain(text[start:at])


def plain_after(text: str, at: int) -> str:
    """Return the plain form of what begins at an offset."""
    end = min(len(text), at + _REACH)
    if text.rfind("<", at, end) > text.rfind(">", at, end):
        closing = text.find(">", end, at + _REACH_OF_TAG)
        if closing >= 0:
            end = closing + 1
    return _plain(text[at:end])


def _plain(text: str) -> str:
    if _IS_PLAIN.match(text) and "_" not in text:
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if "&" in text:
        text = html.unescape(text)
    text = _LINE_HYPHENATION.sub("-", text)
    if "\\" in text:
        text = with_signs(text)
    if "\\" in text or "~" in text:
        text = _TIE.sub(" ", text)
    if "<" in text:
        text = re.sub(r"(?i)<sup>", "^", text)
        text = _TAG.sub("", _BLOCK_TAG.sub("\n\n", _BREAK_TAG.sub("\n", text)))
    text = _MARKUP.sub("", INVISIBLE.sub("", text))
    return text.translate(_PLAIN)
