"""Sentences that can be checked on their own: an LLM replaces their pronouns with nouns."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundtypes.claims.attribution import numbers_of
from groundtypes.prompts.prompt import RESOLVE_PRONOUNS
from groundtypes.prompts.response_models import Sentences
from groundtypes.scoring import Question, Reply
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis

__all__ = ["apply_nouns", "pronoun_question"]

_PRONOUN: Final = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|their|theirs|them|this|these|those|there)\b",
    re.IGNORECASE,
)
#: The longest user's question, and the most sentences, that are shown to the LLM, in characters.
_MAX_QUESTION: Final = 600
_MAX_SENTENCES: Final = 8_000


def pronoun_question(
    sentences: Sequence[Hypothesis], question: str | None = None
) -> Question | None:
    """Return the question to an LLM what the pronouns stand for; `None` if there are no pronouns.

    It shows all sentences, up to 8,000 characters, because a pronoun stands for something that was
    named before.
    """
    if not any(_PRONOUN.search(sentence.text) for sentence in sentences):
        return None
    lines: list[str] = []
    characters_left = _MAX_SENTENCES
    for number, sentence in enumerate(sentences, 1):
        line = f"{number}. {' '.join(sentence.text.split())}"
        characters_left -= len(line)
        if characters_left < 0:
            break
        lines.append(line)
    if not lines:
        return None
    return RESOLVE_PRONOUNS.question(
        ("question", (question or "")[-_MAX_QUESTION:]), ("sentences", "\n".join(lines))
    )


def apply_nouns(
    sentences: Sequence[Hypothesis], reply: Reply, question: str | None = None
) -> list[Hypothesis]:
    """Return the sentences with the nouns of the reply in place of their pronouns.

    A sentence stays unchanged if the LLM did more than replace pronouns: if a content word or a
    number is missing, or a word was added that neither the sentences nor the question contain.
    """
    answer = reply.answer
    rewritten = (
        {sentence.number: sentence.text for sentence in answer.sentences}
        if isinstance(answer, Sentences)
        else {}
    )
    known_words = content_terms(
        " ".join([*(sentence.text for sentence in sentences), question or ""])
    )
    return [
        replace(sentence, text=text)
        if (text := rewritten.get(number)) is not None
        and _only_pronouns_differ(sentence.text, text, known_words)
        else sentence
        for number, sentence in enumerate(sentences, 1)
    ]


def _only_pronouns_differ(old: str, new: str, known_words: set[str]) -> bool:
    if not _PRONOUN.search(old) or numbers_of(old) != numbers_of(new):
        return False
    required_words = content_terms(_PRONOUN.sub("", old))
    return required_words <= content_terms(new) <= known_words
