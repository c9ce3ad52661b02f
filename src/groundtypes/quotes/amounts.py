"""Units, ranges and rates that belong to a number: "42 mSv", "4 to 6 hours", "10 mg per day".

Both sides of an edge are given in plain text (`boundaries`). Units come from the table of units
(`text.units`). A rate with a word for "per" and a noun belongs to the amount directly before it, as
it does in "mg/day"; adverbs such as "daily" and "every day" may be left out, as others may.
"""

import re
from typing import Final

from groundtypes.quotes.edge_patterns import (
    AFTER_LINE_BREAK,
    BEFORE_LINE_BREAK,
    CJK_UNITS,
    RANGE_WORDS,
    SCALES,
    SPAN_WORDS,
    WORD,
    any_of,
)
from groundtypes.quotes.patterns import compiled
from groundtypes.text.units import is_doubtful_symbol, is_unit_symbol, is_unit_word
from groundtypes.words import words_of

#: Between a number and its unit: spaces, or one line break, as the text of a PDF has it.
_GAP: Final = r"(?P<gap>[ ]{1,4}|[ ]{0,8}\n[ ]{0,8})"
#: The end of a number that is no part of a name such as "B12".
_NUMBER: Final = (
    r"(?:(?<![^\W_])|(?<=[$\u20ac\u00a3]))\d[\d.,'\u00bc-\u00be\u2150-\u215e]{0,15}\Z"
    r"|[\u00bc-\u00be\u2150-\u215e]\Z"
)
_RAISED: Final = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u207b"
_SYMBOL: Final = (
    rf"{_GAP}(?P<name>[^\W\d_{_RAISED}]{{1,6}})(?P<exponent>[{_RAISED}]{{1,3}}|\^?[-\u2212]\d(?!\d)"
    r"|\^\d|[23](?![\w.])|[\u2609\u2295])?"
)
#: Percentages of a kind, ratios, and quotients of things by a unit: "wt%", "v/v", "cells/mL".
_PERCENTAGE: Final = rf"{_GAP}(?:[^\W\d_]{{1,4}}[.-]{{0,2}}[ ]?[%\u2030](?!\w)|[vwmn]/[vwmn](?!\w))"
_QUOTIENT: Final = rf"{_GAP}[^\W\d_]{{1,12}}/(?P<name>[^\W\d_]{{1,6}})(?!{WORD})"
_DIVISOR: Final = rf"/[(]?(?P<name>[^\W\d_]{{1,4}})(?!{WORD})"
#: Units of which a two or three on the line is the exponent.
_LENGTHS: Final = frozenset("m mm cm dm km nm \u00b5m \u03bcm ft yd mi".split())
#: What may follow a unit, and seldom another noun in its place: a mark or a function word.
_GOES_ON: Final = (
    r"(?i)\s*(?:\Z|[.,](?!\w)|[;:!?)\]\u3002\u060c|])"
    rf"|\s+(?:{any_of('edge function word')})(?!\w)"
)
#: A number behind one of these words numbers something, and a letter behind it is a part of that.
LABEL: Final = rf"(?i:\b(?:{any_of('edge label')})[.s]?\s?[\d.]{{1,9}})\Z"
_LABEL_OR_YEAR: Final = rf"{LABEL}|(?<!\d)(?:1[5-9]|20)\d\d\Z"
_RANGE: Final = (
    rf"\d(?:[ ]?(?:%|[\u00b0\u00ba][CF]?|(?P<unit>[^\W\d_]{{1,6}})))?"
    rf"(?:[ ](?:up[ ])?(?P<word>(?i:{RANGE_WORDS}|through|thru))[ ](?:zu[ ])?"
    rf"|(?<!\d{{4}})[-~\u2212][ ]?|[ ]?(?:至|到|から|ないし|乃至|에서|부터)[ ]?)"
    r"(?P<number>\d[\d.,]{0,12})"
)
#: A line break inside of a paragraph.
_LINE_BREAK: Final = r"(?<!\n)[ ]{0,4}\n[ ]{0,8}(?![\n*+\u2022]|-[ ])"
#: Words of a range or alternative between two numbers of things that a word names.
_IS_SPAN: Final = rf"(?i:{SPAN_WORDS}|{any_of('edge alternative')})"
_BETWEEN: Final = rf"(?i)(?<!\w)(?:{any_of('edge between')})\s[\d.,]{{0,12}}\Z"
_UNIT_AFTER: Final = rf"[ ]?(?:[%\u2030\u00b0]|{CJK_UNITS}|(?:{SCALES})(?!\w))"
_WORD_AFTER: Final = r"[ ](?P<word>[^\W\d_]{3,16})(?!\w)"
_BELOW_ZERO: Final = rf"[ \n](?:{any_of('edge below zero')})(?!\w)"
_DEGREES: Final = r"\d\s?(?:[\u00b0\u00ba]?[CF]?|[^\W\d_]{4,10}(?: [CF]\w{0,9})?)\Z"
_REACH: Final = 28

#: Nouns that a rate counts, beside units: people, things, nights.
_COUNTED: Final = frozenset(words_of("rate noun")["mul"])
#: Numbers in words, which rates follow as they follow digits.
_NUMERALS: Final = frozenset(words_of("rate numeral")["mul"])
#: Names of currencies, which are amounts like units.
_CURRENCIES: Final = frozenset(words_of("rate currency")["mul"])
#: After an article or preposition, these and no other nouns make a rate; "10 km a day later" says
#: when, and not how often.
_TIMES: Final = (
    rf"(?i:an?)[ ](?:{any_of('edge noun of time behind an article')}"
    r"|second(?=[.,;:!?)]|\Z|[ ](?:and|at|for|in|on|or|to)))"
    rf"(?![\w-]|[ ](?:{any_of('edge word behind a time that is no rate')})(?!{WORD}))"
    rf"|{any_of('edge rate with an article')}"
)
#: A word for "per" with its noun, or with a power of ten or a small amount ("per 100 ml").
_RATE: Final = (
    r"(?:(?P<per>(?i:per|pro|par|por|je|pr[.]?)|na|на)[ ]|/[ ]?)"
    r"(?:(?P<noun>[^\W\d_]{1,16})"
    r"|(?P<number>1(?:[.,' ]?0){2,9}|\d{1,3}[ ]?(?:m[lL]|[lLgm]|kg|km)))(?![\w-])"
    rf"|(?P<times>{_TIMES})(?!{WORD})"
)
_SPACELESS_RATE: Final = rf"(?:[ ]?/[ ]?|每)(?:{any_of('edge noun of a rate')})"
_SPACELESS_AMOUNT: Final = r"\d[^\d\s.,;:()\u3002\u3001\uff0c]{1,5}\Z"
#: A number with up to three words, of which the last is its unit or noun.
_AMOUNT: Final = (
    r"(?:(?P<currency>[$\u20ac\u00a3\u00a5\u20b9])[ ]?|(?<![\w.,]))"
    r"(?P<number>(?:\d(?:[\d.,']{0,14}\d)?)?[\u00bc-\u00be\u2150-\u215e]?)(?<=[\d\u00bc-\u00be\u2150-\u215e])"
    r"(?P<words>(?:[ -]?[^\W\d_]{1,20}){0,3})"
    r"(?P<sign>[ ]?[%\u2030\u00b0$\u20ac\u00a3\u00a5\u20b9\u00b2\u00b3]{1,2})?\Z"
)
_YEAR: Final = r"(?:1\d|20|21)\d\d\Z"
#: The words with which a rate begins, and a word for "per" that the quote ends with.
BEGIN_RATE: Final = any_of("edge beginning of a rate")
_LAST: Final = r"(?<=[ \n])(?i:per|pro|par|por|je|an?|na|на|в)[ \n]?\Z|/[ ]?\Z"
_BREAK: Final = r"[ ]{0,4}(?<!\n)\n(?!\n)[ ]{0,4}|[ ]{2,4}"
_RATE_REACH: Final = 56
#: The words before a rate among which a number in words is looked for.
_MOST_WORDS: Final = 3


def cuts_amount_at_end(before: str, after: str) -> bool:
    """Whether a quote that ends here loses a unit, "below zero" or the rate of an amount."""
    return (
        _cuts_unit(before, after)
        or (
            compiled(_BELOW_ZERO).match(after) is not None
            and compiled(_DEGREES).search(before[-32:]) is not None
        )
        or _cuts_rate(before, after)
    )


def cuts_amount_inside(before: str, after: str) -> bool:
    """Whether the edge is inside a range with a unit, or between two lines of an amount."""
    return _cuts_range(before, after) or _cuts_across_lines(before, after)


def _cuts_unit(before: str, after: str) -> bool:
    """Whether a number ends before the edge and its unit follows."""
    before = before.removesuffix("$")  # the end of a formula
    if not before[-1:].isnumeric() or not after[:1].isspace():
        return False
    return compiled(_NUMBER).search(before, max(0, len(before) - 20)) is not None and (
        _starts_with_unit(before, after)
    )


def _starts_with_unit(before: str, after: str) -> bool:
    symbol = compiled(_SYMBOL).match(after)
    if symbol is None:
        return False
    if compiled(_PERCENTAGE).match(after):
        return True
    name, exponent, rest = symbol["name"], symbol["exponent"] or "", after[symbol.end() :]
    if exponent[-1:] in ("2", "3") and len(exponent) == 1 and name not in _LENGTHS:
        return False
    if not is_unit_symbol(name) or not _ends_symbol(name, rest):
        quotient = compiled(_QUOTIENT).match(after)
        return quotient is not None and _is_divisor(quotient["name"])
    if exponent or (
        not is_doubtful_symbol(name) and not (len(name) == 1 and "\n" in symbol["gap"])
    ):
        return True
    divisor = compiled(_DIVISOR).match(rest)
    if divisor is not None:
        return _is_divisor(divisor["name"])
    return rest[:1] in ("\u00b7", "\u22c5", "'") or (
        compiled(_GOES_ON).match(rest) is not None
        and not compiled(_LABEL_OR_YEAR).search(before[-24:])
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


def _cuts_range(before: str, after: str) -> bool:
    """Whether the edge is inside a range with a unit, such as "4 to 6 hours"."""
    line_break = compiled(_LINE_BREAK)
    left = line_break.sub(" ", before[-_REACH:])
    window, at = left + line_break.sub(" ", after[: 2 * _REACH]), len(left)
    for found in compiled(_RANGE).finditer(window):
        if not found.start() < at <= found.start("number"):
            continue
        joint = found["word"] or "to"
        if found["unit"] and not re.fullmatch(f"(?i:{SPAN_WORDS})", joint):
            continue
        rest = window[found.end() :]
        if rest[:1] == "-":  # "5 to 10-mg tablets"
            rest = f" {rest[1:]}"
        if compiled(_UNIT_AFTER).match(rest) or _starts_with_unit(
            "", rest if rest[:1] == " " else f" {rest}"
        ):
            return True
        word = compiled(_WORD_AFTER).match(rest)
        if (
            word is not None
            and is_unit_word(word["word"])
            and (
                compiled(_IS_SPAN).fullmatch(joint)
                or compiled(_BETWEEN).search(window[: found.start()])
            )
        ):
            return True
    return False


def _cuts_across_lines(before: str, after: str) -> bool:
    """Whether a line break alone separates a number from its scale, percent sign or currency."""
    left, right = before.rstrip(" \n"), after.lstrip(" \n")
    breaks = before.count("\n", len(left)) + after.count("\n", 0, len(after) - len(right))
    if breaks != 1 or not left or not right:
        return False
    if left[-1].isnumeric():
        return compiled(AFTER_LINE_BREAK).match(right) is not None
    return right[0].isdigit() and compiled(BEFORE_LINE_BREAK).search(left[-12:]) is not None


def _cuts_rate(before: str, after: str) -> bool:
    """Whether the edge is between an amount and its rate, or inside of the rate."""
    if compiled(_SPACELESS_RATE).match(after) and compiled(_SPACELESS_AMOUNT).search(before[-8:]):
        return True
    left = compiled(_BREAK).sub(" ", before[-_RATE_REACH:])
    last = compiled(_LAST).search(left)
    right = compiled(_BREAK).sub(" ", after[:_RATE_REACH])
    if last is None and right[:1] not in (" ", "/"):
        return False
    window = left + right
    start = len(left) + (right[:1] == " ") if last is None else last.start()
    rate = compiled(_RATE).match(window, start)
    return rate is not None and _is_of_amount(rate, window[:start].rstrip())


def _is_of_amount(rate: re.Match[str], before: str) -> bool:
    """Whether a rate counts a unit or noun, and an amount stands before it."""
    noun = rate["noun"]
    if noun is not None and noun.lower() not in _COUNTED and not _is_unit(noun):
        return False
    if rate["number"] and rate["per"] not in ("per", "Per"):
        return False
    amount = compiled(_AMOUNT).search(before)
    if amount and (amount["currency"] or amount["sign"]):
        return True
    words = _words_of_amount(amount, before)
    if words is None:
        return False
    is_scaled = bool(words) and re.fullmatch(f"(?i:{SCALES})", words[0]) is not None
    last = words[-1] if words else ""
    is_currency = last.lower() in _CURRENCIES or (len(last) == len("EUR") and last.isupper())
    if is_currency or _is_unit(last) or (is_scaled and len(words) == 1):
        return True
    is_year = amount is not None and compiled(_YEAR).match(amount["number"])
    if rate["times"] or rate["per"] is None or is_year:
        return False
    # "12 deaths per 100,000", "3 per 1,000", "5 million users per day"
    return not words or (len(words) == 1 + is_scaled and last.endswith("s"))


def _words_of_amount(amount: re.Match[str] | None, before: str) -> list[str] | None:
    """Return the words behind the number of an amount, which may be in words, or `None`."""
    if amount is not None:
        return re.findall(r"[^\W\d_]+", amount["words"])
    words = re.findall(r"[^\W\d_]+(?=[ -]|\Z)", before)[-_MOST_WORDS:]
    numerals = [at for at, word in enumerate(words) if word.lower() in _NUMERALS]
    return words[numerals[-1] + 1 :] if numerals else None


def _is_unit(word: str) -> bool:
    return is_unit_word(word) or (is_unit_symbol(word) and not is_doubtful_symbol(word))
