"""The statement that "Yes." or "No." makes with the question that it answers.

A small model accepts nearly every "Yes.", because a question in front of a premise does not say
what the answer claims. "Is parking free?" with "No." is judged as "parking is not free."
"""

import re
from collections.abc import Iterable
from typing import Final

from groundtypes.text.question_words import AUXILIARY, LEADING_CLAUSE, PRONOUN, REDUCED_NOT

_SUBJECT_WORD: Final = rf"(?:{PRONOUN}|one)"
_NOT: Final = rf"(?:{REDUCED_NOT}|\s?not)"
_YES: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|certainly|absolutely|definitely|of\scourse|indeed|correct)"
    rf"(?:[,.!]?\s(?:of\scourse|indeed|certainly|absolutely|definitely|"
    rf"{_SUBJECT_WORD}\s{AUXILIARY}))?\W*",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"(?:no|nope|nah|never|not\sat\sall|(?:certainly|absolutely|definitely|of\scourse)\snot)"
    rf"(?:[,.!]?\s(?:never|not\sat\sall|(?:certainly|absolutely|definitely|of\scourse)\snot|"
    rf"{_SUBJECT_WORD}\s(?:{AUXILIARY}|ca|wo){_NOT}|{_SUBJECT_WORD}['\u2019](?:s|re)\snot))?\W*",
    re.IGNORECASE,
)
#: A question with its verb in front, perhaps behind "If you lose it,".
_QUESTION: Final = re.compile(
    rf"(?P<before>{LEADING_CLAUSE})"
    rf"(?P<verb>{AUXILIARY})\s(?P<rest>[^?]{{2,300}})\?\W*",
    re.IGNORECASE,
)
#: With these, "no" may deny something else than the verb: "Are all rooms free?"
_OPEN: Final = re.compile(
    r"\b(?:not|only|either|all|every|everyone|everything|always|both|no|never)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"\bor\b", re.IGNORECASE)
_SUBJECT: Final = re.compile(rf"{_SUBJECT_WORD}\b", re.IGNORECASE)
_DETERMINERS: Final = frozenset(
    "the a an this that these those my your our his her its their some".split()
)
_WORD: Final = re.compile(r"\w+")
#: A subject has at most so many words.
_LONGEST_SUBJECT: Final = 6
#: An answer particle at the beginning; "No. 5" is a number.
_PARTICLE: Final = re.compile(
    r"\s*(?:\w{1,20}:\s)?(?:(?:no|nope|nah|yes|yeah|yep|yup)\s*(?:[,;:!\u2013\u2014]|-\s|\.(?!\s*[\dA-Z]?\d))\s*){1,3}"
    r"(?=\S)",
    re.IGNORECASE,
)
#: So much of an answer or question is read.
_MOST_CHARACTERS: Final = 400


def is_polar(answer: str) -> bool:
    """Whether an answer is "yes" or "no", perhaps with the verb ("Yes, it is."), and no more."""
    text = answer.strip()
    return len(text) <= _MOST_CHARACTERS and any(
        pattern.fullmatch(text) is not None for pattern in (_YES, _NO)
    )


def without_particle(text: str) -> str:
    """Return a text without an answer particle such as "No," at its beginning.

    A text that is nothing else stays.
    """
    return text[match.end() :] if (match := _PARTICLE.match(text)) else text


def polar_statement(question: str, answer: str, texts: Iterable[str]) -> str | None:
    """Return what a bare "yes" or "no" says as the answer to a question.

    Args:
        question: The question.
        answer: The answer, which may repeat the verb ("Yes, it is.").
        texts: Texts of the references on the question, which tell where its subject ends.

    Returns:
        The statement; `None` if the answer says more, or if the question is not one that "yes"
        and "no" answer, or offers a choice.
    """
    if len(question) > _MOST_CHARACTERS or not is_polar(answer):
        return None
    is_affirmed = _YES.fullmatch(answer.strip()) is not None
    asked = _QUESTION.fullmatch(" ".join(question.split()))
    if asked is None or _CHOICE.search(asked["rest"]) is not None:
        return None
    if not is_affirmed and _OPEN.search(asked["rest"]) is not None:
        return None
    words = asked["rest"].split()
    end = _subject_length(words, texts)
    subject, predicate = " ".join(words[:end]), " ".join(words[end:])
    verb = asked["verb"].lower()
    verbs = verb if is_affirmed else f"{verb} not"
    statement = f"{asked['before']}{subject} {verbs} {predicate}".strip()
    return f"{statement[0].upper()}{statement[1:]}."


def _subject_length(words: list[str], texts: Iterable[str]) -> int:
    """Return how many words behind the verb are the subject: the most that the references have."""
    if _SUBJECT.fullmatch(words[0]) and words[0].lower() not in ("this", "that"):
        return 1
    shortest = 2 if words[0].lower() in _DETERMINERS else 1
    known = [f" {_plain(text)} " for text in texts]
    longest = min(_LONGEST_SUBJECT, len(words) - 1)
    for length in range(longest, shortest - 1, -1):
        phrase = f" {_plain(' '.join(words[:length]))} "
        if any(phrase in text for text in known):
            return length
    return min(shortest, len(words))


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
