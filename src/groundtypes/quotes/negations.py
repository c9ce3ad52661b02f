"""What a quote leaves out of its sentence that turns or restricts it: "never", "none of", "unless".

"Run in the hall" stands in "Never run in the hall", word for word. Before a quote its last words
are read: a negation, with articles, auxiliary verbs and the like behind it ("Not the captain", "no
ha sido"), or a phrase such as "under no circumstances" or "fewer than". What follows a quote is
read by `restrictions_behind`. What else a text says is no matter of these rules.
Footnote marks, tags, page breaks and invisible characters keep no words apart, and neither does a
remark of a few words in brackets ("do not (ever)"), between commas or between dashes.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from groundtypes.quotes.list_headings import heading_negation, is_field_value
from groundtypes.quotes.negation_words import (
    ANSWERS,
    ANY_BETWEEN,
    ANY_NEGATION,
    BETWEEN,
    LATIN_NOT,
    SECOND_NEGATIONS,
    SPACELESS_AT_START,
    SPACELESS_NEGATIONS,
    Phrase,
    folded_word,
    is_of_language,
    languages_of_negation,
    phrases_before,
)
from groundtypes.quotes.page_breaks import without_interruptions
from groundtypes.quotes.patterns import compiled
from groundtypes.quotes.restrictions_behind import WORDS, plain, restriction_behind
from groundtypes.quotes.struck_out import is_struck_out
from groundtypes.text.characters import INVISIBLE

#: How much text before and behind a quote is read, and how many words.
_REACH: Final = 500
_WORDS_READ: Final = 3
_PHRASE_WORDS: Final = 7
_LONGEST_WORD: Final = 24
_LONGEST_SPACELESS: Final = max(map(len, (*SPACELESS_NEGATIONS, *SPACELESS_AT_START)))
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
_LONGEST_NUMBER: Final = 12
_COLON_REACH: Final = 160

#: Marks around words, and raised signs, which are skipped.
_WORD_ENDS: Final = '"*_`~\u201c\u2018\u00ab\u201e([{<>]'
_SKIPPED: Final = (
    "\"'*_`~\u201c\u2018\u00ab\u201e\u300c([{"
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079\u2020\u2021"
)
#: A remark at the end of a stretch, between brackets, commas or dashes.
_REMARK_WORD: Final = r"[^\W_]+(?:['\u2019-][^\W_]+)*"
_REMARK: Final = (
    r"(?:\([^\W\d_]+(?:(?:,? |['\u2019-])[^\W\d_]+){0,11}\)"
    rf"|,\s(?P<first>{_REMARK_WORD})(?:\s{_REMARK_WORD}){{0,7}},"
    rf"|(?:\s-\s|--|[\u2013\u2014])\s?{_REMARK_WORD}(?:,?\s{_REMARK_WORD}){{0,8}}\s?"
    r"(?:(?<=\s)-|--|[\u2013\u2014]))\s*\Z"
)
_LONGEST_REMARK: Final = 90
#: Before a negation, these make a clause of its own, which may be over behind it: "if not, ...".
_CONDITION: Final = (
    r"(?i)\b(?:if|when|whenever|unless|where|whether|or|wenn|falls|ob|oder|si|ou|quand|cuando|se|"
    r"quando|als|indien|om|hvis|hvorfor|jos|why|course|with)\b[^.!?;:,\n]*\Z"
)
_CONDITION_REACH: Final = 80
#: What a clause begins behind: nothing, a mark, a bullet or a break.
_CLAUSE_START: Final = re.compile(r"(?:\A|[.!?;:,\n\u2022*>|\"\u201c\u2014\u3002\uff0c-])\W*\Z")


@cache
def _last_words() -> frozenset[str]:
    """Return the words that a negation or restriction before a quote may end with."""
    return ANY_NEGATION | ANY_BETWEEN | phrases_before().keys()


class _Gap(NamedTuple):
    """What is between two words: where it starts, and what may keep them apart."""

    start: int
    line_breaks: int
    has_tab: bool
    has_comma: bool


class _Word(NamedTuple):
    """A word before a quote, folded, where it stands, and the gap behind it."""

    folded: str
    start: int
    end: int
    gap: _Gap


def left_out(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the words stand, before or behind a quote, that turn or restrict it."""
    return negation_before(text, start) or restriction_behind(text, start, end)


def negation_before(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation or restriction stands that a quote from this offset on leaves out.

    It is in the same sentence. Of an item of a list it is that of the heading. Which words negate
    depends on the language of the text.
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
        if word.isalpha() and folded_word(word) not in _last_words():
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
    """Return where the negation or restriction is among the last words before a quote."""
    low = max(0, start - _REACH)
    window = plain(text, low, start)
    place = _negation_in(window, text, start, low)
    remark = compiled(_REMARK).search(window, max(0, len(window) - _LONGEST_REMARK))
    # A comma ends clauses, too: a remark between commas begins with no article or pronoun.
    if place is not None or remark is None or folded_word(remark["first"] or "") in ANY_BETWEEN:
        return place
    place = _negation_in(window[: remark.start()].ljust(len(window)), text, start, low)
    if place is None:
        return None
    is_answer = folded_word(text[slice(*place)]) in ANSWERS
    head = text[max(0, place[0] - _CONDITION_REACH) : place[0]]
    return None if is_answer or compiled(_CONDITION).search(head) else place


def _negation_in(window: str, text: str, start: int, low: int) -> tuple[int, int] | None:
    """Return where the negation or restriction is at the end of a stretch before a quote."""
    words = _words_before(window)
    if (place := _phrase_before(words, window, text, start)) is not None:
        return place
    at = next((at for at, word in enumerate(words[:_WORDS_READ]) if _is_negation(word)), -1)
    between = [word.folded for word in words[: max(0, at)]]
    if at < 0 or words[0].gap.has_comma or not ANY_BETWEEN.issuperset(between):
        return _spaceless_negation(text, start)
    negation = words[at]
    place = low + negation.start, low + negation.end
    first = text[start : start + 16].split(None, 1)[0].strip(".,;:!?").partition("'")[0]
    if (
        folded_word(first) in SECOND_NEGATIONS
        or _is_apart(words[: at + 1], text, start, low)
        or is_struck_out(text, *place, "")
        # "Whether or not", and the same in French, negate nothing.
        or (
            negation.folded in ("not", "non")
            and window.endswith((" or ", "Or ", " ou "), 0, negation.start)
        )
        or (text[start].isdigit() and compiled(_NUMERO).search(text, max(0, start - 5), start))
    ):
        return None
    if negation.folded.endswith(LATIN_NOT):
        is_negated = BETWEEN["en"].issuperset(between)
    else:
        languages = languages_of_negation(negation.folded, text, place[0], start)
        is_negated = any(BETWEEN[code].issuperset(between) for code in languages)
    return place if is_negated else None


def _is_negation(word: _Word) -> bool:
    return word.folded in ANY_NEGATION or word.folded.endswith(LATIN_NOT)


def _phrase_before(
    words: list[_Word], window: str, text: str, start: int
) -> tuple[int, int] | None:
    """Return where a phrase stands whose last words are the first of these."""
    if not words or words[0].gap.line_breaks > 1:
        return None
    for phrase in phrases_before().get(words[0].folded, ()):
        count = len(phrase.words)
        if tuple(word.folded for word in words[count - 1 :: -1]) != phrase.words:
            continue
        first = words[count - 1].start
        place = start - len(window) + first, start - len(window) + words[0].end
        if (
            (phrase.counts and not text[start].isdigit())
            or (phrase.begins and not _CLAUSE_START.search(window[:first][-80:]))
            or _is_negated_again(phrase, text, start)
            or not is_of_language(phrase, text, place[0], start)
            or is_struck_out(text, *place, "")
        ):
            continue
        return place
    return None


def _is_negated_again(phrase: Phrase, text: str, start: int) -> bool:
    """Whether the quote has the second negation that a negating phrase of its language needs."""
    if phrase.codes & {"en", "de", "nl", "sv", "da", "nb"}:
        return False
    words = compiled(WORDS).findall(text[start : start + 60])
    return any(folded_word(word).partition("'")[0] in SECOND_NEGATIONS for word in words)


def _words_before(window: str) -> list[_Word]:
    """Return the words from the end of a stretch backwards, in one sentence."""
    words: list[_Word] = []
    end = len(window)
    while len(words) < _PHRASE_WORDS:
        gap = _gap_before(window, end, is_first=not words)
        low = max(0, gap.start - _LONGEST_WORD)
        at = gap.start
        while at > low and not window[at - 1].isspace() and window[at - 1] not in _WORD_ENDS:
            at -= 1
        is_identifier = window[at - 1 : at] in ("_", "*") and window[at - 2 : at - 1].isalnum()
        if at == gap.start or (at == low and low) or is_identifier:
            break
        while at < gap.start and window[at] in "'\u2019":
            at += 1
        words.append(_Word(folded_word(window[at : gap.start]), at, gap.start, gap))
        end = at
    return words


def _gap_before(window: str, end: int, *, is_first: bool) -> _Gap:
    """Return what is before an offset, back to the end of a word or to what is not ignored."""
    line_breaks, has_tab, has_comma = 0, False, False
    while end:
        last = window[end - 1]
        if last.isspace() or last in _SKIPPED or INVISIBLE.match(last):
            line_breaks += last in "\n\u2028\u2029"
            has_tab = has_tab or last == "\t"
            end -= 1
        elif last in ",\u060c" and is_first:
            has_comma = True
            end -= 1
        else:
            break
    return _Gap(end, line_breaks, has_tab, has_comma)


def _is_apart(words: list[_Word], text: str, start: int, offset: int) -> bool:
    """Whether what is between a negation and a quote keeps them apart."""
    negation = words[-1]
    if sum(word.gap.line_breaks for word in words) > 1 or any(word.gap.has_tab for word in words):
        return True
    following = offset + words[-2].start if len(words) > 1 else start
    return bool(negation.gap.line_breaks) and is_field_value(
        text, offset + negation.start, following, is_answer=negation.folded in ANSWERS
    )


def _spaceless_negation(text: str, start: int) -> tuple[int, int] | None:
    """Return where a negation of a script without spaces ends right before a quote."""
    if text[max(0, start - _LONGEST_SPACELESS - 1) : start].isascii():
        return None
    low = max(0, start - _REACH)
    window = plain(text, low, start)
    end = _gap_before(window, len(window), is_first=False).start
    found = [one for one in SPACELESS_NEGATIONS if window.endswith(one, 0, end)]
    found += [
        one
        for one in SPACELESS_AT_START
        if window.endswith(one, 0, end) and _CLAUSE_START.search(window[: end - len(one)][-9:])
    ]
    if not found or (
        end < len(window)
        and without_interruptions(text, low + end, start, any_number=True) is None
        and any(map(str.isspace, window[end:]))
    ):
        return None
    return low + end - max(map(len, found)), low + end
