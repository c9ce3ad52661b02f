"""The record that the user's question names, where the answer names none.

"How much is Birch?" with "It costs 55 euros." gives Birch the price of another room, if the table
has these 55 euros in the row of Cedar alone.
"""

import re
from typing import Final

from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.other_records import ValueOfAnother, value_of_another_record
from groundtypes.figures import find_figures
from groundtypes.references import References

__all__ = ["value_of_another_asked"]

#: A question for a value, of one thing.
_ASKED: Final = re.compile(r"\s*(?:how|what|when)\b[^?]{1,200}\?\s*", re.IGNORECASE)
_SEVERAL: Final = re.compile(
    r"\b(?:than|or|and|other|besides|except|without|not|no|only|most|least|all|every|each|same|"
    r"about|before|after|\w{2,}est)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
#: An answer that says of what was asked for, and names nothing itself.
_ANSWER: Final = re.compile(r"\s*(?:it|they|he|she)\s|\W*\d", re.IGNORECASE)


def value_of_another_asked(
    question: str, answer: str, references: References
) -> ValueOfAnother | None:
    """Return a value of an answer that other records have, not the one that its question names.

    The question asks for a value and compares nothing; the answer is a figure, or begins with a
    pronoun, and names nothing itself.
    """
    if _ASKED.fullmatch(question) is None or _SEVERAL.search(question) is not None:
        return None
    if _ANSWER.match(answer) is None or words_of(answer).names or find_figures(question):
        return None
    asked = question.strip().rstrip("?")
    if value_of_another_record(asked, references) is not None:  # it names several records
        return None
    return value_of_another_record(f"{asked}: {answer}", references)
