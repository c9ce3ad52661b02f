"""Units after a number: single units, and quotients, products and powers of them.

"mg/dL", "milligrams per decilitre", "m s⁻¹", "kWh/m²", "mg/kg/day" and "W/(m·K)" are read as one
unit each. A unit that is not known is still a unit: "5 IU/mL" is read as five of something per
volume, and only another "IU" per volume supports it.

A *rate* in words, such as the "a day" of "5 km a day", is often left out by other texts ("the daily
distance is 5 km"). So such a unit is also kept without its rate.
"""

import re
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from itertools import product as combinations
from typing import Final, NamedTuple

from groundtypes.figures.figure import Unit
from groundtypes.figures.measure import COUNT, Measure, power, product, unit_of, units_of
from groundtypes.figures.unit_names import (
    LETTER,
    Factor,
    after_substance,
    follows_year,
    is_pence,
    looks_like_unit,
    name_goes_on,
    name_pattern,
    qualified_unit,
    read_factor,
    read_percentage,
    with_following_qualifier,
)
from groundtypes.figures.units import begins_longer_name, counted, meanings
from groundtypes.words import all_words

_GAP: Final = re.compile(r"[\s-]{0,2}")
_OPERATOR: Final = re.compile(
    rf"\s?(?P<slash>/)\s?(?:(?P<hundreds>[0-9]{{1,4}})\s?)?(?P<open>\()?"
    rf"|(?P<product>\s?[·⋅∙•*]\s?|(?<=[¹²³⁴⁵⁶])(?={LETTER})|\.(?={LETTER}{{1,4}}(?:[⁻^-]))"
    rf"|[ -](?=(?:{LETTER}|µ){{1,4}}(?:⁻|\^-|-[1-4](?![0-9]))))"
    r"|\s(?P<per>per|par|pro|por)\s(?:(?P<number>[0-9]{1,4})\s?)?"
    r"|\s(?P<article>an?|each|every)\s"
)
#: A rate in one word, which divides by a length of time.
_ADVERB: Final = re.compile(
    r"\s(?:once\s)?(?:(?P<hour>hourly)|(?P<day>daily|nightly)|(?P<week>weekly)|(?P<month>monthly)"
    r"|(?P<year>yearly|annually|p\.a\.))(?![A-Za-z-])"
)
#: After these, a length of time with an article is no rate: "5 km a year later".
_NO_RATE: Final = re.compile(
    r"\s(?:ago|later|earlier|after|before|old|long|in|from|away|or(?!\s(?:more|less|fewer)\b))\b"
)
#: Before "per", up to two words may say what is counted: "10 red cells per mm³".
_COUNTED_FIRST: Final = re.compile(
    r"[\s-](?P<noun>[a-z]{3,20}(?:(?:\sof)?\s(?!twice|thrice|once)[a-z]{3,20})?)(?=/[^\W\d_]|\s(?:per|an?|each|every|daily|weekly"
    r"|monthly|yearly|annually)\s?)"
)
_NUMBER_THEN_RATE: Final = re.compile(r"/[^\W\d_]|\s(?:per|an?|each|every)\s")
#: No unit begins with these, nor with the end of the text.
_NO_BEGINNING: Final = ("", ".", ",", ";", ":", ")", "]", "!", "?", "\n")
#: Lengths of time from a day on are left out where a text says "daily".
_LONG: Final = 86400
_TIME: Final = (("time", 1),)
_MONTH: Final = (("month", 1),)
_MOST_FACTORS: Final = 6
_MOST_MEANINGS: Final = 8
#: Units of one letter that are names and not units where they are joined to a number: "5G".
_NOT_ATTACHED: Final = frozenset("G S H U L D".split())
#: Units that are also other words, so that they count only directly after the number.
_ATTACHED_ONLY: Final = frozenset(("p", "c", "mark", "at", "x", "um"))
#: After these, "in" is the unit: "5 in.", "5 in by 7 in".
_AFTER_INCHES: Final = re.compile(
    r"\s?[);,×x²³23]|\s?\.(?:\s|\Z)|\Z|\sby\b|\s(?:tall|long|wide|high|deep)\b|\s?/"
)
#: Products of two symbols that are written with a space: "N m", "kW h".
_SPACED_PRODUCT: Final = re.compile(r"[ -](?P<name>m|h)(?![^\W_])")
_BEFORE_SPACE: Final = {"m": re.compile(r"[kMm]?N"), "h": re.compile(r"[kMGT]?W|m?A")}


class UnitMatch(NamedTuple):
    """A unit that ends at `end`, with everything that it may mean."""

    end: int
    units: tuple[Unit, ...]


def read_unit(text: str, end: int, *, known: bool = False) -> UnitMatch | None:
    """Return the unit directly after a number that ends at `end`.

    With `known`, only units of the table and currencies are read.
    """
    if text[end : end + 1] in _NO_BEGINNING:
        return None
    if percentage := read_percentage(text, end):
        return UnitMatch(*percentage)
    if text[end] == "p" and is_pence(text, end):
        return _expression(text, end, Factor(end + 1, meanings("pence")))
    gap = _GAP.match(text, end)
    start = gap.end() if gap else end
    factor = read_factor(text, start)
    if factor is not None and _is_unit_here(text, start, factor.end, end):
        return _expression(text, start, with_following_qualifier(text, factor))
    if known:
        return None
    if factor := qualified_unit(text, start, end):
        return _expression(text, start, factor)
    return _counted_rate(text, end) or _unknown(text, start, end)


def read_rate(text: str, end: int, numerator: tuple[Measure, ...]) -> UnitMatch | None:
    """Return the price that an amount of money before `end` is part of: "$5 per kilogram"."""
    match = _expression(text, end, Factor(end, numerator))
    return match if match.end > end else None


def _is_unit_here(text: str, start: int, stop: int, end: int) -> bool:
    """Whether a word from `start` to `stop` is the unit of a number that ends at `end`."""
    name = text[start:stop]
    if name == "in":
        return start == end or _AFTER_INCHES.match(text, stop) is not None
    if name in _NOT_ATTACHED:
        return start > end and text[start - 1] != "-"
    if name == "\u0433" and follows_year(text, end):
        return False  # the Russian year
    return start == end or name not in _ATTACHED_ONLY


def _expression(text: str, start: int, first: Factor) -> UnitMatch:
    factors = [first]
    below = False
    while len(factors) < _MOST_FACTORS and (more := _next_factors(text, factors, below=below)):
        below = below or text[factors[-1].end : more[0].end].lstrip()[:1] == "/"
        factors.extend(more)
    if len(factors) == 1:
        return UnitMatch(first.end, units_of(first.meanings))
    return _product(text, start, factors)


def _product(text: str, start: int, factors: list[Factor]) -> UnitMatch:
    end = factors[-1].end
    symbol = " ".join(text[start:end].split())
    rate = next((number for number, factor in enumerate(factors) if factor.is_rate), len(factors))
    units = []
    for chosen in islice(combinations(*(factor.meanings for factor in factors)), _MOST_MEANINGS):
        without = reduce(product, chosen[:rate]) if rate < len(factors) else None
        units.append(unit_of(reduce(product, chosen), symbol, without))
    return UnitMatch(end, tuple(dict.fromkeys(units)))


def _next_factors(text: str, factors: list[Factor], *, below: bool) -> list[Factor]:
    end = factors[-1].end
    following = text[end : end + 2]
    if following[:1] in _NO_BEGINNING and following[1:].strip() == "":
        return []
    end, is_rate = after_substance(text, end)
    operator = _OPERATOR.match(text, end)
    if operator is None:
        return list(_without_operator(text, end))
    at = operator.end()
    if operator["open"]:
        return list(_in_brackets(text, at))
    factor = read_factor(text, at)
    if operator["product"] is not None:
        if factor is None:
            return []
        return [_inverse(factor, 1)] if below else [factor]
    if operator["article"]:
        return list(_article_rate(text, at, factor, operator["article"]))
    if factor is None:
        return list(_uncounted(text, at, operator))
    is_rate = is_rate or (bool(operator["per"]) and _is_long(factor)) or _is_price(factors)
    per = int(operator["hundreds"] or operator["number"] or "1")
    return [_inverse(factor, per, is_rate=is_rate)] if per else []


def _inverse(factor: Factor, count: int, *, is_rate: bool = False) -> Factor:
    """Return a factor that divides, perhaps by several units: "per 100 km"."""
    several = Measure((), "", count)
    inverse = tuple(power(product(meaning, several), -1) for meaning in factor.meanings)
    return Factor(factor.end, inverse, is_rate)


def _is_long(factor: Factor) -> bool:
    return any(
        meaning.dimension == _MONTH or (meaning.dimension == _TIME and meaning.factor >= _LONG)  # type: ignore[operator]
        for meaning in factor.meanings
    )


def _is_price(factors: list[Factor]) -> bool:
    name = factors[0].meanings[0].dimension[:1]
    return bool(name) and (name[0][0].startswith("money:") or name[0][0] == "percent")


def _in_brackets(text: str, at: int) -> Iterator[Factor]:
    """Yield what stands in the brackets of "W/(m·K)", inverted."""
    factors: list[Factor] = []
    while len(factors) < _MOST_FACTORS and (factor := read_factor(text, at)):
        factors.append(_inverse(factor, 1))
        at = factor.end + 1
        if text[factor.end : at] == ")":
            yield from (*factors[:-1], factors[-1]._replace(end=at))
            return


def _article_rate(text: str, at: int, factor: Factor | None, article: str) -> Iterator[Factor]:
    """Yield the rate of "5 km a day" or "$5 a share"."""
    word = name_pattern().match(text, at)
    if word is None or _NO_RATE.match(text, word.end()):
        return
    is_time = factor is not None and factor.meanings[0].dimension in (_TIME, _MONTH)
    is_sold = word[0] in all_words("sold by the piece")
    if word[0] == "second" and (article != "a" or text[word.end() : word.end() + 1] == " "):
        return
    if factor is not None and (is_time or is_sold):
        yield _inverse(factor, 1, is_rate=_is_long(factor) or not is_time)
    elif is_sold:
        yield _each(word.end(), word[0])


def _each(end: int, name: str) -> Factor:
    return Factor(end, (Measure(((f"each {name}", -1),), f"/{name}"),), True)


def _uncounted(text: str, at: int, operator: re.Match[str]) -> Iterator[Factor]:
    """Yield the rate of "5 mg per dose" and "5 mg/dose", by a noun that is no unit."""
    word = name_pattern().match(text, at)
    if operator["number"] or operator["hundreds"] or word is None or name_goes_on(text, word.end()):
        return
    name = word[0]
    if (
        name.lower() in all_words("not counted behind per")
        or not name[0].isalpha()
        or begins_longer_name(name)
    ):
        return
    yield _each(word.end(), name[:-1] if len(name) > 3 and name.endswith("s") else name)


def _without_operator(text: str, end: int) -> Iterator[Factor]:
    """Yield "daily", and the hour of "kW h"."""
    if match := _ADVERB.match(text, end):
        yield _inverse(Factor(match.end(), meanings(str(match.lastgroup))), 1, is_rate=True)
    elif match := _SPACED_PRODUCT.match(text, end):
        word = re.split(r"[\s\d]", text[max(0, end - 3) : end])[-1]
        if _BEFORE_SPACE[match["name"]].fullmatch(word):
            yield Factor(match.end(), meanings(match["name"]))


def _counted_rate(text: str, end: int) -> UnitMatch | None:
    """Return the unit of "120 beats per minute", "300 per km²" and "10 cells/mL"."""
    noun = _COUNTED_FIRST.match(text, end)
    start = noun.end() if noun else end
    if noun is None and not _NUMBER_THEN_RATE.match(text, end):
        return None
    first = COUNT
    if noun is not None:
        word = noun["noun"].rpartition(" ")[2]
        name = counted(word) or counted(word.removesuffix("s"))
        first = COUNT if name is None else Measure(((name, 1),), name)
    elif follows_year(text, end):
        return None
    factors = [Factor(start, (first,))]
    more = _next_factors(text, factors, below=False)
    if not more:
        return None
    below = more[0].meanings[0].dimension
    is_time = below in ((("time", -1),), (("month", -1),))
    if noun is not None and text[start] == "/" and below[0][0].startswith("each "):
        return None
    if noun is None and more[0].is_rate and not is_time:
        return None
    if first is COUNT and is_time:
        more = [more[0]._replace(is_rate=True)]
    return _product(text, noun.start("noun") if noun else end, [*factors, *more])


def _unknown(text: str, start: int, end: int) -> UnitMatch | None:
    """Return a unit that is not known but looks like one: "5 IU", "30 fpm", "5 XYZ/mL"."""
    match = name_pattern().match(text, start)
    if match is None or match.end() - start > 6 or start - end > 1 or text[end:start] == "\n":
        return None
    name = match[0]
    if not looks_like_unit(text, name, match.end(), end) or name_goes_on(text, match.end()):
        return None
    unknown = Measure(((f"unit {name}", 1),), name)
    return _expression(text, start, Factor(match.end(), (unknown,)))
