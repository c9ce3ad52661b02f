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


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Titles and the like, which introduce the next word and never end a sentence.
_BEFORE_NAMES: Final = _words(
    "adm brig capt cmdr col cpl dr drs fr gen gov hon insp lt maj messrs mlle mme mr mrs ms mt mx "
    "pfc pres prof pvt rep reps rev sen sens sgt sr st ste supt dra sra srta dott sig hr "
    "cf e.g i.e viz vs z.b d.h u.a p.ej bzw incl excl inkl resp"
)
#: Abbreviations only before a number.
_BEFORE_NUMBERS: Final = _words(
    "no nos fig figs sec secs vol vols p pp ch chap art arts eq eqs ref refs tab para pt pts bk "
    "ver v app ex col ln approx ca c circa nr num n\u00fam n p\u00e1g b d al est max min "
    "tel ext abs"
)
#: In newspapers these are abbreviations, mostly of states; in lower case they are ordinary words.
_STATES: Final = _words("ill wash ok pa ga va la ore kan ariz mar miss mass me col p")
#: Abbreviations at the end of names and lists, such as "Inc.": the next word decides.
_FINAL_ABBREVIATIONS: Final = _words("etc jr inc ltd co corp bros al esq usw")
_HOURS: Final = _words("a.m p.m")
#: After "a.m." and "p.m." these words go on with the time: "5 p.m. Monday".
_AFTER_HOURS: Final = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december jan feb mar apr jun jul aug sep sept "
    "oct nov dec mon tue wed thu fri sat sun est edt et cst cdt ct mst mdt mt pst pdt pt utc gmt "
    "bst cet cest ist eastern pacific central mountain"
)
#: After a German ordinal such as "3." these words go on with it.
_GERMAN_DATES: Final = _words(
    "januar februar m\u00e4rz april mai juni juli august september oktober november dezember "
    "jahrhundert jahrhunderts jh klasse auflage"
)
#: A letter after one of these words is a name, not an initial: "vitamin C".
_LETTERED: Final = _words(
    "a an vitamin vitamins plan grade type class hepatitis group point option appendix section "
    "part category schedule letter model level team platform exhibit step figure table series"
)
#: Words that often begin sentences, in addition to those of the parameters.
_STARTERS: Final = _words(
    "a all also an and another any are as at because before by can did do does each every few "
    "for from his how her i is it its let my no not nothing nobody now of on once one only or "
    "other our she such that their then these they this those to until was we were what where "
    "which while who why will with you your"
)


class _Parameters(NamedTuple):
    """What Punkt learned: words in lower case.

    Attributes:
        abbreviations: Abbreviations, without their last full stop.
        starters: Words that often begin sentences.
        lower: Words that are capitalised only at the beginning of a sentence.
        either: Words that are also capitalised elsewhere.
    """

    abbreviations: frozenset[str]
    starters: frozenset[str]
    lower: frozenset[str]
    either: frozenset[str]


@cache
def _english_parameters() -> _Parameters:
    """Return the parameters that are shipped."""
    data = files("groundtypes.text").joinpath("data", "punkt_english.json")
    parameters = json.loads(data.read_text(encoding="ascii"))
    return _Parameters(
        _words(parameters["abbreviations"]),
        _words(parameters["starters"]) | _STARTERS,
        _words(parameters["lower_case"]),
        _words(parameters["either_case"]),
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
    """Whether a single full stop ends the sentence, and does not only mark an abbreviation.

    `following` is the next word; `initial` says that it has a full stop, too.
    """
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
    if word in _BEFORE_NAMES and not (word in _STATES and spelled.islower()):
        return False
    if word in _BEFORE_NUMBERS and following[:1].isdigit():
        return False
    if word.isdigit():
        return not (len(word) <= 2 and next_word in _GERMAN_DATES)
    # "5 km." and the like end a sentence as often as any word.
    is_unit = spelled.islower() and len(words) > 1 and words[-2][-1].isdigit()
    starts = is_unit or next_word in parameters.starters or next_word in parameters.lower
    if len(spelled) == 1 and spelled.isalpha():
        last = words[-2] if len(words) > 1 else ""
        if initial and len(following) == 1:
            return False
        if _INITIAL.fullmatch(last):
            return next_word in parameters.starters
        return starts or last.lower() in _LETTERED or (spelled == "I" and last != "")
    if word in _HOURS:
        return next_word not in _AFTER_HOURS
    if "." in word and spelled.isupper():
        # It may begin a name: the U.S. Naval Academy.
        return next_word in parameters.starters
    return starts if _is_abbreviation(spelled, word, parameters) else True


def _ends_before_lower_case(spelled: str, word: str, parameters: _Parameters) -> bool:
    """Whether a stop before a word in lower case ends a sentence, as in carelessly typed text."""
    if (
        word in _BEFORE_NAMES
        or word in _FINAL_ABBREVIATIONS
        or _is_abbreviation(spelled, word, parameters)
    ):
        return False
    if word.isdigit() or len(word) == 1:
        return len(word) > 2
    return word in parameters.lower or word in parameters.either or len(word) > 5


def _is_abbreviation(spelled: str, word: str, parameters: _Parameters) -> bool:
    if word in _STATES and spelled.islower():
        return False
    last = word.rsplit("-", 1)[-1]
    return (
        word in parameters.abbreviations
        or last in parameters.abbreviations
        or word in _FINAL_ABBREVIATIONS
        or _DOTTED.fullmatch(word) is not None
    )
