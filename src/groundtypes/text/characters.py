"""Classes of characters for regular expressions, and the folding of a word for comparison.

The constants hold the inside of a character class, except `WORD` (with its brackets) and
`INVISIBLE` (a compiled pattern). A *word character* is neither a separator nor part of a script
without spaces, so it may be one of: letters, digits, combining marks, and also soft hyphens and
zero-width characters.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

#: ASCII and general punctuation, symbols, spaces, private use, lone surrogates and emoji; but not
#: the soft hyphen, zero-width and bidi controls, the byte order mark and superscripts, which occur
#: inside of words.
_SEPARATORS: Final = (
    r"\x00-/:-@\[-`{-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xba\xbb\xbf\xd7\xf7"
    "\u02b9\u02bb-\u02bf\u02d0\u02d1\u02da\u02dc\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4"
    "\u0600-\u060f\u061b\u061e\u061f\u066a-\u066d\u06d4\u0700-\u070d\u0964\u0965\u0970"
    "\u0e3f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u10fb\u1361-\u1368\u1680\u16eb-\u16ed"
    "\u17d4-\u17da\u1800-\u180a\u2000-\u200a\u2010-\u2029\u202f-\u205f\u207a-\u207e"
    "\u208a-\u208e\u20a0-\u20cf\u2103\u2109\u2116\u2120\u2122\u2190-\u245f\u249c-\u24b5\u2500-\u2bff\u2e00-\u2e7f"
    "\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb\u3371-\u33df\ua78c\ud800-\uf8ff\ufd3e\ufd3f"
    "\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    "\uffe0-\uffef\ufff9-\uffff\U0001f000-\U0001faff"
)
#: Scripts that put no spaces between words (Thai, Lao, Burmese, Khmer, Chinese, Japanese): each
#: character counts as a word.
SPACELESS: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3041-\u3098\u309b-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3190-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9d\U00016fe0-\U00016fff\U0001b000-\U0001b16f"
    "\U00020000-\U000323af"
)
#: Marks that follow a character of such a script and belong to it.
MARKS: Final = (
    "\u0300-\u036f\u3099\u309a\uff9e\uff9f\ufe00-\ufe0f\u200b-\u200d\U000e0100-\U000e01ef"
)
#: One word character.
WORD: Final = f"[^{_SEPARATORS}{SPACELESS}]"
DASHES: Final = "\u058a\u05be\u1400\u1806\u2010-\u2015\u2e17\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d-"
QUOTATION_MARKS: Final = (
    "\"'`\u00b4\u00ab\u00bb\u2018-\u201f\u2032-\u2037\u2039\u203a\u02b9\u02bb-\u02bf\u05f3\u05f4\u3008-\u300f"
    "\u301d-\u301f\ua78c\uff02\uff07"
)
#: Characters without a glyph: those with Unicode's property Default_Ignorable_Code_Point, such as
#: the soft hyphen, zero-width and bidi controls, the byte order mark and variation selectors.
INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
#: A dotless i below an accent, which takes the place of the dot.
_DOTLESS_I: Final = re.compile("\u0131(?=[\u0300-\u036f])")
#: Letters with two code points of one meaning: a cedilla for the comma below of Romanian, the
#: Persian forms of two Arabic letters. The Arabic kashida only makes a word longer.
_SAME_LETTERS: Final = str.maketrans(
    "\u015f\u0163\u06cc\u06a9", "\u0219\u021b\u064a\u0643", "\u0640"
)
_GREEK_NAMES: Final = {
    code: unicodedata.name(chr(code)).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for code in range(0x03B1, 0x03CA)
}
#: A Greek letter that is a symbol: alone, or in a word with Latin letters. A micro sign before a
#: unit is not one.
_GREEK_SYMBOL: Final = re.compile(
    "[\u03b1-\u03c9]|(?!\u03bc[a-z])(?=.{0,60}[a-z])(?=.{0,60}[\u03b1-\u03c9]).+"
)
_OTHER_DIGIT: Final = re.compile(r"[^\D0-9]")


@lru_cache(maxsize=8192)
def _fold_unicode(word: str) -> str:
    plain = unicodedata.normalize("NFKC", _DOTLESS_I.sub("i", INVISIBLE.sub("", word)))
    plain = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), plain)
    # Case folding can undo the composition and the other way round; twice is stable.
    folded = unicodedata.normalize("NFKC", plain.casefold().replace("i\u0307", "i"))
    folded = unicodedata.normalize("NFKC", folded.casefold()).replace("i\u0307", "i")
    folded = folded.translate(_SAME_LETTERS)
    return folded.translate(_GREEK_NAMES) if _GREEK_SYMBOL.fullmatch(folded) else folded


def fold(word: str) -> str:
    """Return a word as it is compared: compatibility form, case folded, nothing invisible."""
    return word.lower() if word.isascii() else _fold_unicode(word)


def is_spaceless(character: str) -> bool:
    """Whether the script of a character puts no spaces between words."""
    return not character.isascii() and _SPACELESS.match(character) is not None
