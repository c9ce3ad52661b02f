"""Making sentences self-contained: an LLM replaces their pronouns with nouns."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from groundtypes.prompts.prompt import RESOLVE_PRONOUNS
from groundtypes.prompts.prompt_texts import numbered_lines, question_text
from groundtypes.prompts.response_models import Sentences
from groundtypes.scoring import Question, Reply
from groundtypes.text.coverage import content_terms, numbers_of
from groundtypes.text.hypotheses import Hypothesis

_PRONOUN: Final = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|their|theirs|them|this|these|those|there)\b",
    re.IGNORECASE,
)
#: How many characters of the user's question, and of the sentences, are shown to the LLM.
_MAX_QUESTION: Final = 600
_MAX_SENTENCE_CHARACTERS: Final = 8_000


def pronoun_question(
    sentences: Sequence[Hypothesis], user_question: str | None = None
) -> Question | None:
    """Return the question that asks an LLM what the pronouns refer to; `None` without pronouns.

    It shows all sentences, up to 8,000 characters, because a pronoun refers to something that was
    named before.
    """
    if not any(_PRONOUN.search(sentence.text) for sentence in sentences):
        return None
    lines = numbered_lines(sentence.text for sentence in sentences).split("\n")
    lengths = accumulate(map(len, lines))
    shown_lines = [
        line
        for line, length in zip(lines, lengths, strict=True)
        if length <= _MAX_SENTENCE_CHARACTERS
    ]
    if not shown_lines:
        return None
    return RESOLVE_PRONOUNS.question(
        question_text(user_question, _MAX_QUESTION), ("sentences", "\n".join(shown_lines))
    )


def apply_pronoun_reply(
    sentences: Sequence[Hypothesis], reply: Reply, user_question: str | None = None
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
        " ".join([*(sentence.text for sentence in sentences), user_question or ""])
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
