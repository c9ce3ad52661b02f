"""The negation right before a quote, without which the quote says the opposite.

"Run in the hall" stands in "Never run in the hall", word for word. What a text says farther from
the quote is no matter of these rules: they read one word, or up to three where the others are
articles, auxiliary verbs and the like ("Not the captain", "no ha sido"). Footnote marks, tags,
comments and invisible characters do not keep a negation apart from what follows it, and neither
does a remark of a few words in brackets ("do not (ever)"), between commas or between dashes.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from groundtypes.quotes.list_headings import heading_negation
from groundtypes.quotes.negation_words import (
    ANSWERS,
    ANY_BETWEEN,
    ANY_NEGATION,
    BETWEEN,
    LATIN_NOT,
    SECOND_NEGATIONS,
    SPACELESS_NEGATIONS,
    folded_word,
)
from groundtypes.quotes.struck_out import is_struck_out
from groundtypes.text.characters import INVISIBLE

#: A negation is one of the last words before the quote, and no longer than this.
_WORDS_READ: Final = 3
_LONGEST_WORD: Final = 24
#: What a word ends at beside white space.
_WORD_ENDS: Final = '"*_`~\u201c\u2018\u00ab\u201e([{<>]'
#: "No" for "number", inside of a sentence: "Rule No 7".
_NUMERO: Final = r"\w No \Z"
#: What an item of a list may begin behind: the end of a bullet, a tag, emphasis, a wide colon.
_ITEM_MARKS: Final = (
    "-*+\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2013\u2014\u2043\u00b7\u2717\u2718"
    "\u2716\u274c\U0001f6ab\ufe0f)]"
)
_BEFORE_ITEMS: Final = '>*_`"\u201c\uff1a'
#: What may be before the digit or letter of "1." and "a.", the number of an item.
_BEFORE_NUMBER: Final = "\n \t(*>0123456789"
#: A list number with the line break before it is at most so long, and so far back a colon before
#: the items of a list is looked for.
_LONGEST_NUMBER: Final = 12
_COLON_REACH: Final = 160
_READ_WORDS: Final = ANY_NEGATION | ANY_BETWEEN
_LONGEST_SPACELESS: Final = max(map(len, SPACELESS_NEGATIONS))

#: Opening marks, marks of emphasis on either side of a word, and raised signs, which are skipped.
_SKIPPED: Final = (
    "\"'*_`~\u201c\u2018\u00ab\u201e([{"
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079\u2020\u2021"
)
#: At most so many characters and marks are skipped.
_MOST_STEPS: Final = 80
#: last character -> its opening characters, the longest mark, and the form of the marks that a
#: search ignores: tags, comments and raised notes; notes; remarks and links; citations; entities.
_MARKS: Final[dict[str, tuple[str, int, str]]] = {
    ">": (
        "<",
        400,
        (
            r"(?i)</?(?:b|i|em|strong|u|span|mark|code|a|br|wbr)\b[^<>]*>|<!--[\s\S]*-->"
            r"|<sup\b[^<>]*>(?:<a\b[^<>]*>)?\s?\[?[\w*\u2020, -]{1,12}\]?\s?(?:</a>)?</sup>"
        ),
    ),
    "]": (
        "[",
        32,
        r"(?i)\[(?:\^?\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3})*|\^?[a-wyz]|[@^]?[a-z][a-z ?-]+)\]",
    ),
    ")": (
        "(]",
        200,
        r"\((?:[^\W\d_]+(?:(?:,? |['\u2019-])[^\W\d_]+){0,11}|[!?]{1,3})\)|\]\([^()\s]+\)",
    ),
    "}": (
        "\\",
        100,
        r"\\(?:[a-z]{0,8}cite[a-z]{0,8}|footnote|label)\*?(?:\[[^\[\]]*\])?\{[^{}]*\}",
    ),
    ";": ("&", 9, r"&(?:nbsp|ensp|emsp|thinsp|shy|zwnj|zwj|#160|#x[aA]0|#173|#8203);"),
}
_BLOCK_QUOTE: Final = r"\n[ >]{0,7}>\Z"
#: A word as the argument of a command of LaTeX: "\emph{not}".
_ARGUMENT: Final = r"\\[A-Za-z]{2,12}\{[^{}\\]{0,24}\}\Z"
#: A remark between commas or between dashes. A comma ends clauses, too, so that one between commas
#: begins with no article or pronoun.
_LONGEST_REMARK: Final = 72
_REMARK_WORD: Final = r"[^\W_]+(?:['\u2019-][^\W_]+)*"
_REMARK: Final = (
    rf"(?:,\s(?P<first>{_REMARK_WORD})(?:\s{_REMARK_WORD}){{0,7}},"
    rf"|(?P<dash>\s-\s|--|[\u2013\u2014])\s?{_REMARK_WORD}(?:,?\s{_REMARK_WORD}){{0,8}}\s?"
    r"(?:(?<=\s)-|--|[\u2013\u2014]))\Z"
)
#: Before a negation, these make a clause of its own, which may be over behind it: "if not".
_CONDITION: Final = (
    r"(?i)\b(?:if|when|whenever|unless|where|whether|or|wenn|falls|ob|oder|si|ou|quand|cuando|se|"
    r"quando|als|indien|om|hvis|hvorfor|jos|why|course|with)\b[^.!?;:,\n]*\Z"
)
_CONDITION_REACH: Final = 80
#: The label of a field before its value, at the end of a line or as a cell.
_LABEL: Final = (
    r"(?:[:=?|;,\t\uff1a\u2192]|\.{2}|\u2026|\s[-\u2013\u2014]|\S[ \u00a0]{2})\s*\W{0,9}\Z"
)
_FIELD: Final = (
    r"[^:=|;,\t\uff1a\u2192\n]{1,40}(?:[:=?|;,\t\uff1a\u2192]|\s[-\u2013\u2014]\s|\.{2}|[ ]{2})"
)
_LINE_REACH: Final = 200
_LONGEST_VALUE: Final = 4
_TAG: Final = r"(?i)</?[a-z]{1,10}>"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, which most searches never need."""
    return re.compile(pattern)


class _Gap(NamedTuple):
    """What is between two words.

    Attributes:
        start: Where the word before it ends.
        line_breaks: How many line breaks it has.
        has_tab: Whether it has a tab, which separates fields.
        remark: What a remark in it begins with: a bracket, a comma or a dash; empty if it has none.
    """

    start: int
    line_breaks: int
    has_tab: bool
    remark: str


class _Word(NamedTuple):
    """A word before a quote, folded, where it stands, and the gap behind it."""

    folded: str
    start: int
    end: int
    gap: _Gap


def negation_before(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation stands that a quote from this offset on leaves out, or `None`.

    It is the word before the quote in the same sentence and on the same line or the next, or one
    before that where only articles, auxiliary verbs and the like are between. Of an item of a list
    it is that of the heading. Which words negate depends on the language of the text.
    """
    while start < len(text) and text[start].isspace():
        start += 1
    if start < 2 or start == len(text):
        return None
    last, mark = text[start - 1], text[start - 2]
    # Most quotes begin a sentence or clause, behind the mark that ends another one.
    if last == " " and mark == "." and text[start - 4] not in _BEFORE_NUMBER:
        return None
    if last.isalnum():
        return _spaceless_negation(text, start)
    if last == " " and mark.isalpha():
        # Most quotes inside of a sentence stand behind a word that has nothing to do with it.
        low = max(0, start - _LONGEST_WORD)
        word = text[max(low, text.rfind(" ", low, start - 1) + 1) : start - 1]
        if word.isalpha() and folded_word(word) not in _READ_WORDS:
            return None
    elif _may_be_item(text, start) and (heading := heading_negation(text, start)) is not None:
        return None if is_struck_out(text, *heading, "") else heading
    is_behind_mark = last in " \n" and (
        mark in ".:!?" or (mark == ";" and "&" not in text[max(0, start - 9) : start])
    )
    return None if is_behind_mark else _negation_in_words(text, start)


def _may_be_item(text: str, start: int) -> bool:
    """Whether an item of a list may begin at an offset."""
    last, mark = text[start - 1], text[start - 2]
    if mark in _ITEM_MARKS or last in _BEFORE_ITEMS or text[start] in _ITEM_MARKS:
        return True
    if mark == ".":
        low = max(0, start - _LONGEST_NUMBER)
        return last == " " and (not low or text.find("\n", low, start) >= 0)
    return mark in ":,;" and text.rfind(":", max(0, start - _COLON_REACH), start) >= 0


def _negation_in_words(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation is among the last words before a quote."""
    words = _words_before(text, start)
    if not words:
        return _spaceless_negation(text, start)
    negation, between = words[-1], [word.folded for word in words[:-1]]
    first = text[start : start + 16].split(None, 1)[0].strip(".,;:!?").partition("'")[0]
    if (
        folded_word(first) in SECOND_NEGATIONS
        or _is_apart(words, text, start)
        or is_struck_out(text, negation.start, negation.end, "")
    ):
        return None
    # "Whether or not", and the same in French, negate nothing.
    if negation.folded in ("not", "non") and text.endswith(
        (" or ", "Or ", " ou "), 0, negation.start
    ):
        return None
    if text[start].isdigit() and _compiled(_NUMERO).search(text, max(0, start - 5), start):
        return None
    if negation.folded.endswith(LATIN_NOT):
        is_negated = BETWEEN["en"].issuperset(between)
    else:
        from groundtypes.quotes.negation_languages import languages_of_negation  # noqa: PLC0415 # rare

        languages = languages_of_negation(negation.folded, text, negation.start, start)
        is_negated = any(BETWEEN[code].issuperset(between) for code in languages)
    return (negation.start, negation.end) if is_negated else None


def _words_before(text: str, start: int) -> list[_Word]:
    """Return the words from the quote back to the first negation; none where there is none."""
    words: list[_Word] = []
    end = start
    for _ in range(_WORDS_READ):
        gap = _gap_before(text, end)
        low = max(0, gap.start - _LONGEST_WORD)
        at = gap.start
        while at > low and not text[at - 1].isspace() and text[at - 1] not in _WORD_ENDS:
            at -= 1
        is_identifier = text[at - 1 : at] in ("_", "*") and text[at - 2 : at - 1].isalnum()
        if at == gap.start or (at == low and low) or is_identifier:
            return []
        while at < gap.start and text[at] in "'\u2019":
            at += 1
        word = _Word(folded_word(text[at : gap.start]), at, gap.start, gap)
        words.append(word)
        if word.folded in ANY_NEGATION or word.folded.endswith(LATIN_NOT):
            return words
        if word.folded not in ANY_BETWEEN:
            return []
        end = at
    return []


def _is_apart(words: list[_Word], text: str, start: int) -> bool:
    """Whether what is between a negation and a quote keeps them apart."""
    negation = words[-1]
    if sum(word.gap.line_breaks for word in words) > 1 or any(word.gap.has_tab for word in words):
        return True
    is_answer = negation.folded in ANSWERS
    if negation.folded == "nie":  # "never" in German, "no" in Polish
        from groundtypes.quotes.negation_languages import languages_of_negation  # noqa: PLC0415 # rare

        is_answer = "de" not in languages_of_negation("nie", text, negation.start, start)
    remark = next((word.gap.remark for word in words if word.gap.remark), "")
    if remark and _compiled(_CONDITION).search(
        text, max(0, negation.start - _CONDITION_REACH), negation.start
    ):
        return True
    if negation.gap.remark and is_answer:
        # "No, as a rule, dogs may enter": an answer, or the value of a field.
        before = text[max(0, negation.start - 8) : negation.start].rstrip(" *_")
        return negation.gap.remark != "(" or before.endswith((":", "=", "|", ","))
    if remark == "(" and text[start].isupper() and text[negation.start + 1].islower():
        return True  # "Wi-Fi: no (sorry) Parking: yes"
    following = words[-2].start if len(words) > 1 else start
    return bool(negation.gap.line_breaks) and _is_field_value(
        text, negation.start, following, is_answer=is_answer
    )


def _is_field_value(text: str, start: int, following: int, *, is_answer: bool) -> bool:
    """Whether a negation at the end of its line is a value, as in "Pets: no" above "Parking: yes".

    A line that is wrapped in the middle of a sentence looks alike ("Important: never" and "run in
    the hall" below it), but there the next line is no field.
    """
    low = text.rfind("\n", max(0, start - _LINE_REACH), start) + 1
    label = text[max(low, start - _LINE_REACH) : start]
    if not label.strip():  # a line of its own is the answer to the question above it
        label = text[max(0, low - _LINE_REACH) : low].rstrip()[-1:]
        return label == "?" and is_answer
    separator = _compiled(_LABEL).search(re.sub(_TAG, "", label))
    if separator is None:
        return False
    line = re.sub(_TAG, "", text[following : following + _LINE_REACH]).partition("\n")[0].rstrip()
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


def _gap_before(text: str, end: int) -> _Gap:
    """Return what is before an offset, back to the end of a word or to what is not ignored."""
    line_breaks, has_tab, remark = 0, False, ""
    for _ in range(_MOST_STEPS):
        last = text[end - 1 : end]
        if not last:
            break
        if last.isspace():
            line_breaks += last in "\n\u2028\u2029"
            has_tab = has_tab or last == "\t"
            end -= 1
        elif (
            last in _SKIPPED
            or INVISIBLE.match(last)
            or (last == ">" and _compiled(_BLOCK_QUOTE).search(text, max(0, end - 9), end))
        ):
            end -= 1
        elif last in _MARKS and (mark := _mark_before(text, end)):
            remark = remark or (mark[0] if mark[0] == "(" else "")
            line_breaks += mark[:3].lower() == "<br"
            end -= len(mark)
        elif last in ",-\u2013\u2014" and not remark and (found := _remark_before(text, end)):
            remark = found[0].lstrip()[0]
            end = found.start()
        else:
            break
    return _Gap(end, line_breaks, has_tab, remark)


def _mark_before(text: str, end: int) -> str:
    """Return the mark that ends at an offset and that a search ignores; an empty text if none."""
    openings, longest, form = _MARKS[text[end - 1]]
    low = max(0, end - longest)
    starts = [text.rfind(opening, low, end) for opening in openings]
    if text.endswith("-->", low, end):
        starts = [text.rfind("<!--", low, end)]
    elif text[max(0, end - 6) : end].lower() == "</sup>":
        starts = [text.lower().rfind("<sup", low, end)]
    for start in starts:
        if start >= 0 and _compiled(form).fullmatch(text, start, end):
            return text[start:end]
    if text[end - 1] == "}" and _compiled(_ARGUMENT).search(text, low, end):
        return "}"
    return ""


def _remark_before(text: str, end: int) -> re.Match[str] | None:
    """Return a remark between commas or dashes whose second mark ends at an offset."""
    mark, low = text[end - 1], max(0, end - _LONGEST_REMARK)
    if mark == ",":
        start = text.rfind(",", low, end - 1)
    else:
        sign = "--" if text.endswith("--", low, end) else " - " if mark == "-" else mark
        start = text.rfind(sign, low, end - len(sign.strip()))
    found = _compiled(_REMARK).match(text, start, end) if start >= 0 else None
    if found and found["first"] and folded_word(found["first"]) in ANY_BETWEEN:
        return None
    return found


def _spaceless_negation(text: str, start: int) -> tuple[int, int] | None:
    """Return where a negation of a script without spaces ends right before a quote."""
    if text[max(0, start - _LONGEST_SPACELESS) : start].isascii():
        return None
    end = _gap_before(text, start).start
    before = text[max(0, end - _LONGEST_SPACELESS) : end]
    lengths = [len(one) for one in SPACELESS_NEGATIONS if before.endswith(one)]
    if not lengths or any(map(str.isspace, text[end:start])):
        return None
    return end - max(lengths), end
