"""Reading the citation markers of a text: which there are, and which references they mean."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final

from groundtypes.citations.markers.known_sources import (
    KnownSources,
    is_editorial,
    known_sources,
    without_kind,
)
from groundtypes.citations.markers.labels import (
    NUMBER,
    is_locator,
    parts_of,
    range_of,
)
from groundtypes.citations.markers.markdown import uncited_spans
from groundtypes.citations.markers.marked_text import MarkedText, Marker
from groundtypes.citations.markers.own_pattern import own_pattern
from groundtypes.citations.markers.source_list import SourceList, find_source_list
from groundtypes.citations.markers.styles import STYLES, Candidate, own_candidates
from groundtypes.errors import MarkerError
from groundtypes.references import References
from groundtypes.text.message_excerpts import clip

#: What looks like the name of a style.
_WORDS: Final = re.compile(r"[A-Za-z _-]{0,100}")
#: Two numbers in brackets, which may be an interval: "[0, 1]", "330 [325, 335]".
_NUMBERS: Final = re.compile(r"\s*(?P<low>[0-9]{1,9})\s*[,;]\s*(?P<high>[0-9]{1,9})\s*")


def read_markers(
    text: str, references: object, style: "str | re.Pattern[str]" = "auto"
) -> MarkedText:
    """Return a text with its citation markers and the references that they mean.

    What is in code or in a Markdown link is no marker, nor is a bracket whose words look like
    no source ("[sic]"). A label that looks like a source without being one has the id `None`.

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
            (`{{cite:guide}}`). Or a regular expression of one's own, whose group `ids`, else
            its first group, has the labels. Or `"auto"`: the style of which most markers name a
            reference; if none does, the one with most markers. The others stay in the text as
            they are.

    Raises:
        MarkerError: The style is unknown, or a pattern that could be slow on some texts.
        ReferencesError: The references cannot be read.
    """
    pattern = style_pattern(style)
    sources = known_sources(References.of(references))
    listed = find_source_list(text, sources)
    end = listed.span[0] if listed.span else len(text)
    uncited = uncited_spans(text)
    is_auto = style == "auto"
    names = ("own",) if pattern else tuple(STYLES) if is_auto else (str(style),)
    readings = []
    for name in names:
        candidates = own_candidates(text, pattern) if pattern else STYLES[name](text)
        reading = _Reading(sources, listed, name, is_auto=is_auto)
        readings.append(reading.of(text, _outside(candidates, uncited, end)))
    best = max(readings, key=lambda reading: (reading.known, len(reading.markers)))
    return MarkedText(
        text,
        tuple(best.markers),
        best.ids,
        listed.span,
        best.style if best.markers else None,
        tuple((each.start, each.end, best.id_of(each.label)) for each in listed.statements),
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
    """Return the pattern of one's own that a style is, or `None` if it is a name.

    Raises:
        MarkerError: It is neither the name of a style nor a pattern that can be used.
    """
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
        self, sources: KnownSources, source_list: SourceList, style: str, *, is_auto: bool
    ) -> None:
        self.style = style
        self.markers: list[Marker] = []
        self.ids: dict[str, str | None] = {}
        #: How many markers name a reference.
        self.known = 0
        self._sources = sources
        self._listed = source_list.listed
        self._is_auto = is_auto
        #: The labels of each body that was read, and whether they make it a marker.
        self._read_bodies: dict[tuple[str, bool], tuple[tuple[str, ...], bool]] = {}

    def of(self, text: str, candidates: Iterable[Candidate]) -> "_Reading":
        """Read candidates; return this reading."""
        read: list[tuple[Candidate, tuple[str, ...]]] = []
        for candidate in candidates:
            key = candidate.body, candidate.is_explicit
            if key not in self._read_bodies:
                self._read_bodies[key] = self._labels(candidate)
            labels, is_marker = self._read_bodies[key]
            if labels and is_marker:
                read.append((candidate, labels))
        self._resolve(text, read)
        return self

    def _resolve(self, text: str, read: list[tuple[Candidate, tuple[str, ...]]]) -> None:
        labels = dict.fromkeys(label for _, labels in read for label in labels)
        self.ids = self._ids(labels, from_zero=False)
        if "0" in labels and self._sources.are_positions:
            from_zero = self._ids(labels, from_zero=True)
            if _count_known(from_zero) > _count_known(self.ids):
                self.ids = from_zero
        for candidate, names in read:
            is_known = any(self.ids[name] is not None for name in names)
            is_element = (
                names == ("0",) and text[max(0, candidate.start - 1) : candidate.start].isalnum()
            )
            if self._is_interval(candidate.body) or (is_element and not is_known):
                continue  # "arr[0]" is an element of an array
            self.known += is_known
            self.markers.append(
                Marker(candidate.start, candidate.end, names, self.style, candidate.content)
            )
        used = {label for marker in self.markers for label in marker.labels}
        self.ids = {label: id_ for label, id_ in self.ids.items() if label in used}

    def _is_interval(self, body: str) -> bool:
        """Whether brackets hold two numbers that ascend, of which the first is no reference."""
        found = _NUMBERS.fullmatch(body)
        return (
            found is not None
            and int(found["low"]) < int(found["high"])
            and self.ids.get(found["low"]) is None
        )

    def id_of(self, label: str) -> str | None:
        """Return the reference that the label of an item of the list of sources means."""
        if label in self.ids:
            return self.ids[label]
        return self._ids([label], from_zero=False)[label]

    def _ids(self, labels: Iterable[str], *, from_zero: bool) -> dict[str, str | None]:
        return {
            label: self._sources.by_number(label, self._listed, from_zero=from_zero)
            if NUMBER.fullmatch(label)
            else self._sources.by_name(label)
            for label in labels
        }

    def _labels(self, candidate: Candidate) -> tuple[tuple[str, ...], bool]:
        """Return the labels of a candidate, and whether they make it a marker."""
        body, dagger, name = candidate.body.partition("\u2020")
        if dagger:
            named = self._sources.label(name)
            label = named if self._sources.by_name(named) else self._sources.label(body)
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
                sources.append(self._is_source(label))
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
        return range_of(bare) or (
            (bare,) if NUMBER.fullmatch(bare) or self._sources.by_name(bare) else (part,)
        )

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

    def _is_source(self, label: str) -> bool:
        if NUMBER.fullmatch(label):
            known = self._sources.is_id(label) or 0 < int(label) <= len(self._sources.ids)
        else:
            known = self._sources.by_name(label) is not None
        return known or self._sources.looks_like_a_source(label)


def _count_known(ids: Mapping[str, str | None]) -> int:
    return sum(id_ is not None for id_ in ids.values())
