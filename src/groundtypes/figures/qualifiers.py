"""Adjectives between a number and its unit: "3 calendar months", "2 heaped teaspoons".

Most of them leave the unit as it is. Others make another one of it: a limit of five working days is
not one of five days, nor are 40 credit hours 40 hours.
"""

import re
from typing import Final, NamedTuple

from groundtypes.figures.measure import Measure
from groundtypes.figures.number_words import NUMBER_WORDS
from groundtypes.figures.unit_names import Factor, follows_year, read_factor
from groundtypes.figures.units import meanings

__all__ = ["qualified_unit", "skip_qualifier", "with_following_qualifier"]

#: English adjectives that change no unit.
_ENGLISH: Final = frozenset(
    "calendar full whole entire complete solid long short good consecutive successive continuous "
    "uninterrupted unbroken straight further additional extra more other separate "
    "single clear level heaped "
    "heaping rounded scant generous packed dry liquid fluid flat gross net last past next previous "
    "following final first initial official statutory elapsed imperial standard metric gruelling "
    "grueling mere bare precious tiring busy fiscal financial US UK".split()
)
#: Before nouns, some of them make another phrase: "2 more goals", "the 2 others".
_BEFORE_NOUNS: Final = _ENGLISH - {"more", "other", "net", "gross", "last", "US", "UK"}
#: No English adjective is longer, with a space.
_LONGEST: Final = max(map(len, _ENGLISH)) + 1
#: Those of other languages. Their units need no plural.
_FOREIGN: Final = frozenset(
    "volle vollen voller ganze ganzen ganzer lange langen kurze kurzen gute guten knappe knappen "
    "weitere weiteren weiterer zusätzliche zusätzlichen aufeinanderfolgende aufeinanderfolgenden "
    "zusammenhängende zusammenhängenden gehäufte gehäuften gestrichene gestrichenen letzten letzte "
    "ersten erste nächsten nächste folgenden vorangegangenen "
    "longues longs bonnes bons autres derniers dernières premiers premières prochains prochaines "
    "pleins pleines grandes petites "
    "largas largos buenas buenos otras otros últimos últimas primeros primeras próximos próximas "
    "lunghe lunghi buone buoni altre altri ultimi ultime primi prime prossimi "
    "prossime intere interi "
    "piene pieni successivi successive "
    "hele goede extra opeenvolgende achtereenvolgende aaneengesloten andere laatste eerste "
    "volgende afgelopen".split()
)
#: What makes another unit of a length of time. The first kind has no holidays and weekends; that of
#: a German Werktag and a French jour ouvrable has Saturdays. English texts do not tell which.
_WORKING: Final = ("working",)
_WITH_SATURDAYS: Final = ("working with Saturdays",)
_OTHER_UNITS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys("working business banking".split(), _WORKING + _WITH_SATURDAYS),
    **{
        word: (word,)
        for word in "school trading court man person staff credit flight dog lunar teaching".split()
    },
    "labor": ("person",),
    "labour": ("person",),
    "office": ("office",),
    "opening": ("office",),
}
#: The same behind a unit, in Romance languages.
_BEHIND: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        "hábiles hábil habiles laborables laborable lavorativi lavorativo feriali úteis "
        "útil uteis".split(),
        _WORKING + _WITH_SATURDAYS,
    ),
    **dict.fromkeys("ouvrés ouvré".split(), _WORKING),
    **dict.fromkeys("ouvrables ouvrable".split(), _WITH_SATURDAYS),
}
#: Days in one word.
_DAYS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys("workdays werkdagen werkdag".split(), _WORKING + _WITH_SATURDAYS),
    **dict.fromkeys("Arbeitstage Arbeitstagen Arbeitstag".split(), _WORKING),
    **dict.fromkeys(
        "Bankarbeitstage Bankarbeitstagen Bankarbeitstag Geschäftstage Geschäftstagen".split(),
        _WORKING,
    ),
    **dict.fromkeys("Werktage Werktagen Werktag".split(), _WITH_SATURDAYS),
    **dict.fromkeys("Schultage Schultagen".split(), ("school",)),
    **dict.fromkeys("Kalendertage Kalendertagen Kalendertag kalenderdagen".split(), ()),
}
#: Before money, these name another currency: ten old pence are not ten pence.
_OTHER_MONEY: Final = frozenset(
    "old former alte alten anciens ancien antiguas vecchie oude".split()
)
#: Lengths of time that any adjective may precede: "3 miserable weeks".
_TIMES: Final = frozenset("hours days weeks months years decades centuries".split())
_INITIALS: Final = frozenset(word[0] for word in _TIMES)
#: Words before these that are no adjectives: of the next phrase, or verbs.
_NO_ADJECTIVES: Final = frozenset(
    "a about after again ago all almost an and another any are around as at be been before began "
    "between both but by can came come could did do does during each either every ended except few "
    "for from gave get gets give given goes got had has have her his how if in includes including "
    "into is it its just kept last lasted lasts later less lost made many may merely might minus "
    "months mostly much must my near nearly need needs never no nor not of off on "
    "one only or our out over "
    "own paid past per plus say says several shall since so some spend spends spent still such "
    "take takes than that the their them then these they this those through till times to took "
    "two digit under until up upon versus very via was we were what when where which "
    "while who will with "
    "within without worked works worth would yet you your eight even ever half hence "
    "there whose".split()
)
_FIRST: Final = re.compile(r"(?P<first>[^\W\d_]{2,24})(?:,?(?P<gap>[ -]))?")
_SECOND: Final = re.compile(r"(?P<word>[^\W\d_]{3,20})(?P<gap>[ -])?")
_SHORTEST_UNIT: Final = 3
#: The past of the verb "win", and what is no unit behind an adjective.
_NO_UNITS: Final = frozenset("won real lot link mark hand stone slug turn time".split())
_BEFORE_YEAR: Final = re.compile(r"\b(?:in|since|until|during|by)\s[0-9]{4}\Z", re.IGNORECASE)
_ONE: Final = re.compile(r"(?<![0-9.,])1\Z|\b[Oo]ne\Z")
#: After the name of a thing, these say when: "Voyager 1 last year".
_SHIFTED: Final = re.compile("last |next |past ")
#: Nouns that only a singular before another noun makes modifiers: "3 full day passes".
_NEXT_NOUN: Final = re.compile(
    r"[ -](?!(?:and|or|of|to|in|at|on|per|a|an|each|for|from|later|ago)\b)[a-z]"
)


class _Adjectives(NamedTuple):
    """The adjectives before a unit: where it begins, and what they make of it."""

    end: int
    kinds: tuple[str, ...] = ()
    is_foreign: bool = False
    is_open: bool = False
    is_old: bool = False


def skip_qualifier(text: str, start: int) -> int | None:
    """Return where the noun behind an English adjective begins, as in "3 consecutive nights"."""
    end = text.find(" ", start, start + _LONGEST)
    return end + 1 if end > 0 and text[start:end] in _BEFORE_NOUNS else None


def qualified_unit(text: str, start: int, end: int) -> Factor | None:
    """Return the unit from `start` on behind adjectives, for a number that ends at `end`."""
    if start == end or not text[start : start + 1].isalpha() or text[end] == "\n":
        return None
    match = _FIRST.match(text, start)
    if match is None:
        return None
    first = match["first"]
    if (kinds := _DAYS.get(first)) is not None:
        if text[match.end("first") : match.end("first") + 1].isalnum():
            return None
        return _of_kinds(Factor(match.end("first"), meanings("days")), kinds)
    if not match["gap"]:
        return None
    adjectives = _adjectives(text, match, end)
    if adjectives is None:
        return None
    return _unit_behind(text, adjectives, text[max(0, end - 4) : end])


def _adjectives(text: str, match: re.Match[str], end: int) -> _Adjectives | None:
    """Return the one or two adjectives of which the first is matched."""
    first, at = match["first"], match.end()
    is_known = first in _ENGLISH or first in _FOREIGN
    if (
        (is_known or first in _OTHER_UNITS)
        and follows_year(text, end)
        and _BEFORE_YEAR.search(text, max(0, end - 12), end)
    ):
        return None  # "in 2019 working hours fell"
    if first in _OTHER_UNITS:
        return _Adjectives(at, _OTHER_UNITS[first])
    if not is_known:
        if first in _OTHER_MONEY:
            return _Adjectives(at, is_old=True)
        found = _any_adjective(text, match)
        return None if found is None or follows_year(text, end) else found
    is_foreign = first in _FOREIGN and first not in _ENGLISH
    second = _FIRST.match(text, at)
    if second is not None and second["gap"]:
        word = second["first"]
        if word in _OTHER_UNITS:
            return _Adjectives(second.end(), _OTHER_UNITS[word])
        if word in _ENGLISH or word in _FOREIGN:
            return _Adjectives(second.end(), (), is_foreign)
        if (found := _any_adjective(text, second)) is not None:
            return found
    return _Adjectives(at, (), is_foreign)


def _any_adjective(text: str, match: re.Match[str]) -> _Adjectives | None:
    """Return a word that may be an adjective, if the name of a length of time follows."""
    if text[match.end() : match.end() + 1] not in _INITIALS:
        return None
    word = match["first"]
    noun = _SECOND.match(text, match.end())
    if noun is None or noun["word"] not in _TIMES or match["gap"] == "-":
        return None
    if not word.islower() or word in _NO_ADJECTIVES or word in NUMBER_WORDS or meanings(word):
        return None
    if word.endswith(("ed", "s", "ly")) or "," in match[0]:
        return None
    return _Adjectives(match.end(), is_open=True)


def _unit_behind(text: str, adjectives: _Adjectives, before: str) -> Factor | None:
    """Return the unit behind the adjectives; a symbol or the first part of a compound is none."""
    at = adjectives.end
    if text[at : at + 1] == "%":
        return read_factor(text, at)
    noun = _SECOND.match(text, at)
    if noun is None:
        return None
    word = noun["word"]
    if adjectives.kinds and (days := _DAYS.get(word)) is not None:
        return _of_kinds(Factor(noun.end("word"), meanings("days")), days)
    factor = read_factor(text, at)
    if factor is None or factor.end - at < _SHORTEST_UNIT or not _is_name(word):
        return None
    if not adjectives.is_foreign and _is_singular(text, word, factor, before):
        return None
    if adjectives.is_old:
        return _old_money(factor)
    if adjectives.kinds:
        return _of_kinds(factor, adjectives.kinds) if _is_time(factor) else None
    return with_following_qualifier(text, factor)


def _is_name(word: str) -> bool:
    """Whether a word can be the name of a unit behind an adjective, and no symbol."""
    return not word.isupper() and word.rstrip("s") not in _NO_UNITS


def _is_singular(text: str, word: str, factor: Factor, before: str) -> bool:
    """Whether an English unit is singular behind another number than one, or before a noun."""
    if word.endswith("s") or not (meanings(f"{word}s") or meanings(f"{word}es") or word == "foot"):
        return False
    return (
        _ONE.search(before) is None
        or _SHIFTED.match(text, factor.end - len(word) - len("last ")) is not None
        or _NEXT_NOUN.match(text, factor.end) is not None
    )


def _is_time(factor: Factor) -> bool:
    return factor.meanings[0].dimension in ((("time", 1),), (("month", 1),))


def _old_money(factor: Factor) -> Factor | None:
    if not factor.meanings[0].dimension[0][0].startswith("money:"):
        return None
    return Factor(
        factor.end,
        tuple(
            Measure(((f"unit old {item.symbol}", 1),), f"old {item.symbol}", item.factor)
            for item in factor.meanings
        ),
    )


def _of_kinds(factor: Factor, kinds: tuple[str, ...]) -> Factor:
    """Return a length of time as units of their own: working days, credit hours."""
    if not kinds:
        return factor
    return factor._replace(
        meanings=tuple(
            Measure(((f"{kind} {item.symbol}", 1),), f"{kind} {item.symbol}")
            for kind in kinds
            for item in factor.meanings[:1]
        )
    )


def with_following_qualifier(text: str, factor: Factor) -> Factor:
    """Return the unit with the adjective behind it: "10 jours ouvrables", "5 días hábiles"."""
    if text[factor.end : factor.end + 1] != " " or factor.meanings[0].symbol != "d":
        return factor
    match = _SECOND.match(text, factor.end + 1)
    kinds = _BEHIND.get(match["word"]) if match else None
    if match is None or kinds is None:
        return factor
    return _of_kinds(factor._replace(end=match.end("word")), kinds)
