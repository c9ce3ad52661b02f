"""Sentences that stand on their own: an LLM says what their pronouns stand for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundtypes.prompts.prompt import RESOLVE_PRONOUNS
from groundtypes.prompts.response_models import Sentences
from groundtypes.scoring import Question, Reply
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis

__all__ = ["pronoun_question", "with_nouns"]

_PRONOUN: Final = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|their|theirs|them|this|these|those|there)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_BEFORE: Final = 600
_CHARACTERS: Final = 8_000


def pronoun_question(
    sentences: Sequence[Hypothesis], question: str | None = None
) -> Question | None:
    """Return the question what the pronouns of sentences stand for; `None` if there are none.

    All sentences go into it, up to 8,000 characters, because what a pronoun stands for was named
    before.
    """
    if not any(_PRONOUN.search(sentence.text) for sentence in sentences):
        return None
    lines: list[str] = []
    left = _CHARACTERS
    for number, sentence in enumerate(sentences, 1):
        line = f"{number}. {' '.join(sentence.text.split())}"
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    if not lines:
        return None
    return RESOLVE_PRONOUNS.question(
        ("question", (question or "")[-_BEFORE:]), ("sentences", "\n".join(lines))
    )


def with_nouns(
    sentences: Sequence[Hypothesis], reply: Reply, question: str | None = None
) -> list[Hypothesis]:
    """Return the sentences with nouns for pronouns, each at its place.

    A sentence stays as it is where the LLM did more than that: where a telling word or a number is
    gone, or one came in that neither the sentences nor the question have.
    """
    found = reply.answer
    said = {one.number: one.text for one in found.sentences} if isinstance(found, Sentences) else {}
    known = content_terms(" ".join([*(one.text for one in sentences), question or ""]))
    return [
        replace(sentence, text=new)
        if (new := said.get(number)) is not None and _same_but_nouns(sentence.text, new, known)
        else sentence
        for number, sentence in enumerate(sentences, 1)
    ]


def _same_but_nouns(old: str, new: str, known: set[str]) -> bool:
    if not _PRONOUN.search(old) or _NUMBER.findall(old) != _NUMBER.findall(new):
        return False
    before, after = content_terms(_PRONOUN.sub("", old)), content_terms(new)
    return before <= after <= known
