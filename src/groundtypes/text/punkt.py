"""Where sentences end: the decisions of Punkt, with the English parameters that NLTK distributes.

Kiss and Strunk (2006), Unsupervised Multilingual Sentence Boundary Detection: a full stop ends a
sentence unless it belongs to an abbreviation or an initial, and even then where the next word is
one that begins sentences, or one of which the capital letter could not be explained otherwise.
Added to what the model learned from newspapers: abbreviations of reference and academic texts, and
those which only a number follows; the lower-case word behind a stop; the terminators of other
scripts; closing quotation marks, brackets and footnote marks, which stay with their sentence.

Only places with a terminator are looked at, and only some forty characters around each.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

__all__ = ["CLOSING", "TERMINATORS", "sentence_ends"]

#: Terminators of scripts that put no space behind them.
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
_STOP: Final = re.compile(
    rf"(?P<mark>[{TERMINATORS}]++)"
    rf"(?P<closed>(?:[{CLOSING}]|\[[\d,;\u2013\u2014 -]{{1,12}}\]"
    r"|[\u00b9\u00b2\u00b3\u2070-\u2079])*+)"
)
#: What stands apart behind a sentence and still closes it.
_CLOSED_APART: Final = re.compile(r"\s{1,3}[\u201d\u00bb\])}]++(?=\s|\Z)")
_NEXT: Final = re.compile(rf"\s*+(?P<open>[{_OPENING}]*+)(?P<word>[^\W_]{{0,40}})(?P<rest>\S?)")
#: Abbreviations of this shape need no list: U.S., e.g., z.B., Ph.D.
_DOTTED: Final = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,2})+")
_HOUR: Final = re.compile(r"(?i)\b[ap]\.m\Z")
_INITIAL: Final = re.compile(r"[^\W\d_]\.")
_LISTED: Final = re.compile(r"\(?\w{1,3}\)?")
_BACK: Final = 40


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: They stand before a name or what they introduce, and end no sentence.
_BEFORE_NAMES: Final = _words(
    "adm brig capt cmdr col cpl dr drs fr gen gov hon insp lt maj messrs mlle mme mr mrs ms mt mx "
    "pfc pres prof pvt rep reps rev sen sens sgt sr st ste supt dra sra srta dott sig hr "
    "cf e.g i.e viz vs z.b d.h u.a p.ej bzw incl excl inkl resp"
)
#: They are abbreviations where a number follows.
_BEFORE_NUMBERS: Final = _words(
    "no nos fig figs sec secs vol vols p pp ch chap art arts eq eqs ref refs tab para pt pts bk "
    "ver v app ex col ln approx ca c circa nr num n\u00fam n p\u00e1g b d al est max min "
    "tel ext abs"
)
#: They are abbreviations in newspapers, and words when they begin in lower case.
_STATES: Final = _words("ill wash ok pa ga va la ore kan ariz mar miss mass me col p")
#: Companies and much else end with them; what follows decides.
_ENDINGS: Final = _words("etc jr inc ltd co corp bros al esq usw")
_HOURS: Final = _words("a.m p.m")
_BEHIND_HOURS: Final = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december jan feb mar apr jun jul aug sep sept "
    "oct nov dec mon tue wed thu fri sat sun est edt et cst cdt ct mst mdt mt pst pdt pt utc gmt "
    "bst cet cest ist eastern pacific central mountain"
)
_GERMAN_DATES: Final = _words(
    "januar februar m\u00e4rz april mai juni juli august september oktober november dezember "
    "jahrhundert jahrhunderts jh klasse auflage"
)
#: A letter behind one of these is a name of something and no initial.
_LETTERED: Final = _words(
    "a an vitamin vitamins plan grade type class hepatitis group point option appendix section "
    "part category schedule letter model level team platform exhibit step figure table series"
)
_STARTERS: Final = _words(
    "a all also an and another any are as at because before by can did do does each every few "
    "for from his how her i is it its let my no not nothing nobody now of on once one only or "
    "other our she such that their then these they this those to until was we were what where "
    "which while who why will with you your"
)


class _Parameters(NamedTuple):
    abbreviations: frozenset[str]
    starters: frozenset[str]
    lower: frozenset[str]
    either: frozenset[str]


@cache
def _parameters() -> _Parameters:
    data = files("groundtypes.text").joinpath("data", "punkt_english.json")
    held = json.loads(data.read_text(encoding="ascii"))
    return _Parameters(
        _words(held["abbreviations"]),
        _words(held["starters"]) | _STARTERS,
        _words(held["lower_case"]),
        _words(held["either_case"]),
    )


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where each sentence of a stretch ends, but for the last one.

    White space in the stretch, line breaks too, is a space between words.
    """
    begin = start
    for stop in _STOP.finditer(text, start, end):
        at = stop.end()
        if at >= end:
            return
        if text[at].isspace():
            apart = _CLOSED_APART.match(text, at, end)
            at = apart.end() if apart else at
        elif stop["mark"][-1] not in _SPACELESS_STOPS:
            continue
        if at < end and _ends(text, begin, stop, at, end):
            yield at
            begin = at


def _ends(text: str, begin: int, stop: re.Match[str], at: int, end: int) -> bool:
    """Whether a terminator ends the sentence that began at `begin`; more text follows at `at`."""
    following = _NEXT.match(text, at, end)
    if following is None or not (following["open"] or following["word"] or following["rest"]):
        return False
    word, mark, closed = following["word"], stop["mark"], stop["closed"]
    if not word and not following["open"] and following["rest"] in ",;:.!?%\u2026\u3001\uff0c":
        return False
    lower = word[:1].islower()
    if lower and any(mark in "\"'\u201d\u2019\u00bb)" for mark in closed):
        return False
    if mark[-1] not in ".\u2026" or "?" in mark or "!" in mark:
        return True
    if mark != ".":
        return not lower
    if "(" in following["open"] and _HOUR.search(text, max(begin, stop.start() - 4), stop.start()):
        return False
    return _stops(text, begin, stop.start(), word, initial=following["rest"] == ".")


def _stops(text: str, begin: int, dot: int, following: str, *, initial: bool) -> bool:
    """Whether a single full stop is more than the mark of an abbreviation.

    `initial` says that a stop follows the next word, too.
    """
    known = _parameters()
    before = text[max(begin, dot - _BACK) : dot]
    words = before.split()
    if not words or (before[-1].isspace() and words[-1].endswith(".")):
        # An ellipsis with spaces. A space before a stop alone is how tokenised texts look.
        return not following[:1].islower()
    spelled = words[-1].lstrip(_OPENING.replace("\\", "") + "]/")
    first = len(words) == 1 and dot - begin < _BACK and _LISTED.fullmatch(words[0])
    if first and (spelled.isdigit() or len(spelled) == 1):
        # "1. Wash it. 2. Dry it.": the number of what follows.
        return False
    typ, next_typ = spelled.lower(), following.lower()
    if following[:1].islower():
        return _stops_before_lower_case(spelled, typ, known)
    if typ in _BEFORE_NAMES and not (typ in _STATES and spelled.islower()):
        return False
    if typ in _BEFORE_NUMBERS and following[:1].isdigit():
        return False
    if typ.isdigit():
        return not (len(typ) <= 2 and next_typ in _GERMAN_DATES)
    unit = spelled.islower() and len(words) > 1 and words[-2][-1].isdigit()
    starts = unit or next_typ in known.starters or next_typ in known.lower
    if len(spelled) == 1 and spelled.isalpha():
        last = words[-2] if len(words) > 1 else ""
        if initial and len(following) == 1:
            return False
        if _INITIAL.fullmatch(last):
            return next_typ in known.starters
        return starts or last.lower() in _LETTERED or (spelled == "I" and last != "")
    if typ in _HOURS:
        return next_typ not in _BEHIND_HOURS
    if "." in typ and spelled.isupper():
        # Names begin with it: the U.S. Naval Academy.
        return next_typ in known.starters
    return starts if _is_abbreviation(spelled, typ, known) else True


def _stops_before_lower_case(spelled: str, typ: str, known: _Parameters) -> bool:
    """Whether a stop before a lower-case word ends a sentence, as in carelessly typed text."""
    if typ in _BEFORE_NAMES or typ in _ENDINGS or _is_abbreviation(spelled, typ, known):
        return False
    if typ.isdigit() or len(typ) == 1:
        return len(typ) > 2
    return typ in known.lower or typ in known.either or len(typ) > 5


def _is_abbreviation(spelled: str, typ: str, known: _Parameters) -> bool:
    if typ in _STATES and spelled.islower():
        return False
    last = typ.rsplit("-", 1)[-1]
    return (
        typ in known.abbreviations
        or last in known.abbreviations
        or typ in _ENDINGS
        or _DOTTED.fullmatch(typ) is not None
    )
