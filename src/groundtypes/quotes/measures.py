"""Units and ranges that belong to a number, by the table of units (`text.units`).

Both sides of an edge are given in plain text (`edge_context`).
"""

import re
from typing import Final

from groundtypes.quotes.number_boundaries import (
    AFTER_LINE_BREAK,
    BEFORE_LINE_BREAK,
    CJK_UNITS,
    RANGE_WORDS,
    SPAN_WORDS,
)
from groundtypes.text.characters import WORD
from groundtypes.text.units import is_doubtful_symbol, is_unit_symbol, is_unit_word

__all__ = ["cuts_across_lines", "cuts_range", "cuts_temperature", "cuts_unit"]

#: Between a number and its unit: spaces, or one line break, as the text of a PDF has it.
_GAP: Final = r"(?P<gap>[ ]{1,4}|[ ]{0,8}\n[ ]{0,8})"
#: The end of a number that is no part of a name such as "B12".
_NUMBER: Final = re.compile(
    r"(?:(?<![^\W_])|(?<=[$\u20ac\u00a3]))\d[\d.,'\u00bc-\u00be\u2150-\u215e]{0,15}\Z|[\u00bc-\u00be\u2150-\u215e]\Z"
)
_RAISED: Final = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u207b"
_SYMBOL: Final = re.compile(
    rf"{_GAP}(?P<name>[^\W\d_{_RAISED}]{{1,6}})(?P<exponent>[{_RAISED}]{{1,3}}|\^?[-\u2212]\d(?!\d)|\^\d|[23](?![\w.])"
    r"|[\u2609\u2295])?"
)
#: Percentages of a kind, ratios, and quotients of things by a unit: "wt%", "v/v", "cells/mL".
_PERCENTAGE: Final = re.compile(rf"{_GAP}[^\W\d_]{{1,4}}[.-]{{0,2}}[ ]?[%\u2030](?!\w)")
_RATIO: Final = re.compile(rf"{_GAP}[vwmn]/[vwmn](?!\w)")
_QUOTIENT: Final = re.compile(rf"{_GAP}[^\W\d_]{{1,12}}/(?P<name>[^\W\d_]{{1,6}})(?!{WORD})")
_DIVISOR: Final = re.compile(rf"/[(]?(?P<name>[^\W\d_]{{1,4}})(?!{WORD})")
#: Units of which a two or three on the line is the exponent.
_LENGTHS: Final = frozenset("m mm cm dm km nm \u00b5m \u03bcm ft yd mi".split())
#: What may follow a unit, and seldom another noun in its place: a mark or a function word.
_GOES_ON: Final = re.compile(
    r"\s*(?:\Z|[.,](?!\w)|[;:!?)\]\u3002\u060c|])|\s+(?:and|or|for|at|was|is|in|of|to|per|with|through|from|on|by|as|than|were|are|"
    r"had|has|which|that|when|while|during|after|before|but|if|und|oder|bei|f\u00fcr|mit|von|an|auf|als|"
    r"pro|wurde|war|sowie|et|ou|\u00e0|de|pour|par|dans|y|o|en|con|por|e|di|da|per|i|w|z|na|do|och|og|"
    r"\u0438|\u0438\u043b\u0438|\u0432|\u043d\u0430|\u043f\u0440\u0438|\u0437\u0430|\u0434\u043e|\u0434\u043b\u044f|\u043e\u0442)(?!\w)",
    re.IGNORECASE,
)
#: A number behind one of these words numbers something, and a letter behind it is a part of that.
_LABEL: Final = re.compile(
    r"(?i)\b(?:fig(?:ure|s)?|tab(?:le)?|panel|section|sec|part|article|art|chapter|step|group|type|"
    r"class|grade|stage|phase|appendix|annex|clause|rule|model|room|no|nr)[.s]?\s?[\d.]{1,9}\Z"
    r"|(?<!\d)(?:1[5-9]|20)\d\d\Z"
)
_RANGE: Final = re.compile(
    rf"\d(?:[ ]?(?:%|[\u00b0\u00ba][CF]?|(?P<unit>[^\W\d_]{{1,6}})))?"
    rf"(?:[ ](?:up[ ])?(?P<word>(?i:{RANGE_WORDS}|through|thru))[ ](?:zu[ ])?"
    rf"|(?<!\d{{4}})[-~\u2212][ ]?|[ ]?(?:至|到|から|ないし|乃至|에서|부터)[ ]?)"
    r"(?P<number>\d[\d.,]{0,12})"
)
#: A line break inside of a paragraph.
_LINE_BREAK: Final = re.compile(r"(?<!\n)[ ]{0,4}\n[ ]{0,8}(?![\n*+\u2022]|-[ ])")
_SPAN: Final = re.compile(rf"(?i:{SPAN_WORDS})")
#: Words of a range or alternative between two numbers of things that a word names.
_IS_SPAN: Final = re.compile(rf"(?i:{SPAN_WORDS}|through|thru|or|oder|ou|o|a|eller|lub|или)")
_BETWEEN: Final = re.compile(
    r"(?i)(?<!\w)(?:between|zwischen|entre|\u043c\u0435\u0436\u0434\u0443|mellan|mellem|mellom|tussen|tra|fra)\s[\d.,]{0,12}\Z"
)
_UNIT_AFTER: Final = re.compile(rf"[ ]?(?:[%\u2030\u00b0]|{CJK_UNITS})")
_WORD_AFTER: Final = re.compile(r"[ ](?P<word>[^\W\d_]{3,16})(?!\w)")
_BELOW_ZERO: Final = re.compile(
    r"[ \n](?:below (?:zero|freezing)|under (?:zero|noll|null|nul)|unter Null|onder nul|sous zéro|"
    r"bajo cero|sotto zero|abaixo de zero|ниже нуля|нижче нуля|pod nulou|poniżej zera)(?!\w)"
)
_DEGREES: Final = re.compile(r"\d\s?(?:[\u00b0\u00ba]?[CF]?|[^\W\d_]{4,10}(?: [CF]\w{0,9})?)\Z")
_REACH: Final = 28


def cuts_unit(before: str, after: str) -> bool:
    """Whether a number ends before the edge and its unit follows."""
    if before[-1:] == "$":  # the end of a formula
        before = before[:-1]
    if not before[-1:].isnumeric() or not after[:1].isspace():
        return False
    return _NUMBER.search(before, max(0, len(before) - 20)) is not None and _starts_with_unit(
        before, after
    )


def _starts_with_unit(before: str, after: str) -> bool:
    symbol = _SYMBOL.match(after)
    if symbol is None:
        return False
    if _PERCENTAGE.match(after) or _RATIO.match(after):
        return True
    name, exponent, rest = symbol["name"], symbol["exponent"] or "", after[symbol.end() :]
    if exponent[-1:] in ("2", "3") and len(exponent) == 1 and name not in _LENGTHS:
        return False
    if not is_unit_symbol(name) or not _ends_symbol(name, rest):
        quotient = _QUOTIENT.match(after)
        return quotient is not None and _is_divisor(quotient["name"])
    if exponent:
        return True
    if not is_doubtful_symbol(name) and not (len(name) == 1 and "\n" in symbol["gap"]):
        return True
    divisor = _DIVISOR.match(rest)
    if divisor is not None:
        return _is_divisor(divisor["name"])
    return rest[:1] in ("\u00b7", "\u22c5", "'") or (
        _GOES_ON.match(rest) is not None and not _LABEL.search(before[-24:])
    )


def _ends_symbol(name: str, rest: str) -> bool:
    """Whether the name of a symbol is whole: neither a part of a word nor an elided article."""
    following = rest[:1]
    if following == "'":  # "12.500 TL'dir", but "5 l'homme" and "5 d'entre eux"
        return len(name) > 1 or not rest[1:2].isalpha()
    if following == "-":
        return len(name) > 1 and not is_doubtful_symbol(name)
    return re.match(WORD, following) is None


def _is_divisor(name: str) -> bool:
    is_symbol = is_unit_symbol(name) and (not is_doubtful_symbol(name) or name in ("s", "d"))
    return is_symbol or is_unit_word(name)


def cuts_range(before: str, after: str) -> bool:
    """Whether the edge is inside a range with a unit, such as "4 to 6 hours"."""
    left = _LINE_BREAK.sub(" ", before[-_REACH:])
    window, at = left + _LINE_BREAK.sub(" ", after[: 2 * _REACH]), len(left)
    for found in _RANGE.finditer(window):
        if not found.start() < at <= found.start("number"):
            continue
        if found["unit"] and not _SPAN.fullmatch(found["word"] or "to"):
            continue
        rest = window[found.end() :]
        if rest[:1] == "-":  # "5 to 10-mg tablets"
            rest = f" {rest[1:]}"
        if _UNIT_AFTER.match(rest) or _starts_with_unit(
            "", rest if rest[:1] == " " else f" {rest}"
        ):
            return True
        word = _WORD_AFTER.match(rest)
        if word is None or not is_unit_word(word["word"]):
            continue
        if _IS_SPAN.fullmatch(found["word"] or "to") or _BETWEEN.search(window[: found.start()]):
            return True
    return False


def cuts_temperature(before: str, after: str) -> bool:
    """Whether "below zero", which makes a number negative, follows the number and its unit."""
    return _BELOW_ZERO.match(after) is not None and _DEGREES.search(before[-32:]) is not None


def cuts_across_lines(before: str, after: str) -> bool:
    """Whether a line break alone separates a number from its scale, percent sign or currency."""
    left, right = before.rstrip(" \n"), after.lstrip(" \n")
    breaks = before.count("\n", len(left)) + after.count("\n", 0, len(after) - len(right))
    if breaks != 1 or not left or not right:
        return False
    if left[-1].isnumeric():
        return AFTER_LINE_BREAK.match(right) is not None
    return right[0].isdigit() and BEFORE_LINE_BREAK.search(left[-12:]) is not None
