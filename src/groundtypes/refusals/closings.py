"""Polite endings: an offer of further help or an invitation to ask, behind sentences that answer.

"Is there anything else I can help you with?" declines nothing, but has the words of replies that
do. `end_before_closing` says where a text ends without such sentences. A question that asks back
("Which contract do you mean?") is none, because it is what abstains. `data/closings.txt` lists the
phrases of 32 languages.
"""

import re
from functools import cache
from typing import Final

from groundtypes.refusals.phrase_patterns import (
    PhrasePattern,
    has_phrase,
    matches,
    read_patterns,
    words_of,
)
from groundtypes.refusals.word_classes import SPACELESS, load_word_classes

__all__ = ["end_before_closing", "says_more_than_courtesy"]

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
#: English sentences that lead on to something else follow a refusal more often than an answer.
_LEADS_AWAY: Final = (" something else ", " another ", " different ", " other topic", " instead ")
#: Who may ask back in these words, or asks for a file: a closing has none of these.
_ASKS_BACK: Final = (" which ", " or the ", " upload", " send ", " paste", " attach", " you mean ")
#: Beginnings of words that thank or welcome, parted by bars.
_THANKS: Final = (
    "thank|dank|merci|gracias|gràcies|obrigad|grazie|mulțumesc|tack |takk |kiitos|köszön|děkuj|"
    "dzięk|спасибо|благодар|дякую|ευχαριστ|teşekkür|شكرا|متشکر|ممنون|תודה|धन्यवाद|ধন্যবাদ|"
    "terima kasih|cảm ơn|감사|ขอบคุณ|谢|謝|ありがとう|welcome"
)
#: The classes of words that apologise or offer help.
_COURTESY: Final = frozenset({"HELP", "SORRY"})


def end_before_closing(text: str) -> int | None:
    """Return where a text ends without its polite ending; `None` if it has none.

    Only the last sentences are read. An ending that is the whole text is none.
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
    return found or None


def says_more_than_courtesy(text: str) -> bool:
    """Return whether any sentence does more than to greet, to thank, or to promise help."""
    return any(map(_says_something, _SENTENCE_STARTS.split(text)))


def _says_something(sentence: str) -> bool:
    if any(map(str.isdigit, sentence)):
        return True
    words = words_of(sentence)
    if not words.strip() or any(has_phrase(words, thanks) for thanks in _THANKS.split("|")):
        return False
    known = load_word_classes()
    found = [known.of_word(word) for word in words.split()]
    for run in _SPACELESS_RUN.findall(words):
        found.extend(known.in_run(run))
    return all(map(_COURTESY.isdisjoint, found))


def _is_closing(sentence: str) -> bool:
    if len(sentence) > _MAX_CLOSING or any(map(str.isdigit, sentence)):
        return False
    words = words_of(sentence)
    if any(map(words.__contains__, (*_LEADS_AWAY, *_ASKS_BACK))):
        return False
    asks = sentence.rstrip("\"'\u2019\u201d)]*_ ").endswith(_QUESTION_MARKS)
    return any(
        (asks or not _is_question(closing.heading)) and matches(words, closing)
        for closing in _closings()
    )


def _is_question(heading: str) -> bool:
    """Return whether the endings under a heading are questions, which have a mark."""
    return heading.endswith("?") and heading.rstrip("?") not in _MARKLESS


@cache
def _closings() -> tuple[PhrasePattern, ...]:
    return read_patterns(_FILE)
