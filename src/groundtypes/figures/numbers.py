"""Numbers in digits, with the separators of several locales, and in English words."""

import re
import unicodedata
from fractions import Fraction
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, simplify

#: A number with more digits, or a larger power of ten, is compared as it is written, so that no
#: text costs much arithmetic.
_MOST_DIGITS: Final = 60
_MOST_POWER: Final = 300
_RUN: Final = re.compile(r"[0-9]+(?:[.,'][0-9]+)*")
_SPACED: Final = re.compile(
    r"[1-9][0-9]{0,2}(?: [0-9]{3}){1,6}(?:[.,][0-9]{1,2})?(?![0-9]|[.,'][0-9]| [0-9]{3}(?![0-9]))"
)
_GROUP: Final = re.compile("[0-9]+")
_COMMAS: Final = re.compile(
    r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})(?:\.[0-9]+)?"
)
_POINTS: Final = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_APOSTROPHES: Final = re.compile(r"[1-9][0-9]{0,2}(?:'[0-9]{3})+(?:[.,][0-9]+)?")
_DECIMAL: Final = re.compile(r"[0-9]+\.[0-9]+")
_DECIMAL_COMMA: Final = re.compile(r"(?:0,[0-9]+|[0-9]+,[0-9]{1,2})")
_EXPONENT: Final = (
    r"(?:\^\{?(?P<caret>[+-]?[0-9]+)\}?|(?P<flat>\ue000[0-9]{1,2})"
    r"|(?P<super>[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))"
)
_POWER: Final = re.compile(rf"(?:[eE](?P<e>[+-]?[0-9]+)|\s?[×xX*·]\s?10{_EXPONENT})(?![0-9A-Za-z])")
_POWER_OF_TEN: Final = re.compile(_EXPONENT)
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻\ue000", "0123456789+--")
SLASHED: Final = re.compile(r"([0-9]{1,6})\s?/\s?([0-9]{1,6})(?![0-9/]|[.,][0-9])")
_MIXED: Final = re.compile(r"([0-9]{1,6})[ -]([0-9]{1,3})\s?/\s?([0-9]{1,4})(?![0-9/]|[.,][0-9])")
FRACTIONS: Final = {
    sign: Fraction(unicodedata.numeric(sign)).limit_denominator(10) for sign in "½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
}


class Numeral(NamedTuple):
    """A number in digits; `values` is empty for a label (3.11.2), `parts` for one number."""

    end: int
    literal: str
    values: tuple[Number, ...]
    step: Number = 1
    parts: tuple[tuple[int, int], ...] = ()


def read_numeral(text: str, start: int) -> Numeral:
    """Return the number whose first digit or fraction character is at `start`."""
    if sign := FRACTIONS.get(text[start]):
        return Numeral(start + 1, text[start], (sign,), Fraction(1, sign.denominator))
    has_slash = "/" in text[start : start + 12]
    if has_slash and (match := _MIXED.match(text, start)) and 0 < int(match[2]) < int(match[3]):
        part = Fraction(int(match[2]), int(match[3]))
        mixed = int(match[1]) + part
        return Numeral(match.end(), match[0], (mixed,), Fraction(1, int(match[3])))
    if has_slash and (match := SLASHED.match(text, start)) and (below := int(match[2])):
        # "24/7" is two numbers, "3/4" is one
        share = Fraction(int(match[1]), below)
        both = (match.span(1), match.span(2)) if share > 1 else ()
        return Numeral(match.end(), match[0], (share,), Fraction(1, below), both)
    match = _SPACED.match(text, start)
    if match is not None and len(match[0]) <= _MOST_DIGITS:
        groups = tuple(group.span() for group in _GROUP.finditer(text, *match.span()))
        value = _decimal(match[0].replace(" ", ""))
        numeral = Numeral(match.end(), match[0], (value,), step_of(value), groups)
    else:
        numeral = _plain(text, start)
    return _with_power(text, start, numeral) if numeral.values else numeral


def _plain(text: str, start: int) -> Numeral:
    match = _RUN.match(text, start)
    run = match[0] if match else text[start]
    if len(run) > _MOST_DIGITS:
        return Numeral(start + len(run), run, ())
    if not run.isdigit():
        run = _first_number(run)
    end = start + len(run)
    if run.isdigit():
        at = end + (text[end : end + 1] == " ")
        if part := FRACTIONS.get(text[at : at + 1]):
            step = Fraction(1, part.denominator)
            return Numeral(at + 1, text[start : at + 1], (int(run) + part,), step)
        return Numeral(end, run, (int(run),), step_of(int(run)))
    values = _values(run)
    decimals = len(run) - max(run.rfind("."), run.rfind(",")) - 1
    is_whole = not values or values[0].denominator == 1
    place = step_of(values[0]) if values and is_whole else Fraction(1, 10**decimals)
    return Numeral(end, run, values, place)


def _first_number(run: str) -> str:
    """Return the run of digits, or the first number of a list that is written without spaces."""
    if "'" in run and not _APOSTROPHES.fullmatch(run):
        return _first_number(run[: run.index("'")])
    notations = (_COMMAS, _POINTS, _APOSTROPHES, _DECIMAL_COMMA)
    if "," in run and not any(notation.fullmatch(run) for notation in notations):
        return _first_number(run[: run.index(",")])
    return run


def _values(run: str) -> tuple[Number, ...]:
    """Return what a run of digits and separators may mean; nothing for a label such as 3.11.2."""
    for mark, pattern in ((",", _COMMAS), ("'", _APOSTROPHES)):
        if pattern.fullmatch(run):
            return (_decimal(run.replace(mark, "")),)
    if _POINTS.fullmatch(run):
        grouped = _decimal(run.replace(".", ""))
        # "1.200" may be 1,200 or 1.2.
        return (_decimal(run), grouped) if _DECIMAL.fullmatch(run) else (grouped,)
    is_decimal = _DECIMAL.fullmatch(run) or _DECIMAL_COMMA.fullmatch(run)
    return (_decimal(run),) if is_decimal or run.isdigit() else ()


def _decimal(digits: str) -> Number:
    return simplify(Fraction(digits.replace(",", ".")))


def _with_power(text: str, start: int, numeral: Numeral) -> Numeral:
    """Return the number with the power of ten that follows it."""
    match = _POWER.match(text, numeral.end)
    values = numeral.values
    if match is None and numeral.literal == "10":
        match = _POWER_OF_TEN.match(text, numeral.end)
        values = (1,)
    if match is None:
        return numeral
    digits = next(filter(None, match.groups())).translate(_SUPERSCRIPTS)
    literal = text[start : match.end()]
    if len(digits) > 5 or abs(int(digits)) > _MOST_POWER:
        return Numeral(match.end(), literal, ())
    scale = Fraction(10) ** int(digits)
    scaled = tuple(simplify(value * scale) for value in values)
    return Numeral(match.end(), literal, scaled, simplify(numeral.step * scale))


def step_of(value: Number) -> Number:
    """Return the place value of the last non-zero digit: 100 for 1,200, 1/10 for 2.5."""
    step: Number = 1
    while value and value.denominator == 1 and value % (step * 10) == 0:
        step *= 10
    part = Fraction(step)
    while value.denominator != 1 and (value / part).denominator != 1 and part > Fraction(1, 10**9):
        part /= 10
    return step if value.denominator == 1 else part


BELOW_TWENTY: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_WORDS_OF_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
TENS: Final = {word: 10 * number for number, word in enumerate(_WORDS_OF_TENS, start=2)}
SCALES: Final = {
    "thousand": 10**3, "lakh": 10**5, "million": 10**6, "crore": 10**7, "billion": 10**9,
    "trillion": 10**12,
}  # fmt: skip
_SMALL_SCALES: Final = {"dozen": 12, "hundred": 100}
_IRREGULAR: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
ORDINALS: Final = {
    _IRREGULAR.get(word, word.removesuffix("y") + ("ieth" if word[-1] == "y" else "th")): number
    for word, number in [
        *BELOW_TWENTY.items(), *TENS.items(), ("hundred", 100), ("thousand", 1000),
        ("million", 10**6),
    ]
    if number
}  # fmt: skip
_DENOMINATORS: Final = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    word + ending: number for word, number in ORDINALS.items() if number > 2 for ending in ("", "s")
}
_TOKEN: Final = re.compile(r"[A-Za-z]+")
#: Between two words of one number: white space, a hyphen, or "and".
_GAP: Final = re.compile(r"(?:,?\s{1,3}and\s{1,3}|\s?-\s?|\s{1,3})(?=[A-Za-z])")
#: The fraction of "two and a half".
_AND_FRACTION: Final = re.compile(
    r"(?:\s{1,3}and\s{1,3}|-and-)(?:(?:a|one)[\s-]{1,3}(half|quarter|third)|two[\s-](thirds)"
    r"|three[\s-](quarters?))\b",
    re.IGNORECASE,
)
#: Of what a part is one: "three quarters of a million".
_OF_A_SCALE: Final = re.compile(
    rf"\s{{1,3}}of\s{{1,3}}(?:a|one)\s{{1,3}}(?P<scale>{'|'.join(SCALES)}|hundred|dozen)\b(?!-)",
    re.IGNORECASE,
)
_SPACE: Final = re.compile(r"\s{1,3}")
_SPACE_OR_HYPHEN: Final = re.compile(r"[\s-]")
_AFTER_PART: Final = re.compile(r"\s{1,3}(?:(?:of\s{1,3})?an?\s{1,3})?(?=[a-z])", re.IGNORECASE)
#: The decimals of "two point five".
_POINT: Final = re.compile(
    r"\s{1,3}point((?:\s{1,3}(?:zero|one|two|three|four|five|six|seven|eight|nine)\b){1,20})",
    re.IGNORECASE,
)
#: The words with which a number may begin.
NUMBER_WORDS: Final = frozenset(
    {*BELOW_TWENTY, *TENS, *SCALES, *ORDINALS, "hundred", "dozen", "half", "quarter"}
)


class Phrase(NamedTuple):
    """A number in words that ends at `end`; it has `words` words."""

    end: int
    value: Number
    is_ordinal: bool = False
    is_fraction: bool = False
    words: int = 1


def read_phrase(text: str, start: int) -> Phrase | None:
    """Return the number whose first word is at `start`."""
    word = _word(text, start)
    if word in ("half", "quarter"):
        return _part(text, start + len(word), _DENOMINATORS[word])
    if word in ORDINALS:
        return Phrase(start + len(word), ORDINALS[word], is_ordinal=True)
    phrase = _cardinal(text, start)
    return phrase if phrase is None or phrase.is_ordinal else _with_fraction(text, phrase)


def _part(text: str, end: int, parts: int) -> Phrase:
    """Return a half or a quarter, or that part of a million or a dozen."""
    gap = _AFTER_PART.match(text, end)
    word = _word(text, gap.end()) if gap else ""
    scale = SCALES.get(word, _SMALL_SCALES.get(word))
    if gap is None or scale is None:
        return Phrase(end, Fraction(1, parts), is_fraction=True)
    return Phrase(gap.end() + len(word), scale // parts, words=2)


def _cardinal(text: str, start: int) -> Phrase | None:
    """Return the longest run of number words that make one English number."""
    total = current = 0  # `current` is the number since the last scale word
    limit = 1000  # the next word must be smaller: "twenty" may be followed by "one", not by "ten"
    last_scale = 10**15  # and the next scale word smaller than the last one
    at, end, words = start, start, 0
    is_ordinal = False
    while True:
        word = _word(text, at)
        small = BELOW_TWENTY.get(word, limit)
        if small < limit and (small or not words):
            current, limit = current + small, 1
        elif word in TENS and limit >= 100:
            current, limit = current + TENS[word], 10
        elif word == "hundred" and current < 100:
            current, limit = (current or 1) * 100, 100
        elif word == "dozen" and current < 100:
            return Phrase(at + 5, total + (current or 1) * 12, words=words + 1)
        elif word in SCALES and SCALES[word] < last_scale and (current or not words):
            last_scale = SCALES[word]
            total += (current or 1) * last_scale
            current, limit = 0, 1000
        elif words and word in ORDINALS and ORDINALS[word] < limit:
            current += ORDINALS[word]
            is_ordinal = True
        else:
            break
        words += 1
        end = at + len(word)
        gap = _GAP.match(text, end)
        if is_ordinal or gap is None:
            break
        between = gap[0].strip().lower()
        if (between.endswith("and") and limit < 100) or (between == "-" and limit == 1):
            break  # "five and six", "five-six" are two numbers
        at = gap.end()
    return Phrase(end, total + current, is_ordinal=is_ordinal, words=words) if words else None


def _with_fraction(text: str, phrase: Phrase) -> Phrase:
    """Return "two thirds", "one and a half" or "two point five", with their scales, as a number."""
    if match := _POINT.match(text, phrase.end):
        digits = "".join(str(BELOW_TWENTY[word.lower()]) for word in match[1].split())
        value = phrase.value + Fraction(int(digits), 10 ** len(digits))
        return _scaled(text, Phrase(match.end(), value, words=phrase.words + 2))
    if match := _AND_FRACTION.match(text, phrase.end):
        name = (match[1] or match[2] or match[3]).lower().rstrip("s")
        part = Fraction(2 if match[2] else 3 if match[3] else 1, _DENOMINATORS[name])
        last = text[max(0, phrase.end - 9) : phrase.end].rsplit(maxsplit=1)[-1].lower()
        value = phrase.value + part * SCALES.get(last, 1)  # "a million and a half"
        return _scaled(text, Phrase(match.end(), value, words=phrase.words + 2))
    gap = _SPACE_OR_HYPHEN.match(text, phrase.end)
    word = _word(text, gap.end()) if gap else ""
    if gap is None or word not in _DENOMINATORS or phrase.value > 99:
        return phrase
    # Neither "one thirds" nor "two third"; but "three-quarter", which stands before a noun.
    if word.endswith("s") == (phrase.value == 1) and gap[0] != "-":
        return phrase
    value = Fraction(phrase.value, _DENOMINATORS[word])
    return Phrase(gap.end() + len(word), value, is_fraction=True, words=phrase.words + 1)


def scale_of_part(text: str, end: int) -> tuple[int, int] | None:
    """Return end and factor of the scale of which a part ends at `end`: "of a million"."""
    match = _OF_A_SCALE.match(text, end)
    return match and (match.end(), (SCALES | _SMALL_SCALES)[match["scale"].lower()])


def _scaled(text: str, phrase: Phrase) -> Phrase:
    gap = _SPACE.match(text, phrase.end)
    word = _word(text, gap.end()) if gap else ""
    if gap is None or word not in SCALES:
        return phrase
    return Phrase(gap.end() + len(word), simplify(phrase.value * SCALES[word]), words=3)


def _word(text: str, at: int) -> str:
    match = _TOKEN.match(text, at)
    word = match[0].lower() if match and len(match[0]) < 20 else ""
    return word.removesuffix("fold")  # the "fold" of "threefold" is its unit
