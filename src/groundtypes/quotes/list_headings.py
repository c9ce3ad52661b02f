"""What the lines of lists and forms say of a negation: "Do not:" above "- open the case".

Each item is read as the rest of the heading's sentence, so it says the opposite without it. A
heading negates if it ends with the negation ("You must not:") or with what is denied ("Not
included:", "The following are not permitted:"). One that ends with another verb does not: what
stands below "Do not forget:" is to be remembered. The words are in `words/data/mul.txt`.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from groundtypes.quotes.negation_words import (
    ANSWERS,
    ANY_BETWEEN,
    ANY_NEGATION,
    LATIN_NOT,
    folded_word,
    languages_of_negation,
)
from groundtypes.quotes.patterns import compiled
from groundtypes.text.layout import item_marker
from groundtypes.words import words_of

#: A list is read up to so many lines and characters, and so much of a heading.
_MOST_LINES: Final = 60
_REACH: Final = 6_000
_HEADING_REACH: Final = 160
#: The mark of an item is at most so long, as are the tags before it.
_LONGEST_MARK: Final = 24
_LONGEST_TAGS: Final = 120
_HTML_ITEM: Final = r"(?i)<li\b[^<>]*>(?:\s|<(?:p|b|i|em|strong|a|span)\b[^<>]*>)*\Z"
_HTML_LIST: Final = r"(?i)<(/?)[uo]l\b[^<>]*>"
#: What precedes an item in the same sentence: a colon, perhaps with other items behind it.
_IN_SENTENCE: Final = r"[:\uff1a](?:\s*|[ \n](?:[^.!?:\n\u2014]*(?:[,;/]| or| and)\s)?)\Z"
#: Marks around words that are no part of a text.
_EMPHASIS: Final = "*_`~\"'\u201c\u2018\u00ab\u201d "
_COLONS: Final = (":", "\uff1a")
_TAG: Final = r"<[^<>\n]{1,80}>"
_WORD: Final = r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*"
_SENTENCE_END: Final = (
    r"[.!?;:\u3002\uff1a](?=\s|\Z)|\n\s*\n|\n[ \t]*[-*+#|\u2022]|[\u3002\uff1a\uff0c]"
)
#: A heading without a colon has fewer characters, and begins with its negation.
_SHORT: Final = 40
#: The most words of a heading behind its negation.
_MOST_DENIED: Final = 8
#: "Do not:" and "Please do not:" have at most so many words before the negation.
_MOST_BEFORE: Final = 2

#: The label of a field before its value, at the end of a line or as a cell, and a line with one.
_LABEL: Final = (
    r"(?:[:=?|;,\t\uff1a\u2192]|\.{2}|\u2026|\s[-\u2013\u2014]|\S[ \u00a0]{2})\s*\W{0,9}\Z"
)
_FIELD: Final = (
    r"[^:=|;,\t\uff1a\u2192\n]{1,40}(?:[:=?|;,\t\uff1a\u2192]|\s[-\u2013\u2014]\s|\.{2}|[ ]{2})"
)
_LINE_REACH: Final = 200
_SHORT_TAG: Final = r"(?i)</?[a-z]{1,10}>"


@cache
def _words(kind: str) -> frozenset[str]:
    """Return the words of a kind, folded."""
    return frozenset(map(folded_word, words_of(kind)["mul"]))


@cache
def _is_denied(word: str) -> bool:
    """Whether a folded word says that something is allowed, included and the like."""
    starts = (f"{word[:length]}*" for length in range(3, len(word) + 1))
    return not _words("heading denied").isdisjoint((word, *starts))


def heading_negation(text: str, start: int) -> tuple[int, int] | None:
    """Return where the heading's negation is that negates the item beginning here, or `None`."""
    end = _heading_above(text, start)
    is_above = end is not None
    if end is None:
        colon = compiled(_IN_SENTENCE).search(text, max(0, start - _HEADING_REACH), start)
        if colon is None:
            return None
        end = colon.start() + 1
    low = max(0, end - _HEADING_REACH)
    head = compiled(_TAG).sub(lambda tag: " " * len(tag[0]), text[low:end])
    head = head.rstrip(f"{_EMPHASIS}\t\r\n#")
    has_colon = head.endswith(_COLONS)
    head = head.rstrip(f"{_EMPHASIS}:\uff1a\u00a0\u202f")
    endings = [one for one in words_of("heading end")["mul"] if head.endswith(one)]
    if endings and (is_above or has_colon):
        return low + len(head) - max(map(len, endings)), low + len(head)
    begin = max((one.end() for one in compiled(_SENTENCE_END).finditer(head)), default=0)
    found = list(compiled(_WORD).finditer(head, begin))
    words = [folded_word(word[0]) for word in found]
    at = next((at for at in reversed(range(len(words))) if _is_negation(words[at])), -1)
    denied = words[at + 1 :]
    if at < 0 or len(denied) > _MOST_DENIED or (begin == 0 and low and at == 0):
        return None
    place = low + found[at].start(), low + found[at].end()
    if not _negates_items(words[:at], words[at], denied, is_clear=is_above and has_colon):
        return None
    if words[at] in ANSWERS and not denied:  # the answer to a question, or "No" for "number"
        above = text[max(0, place[0] - 80) : place[0]].rstrip(f"{_EMPHASIS}\n#>")
        if above.endswith("?") or text[start].isdigit():
            return None
    is_sure = words[at].endswith((LATIN_NOT, "n'ts")) or any(map(_is_denied, denied))
    return place if is_sure or languages_of_negation(words[at], text, place[0], start) else None


def _is_negation(word: str) -> bool:
    return word in ANY_NEGATION or word.endswith(LATIN_NOT) or word == "don'ts"


def _negates_items(
    before: Sequence[str], negation: str, denied: Sequence[str], *, is_clear: bool
) -> bool:
    """Whether a heading with these words before and behind its negation negates the items.

    One that is clear stands above its list and ends with a colon.
    """
    if not _words("heading reason").isdisjoint(before):
        return False
    if negation == "don'ts":
        return not denied and not before and is_clear
    if not all(word in ANY_BETWEEN or _is_denied(word) for word in denied):
        return False
    if not is_clear:
        is_instruction = not denied and before[-1:] == ["do"] and len(before) <= _MOST_BEFORE
        says_denied = any(map(_is_denied, denied))
        return is_instruction or (says_denied and (not before or "following" in before))
    if denied:
        # "It is not recommended:" is followed by the reasons.
        subjects = _words("heading subject")
        return not denied[-1].endswith("ed") or subjects.isdisjoint(before[-3:])
    return not before or (negation not in ANSWERS and before[-1] in _words("heading auxiliary"))


def _heading_above(text: str, start: int) -> int | None:
    """Return the end of the line above the list whose item begins at an offset, or `None`."""
    line = text.rfind("\n", max(0, start - _LONGEST_MARK), start) + 1
    if line or start <= _LONGEST_MARK:
        mark = item_marker(text[line : start + _LONGEST_MARK])
        # Between the mark and the words are boxes and emphasis; a quote may have the mark, too.
        if mark and not text[line + mark.end() : start].strip(f"{_EMPHASIS}\t\u00a0[]xX"):
            return _line_above(text, line, _indent(mark[0]))
    if text[start - 1] == ">" and compiled(_HTML_ITEM).search(
        text, max(0, start - _LONGEST_TAGS), start
    ):
        depth = 0
        tags = list(compiled(_HTML_LIST).finditer(text, max(0, start - _REACH), start))
        for tag in reversed(tags):
            depth += 1 if tag[1] else -1
            if depth < 0:
                return tag.start()
    return None


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" \u00a0>"))


def _line_above(text: str, line: int, indent: int) -> int | None:
    """Return the end of the first line above an item that is no item of its list."""
    low, is_blank = max(0, line - _REACH), False
    for _ in range(_MOST_LINES):
        if line <= low:
            return None
        end = line - 1
        line = text.rfind("\n", low, end) + 1
        above = text[line:end]
        bare = compiled(_TAG).sub("", above).strip(_EMPHASIS)
        if not bare:
            if is_blank:
                return None
            is_blank = True
            continue
        is_heading = bare.endswith(_COLONS) or bare[0] == "#"
        if item_marker(above):
            if _indent(above) < indent:
                return end if is_heading else None
            is_blank = False
        elif is_heading or (not is_blank and len(bare) < _SHORT and _begins_with_negation(bare)):
            return end
        elif is_blank and _indent(above) <= indent:
            return None  # a paragraph ends the list above it
    return None


def _begins_with_negation(line: str) -> bool:
    word = compiled(_WORD).search(line)
    return word is not None and _is_negation(folded_word(word[0]))


def is_field_value(text: str, start: int, following: int, *, is_answer: bool) -> bool:
    """Whether a negation at the end of its line is a value, as in "Pets: no" above "Parking: yes".

    A line that is wrapped in the middle of a sentence looks alike ("Important: never" and "run in
    the hall" below it), but there the next line begins in lower case and is no field.
    """
    low = text.rfind("\n", max(0, start - _LINE_REACH), start) + 1
    label = text[max(low, start - _LINE_REACH) : start]
    if not label.strip():  # a line of its own is the answer to the question above it
        return is_answer and text[max(0, low - _LINE_REACH) : low].rstrip().endswith("?")
    if compiled(_LABEL).search(re.sub(_SHORT_TAG, "", label)) is None:
        return False
    rest = re.sub(_SHORT_TAG, "", text[following : following + _LINE_REACH])
    line = rest.partition("\n")[0].rstrip()
    is_sentence = line.endswith((".", "!", "?"))
    letter = next((char for char in line if char.isalnum()), "")
    field = compiled(_FIELD).match(line)
    if field is None and not is_sentence:
        return line[:1].isdigit()
    return is_answer + (not letter.islower()) + (field is not None and not is_sentence) > 1
