"""Leaving out what a reply shows: quotations, code, lists of examples, translations.

"Auf Englisch heißt das: 'I can't help you.'" declines nothing, but a model reads a refusal in it.
`without_shown_words` returns a text without such parts. `data/shown_words.txt` has the phrases that
announce examples and translations in 32 languages.

A quotation, list or translation is left out only if it declines by itself: all else that stands
between quotation marks, such as a name, is a part of what the reply says. A quotation that is the
whole text, or that has no more than a label such as "Answer:" beside it, is what the reply says.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import Final

from groundtypes.refusals.shown_code import without_code
from groundtypes.refusals.word_classes import SPACELESS, fold, load_word_classes

__all__ = ["without_shown_words"]

_FILE: Final = "shown_words.txt"
#: How many characters of a text are searched, and how many parts are judged.
_MAX_SEARCHED: Final = 1_000
_MAX_PARTS: Final = 6
#: What stands in the place of a quotation.
_LEFT_OUT: Final = '"\u2026"'
#: Quotation marks as languages pair them. An apostrophe in a word closes none.
_QUOTATION: Final = re.compile(
    r"\"([^\"\n]{4,400})\"|\u201c([^\u201c\u201d]{4,400})\u201d|\u201d([^\u201d]{4,400})\u201d"
    r"|\u201e([^\u201c\u201d\u201e\"]{4,400})[\u201c\u201d\"]|\u00ab([^\u00ab\u00bb]{4,400})\u00bb"
    r"|\u00bb([^\u00ab\u00bb]{4,400})\u00ab|\u300c([^\u300c\u300d]{4,400})\u300d"
    r"|\u300e([^\u300e\u300f]{4,400})\u300f|\uff02([^\uff02]{4,400})\uff02"
    r"|\u201a((?:[^\u2018\u2019\u201a]|(?<=\w)\u2019(?=\w)){4,400})[\u2018\u2019]"
    r"|\u2018((?:[^\u2018\u2019]|(?<=\w)\u2019(?=\w)){4,400})\u2019"
    r"|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w)){4,400})'(?!\w)"
)
#: A key of a JSON object before its value.
_KEY: Final = re.compile(r"[\"'\u201d]\s*:\s*$")
#: A line that announces a list, and the items behind it.
_LIST: Final = re.compile(
    r"(?m)^([^\n]{3,160}[:\uff1a][ *_]*)((?:\s*\n[ \t]*(?:[-*\u2022\u00b7\u30fb\u2013\u2014]|"
    r"\d{1,2}[.)\u3001\uff0e])[ \t]*[^\n]{2,300}){2,12})"
)
#: What stands before a translation, and the rest of the line.
_TRANSLATION: Final = re.compile(
    r"(?m)(?:^|(?<=[.!?\u3002\uff01\uff1f] ))([^:\uff1a.!?\n]{2,80}[:\uff1a])"
    r"[ \t]*(?:\n\s*)?([^\n]{4,300})"
)
_SENTENCE_STARTS: Final = re.compile(
    r"(?<=[.!?])[\"'\u2019\u201d)\]*_]*\s+|(?<=[\u3002\uff01\uff1f\u0964\u061f\u06d4])\s*|\s*\n\s*"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SPACELESS_RUN: Final = re.compile(f"[{SPACELESS}]+")
#: A frame of fewer words, or of fewer characters without spaces, is a mere label.
_MIN_WORDS: Final = 2
_MIN_CHARACTERS: Final = 3
#: With a word for answering, a frame of so few words is a label, too ("My answer is: ...").
_MAX_LABEL: Final = 5
#: A frame that apologises, names the model or its rules, or refuses is no frame. What a document
#: says ("the form says 'unknown'") may be how a reply abstains.
_OWN_WORDS: Final = frozenset({"SORRY", "AI", "POLICY", "REFUSE", "DOC"})


def without_shown_words(text: str, declines: Callable[[str], bool]) -> str | None:
    """Return a text without what it shows; `None` if it shows nothing that declines.

    `declines` judges a part alone. A text that is nothing but code becomes "".
    """
    begin, rest = text[:_MAX_SEARCHED], text[_MAX_SEARCHED:]
    code = without_code(begin)
    found = begin if code is None else code
    left = [_MAX_PARTS]
    found = _LIST.sub(partial(_without_items, declines=declines, left=left), found)
    found = _TRANSLATION.sub(partial(_without_translation, declines=declines, left=left), found)
    found = _without_quotations(found, declines, left)
    if found == begin or _declines_beside(found, declines):
        return None
    return found + rest


def _declines_beside(text: str, declines: Callable[[str], bool]) -> bool:
    """Return whether the sentences decline in which nothing was left out.

    A model may take them for an answer beside a sentence that has become odd.
    """
    sentences = _SENTENCE_STARTS.split(text)
    whole = [sentence for sentence in sentences if _LEFT_OUT not in sentence]
    return len(whole) < len(sentences) and declines(" ".join(whole))


def _without_quotations(text: str, declines: Callable[[str], bool], left: list[int]) -> str:
    if _QUOTATION.search(text) is None or not _is_frame(_QUOTATION.sub(" ", text)):
        return text

    def replace(match: re.Match[str]) -> str:
        words = match[match.lastindex or 0]
        if _KEY.search(text, max(0, match.start() - 8), match.start()):
            return match[0]
        return _LEFT_OUT if _declines(words, declines, left) else match[0]

    return _QUOTATION.sub(replace, text)


def _without_items(match: re.Match[str], declines: Callable[[str], bool], left: list[int]) -> str:
    line, items = match.groups()
    heading = _without_phrases("examples", line)
    is_shown = heading is not None and _is_speech(items, declines, left) and not declines(heading)
    return f"{heading}:" if is_shown else match[0]


def _without_translation(
    match: re.Match[str], declines: Callable[[str], bool], left: list[int]
) -> str:
    line, speech = match.groups()
    is_shown = (
        _without_phrases("translations", line) is not None
        and _is_speech(speech, declines, left)
        and not declines(line)
    )
    return f"{line} {_LEFT_OUT}" if is_shown else match[0]


def _is_speech(part: str, declines: Callable[[str], bool], left: list[int]) -> bool:
    """Return whether a part declines in somebody's person: "not given" is what a reply says."""
    classes = _classes_of(part)
    return "I" in classes and "DOC" not in classes and _declines(part, declines, left)


def _declines(part: str, declines: Callable[[str], bool], left: list[int]) -> bool:
    """Return whether a part declines; of too many, the last are not judged."""
    left[0] -= 1
    return left[0] >= 0 and declines(part.strip())


def _is_frame(outside: str) -> bool:
    """Return whether the words beside a quotation are more than a label, and do not decline."""
    folded = fold(outside)
    characters = sum(map(len, _SPACELESS_RUN.findall(folded)))
    words = _SPACELESS_RUN.sub(" ", folded)
    number = len(_WORD.findall(words))
    if number < _MIN_WORDS and characters < _MIN_CHARACTERS:
        return False
    classes = _classes_of(outside)
    is_label = number < _MAX_LABEL and not characters and "ANSWER" in classes
    return not is_label and _OWN_WORDS.isdisjoint(classes)


def _classes_of(text: str) -> set[str]:
    """Return the classes of all words of a text."""
    known = load_word_classes()
    folded = fold(text)
    classes: set[str] = set()
    for word in _WORD.findall(_SPACELESS_RUN.sub(" ", folded)):
        names = known.of_word(word)
        # English "not" is a note in another language.
        classes.update(name for name in names if name != "DOC" or "NEG" not in names)
    for run in _SPACELESS_RUN.findall(folded):
        classes.update(name for names in known.in_run(run) for name in names)
    return classes


def _without_phrases(heading: str, line: str) -> str | None:
    """Return the words of a line without the phrases under a heading; `None` if it has none.

    "Here are three polite ways to decline:" itself would decline with that phrase.
    """
    folded = f" {' '.join(_WORD.findall(fold(line)))} "
    rest = folded
    for phrase in _phrases()[heading]:
        if _SPACELESS_RUN.search(phrase) is not None:
            rest = rest.replace(phrase, " ")
        elif f" {phrase}" in rest:
            rest = re.sub(rf" {re.escape(phrase)}[^ ]*", "", rest)
    return None if rest == folded else rest.strip()


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    """Return the folded phrases under each heading of the file, the longest first."""
    text = (files("groundtypes.refusals") / "data" / _FILE).read_text(encoding="utf-8")
    phrases: dict[str, tuple[str, ...]] = {}
    heading = ""
    for line in text.splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            found = (fold(phrase.strip()) for phrase in line.split(":", 1)[1].split("|"))
            phrases[heading] = (*phrases.get(heading, ()), *found)
    return {name: tuple(sorted(found, key=len, reverse=True)) for name, found in phrases.items()}
