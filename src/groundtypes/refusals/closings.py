"""Polite endings: an offer of further help or an invitation to ask, behind sentences that answer.

"Is there anything else I can help you with?" declines nothing, but has the words of replies that
do. `end_before_closing` says where a text ends without such sentences. A question that asks back
("Which contract do you mean?") is none, because it is what abstains.

`data/closings.txt` has the patterns of 32 languages. A line is a pattern, and a sentence matches if
it has a phrase of every part, in any order: the parts are joined by `+`, the phrases of a part by
`|`. `[de]` begins a language, and `#` a comment. A phrase stands for every word that begins with
it, or, with a star before it and in Thai, Chinese and Japanese, for every part of a word.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from groundtypes.refusals.word_classes import SPACELESS, fold

_FILE: Final = "closings.txt"
#: A longer sentence is no mere courtesy, nor is one with a number; so many are left out at most.
_MAX_CLOSING: Final = 140
_MAX_CLOSINGS: Final = 2
#: Where a sentence may begin. Thai parts sentences with spaces alone.
_SENTENCE_STARTS: Final = re.compile(
    r"(?<=[.!?\u2026])[\"'\u2019\u201d)\]*_]*\s+|(?<=[\u3002\uff01\uff1f\u0964\u061f\u06d4])\s*"
    r"|(?<=[\u0e00-\u0e7f])[ ](?=[\u0e00-\u0e7f])|\s*\n\s*"
)
_QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f", "\u037e")
#: Thai, Chinese and Japanese may ask without a mark, and the mark of Greek is a semicolon.
_MARKLESS: Final = frozenset({"th", "zh", "ja", "el"})
_SPACELESS_RUN: Final = re.compile(f"[{SPACELESS}]+")
_NO_WORD: Final = re.compile(
    r"[^\w'\u200c\u0300-\u036f\u0591-\u05c7\u064b-\u0655"
    r"\u0900-\u0963\u0966-\u0dff\u0e00-\u0e7f\u3099\u309a-]+"
)
#: English sentences that lead on to something else follow a refusal more often than an answer.
_LEADS_AWAY: Final = (" something else ", " another ", " different ", " other topic", " instead ")
#: Who may ask back in these words, or asks for a file: a closing has none of these.
_ASKS_BACK: Final = (" which ", " or the ", " upload", " send ", " paste", " attach", " you mean ")


def end_before_closing(text: str) -> int | None:
    """Return where a text ends without its polite ending; `None` if it has none.

    Only the last sentences are read.
    """
    end = len(text.rstrip())
    found = None
    for _ in range(_MAX_CLOSINGS):
        begin = max(0, end - _MAX_CLOSING - 1)
        starts = [match.end() for match in _SENTENCE_STARTS.finditer(text, begin, end)]
        start = max((start for start in starts if start < end), default=0)
        if not start or not _is_closing(text[start:end]):
            break
        end = found = len(text[:start].rstrip())
    return found


def _is_closing(sentence: str) -> bool:
    if len(sentence) > _MAX_CLOSING or any(map(str.isdigit, sentence)):
        return False
    words = _words_of(sentence)
    if any(map(words.__contains__, (*_LEADS_AWAY, *_ASKS_BACK))):
        return False
    asks = sentence.rstrip("\"'\u2019\u201d)]*_ ").endswith(_QUESTION_MARKS)
    return any(
        (asks or not _is_question(closing.heading)) and _matches(words, closing)
        for closing in _closings()
    )


def _is_question(heading: str) -> bool:
    """Return whether the endings under a heading are questions, which have a mark."""
    return heading.endswith("?") and heading.rstrip("?") not in _MARKLESS


class _Pattern(NamedTuple):
    """The heading under which a pattern stands, and its parts: tuples of folded phrases."""

    heading: str
    parts: tuple[tuple[str, ...], ...]


@cache
def _closings() -> tuple[_Pattern, ...]:
    text = (files("groundtypes.refusals") / "data" / _FILE).read_text(encoding="utf-8")
    patterns = []
    heading = ""
    for line in text.splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            parts = tuple(
                tuple(_folded(phrase.strip()) for phrase in part.split("|"))
                for part in line.split(" + ")
            )
            patterns.append(_Pattern(heading, parts))
    return tuple(patterns)


def _matches(words: str, pattern: _Pattern) -> bool:
    return all(any(phrase in words for phrase in part) for part in pattern.parts)


def _words_of(sentence: str) -> str:
    """Return the folded words of a sentence with a space before and after each."""
    return f" {_NO_WORD.sub(' ', fold(sentence)).strip()} "


def _folded(phrase: str) -> str:
    """Return a phrase as it is looked for among words: a word begins with a space."""
    in_word = phrase.startswith(("*", "n't")) or _SPACELESS_RUN.search(phrase) is not None
    folded = fold(phrase.removeprefix("*"))
    return folded if in_word else f" {folded}"
