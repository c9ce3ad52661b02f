"""Sentence boundaries by the Punkt algorithm, with the English parameters that NLTK distributes.

Kiss and Strunk (2006), Unsupervised Multilingual Sentence Boundary Detection: a full stop ends a
sentence unless it belongs to an abbreviation or an initial; and even then it ends one if the next
word often begins sentences, or is capitalised although it is mostly written in lower case. The
parameters were learned from newspapers. Added to them are abbreviations of reference works and
academic texts, abbreviations before a number, sentences that begin in lower case, the terminators
of other scripts, and the closing quotation marks, brackets and footnote marks of a sentence.

Only terminators are examined, each with at most about forty characters before and after it.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from groundtypes.words import all_words

#: Terminators of scripts that put no space after them.
_SPACELESS_STOPS: Final = "\u3002\uff01\uff1f\uff61\ufe52\ufe56\ufe57"
#: Full stops and question marks of Arabic, Devanagari, Armenian, Ethiopic, Burmese, Khmer.
_OTHER_STOPS: Final = (
    "\u061f\u06d4\u0964\u0965\u0589\u1362\u1367\u104b\u17d4\u203c\u203d\u2047-\u2049"
)
TERMINATORS: Final = rf".?!\u2026{_OTHER_STOPS}{_SPACELESS_STOPS}"
CLOSING: Final = (
    "\"'\u201d\u2019\u00bb\u203a\\])}*_`\u300d\u300f\u3011\u3015\u300b\u3009\uff09\uff3d"
)
_OPENING: Final = (
    "\"'\u201c\u2018\u201e\u201a\u00ab\u2039\\[({*_`\u00bf\u00a1\u300c\u300e\uff08\u2014\u2013-"
)
#: A run of terminators with what closes the sentence directly after it.
_STOP: Final = re.compile(
    rf"(?P<mark>[{TERMINATORS}]++)"
    rf"(?P<closed>(?:[{CLOSING}]|\[[\d,;\u2013\u2014 -]{{1,12}}\]"
    r"|[\u00b9\u00b2\u00b3\u2070-\u2079])*+)"
)
#: A footnote mark that more text may complete.
_OPEN_FOOTNOTE: Final = re.compile(r"\[[\d,;\u2013\u2014 -]{0,12}")
#: Closing marks that still belong to the sentence although white space precedes them.
_SPACED_CLOSING: Final = re.compile(r"\s{1,3}[\u201d\u00bb\])}]++(?=\s|\Z)")
#: The beginning of what follows a terminator.
_NEXT: Final = re.compile(rf"\s*+(?P<open>[{_OPENING}]*+)(?P<word>[^\W_]{{0,40}})(?P<rest>\S?)")
#: Abbreviations of this shape need no list: U.S., e.g., z.B., Ph.D.
_DOTTED: Final = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,2})+")
_HOUR_BEFORE: Final = re.compile(r"(?i)\b[ap]\.m\Z")
_INITIAL: Final = re.compile(r"[^\W\d_]\.")
#: The number or letter of a list item.
_LIST_MARKER: Final = re.compile(r"\(?\w{1,3}\)?")
#: At most this many characters before a full stop are examined.
_BACK: Final = 40


class _Parameters(NamedTuple):
    """What Punkt learned, and lists of words compiled by hand: words in lower case.

    The last lists are titles, abbreviations before numbers, of states (which are words in lower
    case) and at the end of names, hours, what goes on with a time or ordinal, and what a letter may
    follow that is a name: "vitamin C".
    """

    abbreviations: frozenset[str]
    starters: frozenset[str]
    lower: frozenset[str]
    either: frozenset[str]
    before_names: frozenset[str]
    before_numbers: frozenset[str]
    states: frozenset[str]
    final: frozenset[str]
    hours: frozenset[str]
    after_hours: frozenset[str]
    after_ordinals: frozenset[str]
    lettered: frozenset[str]


@cache
def _english_parameters() -> _Parameters:
    """Return the parameters that are shipped."""
    data = files("groundtypes.text").joinpath("data", "punkt_english.json")
    parameters = json.loads(data.read_text(encoding="ascii"))
    words = {key: frozenset(text.split()) for key, text in parameters.items()}
    return _Parameters(
        words["abbreviations"],
        words["starters"] | all_words("word that often begins a sentence"),
        words["lower_case"],
        words["either_case"],
        before_names=all_words("abbreviation before a name"),
        before_numbers=all_words("abbreviation before a number"),
        states=all_words("abbreviation of a state in newspapers"),
        final=all_words("abbreviation at the end of a name or list"),
        hours=all_words("abbreviation of an hour"),
        after_hours=all_words("word behind an hour"),
        after_ordinals=all_words("word behind an ordinal with a full stop"),
        lettered=all_words("word before a letter that is a name"),
    )


def sentence_ends(text: str, start: int, end: int, *, is_open: bool = False) -> Iterator[int]:
    """Yield the end of each sentence of `text[start:end]` but the last one.

    All white space, also a line break, counts as a space between words. If the text is open, more
    of it is to come behind `end`: then only those ends are yielded that stay ends whatever comes,
    up to the first one that is not decided.
    """
    parameters = _english_parameters()
    begin = start
    for stop in _STOP.finditer(text, start, end):
        at = stop.end()
        if at >= end or (is_open and _OPEN_FOOTNOTE.fullmatch(text, at, end)):
            return
        if text[at].isspace():
            closing = _SPACED_CLOSING.match(text, at, end)
            at = closing.end() if closing else at
        elif stop["mark"][-1] not in _SPACELESS_STOPS:
            continue
        if is_open and not _is_next_word_whole(text, at, end):
            return
        if at < end and _is_boundary(text, begin, stop, at, end, parameters):
            yield at
            begin = at


def _is_next_word_whole(text: str, at: int, end: int) -> bool:
    """Whether text behind `end` cannot change the word that follows a terminator."""
    following = _NEXT.match(text, at, end)
    return following is not None and (following.end() < end or bool(following["rest"]))


def _is_boundary(
    text: str, begin: int, stop: re.Match[str], at: int, end: int, parameters: _Parameters
) -> bool:
    """Whether a terminator ends the sentence that began at `begin`; more text follows at `at`."""
    following = _NEXT.match(text, at, end)
    if following is None or not (following["open"] or following["word"] or following["rest"]):
        return False
    word, mark, closed = following["word"], stop["mark"], stop["closed"]
    if not word and not following["open"] and following["rest"] in ",;:.!?%\u2026\u3001\uff0c":
        return False
    is_lower = word[:1].islower()
    if is_lower and any(character in "\"'\u201d\u2019\u00bb)" for character in closed):
        return False
    if mark[-1] not in ".\u2026" or "?" in mark or "!" in mark:
        return True
    if mark != ".":
        return not is_lower
    if "(" in following["open"] and _HOUR_BEFORE.search(
        text, max(begin, stop.start() - 4), stop.start()
    ):
        return False
    initial = following["rest"] == "."
    return _full_stop_ends(text, begin, stop.start(), word, parameters, initial=initial)


def _full_stop_ends(
    text: str, begin: int, dot: int, following: str, parameters: _Parameters, *, initial: bool
) -> bool:
    """Whether a full stop before the next word ends a sentence; `initial`: it has a stop, too."""
    before = text[max(begin, dot - _BACK) : dot]
    words = before.split()
    if not words or (before[-1].isspace() and words[-1].endswith(".")):
        # An ellipsis with spaces; or a tokenised text, which has a space before every stop.
        return not following[:1].islower()
    spelled = words[-1].lstrip(_OPENING.replace("\\", "") + "]/")
    is_marker = len(words) == 1 and dot - begin < _BACK and _LIST_MARKER.fullmatch(words[0])
    if is_marker and (spelled.isdigit() or len(spelled) == 1):
        # "1. Wash it. 2. Dry it.": the number belongs to the next sentence.
        return False
    word, next_word = spelled.lower(), following.lower()
    if following[:1].islower():
        return _ends_before_lower_case(spelled, word, parameters)
    if word in parameters.before_names and not (word in parameters.states and spelled.islower()):
        return False
    if word in parameters.before_numbers and following[:1].isdigit():
        return False
    if word.isdigit():
        return not (len(word) <= 2 and next_word in parameters.after_ordinals)
    # "5 km." and the like end a sentence as often as any word.
    is_unit = spelled.islower() and len(words) > 1 and words[-2][-1].isdigit()
    starts = is_unit or next_word in parameters.starters or next_word in parameters.lower
    if len(spelled) == 1 and spelled.isalpha():
        last = words[-2] if len(words) > 1 else ""
        if initial and len(following) == 1:
            return False
        if _INITIAL.fullmatch(last):
            return next_word in parameters.starters
        return starts or last.lower() in parameters.lettered or (spelled == "I" and last != "")
    if word in parameters.hours:
        return next_word not in parameters.after_hours
    if "." in word and spelled.isupper():
        # It may begin a name: the U.S. Naval Academy.
        return next_word in parameters.starters
    return starts if _is_abbreviation(spelled, word, parameters) else True


def _ends_before_lower_case(spelled: str, word: str, parameters: _Parameters) -> bool:
    """Whether a stop before a word in lower case ends a sentence, as in carelessly typed text."""
    if (
        word in parameters.before_names
        or word in parameters.final
        or _is_abbreviation(spelled, word, parameters)
    ):
        return False
    if word.isdigit() or len(word) == 1:
        return len(word) > 2
    return word in parameters.lower or word in parameters.either or len(word) > 5


def _is_abbreviation(spelled: str, word: str, parameters: _Parameters) -> bool:
    if word in parameters.states and spelled.islower():
        return False
    last = word.rsplit("-", 1)[-1]
    return (
        word in parameters.abbreviations
        or last in parameters.abbreviations
        or word in parameters.final
        or _DOTTED.fullmatch(word) is not None
    )
