"""The heading of a list that negates its items: "Do not:" above "- open the case".

Each item is read as the rest of the heading's sentence, so it says the opposite without it. A
heading negates if it ends with the negation ("You must not:") or with what is denied ("Not
included:", "The following are not permitted:"). One that ends with another verb does not: what
stands below "Do not forget:" is to be remembered.
"""

import re
from typing import Final, NamedTuple

from groundtypes.quotes.heading_words import (
    AUXILIARIES,
    BARE,
    DENIED,
    DENIED_IN_LISTS,
    PREPOSITIONS,
    REASONS,
    SPACELESS,
    STARTERS,
    SUBJECTS,
)
from groundtypes.quotes.list_items import EMPHASIS, TAG, WORD, ListHeading, heading_of_item
from groundtypes.quotes.negation_languages import languages_of_negation
from groundtypes.quotes.negation_words import (
    ANSWERS,
    ANY_BETWEEN,
    ANY_NEGATION,
    BETWEEN,
    LATIN_NOT,
    NEGATIONS,
    folded_word,
)

__all__ = ["heading_negation"]

#: At most so many characters of a heading are read.
_HEADING_REACH: Final = 160
_SENTENCE_END: Final = re.compile(
    r"[.!?;:\u3002\uff1a](?=\s|\Z)|\n\s*\n|\n[ \t]*[-*+#|\u2022]|[\u3002\uff1a\uff0c]"
)
#: The most words of a heading behind its negation.
_MOST_DENIED: Final = 8
#: "Do not:" and "Please do not:" have at most so many words before the negation.
_MOST_BEFORE: Final = 2
_ANY_DENIED: Final = frozenset().union(*DENIED.values(), *DENIED_IN_LISTS.values())


class _Heading(NamedTuple):
    """The words of a heading back to its sentence's start, and what it has."""

    words: list[re.Match[str]]
    #: Where its negation is among the words.
    at: int
    #: Whether it is a line above items, and not the beginning of the quote's own line.
    is_above: bool
    #: Whether it ends with a colon.
    has_colon: bool

    @property
    def negation(self) -> str:
        return folded_word(self.words[self.at][0])

    @property
    def denied(self) -> list[str]:
        """The words behind the negation."""
        return [folded_word(word[0]) for word in self.words[self.at + 1 :]]

    @property
    def before(self) -> list[str]:
        """The words before the negation."""
        return [folded_word(word[0]) for word in self.words[: self.at]]


def heading_negation(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation of a heading is that negates the item beginning at an offset.

    `None` if no item begins there, or its list has no such heading.
    """
    heading = heading_of_item(text, start)
    return None if heading is None else _negation(text, heading, start)


def _negation(text: str, place: ListHeading, start: int) -> tuple[int, int] | None:
    """Return where the negation is in a heading if it negates the items; else `None`."""
    end, is_above = place
    low = max(0, end - _HEADING_REACH)
    if not _may_negate(text[low:end]):
        return None
    head = TAG.sub(lambda tag: " " * len(tag[0]), text[low:end]).rstrip(EMPHASIS + "\t\r\n#")
    has_colon = head.endswith((":", "\uff1a"))
    head = head.rstrip(EMPHASIS + ":\uff1a\u00a0\u202f")
    if is_above or has_colon:
        longest = max((one for one in SPACELESS if head.endswith(one)), key=len, default=None)
        if longest is not None:
            return low + len(head) - len(longest), low + len(head)
    begin = max((found.end() for found in _SENTENCE_END.finditer(head)), default=0)
    words = list(WORD.finditer(head, begin))
    at = next(
        (
            place
            for place in range(len(words) - 1, max(-1, len(words) - 2 - _MOST_DENIED), -1)
            if _negates(folded_word(words[place][0]))
        ),
        None,
    )
    if at is None or (begin == 0 and low and at == 0):
        return None
    if any(char not in f"{EMPHASIS}\n\u00a0-" for char in _between(head, words[at:])):
        return None
    heading = _Heading(words, at, is_above, has_colon)
    negation = low + words[at].start()
    if not _negates_items(heading, text, negation, start):
        return None
    return negation, low + words[at].end()


def _may_negate(head: str) -> bool:
    """Whether a heading may have a negation; most have none."""
    if not head.isascii():
        return True
    words = head.lower().replace(":", " ").replace("*", " ").split()
    return (
        not ANY_NEGATION.isdisjoint(words[-_MOST_DENIED - 2 :])
        or "n't" in head.lower()
        or "<" in head
    )


def _between(head: str, words: list[re.Match[str]]) -> str:
    """Return what is between words and behind the last."""
    ends = [*(word.start() for word in words[1:]), len(head)]
    return "".join(head[word.end() : end] for word, end in zip(words, ends, strict=True))


def _negates(word: str) -> bool:
    return word in ANY_NEGATION or word.endswith(LATIN_NOT) or word in STARTERS


def _negates_items(heading: _Heading, text: str, place: int, start: int) -> bool:
    """Whether a heading with a negation negates the items of its list."""
    negation, denied, before = heading.negation, heading.denied, heading.before
    if not REASONS.isdisjoint(before):
        return False
    if negation in STARTERS:  # "Don'ts:"
        return not denied and not before and heading.is_above
    # What needs no language comes first, because most headings with a negation are ruled out by it.
    is_plain = all(word in ANY_BETWEEN for word in denied)
    if not is_plain and not _is_any_denial(denied):
        return False
    if not heading.is_above:
        is_instruction = not denied and before[-1:] == ["do"] and len(before) <= _MOST_BEFORE
        is_label = not is_plain and (not before or "following" in before)
        if not (is_instruction or is_label):
            return False
    elif not heading.has_colon and (is_plain or before):
        return is_plain and not denied and before[-1:] == ["do"] and len(before) <= _MOST_BEFORE
    # "It is not recommended:" is followed by the reasons.
    if denied and denied[-1].endswith("ed") and any(word in SUBJECTS for word in before[-3:]):
        return False
    if negation.endswith(LATIN_NOT):
        languages = ["en"]
    elif is_plain:
        languages = languages_of_negation(negation, text, place, start)
    else:  # what is denied tells the language
        languages = [code for code, negations in NEGATIONS.items() if negation in negations]
    languages = [code for code in languages if _is_denial(denied, code, is_above=heading.is_above)]
    if not languages or denied or not heading.is_above:
        return bool(languages)
    return _ends_with_negation(heading, text, place, start, languages)


def _is_any_denial(words: list[str]) -> bool:
    """Whether words say what is denied, in any language."""
    return words[0] in _ANY_DENIED or any(
        word in _ANY_DENIED and all(one in ANY_BETWEEN for one in words[:at])
        for at, word in enumerate(words)
    )


def _is_denial(words: list[str], language: str, *, is_above: bool) -> bool:
    """Whether the words behind a negation say what is denied, perhaps with where or when."""
    denied = DENIED.get(language, frozenset())
    if is_above:
        denied = denied | DENIED_IN_LISTS.get(language, frozenset())
    for at, word in enumerate(words):
        if word in PREPOSITIONS and any(one in denied for one in words[:at]):
            return True
        if word not in denied and word not in BETWEEN[language]:
            return False
    return True


def _ends_with_negation(
    heading: _Heading, text: str, place: int, start: int, languages: list[str]
) -> bool:
    """Whether a line that ends with its negation negates the items below it."""
    negation, before = heading.negation, heading.before
    if negation in ANSWERS and negation not in ("nie", "ei"):
        # "No:" is the answer to a question above it, or short for "number".
        above = text[max(0, place - 80) : place].rstrip(f"{EMPHASIS}\n#>")
        return not (before or above.endswith("?") or text[start : start + 1].isdigit())
    if negation.endswith(LATIN_NOT) or negation in ("cannot", "cant", "dont", "wont"):
        return True
    if not any(negation in BARE.get(code, ()) for code in languages):
        return False
    verbs = frozenset().union(*(AUXILIARIES.get(code, frozenset()) for code in languages))
    return not before or before[-1] in verbs
