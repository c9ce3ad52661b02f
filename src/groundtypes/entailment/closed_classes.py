"""A statement in the words of a sentence with another weekday, month, season or direction.

"The pool is closed on Tuesdays." does not follow from "On Mondays the pool is closed.". Small
models take one such word for another. What is found is narrow, so that it is right; it was counted
on written claims (`docs/entailment.md`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.changed_words import is_comparable, plain_words
from groundtypes.entailment.word_classes import HEDGE, NEGATION

__all__ = ["OtherOfClass", "other_of_class"]

#: The words of each class; those with a bar between them are the same one.
_CLASSES: Final = (
    (
        "monday|mondays tuesday|tuesdays wednesday|wednesdays thursday|thursdays friday|fridays "
        "saturday|saturdays sunday|sundays"
    ),
    "january february march april may_|may june july august september october november december",
    "weekday|weekdays weekend|weekends",
    "morning|mornings afternoon|afternoons evening|evenings",
    "spring summer|summers autumn winter|winters",
    "north|northern south|southern east|eastern west|western",
    "left right",
)


def _groups() -> Mapping[str, tuple[int, str]]:
    return MappingProxyType(
        {
            word: (number, group)
            for number, line in enumerate(_CLASSES)
            for group in line.split()
            for word in group.split("|")
        }
    )


#: Each word with the number of its class, and with the words that are the same one.
_GROUPS: Final = _groups()
#: With these, what holds of one weekday or month may hold of another: "open until May".
_BOUNDS: Final = frozenset(
    "until till from since to through by before after between within during up_to every all any "
    "each daily week weekly month monthly year except besides apart_from other_than only also too "
    "not no never than following next previous other another earlier later first last via "
    "if unless when whether and or then".split()
).union(NEGATION, HEDGE)


#: What may include another weekday, month or season, anywhere in the evidence.
_WIDER: Final = re.compile(
    r"\b(?:(?:every|each|all|any|whole|seven|7|twelve|12) (?:day|week|month|year|season|round)s?"
    r"|year-round|daily|always|throughout|whenever|weekdays?|weekends?)\b",
    re.IGNORECASE,
)
_WEEK: Final = frozenset(("weekday", "weekdays", "weekend", "weekends"))
_AT: Final = frozenset(("on", "at", "in"))


class OtherOfClass(NamedTuple):
    """The word of the statement, and that of the sentence in its place."""

    stated: str
    there: str


def other_of_class(statement: str, sentence: str, elsewhere: Iterable[str]) -> OtherOfClass | None:
    """Return the weekday, month or the like that a sentence has in the place of the stated one.

    Both have one word of such a class, and all other words of the statement are the sentence's, in
    their order, but that the weekday or month may stand at its beginning or end. Neither has a word
    by which one may hold where the other does ("until May").

    Args:
        statement: The statement.
        sentence: A sentence of its evidence.
        elsewhere: All texts of the evidence. None of them has the stated word, or a second one of
            its class, as "from Monday to Friday" does.
    """
    stated, words = plain_words(statement), plain_words(sentence)
    if not is_comparable(stated, words):
        return None
    for at, word in enumerate(stated):
        if word.text not in _GROUPS:
            continue
        number, group = _GROUPS[word.text]
        mine = [each for each in stated if _class_of(each) == number]
        theirs = [place for place, each in enumerate(words) if _class_of(each) == number]
        if len(mine) != 1 or len(theirs) != 1:
            continue
        there = words[theirs[0]]
        if (
            _GROUPS[there.text][1] != group
            and _has_no_other(there.text, elsewhere)
            and _is_only_change(stated, at, words, theirs[0])
        ):
            return OtherOfClass(word.shown, there.shown)
    return None


def _class_of(word: Word) -> int | None:
    return _GROUPS[word.text][0] if word.text in _GROUPS else None


def _has_no_other(known: str, texts: Iterable[str]) -> bool:
    """Whether texts have only one word of a class, and none that may include others."""
    group = _GROUPS[known]
    for text in texts:
        found = {_GROUPS[each] for each in words_of(text).texts.intersection(_GROUPS)}
        if any(number == group[0] and (number, name) != group for number, name in found):
            return False
        if known not in _WEEK and _WIDER.search(text) is not None:
            return False
    return True


def _is_only_change(stated: Sequence[Word], mine: int, words: Sequence[Word], theirs: int) -> bool:
    """Whether a part of the sentence says the same but for one word, in its place or moved."""
    wanted = [word.stem for word in stated]
    for start in range(max(0, theirs - len(wanted) + 1), theirs + 1):
        part = words[start : start + len(wanted)]
        stems = [word.stem for word in part]
        if len(part) < len(wanted):
            break
        place = theirs - start
        if not _BOUNDS.isdisjoint(word.text for word in (*part, *stated)):
            continue
        # What precedes it must not bound it: "until" before the part.
        before = words[start - 1].text if start else ""
        if place == 0 and before in _BOUNDS:
            continue
        if place == mine and _others(stems, place) == _others(wanted, mine):
            return True
        moved = _moved(stems, place)
        if moved is not None and moved == _moved(wanted, mine):
            return True
    return False


def _others(stems: Sequence[str], place: int) -> list[str]:
    """Return the words beside one; "at weekends" and "on weekdays" have the same preposition."""
    others = [*stems[:place], *stems[place + 1 :]]
    if place and others[place - 1] in _AT:
        others[place - 1] = "on"
    return others


def _moved(stems: Sequence[str], place: int) -> list[str] | None:
    """Return the words beside "on Mondays" at the begin or end of a sentence."""
    if place not in (1, len(stems) - 1) or stems[place - 1] not in _AT:
        return None
    return [*stems[: place - 1], *stems[place + 1 :]]
