"""What interrupts a text where a page ends: page numbers, running headers, rules, images, comments.

Each of these is found by its lines, so that a sentence is read as if they were not there. The
times of subtitles interrupt a text in the same way. A number on a line of its own may also be one
of the sentence ("grew by 12 per cent"): a quote may leave it out only if it is clearly that of a
page, while a negation is looked for behind any.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.negation_words import (
    AMBIGUOUS,
    ANY_NEGATION,
    SPACELESS_NEGATIONS,
    folded_word,
)
from groundtypes.text.units import is_unit_word
from groundtypes.words import all_words

#: How far around a stretch its lines are read, and how many of them are read at most.
_REACH: Final = 400
_MOST: Final = 200
#: What every interruption has: a line break, a comment or an image inside of a line.
_MAY_INTERRUPT: Final = re.compile(r"\n|\f|<!--|!\[|<img\b|<hr\b")
_NUMBER: Final = r"(?:\d{1,4}|[ivxlc]{1,6})"
_MARKS: Final = r"[-\u2013\u2014*#=_~|<>()\[\]\u00b7\u2022. ]{0,8}"
_INLINE: Final = (
    r"<!--[\s\S]{0,400}?-->|!\[[^\[\]\n]{0,200}\]\([^()\n]{0,300}\)|<(?:img|hr)\b[^<>]{0,400}>"
)
_TIMES: Final = r"\d\d?:\d\d(?::\d\d)?[.,]\d{1,3}\s-->\s[^\n]{1,60}"
#: A new page, a comment or an image, also where no line is its own.
_INSIDE_LINES: Final = re.compile(rf"\f|(?i:{_INLINE})")
#: A line is at most so long if it may be a running header.
_LONGEST_TITLE: Final = 80
#: A running header has a capital first letter in each word of more letters.
_LONGEST_SMALL_WORD: Final = 3
_MOST_TITLE_WORDS: Final = 10
_NO_TITLE_END: Final = ".,;:!?)\"'\u201d\u3002\uff0c\uff1b"
_SENTENCE_ENDS: Final = ".!?:;\u3002\uff01\uff1f\u0964\u061f\u06d4"
_CLOSING: Final = "\"'\u201d\u2019\u00bb)]*_` \t\r\n\f"
#: Numbers of neighbouring pages are at least and at most so many characters apart.
_SHORTEST_PAGE: Final = 400
_LONGEST_PAGE: Final = 20_000
_NEXT_WORD: Final = re.compile(r"\s*([^\W\d_]+)")


@cache
def _lines() -> re.Pattern[str]:
    """Return the pattern of a line that interrupts a text, and of a number that may do so."""
    pages = "|".join(re.escape(word) for word in sorted(all_words("page"), key=len, reverse=True))
    number_of = rf"{_NUMBER}(?:\s?(?:/|[^\W\d_]{{1,4}})\s?{_NUMBER})?"
    paged = (
        rf"{_MARKS}(?:(?:{pages})\s?{number_of}|{_NUMBER}\s?/\s?{_NUMBER}|\u7b2c?\s?{_NUMBER}\s?\|?\s?(?:{pages}))"
        rf"(?![^\W\d_]){_MARKS}"
    )
    dashed = rf"[-\u2013\u2014*\u00b7\[(~|]{{1,3}} ?{_NUMBER} ?[-\u2013\u2014*\u00b7\])~|]{{1,3}}"
    rule = r"(?:[-=_*~\u2013\u2014\u2500\u2501]{3,}|(?:[*_-] ){2,9}[*_-])"
    cue = rf"(?:\d{{1,5}}[ \t]*\n)?{_TIMES}"
    return re.compile(
        rf"(?im:^[ \t]*(?:\f|{paged}|{dashed}|{rule}|{cue}|(?:{_INLINE}))[ \t\r]*$)"
        rf"|(?m:^[ \t]*(?P<number>\d{{1,4}})[ \t\r]*$)"
        r"|(?m:^(?P<title>\#{0,6}[ \t]*[^\W_][^\n]{0,80})$)"
    )


def interruptions(
    text: str, start: int, end: int, *, any_number: bool = False
) -> list[tuple[int, int]]:
    """Return what interrupts a stretch of a text, in order; the lines around it are read, too.

    With `any_number`, every number on a line of its own does, unless a sentence ends before it.
    """
    if not _MAY_INTERRUPT.search(text, start, end):
        return []
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    found = [match.span() for match in _INSIDE_LINES.finditer(text, low, high)]
    found += _broken(text, low, high, any_number=any_number)
    return sorted((first, last) for first, last in found if last > start and first < end)


def _broken(text: str, low: int, high: int, *, any_number: bool) -> Iterator[tuple[int, int]]:
    """Yield the lines of page breaks, with the empty lines and running headers beside them."""
    done = low
    for count, match in enumerate(_lines().finditer(text, low, high)):
        if count >= _MOST:
            return
        if match.start() < done:
            continue
        if match.lastgroup == "title" and not _stands_alone(text, *match.span()):
            continue
        first, last = _with_headers(text, *match.span(), low, high)
        is_underline = (
            match[0].strip(" \t=-") == ""
            and text[max(0, match.start() - 2) : match.start() - 1].isalnum()
        )
        if (match.lastgroup or is_underline) and not _breaks_a_sentence(text, first, last):
            continue
        number = match["number"]
        if number and not (any_number or _is_page_number(text, first, last, number)):
            continue
        yield first, last
        done = last


def _is_page_number(text: str, start: int, end: int, number: str) -> bool:
    """Whether a number in a break, with the white space and headers around it, is that of a page.

    Headers or empty lines tell, the number of the page before or after in its place, or a word
    before it behind which nothing is counted ("shall not"). It is none where a unit follows.
    """
    if text[start:end].strip() != number:
        return True
    amount = f"{number} {text[end : end + _LONGEST_TITLE]}"
    following = _NEXT_WORD.match(text, end)
    if (following and is_unit_word(following[1])) or is_cut(amount, 0, len(number)):
        return False
    if text.count("\n", start, end) > len("\n\n"):
        return True
    before = text[max(0, start - _LONGEST_TITLE) : start]
    previous = before.split()[-1]
    if (
        folded_word(previous) in ANY_NEGATION - AMBIGUOUS
        or previous in all_words("modal")
        or before.endswith(SPACELESS_NEGATIONS)
    ):
        return True
    page_before, page_after = (f"\n{int(number) + step}\n" for step in (-1, 1))
    low, high = max(0, start - _LONGEST_PAGE), end + _LONGEST_PAGE
    return (
        text.find(page_before, low, max(0, start - _SHORTEST_PAGE)) >= 0
        or text.find(page_after, end + _SHORTEST_PAGE, high) >= 0
    )


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a line looks like a running header, between two empty lines."""
    return (
        re.search(r"\n[ \t]*\n[ \t]*\Z", text[max(0, start - 40) : start]) is not None
        and re.match(r"[ \t]*\r?\n[ \t]*\r?\n", text[end : end + 40]) is not None
        and _is_title(text[start:end])
    )


def _is_title(line: str) -> bool:
    """Whether a line is in capitals or has a capital in each longer word, and ends no sentence.

    Nor does it end with a negation, which belongs to what follows.
    """
    line = line.strip(" \t\r#*_")
    words = line.split()
    return (
        0 < len(words) <= _MOST_TITLE_WORDS
        and len(line) <= _LONGEST_TITLE
        and line[-1] not in _NO_TITLE_END
        and words[0][0].isupper()
        and folded_word(words[-1]) not in ANY_NEGATION
        and not any(word[0].islower() and len(word) > _LONGEST_SMALL_WORD for word in words)
    )


def _with_headers(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """Return a break with the empty lines around it, and the headers that belong to it."""
    for _ in range(2):
        before = len(text[low:start].rstrip()) + low
        line = text.rfind("\n", low, before) + 1
        if before <= low or line <= low or not _is_title(text[line:before]):
            break
        if not _breaks_a_sentence(text, line, end):
            break
        start = line
    for _ in range(3):
        after = high - len(text[end:high].lstrip())
        stop = text.find("\n", after, high)
        if stop < 0 or not (_is_title(text[after:stop]) or _lines().fullmatch(text, after, stop)):
            break
        if not _breaks_a_sentence(text, start, stop):
            break
        end = stop
    while start > low and text[start - 1].isspace():
        start -= 1
    while end < high and text[end].isspace():
        end += 1
    return start, end


def _breaks_a_sentence(text: str, start: int, end: int) -> bool:
    """Whether a sentence goes on behind a stretch: in a small letter, or one without case."""
    before = text[max(0, start - 80) : start].rstrip(_CLOSING)[-1:]
    after = next((char for char in text[end : end + 80] if char.isalnum()), "")
    return before not in ("", *_SENTENCE_ENDS) and after.isalpha() and not after.isupper()


def without_interruptions(
    text: str, start: int, end: int, *, any_number: bool = False
) -> str | None:
    """Return a stretch in which spaces stand for what interrupts it; `None` where nothing does."""
    found = interruptions(text, start, end, any_number=any_number)
    if not found:
        return None
    parts: list[str] = []
    at = start
    for first, last in found:
        low, high = max(first, at), min(last, end)
        if high > low:
            parts += (text[at:low], " " * (high - low))
            at = high
    return "".join((*parts, text[at:end]))
