"""Where a quote may begin and end: not inside a word, a number, or what belongs to one.

What is beside an edge is read in a plain notation. The edge cuts where a stretch lies across it
that only occurs inside one number or word, such as "5 0", "-5", "r-f" or "n.c".
"""

import html
import re
from functools import cache
from typing import Final

from groundtypes.quotes import edge_patterns
from groundtypes.quotes.amounts import BEGIN_RATE, cuts_amount_at_end, cuts_amount_inside
from groundtypes.quotes.markdown import (
    is_emphasis,
    is_formula_mark,
    is_subscript,
    is_table_pipe,
)
from groundtypes.quotes.patterns import compiled
from groundtypes.text.characters import INVISIBLE, MARKS, WORD
from groundtypes.text.latex import with_signs

#: How many characters beside an edge are read, and how many where a tag is open at their end.
_REACH_BESIDE: Final = 64
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
    start = max(0, at - _REACH_BESIDE)
    if start and text.find("<", start, at) <= text.find(">", start, at):
        # The stretch may begin inside of a tag.
        opening = text.rfind("<", max(0, at - _REACH_OF_TAG), start + 1)
        if opening >= 0:
            start = opening
    return _plain(text[start:at])


def plain_after(text: str, at: int) -> str:
    """Return the plain form of what begins at an offset."""
    end = min(len(text), at + _REACH_BESIDE)
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


_MARK: Final = f"[{MARKS}]"
_SUPERSCRIPT_DIGITS: Final = frozenset(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
)
_LONG_WORD: Final = r"[^\W\d_]{3}\Z"
#: How many characters of plain text on each side of an edge are searched.
_REACH: Final = 28
#: The patterns of what may lie across an edge, and how far before it a match may begin. A sign may
#: be left out after the quote's last word, but not before its first number.
_AT_START: Final = (
    (edge_patterns.INSIDE_NUMBER, 14),
    (edge_patterns.BEFORE_NUMBER, 10),
    (edge_patterns.INSIDE_WORD, 9),
    (edge_patterns.BEFORE_WORD, 8),
)
_AT_END: Final = (
    (edge_patterns.INSIDE_NUMBER, 14),
    (edge_patterns.AFTER_NUMBER, 1),
    (edge_patterns.INSIDE_WORD, 9),
)
_TELEPHONE_DIGITS: Final = 7
#: Edges at which nothing can lie: a space between words, or a mark and a space after a word.
_PLAIN_START: Final = re.compile(r"[a-z.,;:!?)\"\u201d][ \n]{1,2}\Z", re.ASCII)
_PLAIN_END: Final = re.compile(r"[ \n](?!n['\u2019]t)[A-Za-z(\"\u201c]")
_MARK_AND_SPACE: Final = re.compile(r" ?[.,;:!?]{1,3}(?!\S)")
_CLOSING_MARKS: Final = re.compile(r" ?[\"'\u2019\u201d)\]]{1,3} ?[.,;:!?]{0,3}(?!\S)")
#: After the unit of an amount, a range or a rate goes on, or the amount is below zero.
_TO_NUMBER: Final = (
    rf"(?i)[ \n](?:(?:{BEGIN_RATE})[ \n.]|all['\u2019]|[^\W\d_]{{1,7}}[ \n]"
    rf"(?:[$\u20ac\u00a3]?\d|{edge_patterns.any_of('edge zero')}))"
)
#: The words for "per" that a quote may end with.
_RATE_WORDS: Final = (" per", " pro", " a", " an")
_MARKS_OF_CLAUSES: Final = frozenset('.,;:!?)"\u201d')
_DOTTED: Final = rf"{edge_patterns.WORD}\.{edge_patterns.WORD}"
#: Articles and pronouns that Romance languages join to the next word.
_ELIDED: Final = rf"(?i)(?<!\w)(?:{edge_patterns.any_of('edge elided article')})'\Z"
#: A possessive, unless "'s" is short for "is", "has" or "us".
_POSSESSIVE: Final = r"[ ]?'[sS](?![\w-])"
_POSSESSOR: Final = (
    rf"(?i)(?<!\w)(?!(?:{edge_patterns.any_of('edge word before a short verb')})\Z)[^\W\d_]{{2,}}\Z"
)
#: Signs before a word or number that negate it or make another term of it, and commands of LaTeX
#: that do so. An exclamation mark or tilde before a word negates it in code.
_TERM_SIGN: Final = (
    r"[\u00ac\u221a\u221b\u221c\u2213\u2203\u2204\u2200\u2207\u2202\u2206\u223c\u2211\u220f\u222b]\Z"
    r"|(?:\A|(?<=[\s(&|=,{\[`]))[!~]\Z"
    r"|\\(?:neg|lnot|not|pm|mp|sqrt|nexists|sim|overline|bar|hat|tilde|dot|ddot|vec|frac)"
    r"[ {]{0,2}-?\Z"
)
#: Signs of which the number says something, as in the three stars of a hotel.
_COUNTED_SIGNS: Final = "[\u2605\u2606\u2b50\u272a\u2729]{2}"
#: A part of an address or path that is a variable or a wildcard, and the query behind it; an
#: element; an exponent after a space, but for the footnote mark behind a year.
_NEXT_PART: Final = (
    r"/(?:\{[\w:.-]{1,40}\}|<[\w:.-]{1,40}>|:\w|\$\w|\*|%\w|\[\w{1,40}\])|\?\w{1,40}="
)
_ELEMENT: Final = r"\[\w{1,20}\]"
_PARAMETERS: Final = r"<[A-Za-z]{1,30}(?:,\s?[A-Za-z]|<[A-Za-z]|\[)|<[A-Z][a-z]\w{0,28}>"
_SPACED_EXPONENT: Final = (
    r"(?<!(?<!\d)1[5-9]\d\d)(?<!(?<!\d)20\d\d)[ \u00a0\u2009\u202f]"
    r"(?:<(?:sup|SUP)>\s?[-+\u2212]?\d|[\u207a\u207b]?[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])"
)


@cache
def _across(pattern: str) -> re.Pattern[str]:
    """Return a pattern that matches wherever another one does, with what it matches as a group."""
    return re.compile(f"(?=({pattern}))", re.VERBOSE)


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a stretch of the text starts or ends inside a word or number."""
    # White space at the ends of a quote is no part of it.
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    # An invisible character beside a word, such as a direction mark, is not part of the word.
    while start < end and start > 0 and _is_invisible(text[start - 1]):
        start -= 1
    while end > start and end < len(text) and _is_invisible(text[end]):
        end += 1
    return _is_start_cut(text, start) or _is_end_cut(text, end)


def _is_invisible(character: str) -> bool:
    return not character.isascii() and INVISIBLE.match(character) is not None


def _is_mark(character: str) -> bool:
    return not character.isascii() and compiled(_MARK).match(character) is not None


def _is_start_cut(text: str, start: int) -> bool:
    if start == 0 or start >= len(text):
        return False
    first, before = text[start], text[start - 1]
    if _is_mark(first):
        return not before.isspace()
    has_command = text.find("\\", max(0, start - 14), start) >= 0
    if (
        first.isalpha()
        and not has_command
        and (
            (start > 1 and before in " \n" and text[start - 2] in _MARKS_OF_CLAUSES)
            or _PLAIN_START.search(text, max(0, start - 3), start)
        )
    ):
        return False
    if _cuts_sign_before(text, start):
        return True
    # The sign that begins or ends a formula of LaTeX is no currency.
    is_in_formula = before == "$" and is_formula_mark(text, start - 1)
    left, right = plain_before(text, start - is_in_formula), plain_after(text, start)
    if left.endswith("'") and compiled(_ELIDED).search(left):
        return False
    return _is_joined(left, right, _AT_START)


def _cuts_sign_before(text: str, start: int) -> bool:
    """Whether a sign right before a passage, which is no markup, belongs to its first word."""
    before, first = text[start - 1], text[start]
    if before == "/" and first in "{:":
        return True
    if first.isalnum() or first in "({[\\":
        if compiled(_TERM_SIGN).search(text, max(0, start - 14), start):
            return True
    elif compiled(_COUNTED_SIGNS).match(text, start - 1):
        return True
    if before == "|" and first.isalnum():
        return not is_table_pipe(text, start - 1, start)
    if before in "*_" and first.isalnum():
        run = start - 1
        while run and text[run - 1] == before and start - run < len("***"):
            run -= 1
        return not is_emphasis(text, run, start)
    return False


def _is_end_cut(text: str, end: int) -> bool:
    if end == 0 or end >= len(text):
        return False
    last, after = text[end - 1], text[end]
    if _is_mark(after):
        return not last.isspace()
    if last.isalnum() and _MARK_AND_SPACE.match(text, end):
        return False
    if last.isalpha() and _CLOSING_MARKS.match(text, end):
        return False
    if _PLAIN_END.match(text, end):
        is_in_rate = last in "roan" and text.endswith(_RATE_WORDS, 0, end)
        if last in _MARKS_OF_CLAUSES or (
            last.isalpha() and not is_in_rate and not compiled(_TO_NUMBER).match(text, end)
        ):
            return False
    if _cuts_sign_after(text, end):
        return True
    is_in_formula = after == "$" and is_formula_mark(text, end)
    left, right = plain_before(text, end), plain_after(text, end + is_in_formula)
    if compiled(_POSSESSIVE).match(right) and compiled(_POSSESSOR).search(left):
        return False
    return _is_joined(left, right, _AT_END) or cuts_amount_at_end(left, right)


def _cuts_sign_after(text: str, end: int) -> bool:
    """Whether a sign right behind a passage, which is no markup, belongs to its last word."""
    last, after = text[end - 1], text[end]
    if compiled(_COUNTED_SIGNS).match(text, end - 1):
        return True
    if not last.isalnum():
        return False
    if after in "/?":
        return compiled(_NEXT_PART).match(text, end) is not None
    if after == "[":
        element = compiled(_ELEMENT).match(text, end)
        return element is not None and is_subscript(text, *element.span())
    if after == "<":
        return compiled(_PARAMETERS).match(text, end) is not None
    if after == "|":
        return not is_table_pipe(text, end, end + 1)
    return last.isdigit() and compiled(_SPACED_EXPONENT).match(text, end) is not None


def _is_joined(before: str, after: str, patterns: tuple[tuple[str, int], ...]) -> bool:
    """Whether plain texts that meet are parts of one word or number."""
    if not before or not after:
        return False
    is_word = compiled(WORD)
    if is_word.match(before[-1]) and is_word.match(after):
        # After a word a raised number is a footnote mark, after a number or unit an exponent.
        return after[0] not in _SUPERSCRIPT_DIGITS or not compiled(_LONG_WORD).search(before)
    left = before[-_REACH:]
    window, at = left + after[:_REACH], len(left)
    return (
        any(_lies_across(pattern, reach, window, at) for pattern, reach in patterns)
        or _is_dotted_word(window, at)
        or (
            any(map(str.isdigit, window))
            and (_cuts_identifier(window, at) or cuts_amount_inside(before, after))
        )
    )


def _lies_across(pattern: str, reach: int, window: str, at: int) -> bool:
    """Whether a match of a pattern begins before this offset and ends after it."""
    for match in _across(pattern).finditer(window, max(0, at - reach)):
        if match.start() >= at:
            return False
        if match.end(1) > at:
            return True
    return False


def _cuts_identifier(window: str, at: int) -> bool:
    """Whether this offset is inside a number of a telephone, an account or a paragraph."""
    return any(
        found.start() < at < found.end()
        and (not found["telephone"] or sum(map(str.isdigit, found[0])) >= _TELEPHONE_DIGITS)
        for found in compiled(edge_patterns.IDENTIFIER).finditer(window)
    )


def _is_dotted_word(window: str, at: int) -> bool:
    """Whether a full stop beside this offset is inside a name, such as "bank.com" or "U.S.".

    A sentence may also end there, where a space or a footnote mark was lost: "It grew.The" and
    "It grew.5 The".
    """
    if "." not in window[max(0, at - 2) : at + 2]:
        return False
    for start in range(max(0, at - 2), at):
        if match := compiled(_DOTTED).match(window, start):
            before, after = window[start], window[start + 2 :]
            if after[0].isdigit():
                return after.lstrip("0123456789")[:1].isalpha() or before.isdigit()
            if after[0].isupper():
                return not (before.islower() and not after[1:2].isupper())
            return match[0][-1].islower()
    return False
