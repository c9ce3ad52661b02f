"""Leaving out the quotations of a reply that decline in its place.

"Auf Englisch heißt das: 'I can't help you.'" declines nothing, but a model reads a refusal in it. A
quotation is left out only if it declines by itself: all else that stands between quotation marks,
such as a name, is a part of what the reply says. A quotation that is the whole text, or that has no
more than a label such as "Answer:" beside it, is what the reply says.
"""

import re
from collections.abc import Callable
from typing import Final

from groundtypes.refusals.word_classes import SPACELESS, fold, load_word_classes

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


def without_quotations(text: str, declines: Callable[[str], bool]) -> str | None:
    """Return a text without the quotations that decline; `None` if it has none.

    `declines` judges a part alone.
    """
    begin, rest = text[:_MAX_SEARCHED], text[_MAX_SEARCHED:]
    if _QUOTATION.search(begin) is None or not _is_frame(_QUOTATION.sub(" ", begin)):
        return None
    left = [_MAX_PARTS]

    def replace(match: re.Match[str]) -> str:
        words = match[match.lastindex or 0]
        if _KEY.search(begin, max(0, match.start() - 8), match.start()):
            return match[0]
        left[0] -= 1  # of too many, the last are not judged
        return _LEFT_OUT if left[0] >= 0 and declines(words.strip()) else match[0]

    found = _QUOTATION.sub(replace, begin)
    return None if found == begin or _declines_beside(found, declines) else found + rest


def _declines_beside(text: str, declines: Callable[[str], bool]) -> bool:
    """Return whether the sentences decline in which nothing was left out.

    A model may take them for an answer beside a sentence that has become odd.
    """
    sentences = _SENTENCE_STARTS.split(text)
    whole = [sentence for sentence in sentences if _LEFT_OUT not in sentence]
    return len(whole) < len(sentences) and declines(" ".join(whole))


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
