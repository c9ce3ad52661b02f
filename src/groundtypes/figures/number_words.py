"""Numbers written in English words: "twenty-one", "two hundred and five", "three quarters"."""

import re
from fractions import Fraction
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, simplify

BELOW_TWENTY: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
TENS: Final = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
SCALES: Final = {
    "thousand": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
}
_SMALL_SCALES: Final = {"dozen": 12, "hundred": 100}
ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(),
        start=1,
    )
} | {
    word: 10 * number
    for number, word in enumerate(
        "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth "
        "hundredth".split(),
        start=2,
    )
} | {"thousandth": 1000, "millionth": 10**6}  # fmt: skip
_DENOMINATORS: Final = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    word + ending: number for word, number in ORDINALS.items() if number > 2 for ending in ("", "s")
}
_TOKEN: Final = re.compile(r"[A-Za-z]+")
#: Between two words of one number: white space, a hyphen, or "and".
_GAP: Final = re.compile(r"(?:,?\s{1,3}and\s{1,3}|\s?-\s?|\s{1,3})(?=[A-Za-z])")
#: The fraction of "two and a half".
_AND_FRACTION: Final = re.compile(
    r"(?:\s{1,3}and\s{1,3}|-and-)(?:(?:a|one)[\s-]{1,3}(half|quarter|third)|(two)[\s-]thirds"
    r"|(three)[\s-]quarters?)\b",
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
    """A number in words that ends at `end` in the text.

    Attributes:
        end: Where it ends.
        value: Its value.
        is_ordinal: Whether it is "third" and not "three".
        is_fraction: Whether it is "half" or "three quarters".
        words: The number of its words; with a fraction or decimals, only more than one.
    """

    end: int
    value: Number
    is_ordinal: bool = False
    is_fraction: bool = False
    words: int = 1


def read_phrase(text: str, start: int) -> Phrase | None:
    """Return the number whose first word is at `start`."""
    word = _word(text, start)
    if word == "half":
        return _part(text, start + 4, 2)
    if word == "quarter":
        return _part(text, start + 7, 4)
    if word in ORDINALS:
        return Phrase(start + len(word), ORDINALS[word], is_ordinal=True)
    phrase = _cardinal(text, start)
    return None if phrase is None else _with_fraction(text, phrase)


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
        if (
            word in BELOW_TWENTY
            and BELOW_TWENTY[word] < limit
            and (BELOW_TWENTY[word] or not words)
        ):
            current += BELOW_TWENTY[word]
            limit = 1
        elif word in TENS and limit >= 100:
            current += TENS[word]
            limit = 10
        elif word == "hundred" and current < 100:
            current = (current or 1) * 100
            limit = 100
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
    if not words:
        return None
    return Phrase(end, total + current, is_ordinal=is_ordinal, words=words)


def _with_fraction(text: str, phrase: Phrase) -> Phrase:
    """Return "two thirds", "one and a half" or "two point five", with their scales, as a number."""
    if phrase.is_ordinal:
        return phrase
    if match := _POINT.match(text, phrase.end):
        digits = "".join(str(BELOW_TWENTY[word.lower()]) for word in match[1].split())
        value = phrase.value + Fraction(int(digits), 10 ** len(digits))
        return _scaled(text, Phrase(match.end(), value, words=phrase.words + 2))
    if match := _AND_FRACTION.match(text, phrase.end):
        unit_fractions = {
            "half": Fraction(1, 2),
            "quarter": Fraction(1, 4),
            "third": Fraction(1, 3),
        }
        name = match[1].lower() if match[1] else ""
        two_or_three = Fraction(2, 3) if match[2] else Fraction(3, 4)
        part = unit_fractions.get(name, two_or_three)
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
    if match is None:
        return None
    name = match["scale"].lower()
    return match.end(), SCALES.get(name, _SMALL_SCALES.get(name, 1))


def _scaled(text: str, phrase: Phrase) -> Phrase:
    gap = _SPACE.match(text, phrase.end)
    word = _word(text, gap.end()) if gap else ""
    if gap is None or word not in SCALES:
        return phrase
    value = phrase.value * SCALES[word]
    return Phrase(gap.end() + len(word), simplify(value), words=3)


def _word(text: str, at: int) -> str:
    match = _TOKEN.match(text, at)
    word = match[0].lower() if match and len(match[0]) < 20 else ""
    return word.removesuffix("fold")  # the "fold" of "threefold" is its unit
