"""A remark between a negation and what it negates: "never, under any circumstances, share".

A remark in brackets, between two commas or between two dashes interrupts a clause, and the clause
goes on behind it. A comma ends clauses, too, so between commas only what begins as remarks do
counts: with a preposition, an adverb or "as".
"""

import re
from typing import Final

from groundtypes.quotes.negation_words import LATIN_NOT, NEGATIONS

__all__ = ["LONGEST_REMARK", "goes_on", "is_interrupted", "remark_start"]

#: The longest remark between commas or dashes, in characters.
LONGEST_REMARK: Final = 72
_WORD: Final = r"[^\W_]+(?:['\u2019-][^\W_]+)*"
#: The words that begin a remark between commas: of English, and of other languages.
_ENGLISH: Final = (
    "under in at by for on of to as with without despite unlike like contrary according given "
    "except unless however therefore thus though moreover indeed instead ever again please perhaps "
    "even no"
)
_OTHERS: Final = (
    "unter im am an auf aus bei nach wie laut zu trotz entgegen jedoch allerdings daher bitte "
    "leider außer auch sous en dans à au par pour selon comme malgré contrairement toutefois "
    "cependant donc même sauf bajo por para de según como salvo excepto a tampoco ni per di da "
    "secondo come sotto tranne nonostante tuttavia quindi neanche nemmeno sob em segundo exceto "
    "contudo portanto nem onder op voor van volgens zoals ondanks echter dus behalve tenzij ook "
    "på vid av enligt som trots dock alltså utom ved af ifølge trods dog altså undtagen etter "
    "unntatt missään millään kuten paitsi pod w na przy dla według jak mimo jednak oprócz nawet "
    "za v při podle však kromě pri podľa ako okrem ani sub în la pentru conform cum totuși "
    "semmilyen egyáltalán azonban kivéve ни при в на по как согласно однако кроме даже под ні "
    "за як згідно однак крім навіть σε υπό κατά για όπως όμως dalam pada menurut seperti trong "
    "theo như dù"
)
_COMMENT: Final = (
    r"(?:[a-z]{2,14}ly|(?:it|he|she|they|I|we)\s(?:seem|appear|say|said|think|thought|believe|add"
    r"|argue|repeat|stress|claim)\w{0,3})"
)
_BETWEEN_COMMAS: Final = re.compile(
    rf"\s(?:(?:{'|'.join(dict.fromkeys(f'{_ENGLISH} {_OTHERS}'.split()))})(?:\s{_WORD}){{0,7}}"
    rf"|{_COMMENT})",
    re.IGNORECASE,
)
_IN_ENGLISH: Final = re.compile(
    rf",\s(?:(?:{_ENGLISH.replace(' ', '|')})\b|{_COMMENT},)", re.IGNORECASE
)
_BETWEEN_DASHES: Final = re.compile(rf"\s?{_WORD}(?:,?\s{_WORD}){{0,8}}\s?")
_DASHES: Final = "-\u2013\u2014"
#: A bare "not" goes on behind a remark where an auxiliary verb is before it: "is not, in fact,
#: open" does, and "or not, in fact, open" does not.
_AUXILIARY: Final = frozenset(
    "do does did is are was were be been am has have had can could may might must shall should "
    "will would need".split()
)
#: What makes a negation a clause of its own: "or not (if unsure) call".
_APART: Final = frozenset(
    "or if why when than course whether oder wenn ob warum falls ou si pourquoi o se perché of "
    "als waarom eller om hvis hvorfor tai jos".split()
)
#: Prepositions, which may stand for a phrase at the end of a clause: "with or without, in May".
_PREPOSITIONS: Final = frozenset("without ohne zonder sans utan uden uten bez без".split())
#: A clause that may be over behind a negation: "if it does not, in that case, the pool is closed".
_CONDITION: Final = re.compile(
    r"\b(?:if|when|whenever|unless|where|whether)\b[^.!?;:,\n]*\Z", re.IGNORECASE
)
_CONDITION_REACH: Final = 80
#: The words that begin another clause.
_CONJUNCTIONS: Final = frozenset(
    "and but or so nor yet because which who whom whose where when if unless while whereas "
    "although though und aber oder sondern denn weil et mais ou car qui que y pero sino porque "
    "ma però perché che mas en maar of want och men eller utan og ja mutta tai ale lub nebo "
    "alebo și dar sau és vagy и но или та але або και αλλά dan tetapi atau và".split()
)


def remark_start(text: str, end: int) -> int | None:
    """Return where a remark between commas or dashes begins whose second mark ends at an offset."""
    mark, low = text[end - 1], max(0, end - LONGEST_REMARK)
    if mark == ",":
        start = text.rfind(",", low, end - 1)
        return start if start >= 0 and _BETWEEN_COMMAS.fullmatch(text, start + 1, end - 1) else None
    if mark not in _DASHES:
        return None
    sign = "--" if text.endswith("--", 0, end) else f" {mark}" if mark == "-" else mark
    inner = end - len(sign)
    start = text.rfind(f"{sign} " if mark == "-" and sign != "--" else sign, low, inner)
    if start < 0 or not _BETWEEN_DASHES.fullmatch(text, start + len(sign), inner):
        return None
    return start


def is_interrupted(text: str, start: int, negation: str, at: int, mark: str) -> bool:
    """Whether a remark interrupts the clause of a negation, and no clause ends before the remark.

    Args:
        text: The text.
        start: Where the negation begins.
        negation: The folded word.
        at: Where the word before the remark ends.
        mark: "(", "," or a dash: what the remark begins with.
    """
    before = text[max(0, start - 24) : start].rstrip(" *_\"'")
    word = before.rpartition(" ")[2].lower().strip("(")
    if word in _APART or _CONDITION.search(text, max(0, start - _CONDITION_REACH), start):
        return False
    is_english = negation in NEGATIONS["en"] or negation.endswith(LATIN_NOT)
    if mark == "," and is_english and negation != "no" and not _IN_ENGLISH.match(text, at):
        return False
    if mark != "(" and negation in _PREPOSITIONS:
        return False
    if mark == "(" or negation != "not":
        return True
    return word in _AUXILIARY or not before or not before[-1].isalpha()


def goes_on(word: str) -> bool:
    """Whether a folded word goes on with a clause, and does not begin another one."""
    return word not in _CONJUNCTIONS
