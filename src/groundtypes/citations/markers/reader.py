"""Reading the citation markers of a text: which there are, and which references they mean."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final

from groundtypes.citations.markers.code_spans import (
    code_spans,
    comment_spans,
    math_spans,
    merged_spans,
)
from groundtypes.citations.markers.elements import within_elements
from groundtypes.citations.markers.intervals import is_around, is_interval
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
from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.citations.markers.marker import Marker
from groundtypes.citations.markers.own_pattern import own_pattern
from groundtypes.citations.markers.source_list import SourceList, find_source_list
from groundtypes.citations.markers.styles import STYLES, Candidate, bracketed_ids, own_candidates
from groundtypes.errors import MarkerError
from groundtypes.references import References
from groundtypes.text.message_excerpts import clip

__all__ = ["markers_in_other_styles", "read_markers", "style_pattern"]


#: The styles in which a word in brackets may be the name of a source that is unknown.
_WITH_NAMES: Final = ("brackets", "lenticular", "parentheses")
#: What looks like the name of a style.
_WORDS: Final = re.compile(r"[A-Za-z _-]{0,100}")
#: What may follow a marker that names a source of which nothing else is known.
_AFTER_MARKER: Final = re.compile(
    r"\s{0,3}(?:[.,;:!?\u3002\uff0c\uff01\uff1f\u061f\u060c\[\u3010\n]|\Z)|\s{1,3}[A-Z]"
)


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
    names = () if pattern else tuple(STYLES) if style == "auto" else (str(style),)
    readings, listed = _readings(text, references, names, pattern, is_auto=style == "auto")
    best = max(readings, key=lambda reading: (reading.known, len(reading.markers)))
    return MarkedText(
        text,
        tuple(within_elements(text, best.markers)),
        best.ids,
        listed.span,
        best.style if best.markers else None,
        tuple((each.start, each.end, best.id_of(each.label)) for each in listed.statements),
    )


def markers_in_other_styles(
    marked: MarkedText, references: object
) -> list[tuple[Marker, tuple[str, ...]]]:
    """Return what cites references in other styles than the one that counts, in order.

    Each marker has the ids of its references, of which there is at least one.
    """
    names = [name for name in STYLES if name != marked.style]
    readings, _ = _readings(marked.text, references, names, None, is_auto=True)
    places = [part for marker in marked.markers for part in marker.parts]
    found = [
        (marker, tuple(id_ for label in marker.labels if (id_ := reading.ids[label]) is not None))
        for reading in readings
        for marker in reading.markers
    ]
    last = 0
    others = []
    for marker, ids in sorted(found, key=lambda pair: (pair[0].start, -pair[0].end)):
        number = bisect_right(places, marker.start, key=itemgetter(0)) - 1
        is_read = number >= 0 and marker.start < places[number][1]
        if ids and marker.start >= last and not is_read:
            others.append((marker, ids))
            last = marker.end
    return others


def _readings(
    text: str,
    references: object,
    names: Iterable[str],
    pattern: "re.Pattern[str] | None",
    *,
    is_auto: bool,
) -> "tuple[list[_Reading], SourceList]":
    """Return a text as it is read in each of some styles, and its list of sources."""
    sources = known_sources(References.of(references))
    listed = find_source_list(text, sources)
    end = listed.span[0] if listed.span else len(text)
    code = merged_spans([*code_spans(text), *comment_spans(text), *math_spans(text)])
    readings = [
        _Reading(text, sources, listed, name, is_auto=is_auto).of(
            _outside(_candidates(text, name, sources), code, end)
        )
        for name in names
    ]
    if pattern is not None:
        own = _Reading(text, sources, listed, "own", is_auto=False)
        readings.append(own.of(_outside(own_candidates(text, pattern), code, end)))
    return readings, listed


def _candidates(text: str, style: str, sources: KnownSources) -> Iterator[Candidate]:
    """Yield the candidates of a style in order, those with brackets in their ids first."""
    plain = STYLES[style](text)
    if style not in ("brackets", "parentheses", "lenticular") or not sources.bracketed:
        return plain
    opening = {"brackets": "[\uff3b", "parentheses": "(\uff08", "lenticular": "\u3010"}[style]
    special = [
        candidate
        for candidate in bracketed_ids(text, sources.bracketed)
        if text[candidate.start] in opening
    ]
    return iter(sorted([*special, *plain], key=lambda candidate: (candidate.start, -candidate.end)))


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
        self,
        text: str,
        sources: KnownSources,
        source_list: SourceList,
        style: str,
        *,
        is_auto: bool,
    ) -> None:
        self.style = style
        self.markers: list[Marker] = []
        self.ids: dict[str, str | None] = {}
        #: How many markers name a reference.
        self.known = 0
        self._text = text
        self._sources = sources
        self._listed = source_list.listed
        self._is_auto = is_auto
        #: The labels of each body that was read, and whether they make it a marker.
        self._read_bodies: dict[tuple[str, bool], tuple[tuple[str, ...], bool]] = {}

    def of(self, candidates: Iterable[Candidate]) -> "_Reading":
        """Read candidates; return this reading."""
        read: list[tuple[Candidate, tuple[str, ...]]] = []
        unknown_names: list[tuple[int, Candidate, tuple[str, ...]]] = []
        has_names = False
        for candidate in candidates:
            key = candidate.body, candidate.is_explicit
            if key not in self._read_bodies:
                self._read_bodies[key] = self._labels(candidate)
            labels, is_marker = self._read_bodies[key]
            if not labels:
                continue
            if is_marker:
                has_names = has_names or any(
                    not NUMBER.fullmatch(label) and self._sources.by_name(label) for label in labels
                )
                read.append((candidate, labels))
            elif self._may_be_name(candidate, labels):
                unknown_names.append((len(read), candidate, labels))
        if has_names or not self._is_auto:
            read.extend((candidate, labels) for _, candidate, labels in unknown_names)
            read.sort(key=lambda pair: (pair[0].start, -pair[0].end))
        self._resolve(read)
        return self

    def _resolve(self, read: list[tuple[Candidate, tuple[str, ...]]]) -> None:
        labels = dict.fromkeys(label for _, labels in read for label in labels)
        from_one = self._ids(labels, from_zero=False)
        self.ids = from_one
        if "0" in labels and self._sources.are_positions:
            from_zero = self._ids(labels, from_zero=True)
            if _count_known(from_zero) > _count_known(from_one):
                self.ids = from_zero
        has_zero = any(names == ("0",) for _, names in read)
        for candidate, names in read:
            known = any(self.ids[name] is not None for name in names)
            if not known and names == ("0",) and self._is_behind_word(candidate):
                continue  # an element of an array
            if is_interval(candidate.body) and self._is_no_reference(
                candidate, names, has_zero=has_zero
            ):
                continue
            self.known += known
            self.markers.append(
                Marker(candidate.start, candidate.end, names, self.style, candidate.content)
            )
        used = {label for marker in self.markers for label in marker.labels}
        self.ids = {label: id_ for label, id_ in self.ids.items() if label in used}

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

    def _may_be_name(self, candidate: Candidate, labels: tuple[str, ...]) -> bool:
        """Whether single words in brackets may name sources that are unknown."""
        return (
            self.style in _WITH_NAMES
            and (self.style != "parentheses" or not self._is_auto)
            and all(" " not in label and any(map(str.isalpha, label)) for label in labels)
            and _AFTER_MARKER.match(self._text, candidate.end) is not None
            and not self._is_behind_word(candidate)
        )

    def _is_behind_word(self, candidate: Candidate) -> bool:
        return self._text[max(0, candidate.start - 1) : candidate.start].isalnum()

    def _is_no_reference(
        self, candidate: Candidate, names: tuple[str, ...], *, has_zero: bool
    ) -> bool:
        """Whether two numbers in brackets are an interval by what they mean, or by its number.

        "[0, 1]" is one where no reference has the number 0 and no marker is "[0]"; "330 [325, 335]"
        is one unless both are references.
        """
        unknown = [name for name in names if self.ids[name] is None]
        if "0" in unknown and not has_zero:
            return True
        return bool(unknown) and is_around(self._text, candidate.start, candidate.body)


def _count_known(ids: Mapping[str, str | None]) -> int:
    return sum(id_ is not None for id_ in ids.values())
