"""Roman numbers: behind a noun that is numbered, as in "phase II", and of a century: "siglo XX"."""

import re
from typing import Final

__all__ = ["ROMAN_CENTURY", "numbered_noun", "read_century_before_roman", "roman_value"]

#: Nouns that are numbered, in lower case; a name such as "World War II" needs none.
_NUMBERED: Final = frozenset(
    "war type types phase phases stage stages class classes grade grades chapter part volume book "
    "act section article title level category schedule appendix annex group block table figure "
    "scene rule tier factor protocol amendment division mark module unit zone degree region "
    "generation cohort arm study trial session canto psalm "
    "typ phase stadium stufe klasse grad faktor anhang artikel titel kapitel band teil stade "
    "facteur titre annexe chapitre tome fase etapa tipo clase grado factor titulo anexo artículo "
    "título capítulo tomo stadio classe fattore titolo allegato articolo capitolo grau fator "
    "artigo graad faza typu klasa stopień rozdział tom фаза тип класс степень глава том".split()
)
_WORD: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,12})\s\Z")
_CENTURY_BEFORE: Final = re.compile(
    r"\b(?:siglo|siglos|secolo|secoli|século|séculos|segle|wiek|wieku)\s\Z", re.IGNORECASE
)
_ROMAN: Final = re.compile(r"(?=[IVX])(?P<tens>X{0,3})(?P<ones>I[VX]|V?I{0,3})(?![A-Za-z0-9'])")
#: What follows the Roman number of a century.
ROMAN_CENTURY: Final = re.compile(
    r"(?P<roman>[IVX]{1,6})(?:-?(?:e|ème|ᵉ|th|st|nd|rd)|\.)?[\s-](?:century|centuries|siècles?|wiek\w*|w\.|"
    r"Jh\.|Jhdt\.|Jahrhunderts?|stoljeć\w+|század\w*|век\w*|secolo|eeuw)(?![^\W_])"
)
#: A single "I" behind a noun is a pronoun, unless the clause ends or one of these follows.
_AFTER_ONE: Final = re.compile(
    r"\s?(?:[.,;:)\]/-]|\Z|\n)|\s(?:and|or|of|to|through|trials?|stud(?:y|ies)|clinical|cancers?|"
    r"disease|diabetes|diabetics?|errors?|drugs?|patients?|disorder|hypersensitivity|collagen|"
    r"interferons?|tumou?rs?|melanoma|devices?|recall|evidence|recommendation|site|results?)\b"
)
_ONES: Final = {
    "": 0,
    "I": 1,
    "II": 2,
    "III": 3,
    "IV": 4,
    "V": 5,
    "VI": 6,
    "VII": 7,
    "VIII": 8,
    "IX": 9,
}


def numbered_noun(text: str, start: int, floor: int) -> str | None:
    """Return the singular of the numbered noun before a Roman number, in lower case."""
    match = _WORD.search(text[max(floor, start - 14) : start])
    if match is None:
        return None
    word = match[1].lower()
    if word not in _NUMBERED:
        return None
    is_one = text[start] == "I" and not text[start + 1 : start + 2].isalpha()
    if is_one and not _AFTER_ONE.match(text, start + 1):
        return None
    return word[:-1] if word in ("types", "phases", "stages", "classes", "grades") else word


def read_century_before_roman(text: str, start: int, floor: int) -> tuple[int, int] | None:
    """Return end and number of the century of "siglo XIX" and "XIX century"."""
    if match := ROMAN_CENTURY.match(text, start):
        value = roman_value(match["roman"], 0)
        if value is not None and value[0] == len(match["roman"]):
            return match.end(), value[1]
    if _CENTURY_BEFORE.search(text[max(floor, start - 9) : start]):
        return roman_value(text, start)
    return None


def roman_value(text: str, start: int) -> tuple[int, int] | None:
    """Return end and value of a Roman number below 40."""
    match = _ROMAN.match(text, start)
    if match is None or not match[0]:
        return None
    return match.end(), 10 * len(match["tens"]) + _ONES[match["ones"]]
