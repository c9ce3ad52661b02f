"""The part of a field that each verdict is about, such as a sentence.

Most verdicts name their field and their evidence, but not the sentence or figure that they judged.
This module finds that by cutting the field the way the checks do.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from pydantic_core import from_json

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.citations.markers.marker_reader import without_markers
from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.figures.reader import find_figures
from groundtypes.references import References
from groundtypes.report.report_rows import locate
from groundtypes.scoring import Label
from groundtypes.verdicts import Loc, Verdict

#: Start and end of a part of a field: half open, in code points.
TextSpan = tuple[int, int]

_NLI_LABELS: Final = frozenset(Label)
#: Longer fields, in characters, are not cut: nobody reads them sentence by sentence.
_MAX_LENGTH: Final = 100_000
#: The words of the field that a message quotes.
_QUOTED_WORDS: Final = re.compile(r'"([^"]{1,300})"')


def judged_spans(
    text: str, verdicts: Sequence[Verdict], references: References | None = None
) -> list[TextSpan | None]:
    """Return the part of the text that each verdict is about, or `None` for the whole text.

    `verdicts` are all those of one field; the verdicts of one check are in the order of the parts
    that it judged. `None` also says that the part is not known. Citation markers are no part of
    what was judged; the references say what is one.
    """
    spans: list[TextSpan | None] = [None] * len(verdicts)
    if len(text) > _MAX_LENGTH:
        return spans
    unknown = []
    for number, verdict in enumerate(verdicts):
        spans[number] = _stated_part(text, verdict)
        if spans[number] is None:
            unknown.append(number)
    marked = without_markers(text, References((), ()) if references is None else references)
    for check in dict.fromkeys(verdicts[number].check for number in unknown):
        numbers = [number for number in unknown if verdicts[number].check == check]
        of_check = _spans_of_one_check(marked, [verdicts[number] for number in numbers])
        for number, span in zip(numbers, of_check, strict=True):
            spans[number] = span
    return spans


def judged_texts(
    given: Any, verdicts: Sequence[Verdict], references: References | None = None
) -> Iterator[tuple[Verdict, str | None]]:
    """Yield the verdicts on an answer by their fields, each with the text that it is about."""
    if isinstance(given, str | bytes | bytearray) and any(verdict.loc for verdict in verdicts):
        try:
            given = from_json(given)
        except ValueError:
            given = None
    by_loc: dict[Loc, list[Verdict]] = {}
    for verdict in verdicts:
        by_loc.setdefault(verdict.loc, []).append(verdict)
    for loc, own in by_loc.items():
        _, value = locate(given, loc)
        parts = (
            judged_spans(value, own, references) if isinstance(value, str) else [None] * len(own)
        )
        for verdict, part in zip(own, parts, strict=True):
            text = value if part is None else value[slice(*part)]
            yield verdict, str(text) if isinstance(value, str) else None


def _stated_part(text: str, verdict: Verdict) -> TextSpan | None:
    """Return the part that the verdict itself names, if it lies in the text."""
    part = verdict.part
    return part if part is not None and 0 <= part[0] < part[1] <= len(text) else None


def _spans_of_one_check(
    marked: MarkedText, verdicts: Sequence[Verdict]
) -> Sequence[TextSpan | None]:
    cut = _cut_of_check(verdicts)
    if cut is None:
        return [None] * len(verdicts)
    spans = [
        (marked.position_in_text(start), marked.position_in_text(end - 1) + 1)
        for start, end in cut(marked.plain)
    ]
    if len(spans) == len(verdicts):
        return spans
    return [_quoted_span(marked.text, verdict) for verdict in verdicts]


def _cut_of_check(verdicts: Sequence[Verdict]) -> Callable[[str], list[TextSpan]] | None:
    """Return the function that cuts a field as the check does, if the check cuts fields."""
    if verdicts[0].check == "Figures":
        return None if verdicts[0].label == "none" else _figure_spans
    if all(verdict.label in _NLI_LABELS for verdict in verdicts):
        return _sentence_spans
    return None


def _sentence_spans(text: str) -> list[TextSpan]:
    return [(sentence.start, sentence.end) for sentence in sentences_with_claims(text)]


def _figure_spans(text: str) -> list[TextSpan]:
    """Return where each figure that is checked occurs first."""
    spans: dict[str, TextSpan] = {}
    for figure in find_figures(text):
        if not figure.incidental:
            spans.setdefault(figure.text, (figure.start, figure.end))
    return list(spans.values())


def _quoted_span(text: str, verdict: Verdict) -> TextSpan | None:
    """Return where the text contains the first words that the message quotes from it."""
    for match in _QUOTED_WORDS.finditer(verdict.message or ""):
        start = text.find(match[1])
        if start >= 0:
            return start, start + len(match[1])
    return None
