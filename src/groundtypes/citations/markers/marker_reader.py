"""Reading the citation markers of a text: which there are, and which references they mean."""

import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final

from groundtypes.citations.markers.labels import (
    NUMBER,
    KnownSources,
    is_editorial,
    is_locator,
    known_sources,
    parts_of,
    range_of,
    without_kind,
    without_locator,
)
from groundtypes.citations.markers.marked_text import MarkedText, Marker
from groundtypes.citations.markers.own_pattern import own_pattern
from groundtypes.citations.markers.source_list import SourceList, find_source_list
from groundtypes.citations.markers.styles import STYLES, Candidate, ends_clause, own_candidates
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.errors import MarkerError
from groundtypes.references import PerReferences, References
from groundtypes.text.markdown import uncited_spans
from groundtypes.text.message_excerpts import clip

#: What looks like the name of a style.
_WORDS: Final = re.compile(r"[A-Za-z _-]{0,100}")
#: Two numbers in brackets, which may be an interval: "[0, 1]", "330 [325, 335]".
_INTERVAL: Final = re.compile(r"\s*(?P<low>[0-9]{1,9})\s*[,;]\s*(?P<high>[0-9]{1,9})\s*")
#: The same with a dash, behind a number, a percentage or an abbreviation: "95 % CI [12-15]".
_RANGE: Final = re.compile(r"\s*[0-9]{1,9}\s*[\u2010-\u2015-]\s*[0-9]{1,9}\s*")
_MEASURE_BEFORE: Final = re.compile(r"(?:[\d%]|\b[A-Z]{2})[,:=]?[ \t]{0,2}\Z")
#: The characters of the texts whose markers are remembered for each collection of references.
_MAX_REMEMBERED: Final = 1_000_000
#: The styles of which a marker is one in any text, though it names no reference.
_ALWAYS_MARKERS: Final = ("brackets", "lenticular")


def read_markers(
    text: str, references: object, style: "str | re.Pattern[str]" = "auto"
) -> MarkedText:
    """Return a text with its citation markers and the references that they mean.

    What is in code is no marker, nor is a bracket whose words look like no source ("[sic]"). A
    label that looks like a source without being one has the id `None`. Links to pages that are no
    references and authors with a year are markers without a label: they are no part of a sentence.

    Numbers: a label that is the id of a reference means it. Otherwise the references count from 1,
    unless some id is a number itself, or the list of sources at the end of the text says which
    reference a number means. References of a list have their positions from 0 as ids, but count
    from 1 all the same; from 0 only in a text that cites "[0]", if more of its markers then name a
    reference.

    Args:
        text: The text.
        references: The references, in any shape that `References.of` reads.
        style: One of `STYLES`: "brackets" (`[1]`, `[guide.pdf, p. 3]`), "footnotes" (`[^1]`),
            "lenticular" (`【1†source】`), "superscripts" (`¹`, `<sup>1</sup>`), "parentheses"
            (`(guide)`), "tags" (`<cite id="guide">It is tall.</cite>`), "braces"
            (`{{cite:guide}}`), "links" (`[[1]](https://...)`), "tokens" (`##0$$`); the others stay
            in the text as they are. Or a regular expression of one's own, whose group `ids`, else
            its first group, has the labels. Or `"auto"`: all of these styles, where superscripts
            that name no reference count only if most markers are superscripts.

    Raises:
        MarkerError: The style is unknown, or a pattern that could be slow on some texts.
        ReferencesError: The references cannot be read.
    """
    pattern = style_pattern(style)
    known_references = References.of(references)
    sources = known_sources(known_references)
    listed = find_source_list(text, sources)
    end = listed.span[0] if listed.span else len(text)
    uncited = uncited_spans(text)
    is_auto = style == "auto"
    names = ("own",) if pattern else tuple(STYLES) if is_auto else (str(style),)
    readings = []
    for name in names:
        candidates = own_candidates(text, pattern) if pattern else STYLES[name](text)
        reading = _Reading(text, known_references, listed, name, is_auto=is_auto)
        readings.append(reading.of(_outside(candidates, uncited, end)))
    best = max(readings, key=lambda reading: (reading.known, reading.labelled))
    markers = _together(best, [reading for reading in readings if reading is not best])
    labels = dict.fromkeys(label for marker in markers for label in marker.labels)
    return MarkedText(
        text,
        tuple(markers),
        {label: best.id_of(label) for label in labels},
        listed.span,
        best.style if labels else None,
        tuple((each.start, each.end, best.id_of(each.label)) for each in listed.statements),
    )


def without_markers(text: str, references: References) -> MarkedText:
    """Return a text with its markers of any style, for a check that judges its `plain` words.

    A list of sources at its end stays in it if it states something.
    """
    known = _marked(references)
    marked = known.get(text)
    if marked is None:
        marked = read_markers(text, references)
        if marked.statements:
            marked = MarkedText(text, marked.markers, marked.ids, None, marked.style)
        known.put(text, marked)
    return marked


_marked: Final = PerReferences[BoundedCache[str, MarkedText]](
    lambda _: BoundedCache(max_weight=_MAX_REMEMBERED, weigh=lambda key, _: 100 + len(key))
)


def _outside(
    candidates: Iterable[Candidate], code: list[tuple[int, int]], end: int
) -> Iterator[Candidate]:
    """Yield the candidates outside of code and before an end, none inside of another one."""
    last = 0
    for candidate in candidates:
        number = bisect_right(code, candidate.start, key=itemgetter(0)) - 1
        in_code = number >= 0 and candidate.start < code[number][1]
        if in_code or candidate.end > end:
            continue
        if candidate.content is None:
            if candidate.start < last:
                continue
            last = candidate.end
        yield candidate


def style_pattern(style: "str | re.Pattern[str]") -> "re.Pattern[str] | None":
    """Return the pattern of one's own that a style is, or `None` if it is a name."""
    if isinstance(style, str):
        if style in STYLES or style == "auto":
            return None
        if _WORDS.fullmatch(style):
            names = ", ".join(map(repr, STYLES))
            raise MarkerError(
                f"The style of citation markers is 'auto', one of {names}, or a pattern, "
                f"not {clip(style, 40)!r}."
            )
    return own_pattern(style)


class _Reading:
    """The markers of one style in a text."""

    def __init__(
        self,
        text: str,
        references: References,
        source_list: SourceList,
        style: str,
        *,
        is_auto: bool,
    ) -> None:
        self.style = style
        #: Each marker, and whether nothing but a citation is written like it.
        self.markers: list[tuple[Marker, bool]] = []
        #: How many markers name a reference, and how many have a label.
        self.known = 0
        self.labelled = 0
        self._text = text
        self._references = references
        self._sources: KnownSources = known_sources(references)
        self._listed = source_list.listed
        self._is_auto = is_auto
        self._from_zero = False
        #: The labels of each body that was read, and whether they make it a marker.
        self._read_bodies: dict[tuple[object, ...], tuple[tuple[str, ...], bool]] = {}

    def of(self, candidates: Iterable[Candidate]) -> "_Reading":
        """Read candidates; return this reading."""
        read: list[tuple[Candidate, tuple[str, ...]]] = []
        for candidate in candidates:
            key = candidate.body, candidate.names, candidate.is_explicit
            if key not in self._read_bodies:
                self._read_bodies[key] = self._labels(candidate)
            labels, is_marker = self._read_bodies[key]
            if labels and is_marker:
                read.append((candidate, labels))
            elif candidate.is_aside and not self._is_said(candidate.body):
                read.append((candidate, ()))
        self._resolve(read)
        return self

    def id_of(self, label: str) -> str | None:
        """Return the reference that a label means."""
        if NUMBER.fullmatch(label):
            return self._sources.by_number(label, self._listed, from_zero=self._from_zero)
        return self._sources.by_name(label)

    def is_known(self, labels: Iterable[str]) -> bool:
        """Whether one of the labels names a reference."""
        return any(self.id_of(label) is not None for label in labels)

    def _resolve(self, read: list[tuple[Candidate, tuple[str, ...]]]) -> None:
        labels = dict.fromkeys(label for _, names in read for label in names)
        if "0" in labels and self._sources.are_positions:
            known = sum(self.id_of(label) is not None for label in labels)
            self._from_zero = True
            self._from_zero = sum(self.id_of(label) is not None for label in labels) > known
        is_known = {names: self.is_known(names) for names in {names for _, names in read}}
        self.known = sum(is_known[names] for _, names in read)
        for candidate, names in read:
            if names and not is_known[names] and self._is_text(candidate, names):
                continue
            if self._is_interval(candidate.body):
                self.known -= is_known[names]
                continue
            self.labelled += bool(names)
            marker = Marker(candidate.start, candidate.end, names, self.style, candidate.content)
            self.markers.append((marker, candidate.is_explicit))

    def _is_text(self, candidate: Candidate, names: tuple[str, ...]) -> bool:
        """Whether brackets that name no reference are an element of an array, or a measurement."""
        before = self._text[max(0, candidate.start - 20) : candidate.start]
        is_attached = before[-1:].isalnum()
        if is_attached and (
            names == ("0",) or (not self.known and not ends_clause(self._text, candidate.end))
        ):
            return self.style == "brackets"
        is_range = _RANGE.fullmatch(candidate.body) is not None
        return is_range and _MEASURE_BEFORE.search(before) is not None

    def _is_interval(self, body: str) -> bool:
        """Whether brackets hold two numbers that ascend, of which the first is no reference."""
        found = _INTERVAL.fullmatch(body)
        return (
            found is not None
            and int(found["low"]) < int(found["high"])
            and self.id_of(found["low"]) is None
        )

    def _is_said(self, words: str) -> bool:
        """Whether the references have the name with which a remark begins: "Rome, 2019"."""
        name = words.partition(",")[0].partition(" ")[0].strip()
        return bool(name) and any(name in text for text in self._references.texts)

    def _labels(self, candidate: Candidate) -> tuple[tuple[str, ...], bool]:
        """Return the labels of a candidate, and whether they make it a marker."""
        named = (self._sources.label(name) for name in candidate.names)
        if link := next((name for name in named if self._sources.by_name(name)), None):
            return (link,), True
        body, dagger, title = candidate.body.partition("\u2020")
        if dagger:
            label = self._sources.label(title)
            label = label if self._sources.by_name(label) else self._sources.label(body)
            return ((label,), True) if label else ((), False)
        whole = self._sources.label(body)
        if not whole or is_editorial(whole):
            return (whole,) if whole and self._sources.is_id(whole) else (), True
        if self._names_reference(whole):
            return (whole,), True
        labels: dict[str, None] = {}
        is_marker = True
        has_name = False
        for part in parts_of(body, self._sources.label):
            if not part or (labels and is_locator(part)):
                continue
            sources: list[bool] = []
            for label in self._labels_of_part(part):
                is_number = NUMBER.fullmatch(label) is not None
                if is_number and has_name and not self._sources.is_id(label):
                    continue  # a page: "[guide, 3]"
                has_name = has_name or (not is_number and self._sources.by_name(label) is not None)
                labels[label] = None
                # "[12:30]" is a time where there is no twelfth reference.
                is_place = is_number and label != part and label == without_locator(part)
                sources.append(self._is_source(label, has_to_exist=is_place))
            # Of a range, one number is enough: "[1-3000]" has some that do not exist.
            is_range = range_of(without_kind(part)) is not None
            is_marker = is_marker and (not sources or (any if is_range else all)(sources))
        if self.style == "parentheses" and self._is_auto:
            is_marker = is_marker and has_name
        return tuple(labels), is_marker or candidate.is_explicit

    def _labels_of_part(self, part: str) -> Iterable[str]:
        sources = self._sources
        # Where ids are "doc-1" and "doc-7", "doc-2" is no number.
        if sources.by_name(part) or sources.is_id(part) or sources.has_shape(part):
            return (part,)
        bare = without_kind(part)
        if self.style == "superscripts" and self._are_separate(bare):
            return tuple(bare)
        if numbers := range_of(bare):
            return numbers
        for name in (bare, without_locator(bare)):
            if NUMBER.fullmatch(name) or sources.by_name(name):
                return (name,)
        return (part,)

    def _are_separate(self, digits: str) -> bool:
        """Whether raised digits without a comma are several numbers: there are not so many."""
        count = len(self._sources.ids)
        return (
            NUMBER.fullmatch(digits) is not None
            and len(digits) > 1
            and int(digits) > count
            and all(0 < int(digit) <= count for digit in digits)
        )

    def _names_reference(self, whole: str) -> bool:
        """Whether the whole body is the name of a reference."""
        # In parentheses, numbers and single letters count: "(1) ... (2) ..."
        is_name = len(whole) > 1 and any(map(str.isalpha, whole))
        if self.style == "parentheses" and self._is_auto and not is_name:
            return False
        return self._sources.by_name(whole) is not None

    def _is_source(self, label: str, *, has_to_exist: bool) -> bool:
        if NUMBER.fullmatch(label):
            known = self._sources.is_id(label) or 0 < int(label) <= len(self._sources.ids)
        else:
            known = self._sources.by_name(label) is not None
        return known or (not has_to_exist and self._sources.looks_like_a_source(label))


def _together(best: _Reading, others: Iterable[_Reading]) -> list[Marker]:
    """Return the markers of the style that most of a text have, and those of others beside them."""
    markers = [marker for marker, _ in best.markers]
    taken = sorted(part for marker in markers for part in marker.parts)
    for reading in others:
        for marker, is_explicit in reading.markers:
            counts = (
                is_explicit
                or not marker.labels
                or reading.style in _ALWAYS_MARKERS
                or best.is_known(marker.labels)
            )
            if counts and not any(_overlaps(part, taken) for part in marker.parts):
                markers.append(marker)
                for part in marker.parts:
                    insort(taken, part)
    return sorted(markers, key=lambda marker: (marker.start, marker.end))


def _overlaps(part: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    """Whether a part of a text overlaps one of others, which are in order and apart."""
    number = bisect_right(taken, part[0], key=itemgetter(0))
    before = number > 0 and taken[number - 1][1] > part[0]
    return before or (number < len(taken) and taken[number][0] < part[1])
