"""Changes of meaning: numbers, dates, names, roles, negations, opposites and invented details."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from corpora import word_groups as w
from training.rows import CONTRADICTION, NEUTRAL, NOT_ENTAILED, Target

__all__ = ["changed_in_meaning"]

_NUMBER: Final = re.compile(r"(?<![\w.,/–-])\d[\d,]*(?:\.\d+)?(?![\w,/–-]|\.\d)")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
_MONTHS: Final = (
    "January February March April May June July August September October November December"
)
_DATE: Final = re.compile(rf"(?:{_MONTHS.replace(' ', '|')})")

Change = Callable[[random.Random, str, str], tuple[str, Target] | None]


def _replace(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _number(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    matches = list(_NUMBER.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    others = [
        other[0]
        for other in _NUMBER.finditer(_passage)
        if other[0] != match[0] and len(other[0]) == len(match[0])
    ]
    if others and rng.random() < 0.4:
        return _replace(text, match, rng.choice(others)), CONTRADICTION
    digits = match[0].replace(",", "")
    if re.fullmatch(r"(1[0-9]|20)\d\d", digits):
        new = str(int(digits) + rng.choice([-11, -10, -3, -2, -1, 1, 2, 3, 10, 15]))
    else:
        place = rng.choice(
            [digit_place for digit_place, char in enumerate(match[0]) if char.isdigit()]
        )
        new = (
            match[0][:place]
            + rng.choice([char for char in "123456789" if char != match[0][place]])
            + match[0][place + 1 :]
        )
    return _replace(text, match, new), CONTRADICTION


def _swaps(groups: Mapping[str, tuple[str, ...]], target: Target) -> Change:
    alternatives = "|".join(sorted(map(re.escape, groups), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w'’-])(?:{alternatives})(?![\w'’-])")

    def change(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
        matches = list(pattern.finditer(text))
        if not matches:
            return None
        match = rng.choice(matches)
        return _replace(text, match, rng.choice(groups[match[0]])), target

    return change


def _month(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    matches = list(_DATE.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    return _replace(
        text, match, rng.choice([month for month in _MONTHS.split() if month != match[0]])
    ), CONTRADICTION


def _name_of_passage(rng: random.Random, text: str, passage: str) -> tuple[str, Target] | None:
    names = [match for match in _NAME.finditer(text) if match[0] not in _MONTHS]
    others = sorted(
        {match[0] for match in _NAME.finditer(passage)} - set(text.split()) - set(_MONTHS.split())
    )
    others = [name for name in others if name not in text]
    if not names or not others:
        return None
    return _replace(text, rng.choice(names), rng.choice(others)), NOT_ENTAILED


def _roles(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    names = list(re.finditer(r"(?:(?<=[a-z,] )|^)[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*", text))
    if len(names) < 2:
        return None
    first, second = sorted(rng.sample(names, 2), key=lambda match: match.start())
    between = text[first.end() : second.start()]
    if (
        first[0] == second[0]
        or len(between.split()) < 2
        or re.fullmatch(r"[\s,]*(?:and|or)[\s,]*", between)
    ):
        return None
    return text[: first.start()] + second[0] + between + first[0] + text[
        second.end() :
    ], NOT_ENTAILED


_AUXILIARY: Final = re.compile(
    r"\b(?:is|was|are|were|has|had|have|will|can|may|should|must|could) (?=[a-z])"
)


def _negation(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    for pattern, new in w.NEGATIONS:
        match = pattern.search(text)
        if match:
            return _replace(text, match, match.expand(new)), CONTRADICTION
    places = list(_AUXILIARY.finditer(text))
    if not places:
        return None
    auxiliary = rng.choice(places)
    return _replace(
        text, auxiliary, auxiliary[0] + rng.choice(["not ", "never ", "not "])
    ), CONTRADICTION


_ADDITIONS: Final = (
    "also",
    "and won several awards for it",
    "for the first time",
    "with great success",
    "in the United States",
    "together with his brother",
    "for three years",
    "against the advice of experts",
)


def _addition(rng: random.Random, text: str, passage: str) -> tuple[str, Target] | None:
    extra = rng.choice(_ADDITIONS[1:])
    if extra in passage or not text.endswith("."):
        return None
    return f"{text[:-1]} {extra}.", NEUTRAL


_CHANGES: Final[Sequence[tuple[Change, int]]] = (
    (_number, 6),
    (_month, 1),
    (_negation, 4),
    (_name_of_passage, 5),
    (_roles, 3),
    (_swaps(w.ANTONYMS, CONTRADICTION), 4),
    (_swaps(w.QUANTIFIERS, NOT_ENTAILED), 2),
    (_swaps(w.COMPARISONS, CONTRADICTION), 2),
    (_swaps(w.UNITS, CONTRADICTION), 2),
    (_swaps(w.NUMBER_WORDS, CONTRADICTION), 3),
    (_swaps(w.MODALS, NOT_ENTAILED), 1),
    (_addition, 3),
)


def changed_in_meaning(rng: random.Random, text: str, passage: str) -> tuple[str, Target] | None:
    """Return the text with one change of meaning and its label, or `None` if none applies."""
    changes = rng.choices(
        [each_change for each_change, _ in _CHANGES],
        weights=[weight for _, weight in _CHANGES],
        k=6,
    )
    for change in changes:
        changed = change(rng, text, passage)
        if changed is not None and changed[0] != text:
            return changed
    return None
