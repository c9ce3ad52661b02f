"""Scales and units in Chinese, Japanese and Korean: 3億5千万 of an amount, 千克 of a weight.

A number is a sum of groups, each with a myriad (万, 億, 兆) behind it; a group is a sum of digits
with 千, 百 or 十 behind them. So 3億5千万 is 3 · 10⁸ + 5 · 10³ · 10⁴. In names of units the same
signs are prefixes: 千克 is a kilogram, 兆瓦 a megawatt.
"""

import re
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.units import TIMES, spaceless_units, unit_at
from groundtypes.words import named_words

_MYRIADS: Final = {
    "万": 10**4, "萬": 10**4, "만": 10**4, "億": 10**8, "亿": 10**8, "억": 10**8, "兆": 10**12,
    "조": 10**12,
}  # fmt: skip
_SMALL: Final = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
#: The signs with which a scale may begin.
MYRIAD_SIGNS: Final = frozenset((*_MYRIADS, *_SMALL))
_DIGITS: Final = re.compile(
    r"(?P<arabic>[0-9]{1,4}|[0-9],[0-9]{3})(?![0-9]|[.,][0-9]|\s?[年月日년월일])"
    "|[〇零]?[一二三四五六七八九两兩]"
)
_DIGIT_VALUES: Final = {
    sign: number for number, sign in enumerate("一二三四五六七八九", start=1)
} | {"两": 2, "兩": 2}
#: The signs with which a number without digits may begin.
IDEOGRAPHS: Final = "一二三四五六七八九两兩十百千万萬"
_RUN: Final = re.compile("[一二三四五六七八九两兩〇零十百千万萬億亿兆]{1,40}")
#: Before these signs a number is an ordinal, a fraction, a decimal or vague: 第三, 数十万, 几百万.
_NO_NUMBER_BEFORE: Final = frozenset("第数數几幾好若点點之")
#: Behind these signs it is a fraction, a decimal, a date or vague.
_NO_NUMBER_AFTER: Final = frozenset("分点點余餘多几幾数數年月日号號")
#: Numbers below ten thousand are words and names as often, but before these signs they count.
_COUNTED: Final = re.compile(
    r"\s?(?:[円圓圆元人名]|[美欧日港]元|ドル|ユーロ|ポンド|ウォン|キロ|メートル|トン|公里|公斤|千?[米克瓦]|吨)"
)
#: These begin idioms and names: 千万不要, 百万富翁, 十万火急.
_IDIOM: Final = re.compile(rf"千万(?!{_COUNTED.pattern})|[百千十][万萬](?=[火富長长别別不马馬遍])")
#: The article of a law: 제5조 is no five trillion.
_ARTICLE: Final = re.compile(r"[제第]\s?[0-9]{1,5}\Z")
_HANGUL: Final = "\uac00"


#: A half between a number and its unit.
_HALF: Final = re.compile(r"[个個]半(月|小时|小時|钟头|鐘頭|星期|礼拜|禮拜)")
_HALVED: Final = {
    "月": "months", "小": "hours", "钟": "hours", "鐘": "hours", "星": "weeks", "礼": "weeks",
    "禮": "weeks",
}  # fmt: skip


class Myriads(NamedTuple):
    """A scale that ends at `end`: the number before it, times `factor`, plus `more`."""

    end: int
    factor: int
    more: int = 0


@cache
def _unit_with_sign() -> re.Pattern[str]:
    """Return the units that begin with a sign of a scale; 千米ドル are a thousand US dollars."""
    names = [name for name in spaceless_units() if name[0] in MYRIAD_SIGNS]
    return re.compile(rf"(?:{'|'.join(names)})(?!ドル|国|國|軍|兵)")


def read_myriads(text: str, end: int) -> Myriads | None:
    """Return the scale behind a number that ends at `end`, with the smaller numbers behind it."""
    at = end + (text[end : end + 1] == " ")
    if text[at : at + 1] not in MYRIAD_SIGNS or _ARTICLE.search(text[max(0, end - 8) : end]):
        return None
    (stop, one), (_, two) = (_read_groups(text, at, number) for number in (1, 2))
    return Myriads(stop, two - one, 2 * one - two) if stop > at else None


def _read_groups(
    text: str, start: int, digit: int | None, *, lone: bool = False
) -> tuple[int, int]:
    """Return end and value of the signs and digits from `start`, behind a number or none.

    With `lone`, a sign may stand without a digit before it, as in 百十.
    """
    total = group = 0
    at = end = start
    below_myriad, below_small = 10**17, 10**4
    is_lower = False
    while (sign := text[at : at + 1]) in MYRIAD_SIGNS and sign:
        if not (lone or (is_lower and digit)) and _unit_with_sign().match(text, at):
            break
        at += 1
        if factor := _SMALL.get(sign, 0):
            if factor >= below_small or (digit is None and not lone):
                break
            group, digit, below_small = group + (digit or 1) * factor, None, factor
        else:
            factor = _MYRIADS[sign]
            if (second := _MYRIADS.get(text[at : at + 1], 0)) > factor:  # 万亿
                factor, at = factor * second, at + 1
            group += digit or 0
            if factor >= below_myriad or not group:
                break
            total, group, digit = total + group * factor, 0, None
            below_myriad, below_small = factor, 10**4
        end = at
        # Korean has a space between groups.
        has_space = text[at - 1] >= _HANGUL and text[at : at + 1] == " "
        if match := _DIGITS.match(text, at + has_space):
            digit, is_lower, at = _number(match), True, match.end()
            sign = text[at : at + 1]
            if digit >= below_small or _MYRIADS.get(sign, 0) >= below_myriad:
                break  # nothing of this number belongs to it
            if sign not in MYRIAD_SIGNS or not sign:
                return at, total + group + digit
    return end, total + group


def read_ideographs(text: str, start: int) -> tuple[int, int | None]:
    """Return where the run of numerals at `start` ends, and the number that it is, or `None`.

    A number is 五千万, or 三百 before what is counted. A run of digits, as in 二〇二一年, is none.
    """
    run = _RUN.match(text, start)
    if run is None:
        return start + 1, None
    end = run.end()
    value = _value(run[0])
    if value is None or text[start - 1 : start] in _NO_NUMBER_BEFORE or _IDIOM.match(text, start):
        return end, None
    if _is_duration(text, start, end):
        return end, value
    if text[end : end + 1] in _NO_NUMBER_AFTER:
        return end, None
    is_counted = value >= 10**4 or (len(run[0]) > 1 and _COUNTED.match(text, end) is not None)
    return end, value if is_counted else None


def _is_duration(text: str, start: int, end: int) -> bool:
    """Whether numerals count a unit of time: 三个月, 两年; 十分に and 百年 are other words."""
    if text[start:end] in ("百", "千", "万", "萬") or text[end : end + 1] == "分":
        return False
    return unit_at(text, end) in TIMES or read_half(text, end) is not None


@cache
def _numbers_of_time() -> re.Pattern[str]:
    """Return the numbers that are words only before a unit of time: 半年, 두 달, 일주일."""
    words = sorted(_values_of_time(), key=len, reverse=True)
    return re.compile(rf"(?<![\uac00-\ud7af])(?:{'|'.join(words)})")


@cache
def _values_of_time() -> dict[str, Fraction]:
    return {
        word: Fraction(name)
        for name, language, word in named_words("number")
        if language in ("ja", "ko", "zh")
    }


def read_number_of_time(text: str, start: int) -> tuple[int, Fraction] | None:
    """Return end and value of a number in words before a unit of time."""
    match = _numbers_of_time().match(text, start)
    if match is None or unit_at(text, match.end()) not in TIMES:
        return None
    return match.end(), _values_of_time()[match[0]]


def read_half(text: str, end: int) -> tuple[int, str] | None:
    """Return end and unit of the half behind a number: the 个半月 of 两个半月."""
    match = _HALF.match(text, end)
    return None if match is None else (match.end(), _HALVED[match[1][0]])


def read_parts(text: str, start: int) -> tuple[int, int, int] | None:
    """Return end, parts and whole of 三分之二, whose first sign is at `start`: 2 of 3."""
    whole = _RUN.match(text, start)
    if whole is None or not text.startswith("分之", whole.end()):
        return None
    parts = _RUN.match(text, whole.end() + len("分之"))
    if parts is None:
        return None
    count, of = _value(parts[0]), _value(whole[0]) or _MYRIADS.get(whole[0])
    return (parts.end(), count, of) if count and of and count <= 10 * of else None


def _value(run: str) -> int | None:
    """Return the number that numerals without digits are: 五千万, 三百二十, 一万零五."""
    digit = _DIGIT_VALUES.get(run[0])
    if digit and len(run) == 1:
        return digit
    end, value = _read_groups(run, 1 if digit else 0, digit, lone=True)
    return value if end == len(run) else None


def _number(match: re.Match[str]) -> int:
    if match["arabic"]:
        return int(match["arabic"].replace(",", ""))
    return _DIGIT_VALUES[match[0][-1]]
