"""Which figures of a text are values of something, such as "net revenue".

In a table or a JSON value, the header and the name of the row say it. In prose, a label belongs to
the figure before or behind it that is in the same clause; where both are, to the nearer one. A
label with a colon belongs to what follows.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import STOP_WORDS
from groundtypes.text.sentences import Segment, segments
from groundtypes.validators.typed.candidates import Candidate, Place, Source
from groundtypes.validators.typed.former import lead
from groundtypes.words import all_words

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
#: Between two items of a list, such as 12 shops and 7 cafes.
_SEPARATOR: Final = re.compile(r",?\s(?:and|&|und|et|y|e|en)\s|[,;]\s")


class _Token(NamedTuple):
    term: str
    start: int
    end: int


class _Label(NamedTuple):
    """Where a label is; `extra` counts the words before it that make it another one."""

    start: int
    end: int
    extra: int


def labelled(
    phrases: Sequence[str],
    candidates: Sequence[Candidate],
    source: Source,
    ends: Mapping[Place, Collection[str]],
) -> set[Place]:
    """Return which candidates are values of what each of the phrases names.

    `ends` are the candidates that are the end of a range that is asked for, each with the terms
    that say so. These need not be stated: 9:00 of "Open 9:00-18:00" is the "opening time".
    """
    kept = {one.key for one in candidates}
    ended = [one for one in candidates if one.key in ends]
    readings = [reading for one in ended for reading in one.figure.readings]
    said = {term for kind, value, *_ in readings for term in terms(f"{kind} {value}")}
    for phrase in phrases:
        # "check-in" is not "check-out"; but "date of issue" may be the "issue date".
        whole = [token.term for token in _tokens(phrase, 0, len(phrase))]
        content = [term for term in whole if term not in STOP_WORDS] or whole
        tries = [(whole, candidates), (content, candidates)]
        for unsaid in (said, said.union(*ends.values())):
            tries += [([term for term in content if term not in unsaid], ended)]
        ranked: list[tuple[Candidate, int]] = []
        for wanted, among in tries:
            if whole and not ranked and not (among is ended and wanted == content):
                found = _ranked(wanted, among, source, several=len(phrases) > 1)
                ranked = list(found) if wanted else [(one, 0) for one in among]
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
    wanted: Sequence[str], candidates: Sequence[Candidate], source: Source, *, several: bool
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
        yield from _in_prose(wanted, found, source.references.texts[number], several=several)


def _in_prose(
    wanted: Sequence[str], candidates: Sequence[Candidate], text: str, *, several: bool
) -> Iterator[tuple[Candidate, int]]:
    waiting: _Label | None = None  # a heading or "Amount due:" before the line of the figure
    start = attrgetter("start")
    candidates = sorted(candidates, key=start)
    for segment in segments(text):
        first = bisect_left(candidates, segment.start, key=start)
        inside = candidates[first : bisect_left(candidates, segment.end, key=start)]
        if waiting and inside and not _LETTER.search(text, segment.start, inside[0].start):
            yield inside[0], waiting.extra
        waiting = None
        for label in _labels(wanted, text, segment, [one.end for one in inside]):
            owned = _in_turn(label, inside, text, segment.end)
            owned = owned or list(_owned(label, inside, text, several=several))
            yield from ((one, label.extra) for one in owned)
            if not owned and not text[label.end : segment.end].strip(" \t\n:*|"):
                waiting = label


def _owned(
    label: _Label, figures: Sequence[Candidate], text: str, *, several: bool
) -> Iterator[Candidate]:
    """Yield the figures that a label belongs to: one, or a row of them.

    A label that is one of several also has the 12 of "revenue was 10 in 2022 and 12 in 2023".
    """
    figures = [one for one in figures if one.start < label.start or label.end < one.end]  # "7b"
    if within := [one for one in figures if one.start <= label.start and label.end <= one.end]:
        yield from (one for one in within if one.figure.kind == "count")
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
        is_apart = (
            lead(text, last, one) is None if several else _LETTER.search(text, last.end, one.start)
        )
        if is_apart or one.start - last.end > _FARTHEST:
            break
        yield one


def _in_turn(label: _Label, figures: Sequence[Candidate], text: str, end: int) -> list[Candidate]:
    """Return the figure of a label in a list: "A and B were 3 and 4 respectively"."""
    closing = [
        one for one in _tokens(text, label.end, end) if one.term in all_words("respectively")
    ]
    if not closing:
        return []
    behind = [one for one in figures if label.end <= one.start < closing[0].start]
    row: list[Candidate] = []
    for one in reversed(behind or [one for one in figures if one.end <= label.start]):
        if row and len(_SEPARATOR.findall(text, one.end, row[0].start)) != 1:
            break
        row.insert(0, one)
    if not row:
        return []
    if not behind:  # "3 and 4 were sold in A and B respectively"
        place = len(_SEPARATOR.findall(text, row[-1].end, label.start))
    else:
        between = text[label.end : row[0].start]
        rest, *others = _SEPARATOR.split(between)
        if others and any(token.term not in STOP_WORDS for token in _tokens(rest, 0, len(rest))):
            return row  # "sales in 2022 and 2023 were"
        place = len(row) - 1 - len(others)
    return row[place : place + 1] if place >= 0 else []


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
