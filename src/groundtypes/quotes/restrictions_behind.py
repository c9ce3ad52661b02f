"""What follows a quote in its sentence and turns or restricts it: "unless", "nicht", "नहीं".

In many languages a negation follows what it negates: "The contract is renewed automatically" stands
in "Der Vertrag verlängert sich automatisch nicht", word for word.
"""

import html
import re
from typing import Final

from groundtypes.quotes.negation_words import (
    AUXILIARIES,
    NEGATIONS_AT_END,
    ONLY,
    SPACELESS_BEHIND,
    Phrase,
    folded_word,
    is_of_language,
    phrases_behind,
)
from groundtypes.quotes.page_breaks import without_interruptions
from groundtypes.quotes.patterns import compiled
from groundtypes.text.characters import INVISIBLE, WORD
from groundtypes.words import all_words, words_of

#: How much text behind a quote is read, and how many words.
_REACH: Final = 250
_PHRASE_WORDS: Final = 7
_LONGEST_WORD: Final = 24
WORDS: Final = rf"{WORD}+(?:['\u2019-]{WORD}+)*"
#: What a search ignores: tags, raised notes, comments; notes; addresses of links; citations and
#: commands; entities; the marks of a block quote.
_IGNORED: Final = (
    r"(?i)<sup\b[^<>]{0,200}>(?:<a\b[^<>]{0,200}>)?\s?\[?[\w*\u2020, -]{1,12}\]?\s?(?:</a>)?</sup>"
    r"|</?(?:b|i|em|strong|u|span|mark|code|a|wbr)\b[^<>]{0,300}>|<!--[\s\S]{0,400}?-->"
    r"|\[(?:\^?\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,12}|\^?[a-wyz]|[@^]?[a-z][a-z ?-]{1,28})\]"
    r"(?!\()"
    r"|\]\([^()\s]{1,190}\)"
    r"|\\(?:[a-z]{0,8}cite[a-z]{0,8}|footnote|label)\*?(?:\[[^\[\]]{0,80}\])?\{[^{}]{0,80}\}"
    r"|\\[A-Za-z]{2,12}\{|\}|&(?:nbsp|ensp|emsp|thinsp|shy|zwnj|zwj|#160|#xA0|#173|#8203);"
    r"|(?<=\n)[ >]{0,7}>"
)
_BREAK_TAG: Final = re.compile(r"(?i)<br\b[^<>]{0,20}>")
#: What may be between a quote and the words that restrict it; spaces stand for a page break.
_BEFORE_RESTRICTION: Final = re.compile(
    r"(?:\s*[,;(\u2014\u2013\uff0c\u060c\"\u201d'\u2019)*_-]){0,12}\s*"
)
#: What may be between a quote and a negation of its own clause, and what ends a clause.
_BEFORE_NEGATION: Final = re.compile(r"[\s\"\u201d'\u2019*_]*")
_CLAUSE_END: Final = re.compile(r"\W*(?:[.,;:!?)\u0964\u06d4\u060c]|\Z)")
_REST_OF_CLAUSE: Final = re.compile(
    r"[^.,;:!?()\n\u0964\u06d4\u060c]{1,60}(?=[.,;:!?)\u0964\u06d4\u060c]|\Z)"
)
_MOST_BETWEEN: Final = 4
#: The rest of an inflected verb of Japanese.
_INFLECTION: Final = re.compile(r"[\u3041-\u3096]{1,12}")


def plain(text: str, low: int, high: int) -> str:
    """Return a stretch of the same length without what a search ignores."""
    window = without_interruptions(text, low, high, any_number=True) or text[low:high]
    window = compiled(_IGNORED).sub(_blank, window)
    return _BREAK_TAG.sub(lambda tag: "\n".ljust(len(tag[0])), window)


def _blank(ignored: re.Match[str]) -> str:
    """Return what takes the place of something ignored; what has no width parts no words."""
    has_width = not INVISIBLE.fullmatch(html.unescape(ignored[0]))
    return (" " if has_width else "\u00ad") * len(ignored[0])


def restriction_behind(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where what restricts or negates a quote follows it in its sentence."""
    while end > start and text[end - 1].isspace():
        end -= 1
    if end >= len(text) or end - start < 2 or text[end - 1] in ".!?\u3002\uff01\uff1f\u0964":
        return None
    following = text[end]
    if following in ".:!?\u3002\uff1a|\t":
        return None
    if following == " " and text[end + 1 : end + 2].isalpha():
        # Most quotes end before a word that has nothing to do with exceptions.
        first = text[end + 1 : end + 1 + _LONGEST_WORD].split(" ", 1)[0]
        if first.isalpha() and folded_word(first) not in phrases_behind():
            return _negation_at_end(text, end)
    window = plain(text, end, min(len(text), end + _REACH))
    if not following.isascii() and (place := _spaceless_restriction(window)):
        return end + place[0], end + place[1]
    gap = _BEFORE_RESTRICTION.match(window)
    at = gap.end() if gap else 0
    if at == 0 or window.count("\n", 0, at) > 1:
        return None
    found = list(compiled(WORDS).finditer(window, at, at + _PHRASE_WORDS * _LONGEST_WORD))
    if not found or found[0].start() != at:
        return None
    if window[at].isupper() and not text[end - 1].isupper():
        return None  # another sentence
    words = tuple(folded_word(word[0]) for word in found[:_PHRASE_WORDS])
    for phrase in phrases_behind().get(words[0], ()):
        count = len(phrase.words)
        last = found[min(count, len(found)) - 1].end()
        if (
            words[:count] == phrase.words
            and is_of_language(phrase, text, end + at, end)
            and (
                not phrase.negates
                or (
                    _is_beside(text[end : end + at], window[:at], window[last:])
                    and _negates_clause(phrase, text[start:end], words[1:], window[last:])
                )
            )
        ):
            return end + at, end + last
    return _negation_at_end(text, end)


def _is_beside(raw_gap: str, gap: str, behind: str) -> bool:
    """Whether a negation is in the same clause, and no cell or line of its own."""
    is_cell = "  " in raw_gap and "\n" not in raw_gap
    is_line = "\n" in gap and behind.lstrip(" \t\r")[:1] == "\n"
    return _BEFORE_NEGATION.fullmatch(gap) is not None and not is_cell and not is_line


def _negates_clause(phrase: Phrase, quote: str, words: tuple[str, ...], behind: str) -> bool:
    """Whether a negation behind a quote turns all of it, and not the next words alone.

    Those are turned alone in "not only", "not later than" and "no 7". In English only an auxiliary
    verb is negated by what follows it, unless the clause ends there: "is | not liable".
    """
    than = {word for code in phrase.codes for word in words_of("than").get(code, ())}
    is_number = "".join(words[:1]).isdigit()
    if is_number or not ONLY.isdisjoint(words[:1]) or not than.isdisjoint(words[1:3]):
        return False
    if AUXILIARIES.keys().isdisjoint(phrase.codes) or _CLAUSE_END.match(behind):
        return True
    # A capital tells the month of May from the verb.
    last = quote.rsplit(maxsplit=1)[-1]
    return any(last in AUXILIARIES.get(code, ()) for code in phrase.codes)


def _negation_at_end(text: str, end: int) -> tuple[int, int] | None:
    """Return where the negation stands that ends the clause of a quote, a few words behind it."""
    rest = _REST_OF_CLAUSE.match(text, end)
    found = list(compiled(WORDS).finditer(rest[0])) if rest else []
    if not 1 < len(found) <= _MOST_BETWEEN + 1:
        return None
    *between, last = (folded_word(word[0]) for word in found)
    phrase = NEGATIONS_AT_END.get(last)
    place = end + found[-1].start(), end + found[-1].end()
    is_another_clause = not all_words("edge conjunction").isdisjoint(between)
    if phrase is None or is_another_clause or not is_of_language(phrase, text, place[0], end):
        return None
    return place


def _spaceless_restriction(window: str) -> tuple[int, int] | None:
    """Return where a restriction without spaces is, or a negation in the rest of a verb."""
    at = len(window) - len(window.lstrip(" \uff0c\u3001\n"))
    rest = _INFLECTION.match(window, at)
    if rest and any(word in rest[0] for word in all_words("no restriction behind a word")):
        return None
    for word in SPACELESS_BEHIND:
        place = rest[0].find(word) if rest else -1
        if place >= 0 or window.startswith(word, at):
            return at + max(0, place), at + max(0, place) + len(word)
    return None
