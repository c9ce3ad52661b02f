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
)
from groundtypes.words import words_of

#: A list is read up to so many lines and characters, and so much of a heading.
_MOST_LINES: Final = 60
_REACH: Final = 6_000
_HEADING_REACH: Final = 160
#: The mark of an item is at most so long, as are the tags before it.
_LONGEST_MARK: Final = 24
_LONGEST_TAGS: Final = 120
_INDENT: Final = r"[ \t\u00a0>]*"
_ITEM: Final = (
    rf"{_INDENT}(?:[-*+\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2013\u2014\u2043"
    r"\u00b7\u2717\u2718\u2716\u274c\U0001f6ab]\ufe0f?"
    r"|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])[ \t\u00a0]+"
    r"(?:\[[ xX]?\][ \t]+)?[*_`~\"'\u201c\u2018\u00ab]*"
)
_HTML_ITEM: Final = r"(?i)<li\b[^<>]*>(?:\s|<(?:p|b|i|em|strong|a|span)\b[^<>]*>)*\Z"
_HTML_LIST: Final = r"(?i)<(/?)[uo]l\b[^<>]*>"
#: What precedes an item in the same sentence: a colon, perhaps with other items behind it.
_IN_SENTENCE: Final = r"[:\uff1a](?:\s*|[ \n](?:[^.!?:\n\u2014]*(?:[,;/]| or| and)\s)?)\Z"
#: Marks around words that are no part of a text.
_EMPHASIS: Final = "*_`~\"'\u201c\u201d "
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

#: The label of a field before its value, at the end of a line or as a cell.
_LABEL: Final = (
    r"(?:[:=?|;,\t\uff1a\u2192]|\.{2}|\u2026|\s[-\u2013\u2014]|\S[ \u00a0]{2})\s*\W{0,9}\Z"
)
_FIELD: Final = (
    r"[^:=|;,\t\uff1a\u2192\n]{1,40}(?:[:=?|;,\t\uff1a\u2192]|\s[-\u2013\u2014]\s|\.{2}|[ ]{2})"
)
_LINE_REACH: Final = 200
_LONGEST_VALUE: Final = 4
_SHORT_TAG: Final = r"(?i)</?[a-z]{1,10}>"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, which most searches never need."""
    return re.compile(pattern)


@cache
def _words(kind: str) -> frozenset[str]:
    """Return the words of a kind, folded."""
    return frozenset(map(folded_word, words_of(kind)["mul"]))


@cache
def _is_denied(word: str) -> bool:
    """Whether a folded word says that something is allowed, included and the like."""
    denied = _words("heading denied")
    return word in denied or any(
        f"{word[:length]}*" in denied for length in range(3, len(word) + 1)
    )


def heading_negation(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation of a heading is that negates the item beginning at an offset.

    `None` if no item begins there, or its list has no such heading.
    """
    end = _heading_above(text, start)
    is_above = end is not None
    if end is None:
        low = max(0, start - _HEADING_REACH)
        colon = _compiled(_IN_SENTENCE).search(text, low, start)
        if colon is None:
            return None
        end = colon.start() + 1
    low = max(0, end - _HEADING_REACH)
    head = _compiled(_TAG).sub(lambda tag: " " * len(tag[0]), text[low:end])
    head = head.rstrip(f"{_EMPHASIS}\t\r\n#")
    has_colon = head.endswith((":", "\uff1a"))
    head = head.rstrip(f"{_EMPHASIS}:\uff1a\u00a0\u202f")
    if not head.isascii():
        endings = [one for one in words_of("heading end")["mul"] if head.endswith(one)]
        if endings and (is_above or has_colon):
            return low + len(head) - max(map(len, endings)), low + len(head)
    begin = max((one.end() for one in _compiled(_SENTENCE_END).finditer(head)), default=0)
    found = list(_compiled(_WORD).finditer(head, begin))
    words = [folded_word(word[0]) for word in found]
    at = next((at for at in reversed(range(len(words))) if _is_negation(words[at])), -1)
    if at < 0 or len(words) - at > _MOST_DENIED + 1 or (begin == 0 and low and at == 0):
        return None
    place = low + found[at].start()
    above = text[max(0, place - 80) : place].rstrip(f"{_EMPHASIS}\n#>")
    is_negating = _negates_items(
        words[:at], words[at], words[at + 1 :], is_above=is_above, has_colon=has_colon
    )
    is_answer = words[at] in ANSWERS and at == len(words) - 1
    if not is_negating or (is_answer and (above.endswith("?") or text[start].isdigit())):
        return None
    if not words[at].endswith((*LATIN_NOT, "n'ts")) and not any(map(_is_denied, words[at + 1 :])):
        from groundtypes.quotes.negation_words import languages_of_negation  # noqa: PLC0415 # rare

        if not languages_of_negation(words[at], text, place, start):
            return None
    return place, low + found[at].end()


def _is_negation(word: str) -> bool:
    return word in ANY_NEGATION or word.endswith(LATIN_NOT) or word == "don'ts"


def _negates_items(
    before: Sequence[str],
    negation: str,
    denied: Sequence[str],
    *,
    is_above: bool,
    has_colon: bool,
) -> bool:
    """Whether a heading with these words before and behind its negation negates the items."""
    if not _words("heading reason").isdisjoint(before):
        return False
    if negation == "don'ts":
        return not denied and not before and is_above
    if not all(word in ANY_BETWEEN or _is_denied(word) for word in denied):
        return False
    is_instruction = not denied and before[-1:] == ["do"] and len(before) <= _MOST_BEFORE
    says_denied = any(map(_is_denied, denied))
    if not is_above:
        return is_instruction or (says_denied and (not before or "following" in before))
    if not has_colon:
        return is_instruction or (says_denied and not before)
    if denied:
        # "It is not recommended:" is followed by the reasons.
        is_reasoned = denied[-1].endswith("ed") and not _words("heading subject").isdisjoint(
            before[-3:]
        )
        return not is_reasoned
    return not before or (negation not in ANSWERS and before[-1] in _words("heading auxiliary"))


def _heading_above(text: str, start: int) -> int | None:
    """Return the end of the line above the list whose item begins at an offset, or `None`."""
    line = text.rfind("\n", max(0, start - _LONGEST_MARK), start) + 1
    if line or start <= _LONGEST_MARK:
        mark = text[line:start]
        if not mark.strip() and (item := _compiled(_ITEM).match(text, start)):
            mark = text[line : item.end()]  # the quote has the bullet, too
        if mark.strip() and _compiled(_ITEM).fullmatch(mark):
            return _line_above(text, line, _indent(mark))
    if text[start - 1] == ">" and _compiled(_HTML_ITEM).search(
        text, max(0, start - _LONGEST_TAGS), start
    ):
        depth = 0
        tags = list(_compiled(_HTML_LIST).finditer(text, max(0, start - _REACH), start))
        for tag in reversed(tags):
            depth += 1 if tag[1] else -1
            if depth < 0:
                return tag.start()
    return None


def _indent(line: str) -> int:
    indent = _compiled(_INDENT).match(line)
    return len(indent[0].expandtabs(4)) if indent else 0


def _line_above(text: str, line: int, indent: int) -> int | None:
    """Return the end of the first line above an item that is no item of its list."""
    low, is_blank = max(0, line - _REACH), False
    for _ in range(_MOST_LINES):
        if line <= low:
            return None
        end = line - 1
        line = text.rfind("\n", low, end) + 1
        above = text[line:end]
        bare = _compiled(_TAG).sub("", above).strip(_EMPHASIS)
        if not bare:
            if is_blank:
                return None
            is_blank = True
            continue
        is_heading = bare[-1] in ":\uff1a" or bare[0] == "#"
        if _compiled(_ITEM).match(above):
            if _indent(above) < indent:
                return end if is_heading else None
            is_blank = False
        elif is_heading or (not is_blank and len(bare) < _SHORT and _begins_with_negation(bare)):
            return end
        elif is_blank and _indent(above) <= indent:
            return None  # a paragraph ends the list above it
    return None


def _begins_with_negation(line: str) -> bool:
    word = _compiled(_WORD).search(line)
    return word is not None and _is_negation(folded_word(word[0]))


def is_field_value(text: str, start: int, following: int, *, is_answer: bool) -> bool:
    """Whether a negation at the end of its line is a value, as in "Pets: no" above "Parking: yes".

    A line that is wrapped in the middle of a sentence looks alike ("Important: never" and "run in
    the hall" below it), but there the next line is no field.
    """
    low = text.rfind("\n", max(0, start - _LINE_REACH), start) + 1
    label = text[max(low, start - _LINE_REACH) : start]
    if not label.strip():  # a line of its own is the answer to the question above it
        label = text[max(0, low - _LINE_REACH) : low].rstrip()[-1:]
        return label == "?" and is_answer
    separator = _compiled(_LABEL).search(re.sub(_SHORT_TAG, "", label))
    if separator is None:
        return False
    line = (
        re.sub(_SHORT_TAG, "", text[following : following + _LINE_REACH])
        .partition("\n")[0]
        .rstrip()
    )
    is_sentence = line.endswith((".", "!", "?"))
    if (sign := separator[0][0]) in ",;|":  # records with as many short values in each
        values = line.split(sign)
        return (
            len(values) == label.count(sign) + 1
            and not is_sentence
            and all(len(value.split()) <= _LONGEST_VALUE for value in values)
        )
    if re.match(r"(?:\d{1,3}|[A-Za-z])[.)]\s", line):
        return True
    letter = next((char for char in line if char.isalnum()), "")
    field = _compiled(_FIELD).match(line)
    is_short = bool(field) and not is_sentence and len(line.split()) <= 2 * _LONGEST_VALUE
    if field is None and not is_sentence:
        return False
    return is_answer + (not letter.islower()) + is_short > 1
