"""Which figures of a text are values of something, such as "net revenue".

In a table or a JSON value, the header and the name of the row say it. In prose, a label belongs to
the figure before or behind it that is in the same clause; where both are, to the nearer one. A
label with a colon belongs to what follows.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import STOP_WORDS
from groundtypes.text.sentences import Segment, segments
from groundtypes.validators.typed.candidates import Candidate, Place, Source

_WORD: Final = re.compile(r"[^\W_]+")
#: What ends a clause, and joins it to another one.
_BREAK: Final = re.compile(r"[,;|()\u2013\u2014\n]|[.!?](?=\s)|\b(?:and|or|und|et|y|e|en)\b")
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s)")
_COLON: Final = re.compile(r"\s?[:=|\t]|\s{2,}")
_LETTER: Final = re.compile(r"[^\W\d_]")
#: How far a label may be from its figure.
_FARTHEST: Final = 240
#: "cost of revenue" is no revenue.
_OF: Final = "of"


class _Token(NamedTuple):
    term: str
    start: int
    end: int


class _Label(NamedTuple):
    """Where a label is; `extra` counts the words before it that make it another one."""

    start: int
    end: int
    extra: int


def labelled(phrases: Sequence[str], candidates: Sequence[Candidate], source: Source) -> set[Place]:
    """Return which candidates are values of what each of the phrases names."""
    kept = {one.key for one in candidates}
    for phrase in phrases:
        # "check-in" is not "check-out"; but "date of issue" may be the "issue date".
        whole = [token.term for token in _tokens(phrase, 0, len(phrase))]
        ranked = list(_ranked(whole, candidates, source)) if whole else []
        if whole and not ranked:
            content = [term for term in whole if term not in STOP_WORDS] or whole
            ranked = list(_ranked(content, candidates, source))
        least = min((extra for _, extra in ranked), default=0)
        groups = {candidate.group for candidate, extra in ranked if extra == least}
        kept &= {one.key for one in candidates if one.group in groups}
    return kept


def content_words(phrase: str) -> list[str]:
    """Return the words of a phrase without those such as "of", unless it has no others."""
    found = _tokens(phrase, 0, len(phrase))
    content = [token for token in found if token.term not in STOP_WORDS] or found
    return [phrase[token.start : token.end] for token in content]


def _ranked(
    wanted: Sequence[str], candidates: Sequence[Candidate], source: Source
) -> Iterator[tuple[Candidate, int]]:
    """Yield the candidates that a label belongs to, with how many other words the label has."""
    in_prose: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        names = source.cell_names(candidate)
        if names is None:
            in_prose.setdefault(candidate.text, []).append(candidate)
            continue
        known = [[token.term for token in _tokens(name, 0, len(name))] for name in names]
        extras = [len(terms_) - len(wanted) for terms_ in known if not set(wanted) - set(terms_)]
        together = [term for terms_ in known for term in terms_]
        if extras:
            yield candidate, min(extras)
        elif not set(wanted) - set(together):
            yield candidate, len(together)
    for number, found in in_prose.items():
        yield from _in_prose(wanted, found, source.references.texts[number])


def _in_prose(
    wanted: Sequence[str], candidates: Sequence[Candidate], text: str
) -> Iterator[tuple[Candidate, int]]:
    waiting: _Label | None = None  # a heading or "Amount due:" before the line of the figure
    for segment in segments(text):
        inside = [one for one in candidates if segment.start <= one.start < segment.end]
        if waiting and inside and not _LETTER.search(text, segment.start, inside[0].start):
            yield inside[0], waiting.extra
        waiting = None
        for label in _labels(wanted, text, segment, [one.end for one in inside]):
            owned = list(_owned(label, inside, text))
            yield from ((one, label.extra) for one in owned)
            if not owned and not text[label.end : segment.end].strip(" \t\n:*|"):
                waiting = label


def _owned(label: _Label, figures: Sequence[Candidate], text: str) -> Iterator[Candidate]:
    """Yield the figures that a label belongs to: one, or a row of them."""
    figures = [one for one in figures if one.start < label.start or label.end < one.end]  # "7b"
    if any(one.start <= label.start and label.end <= one.end for one in figures):
        return  # it is the unit of a figure
    before = [one for one in figures if one.end <= label.start]
    behind = [one for one in figures if one.start >= label.end]
    has_colon = _COLON.match(text, label.end) is not None
    gap_before = text[before[-1].end : label.start] if before else None
    gap_behind = text[label.end : behind[0].start] if behind else None
    if has_colon and gap_behind is not None and not _SENTENCE_END.search(gap_behind):
        gap_before = None
    if gap_before is not None and (has_colon or len(gap_before) > _FARTHEST):
        gap_before = None
    if gap_before and gap_behind and "\n" in gap_before and "\n" not in gap_behind:
        gap_before = None  # "Tax (8%): $8" is a line of its own
    if gap_behind is not None and len(gap_behind) > _FARTHEST:
        gap_behind = None
    if gap_behind is None and gap_before is not None and _BREAK.search(gap_before):
        return
    if gap_before is not None and (
        gap_behind is None or _distance(gap_before) < _distance(gap_behind)
    ):
        yield before[-1]
        return
    if gap_behind is None or _SENTENCE_END.search(gap_behind):
        return
    yield behind[0]
    for last, one in pairwise(behind):  # a row of numbers
        if _LETTER.search(text, last.end, one.start) or one.start - last.end > _FARTHEST:
            break
        yield one


def _distance(gap: str) -> tuple[int, int]:
    """Return how far a label is from a figure: clauses first, then characters."""
    ends = 3 * len(_SENTENCE_END.findall(gap))
    return ends + len(_BREAK.findall(gap)), len(gap)


def _labels(
    wanted: Sequence[str], text: str, segment: Segment, ends: Sequence[int]
) -> Iterator[_Label]:
    """Yield where the terms stand beside each other, in any order; `ends` are those of figures."""
    everything = _tokens(text, segment.start, segment.end)
    content = [token for token in everything if token.term not in STOP_WORDS]
    tokens = content if STOP_WORDS.isdisjoint(wanted) else everything
    size, key = len(wanted), sorted(wanted)
    for at in range(len(tokens) - size + 1):
        group = tokens[at : at + size]
        if sorted(token.term for token in group) != key:
            continue
        first = everything.index(group[0])
        previous = everything[first - 1] if first else None
        gap = text[previous.end : group[0].start] if previous else ""
        extra = 0
        if previous and not gap.strip(" \t\n*_") and not previous.term.isdecimal():
            if previous.term == _OF and not any(previous.start - end in (0, 1) for end in ends):
                continue
            extra = int(previous.term not in STOP_WORDS)
        yield _Label(group[0].start, group[-1].end, extra)


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    return [
        _Token("".join(terms(match[0])), match.start(), match.end())
        for match in _WORD.finditer(text, start, end)
    ]
