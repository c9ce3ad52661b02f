"""Numbers written in English words: "twenty-one", "two hundred and five", "three quarters"."""

import re
from fractions import Fraction
from typing import Final, NamedTuple

from groundtypes.figures.figure import Number, whole

__all__ = ["NUMBER_WORDS", "ORDINALS", "SCALES", "Phrase", "read_phrase"]

_SMALL: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS: Final = {
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
_PARTS: Final = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    word + ending: number for word, number in ORDINALS.items() if number > 2 for ending in ("", "s")
}
_TOKEN: Final = re.compile(r"[A-Za-z]+")
_GAP: Final = re.compile(r"(?:,?\s{1,3}and\s{1,3}|\s?-\s?|\s{1,3})(?=[A-Za-z])")
_AND_PART: Final = re.compile(
    r"\s{1,3}and\s{1,3}(?:(?:a|one)[\s-]{1,3}(half|quarter|third)|(two)[\s-]thirds"
    r"|(three)[\s-]quarters)\b",
    re.IGNORECASE,
)
_SPACE: Final = re.compile(r"\s{1,3}")
_SPACE_OR_HYPHEN: Final = re.compile(r"[\s-]")
_AFTER_HALF: Final = re.compile(r"\s{1,3}(?:an?\s{1,3})?(?=[a-z])", re.IGNORECASE)
_POINT: Final = re.compile(
    r"\s{1,3}point((?:\s{1,3}(?:zero|one|two|three|four|five|six|seven|eight|nine)\b){1,20})",
    re.IGNORECASE,
)

#: What a phrase may begin with.
NUMBER_WORDS: Final = frozenset(
    {*_SMALL, *_TENS, *SCALES, *ORDINALS, "hundred", "dozen", "half", "quarter"}
)


class Phrase(NamedTuple):
    """A number in words that ends at `end`."""

    end: int
    value: Number
    ordinal: bool = False
    part: bool = False
    words: int = 1


def read_phrase(text: str, start: int) -> Phrase | None:
    """Return the number whose first word stands at `start`."""
    word = _word(text, start)
    if word == "half":
        return _half(text, start + 4)
    if word == "quarter":
        return Phrase(start + 7, Fraction(1, 4), part=True)
    if word in ORDINALS:
        return Phrase(start + len(word), ORDINALS[word], ordinal=True)
    phrase = _cardinal(text, start)
    return None if phrase is None else _with_part(text, phrase)


def _half(text: str, end: int) -> Phrase:
    """Return a half, or the half of a million or a dozen."""
    gap = _AFTER_HALF.match(text, end)
    word = _word(text, gap.end()) if gap else ""
    scale = SCALES.get(word, {"dozen": 12, "hundred": 100}.get(word))
    if gap is None or scale is None:
        return Phrase(end, Fraction(1, 2), part=True)
    return Phrase(gap.end() + len(word), scale // 2, words=2)


def _cardinal(text: str, start: int) -> Phrase | None:
    """Return the longest run of number words that add up as English has it."""
    total = current = 0  # `current` gathers up to the next scale
    room = 1000  # what follows must be smaller than what stands before it
    least = 10**15
    at, end, words = start, start, 0
    ordinal = False
    while True:
        word = _word(text, at)
        if word in _SMALL and _SMALL[word] < room and (_SMALL[word] or not words):
            current += _SMALL[word]
            room = 1
        elif word in _TENS and room >= 100:
            current += _TENS[word]
            room = 10
        elif word == "hundred" and current < 100:
            current = (current or 1) * 100
            room = 100
        elif word == "dozen" and current < 100:
            return Phrase(at + 5, total + (current or 1) * 12, words=words + 1)
        elif word in SCALES and SCALES[word] < least and (current or not words):
            least = SCALES[word]
            total += (current or 1) * least
            current, room = 0, 1000
        elif words and word in ORDINALS and ORDINALS[word] < room:
            current += ORDINALS[word]
            ordinal = True
        else:
            break
        words += 1
        end = at + len(word)
        gap = _GAP.match(text, end)
        if ordinal or gap is None:
            break
        between = gap[0].strip().lower()
        if (between.endswith("and") and room < 100) or (between == "-" and room == 1):
            break  # "five and six", "five-six" are two numbers
        at = gap.end()
    if not words:
        return None
    return Phrase(end, total + current, ordinal=ordinal, words=words)


def _with_part(text: str, phrase: Phrase) -> Phrase:
    """Return "two thirds", "one and a half", "two point five" and their scales as one number."""
    if phrase.ordinal:
        return phrase
    if match := _POINT.match(text, phrase.end):
        digits = "".join(str(_SMALL[word.lower()]) for word in match[1].split())
        value = phrase.value + Fraction(int(digits), 10 ** len(digits))
        return _scaled(text, Phrase(match.end(), value, words=phrase.words + 2))
    if match := _AND_PART.match(text, phrase.end):
        part = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3)}
        one = match[1].lower() if match[1] else ""
        value = phrase.value + part.get(one, Fraction(2, 3) if match[2] else Fraction(3, 4))
        return _scaled(text, Phrase(match.end(), value, words=phrase.words + 2))
    gap = _SPACE_OR_HYPHEN.match(text, phrase.end)
    word = _word(text, gap.end()) if gap else ""
    plural = word.endswith("s")
    if gap is None or word not in _PARTS or plural == (phrase.value == 1) or phrase.value > 99:
        return phrase
    value = Fraction(phrase.value, _PARTS[word])
    return Phrase(gap.end() + len(word), value, part=True, words=phrase.words + 1)


def _scaled(text: str, phrase: Phrase) -> Phrase:
    gap = _SPACE.match(text, phrase.end)
    word = _word(text, gap.end()) if gap else ""
    if gap is None or word not in SCALES:
        return phrase
    value = phrase.value * SCALES[word]
    return Phrase(gap.end() + len(word), whole(value), words=3)


def _word(text: str, at: int) -> str:
    match = _TOKEN.match(text, at)
    return match[0].lower() if match and len(match[0]) < 20 else ""
