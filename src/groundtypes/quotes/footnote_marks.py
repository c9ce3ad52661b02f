"""Footnote marks of several numbers: "[3, 4]", "³,⁴", `<sup><a href="#3">3</a></sup>`.

An interval, a list of values or an exponent has the same form, so that such a mark counts as one
only where its place says so: numbers that ascend, behind a word that takes no value.
"""

import re
from itertools import pairwise
from typing import Final

from groundtypes.quotes.token_patterns import INTERVAL_WORDS

__all__ = ["PLAIN_RAISED", "are_cited", "ascend", "is_locator", "takes_indices"]

_NUMBER: Final = re.compile(r"\d+")
#: How far before a mark its sentence is read.
_REACH: Final = 100
_LAST_WORD: Final = re.compile(r"([^\W\d_]{3,40})[ \t\u00a0]\Z")
_SENTENCE_END: Final = re.compile(r"[.!?\n](?=\s|\Z)")
#: Words of a sentence that gives an interval, a list or a place.
_VALUE_WORDS: Final = re.compile(
    r"(?i)\b(?:"
    + "|".join(sorted(INTERVAL_WORDS - {"from"}))
    + r"|ranges?|intervals?|arrays?|lists?|sets?|vectors?|tuples?|matri(?:x|ces)|shapes?|sizes?"
    r"|dimensions?|coordinates?|points?|positions?|ind(?:ex|exes|ices)|slices?|domains?|sequences?"
    r"|functions?|numbers?|integers?|inputs?|outputs?|returns?|returned|prints?|printed|equals?"
    r"|yields?|yielded|quartiles?|percentiles?|answers?|scored?|intervall\w{0,3}|bereich\w{0,2}"
    r"|menge|vektor\w{0,2}|listen?|werte?n?|zwischen|intervalles?|vecteurs?|listes?|valeurs?|entre"
    r"|intervalos?|rangos?|vectore?s?|listas?|valore?s|conjuntos?|pages?|pp|chapters?|sections?"
    r"|steps?|items?|rows?|columns?|levels?|options?|class(?:es)?|groups?|tables?|figures?"
    r"|references?|refs?|gives?|gave|given|verses?)\b"
)
#: Words after which a bracket is an object or a complement.
_FUNCTION_WORDS: Final = frozenset(
    "in on at by for with to from of and or but nor is are was were be been has have had that "
    "which who while whereas as than since because when where if although though until after "
    "before during under over among into the und oder aber in im bei mit von zu aus auf ist sind "
    "war waren wird wurde dass die der das et ou mais dans en de du des par pour avec sur est "
    "sont que qui y o pero con por para es son e ma di da per non see cf about only per within "
    "below above through via not exactly did does do will can may could would should including "
    "like contains contain containing becomes became become".split()
)
#: Quantities, units and requests, which take a value right behind them.
_BEFORE_VALUES: Final = re.compile(
    r"(?i)(?:age[ds]?|dos(?:e|es|age)|temperatures?|weights?|heights?|lengths?|widths?|depths?"
    r"|durations?|times?|rates?|ratios?|prices?|amounts?|lags?|delays?|odds|counts?|pressures?|angles?"
    r"|parameters?|arguments?|keys?|ids?|types?|years?|months?|weeks?|days?|hours?|minutes?|seconds?"
    r"|versions?|lines?|parts?|questions?|exercises?|problems?|psalms?|cells?|pairs?|orders?|total"
    r"|choose|select|enter|press|try|use[ds]?|using|take[sn]?|took|pick|assign|wait(?:ed)?|lasts?"
    r"|lasted|add(?:s|ed)?|sort|append(?:s|ed)?|insert|delete|remove|call(?:s|ed)?|pass(?:es|ed)?"
    r"|reverse|sum|max|min|len|sample|define|let|consider|assume|type|click|see|read|cite|measure[ds]?"
    r"|cost|alter|dauer|zeit|jahre?|wochen?|tagen?|siehe|[aâ]ge|ans|jours|voir|edad|años|d[ií]as|ver)"
)
#: Words that name what numbers right behind them select: pages, or elements of an array.
_LOCATORS: Final = re.compile(
    r"pages?|pp?|seiten?|ss?|p[a\u00e1]ginas?|pagin[ae]|verses?|vv?|vers[ei]n?|versets?|vers\u00edculos?|versos?"
    r"|lines?|zeilen?|lignes?|l\u00edneas?|psalms?|chapters?|kapiteln?|chapitres?|cap\u00edtulos?|vols?|figs?|nrn?"
)
_ARRAYS: Final = frozenset(
    "data dataset arr array arrays mat matrix matrices vec vector vectors tensor tensors list "
    "lists tuple range ranges row rows column columns col cols grid img df buf buffer seq slice "
    "idx index args argv params dict str matriz lista vektor liste matrice vecteur daten datos "
    "dati dados".split()
)
_END_AFTER: Final = re.compile(r"[.,;:!?)](?:\s|\Z|[\"\u201d\u2019)])|\s*\Z|\n")
#: A raised number without link and list is read by its tag.
PLAIN_RAISED: Final = re.compile(r"(?i)<sup>\s?\d{1,3}\s?</sup>\Z")


def ascend(piece: str) -> bool:
    """Whether the numbers of a mark ascend, from one on, as those of notes do."""
    numbers = [int(number) for number in _NUMBER.findall(piece)]
    return bool(numbers) and numbers[0] > 0 and all(low < high for low, high in pairwise(numbers))


def is_locator(word: str) -> bool:
    """Whether numbers right behind a word say which page, verse or the like it is."""
    return _LOCATORS.fullmatch(word) is not None


def takes_indices(word: str, piece: str, *, attached: bool) -> bool:
    """Whether several numbers in brackets behind a word are pages or indices and no notes.

    Only what is attached to the word is an index. The numbers of notes ascend from one on.
    """
    if len(_NUMBER.findall(piece)) < 2:
        return False
    return is_locator(word) or (attached and (word in _ARRAYS or not ascend(piece)))


def are_cited(text: str, start: int, end: int, *, after_word: bool) -> bool:
    """Whether numbers in brackets with spaces between them are notes and not values.

    They stand behind a word that takes no value, or behind a mark, in a sentence that speaks of no
    value, and at the end of a clause. Inside of one they may be what is said: "She won [1, 3] in
    May."
    """
    if not ascend(text[start:end]):
        return False
    sentence = text[max(0, start - _REACH) : start]
    ends = [match.end() for match in _SENTENCE_END.finditer(sentence)]
    if ends:
        sentence = sentence[ends[-1] :]
    word = _LAST_WORD.search(sentence)
    if after_word and (
        word is None
        or word[1].lower() in _FUNCTION_WORDS
        or _BEFORE_VALUES.fullmatch(word[1]) is not None
    ):
        return False
    if _VALUE_WORDS.search(sentence):
        return False
    return _END_AFTER.match(text, end) is not None
