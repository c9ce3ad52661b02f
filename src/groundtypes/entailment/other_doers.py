"""A statement that gives what a clause says of one thing to the subject of another clause.

"Ann bakes the bread and Bo washes the dishes." does not say "Bo bakes the bread.", though it has
all of its words. What is found is narrow, so that it is right; it was counted on written claims
(`docs/entailment.md`).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.changed_words import is_comparable, plain_words
from groundtypes.entailment.word_classes import CONDITION, NEGATION, QUANTIFIER

__all__ = ["other_doer"]

_BETWEEN_CLAUSES: Final = re.compile(r"(;|,?\s(?:and|but|while|whereas)\s|,\s)")
_MOST_CLAUSES: Final = 8
_LONGEST_SUBJECT: Final = 3
#: What two words say at least, beside the subject.
_FEWEST_WORDS: Final = 2
_DEFINITE: Final = re.compile(r"\s*(?:(?:the|my|our|your|his|her|their)\s|[A-Z])")
#: With these, both subjects may do the same.
_SHARED: Final = frozenset(
    "also too so same likewise together alike that which who whose when where how why help "
    "helps helped with".split()
).union(NEGATION, QUANTIFIER, CONDITION) - {"but"}


def other_doer(statement: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    """Return the subject of a statement, and the one of which a sentence says it.

    The statement is a clause of the sentence but for its subject, which is that of a later clause,
    or of any clause beside ";". No other sentence has all content words of the statement.
    """
    stated = plain_words(statement)
    content = words_of(statement).content
    for sentence in sentences:
        parts = _BETWEEN_CLAUSES.split(sentence, _MOST_CLAUSES)
        if len(parts) == 1 or not is_comparable(stated, plain_words(sentence)):
            continue
        if not _SHARED.isdisjoint(words_of(sentence).texts):
            continue
        if any(content <= words_of(other).content for other in sentences if other != sentence):
            continue
        for length in range(1, min(_LONGEST_SUBJECT, len(stated) - _FEWEST_WORDS) + 1):
            found = _said_of(stated[:length], stated[length:], parts)
            if found is not None:
                return " ".join(word.shown for word in stated[:length]), found
    return None


def _said_of(subject: Sequence[Word], rest: Sequence[Word], parts: Sequence[str]) -> str | None:
    """Return of what a clause says the rest, if the subject is that of another clause."""
    clauses = [plain_words(part) for part in parts[::2]]
    mine, wanted = _stems(subject), _stems(rest)
    for at, clause in enumerate(clauses):
        other = clause[: len(clause) - len(wanted)]
        if _stems(clause[len(other) :]) != wanted or not 0 < len(other) <= _LONGEST_SUBJECT:
            continue
        if not (other[-1].is_content and set(mine).isdisjoint(_stems(other))):
            continue
        for place, later in enumerate(clauses):
            is_apart = place > at or (place < at and parts[2 * place + 1] == ";")
            if (
                is_apart
                and _stems(later[: len(mine)]) == mine
                and any(word.is_content for word in later[len(mine) :])
                and _DEFINITE.match(parts[2 * place]) is not None
            ):
                return " ".join(word.shown for word in other)
    return None


def _stems(words: Iterable[Word]) -> list[str]:
    return [word.stem for word in words]
