"""What references say of each figure of a statement: it is stated, derived, bounded or absent."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product
from typing import Any, Final, NamedTuple

from rapidfuzz.distance import Prefix

from groundtypes.figures.cell_figures import figures_of_statement, located_figures
from groundtypes.figures.dates import coarser
from groundtypes.figures.derivation import Derivations, is_supposed
from groundtypes.figures.figure import Comparison, Figure, Reading
from groundtypes.figures.index import FigureIndex, FigureLocation
from groundtypes.figures.number_units import noun_after
from groundtypes.figures.reader import find_figures
from groundtypes.references import PerReferences, References, Span
from groundtypes.text.language_detection import foreign_language
from groundtypes.text.message_excerpts import clip
from groundtypes.text.sentences import sentence_spans

#: The levels of dates, from exact to vague.
_LEVELS: Final = {"day": 0, "month": 1, "year": 2, "yearless": 0, "decade": 3, "century": 4}
#: So many figures are shown.
_MOST_SHOWN: Final = 3
#: The figures of each collection of references are read once, and their index is built once.
read_figures: Final = PerReferences(
    lambda references: located_figures(references.texts, references.structures)
)
_index: Final = PerReferences(
    lambda references: FigureIndex(
        references.texts, references.structures, read_figures(references)
    )
)


def supporting_span(figure: Figure, references: References) -> Span | None:
    """Return where a reference supports the figure, or `None` where none does."""
    location = _index(references).find(figure)
    return None if location is None else references.span_at(*location)


def bounding_span(figure: Figure, references: References, *, is_known: bool) -> Span | None:
    """Return where a reference has the value with a bound that does not exclude the figure."""
    location = _index(references).find_bounded(figure, is_known=is_known)
    return None if location is None else references.span_at(*location)


def nearest_figures(figure: Figure, references: References) -> list[str]:
    """Return the three figures of the references that are most like it, as they are written."""
    ranked: list[tuple[tuple[Any, ...], FigureLocation]] = []
    for number, located in enumerate(read_figures(references)):
        for other, start, end in located:
            if not other.incidental and (ranks := list(_ranks(figure, other))):
                ranked.append((min(ranks), FigureLocation(number, start, end)))
    found: list[FigureLocation] = []
    for _, location in sorted(ranked):
        text, start, end = location
        if not any(text == one.text and start < one.end and one.start < end for one in found):
            found.append(location)
        if len(found) == _MOST_SHOWN:
            break
    return list(dict.fromkeys(_shown(location, references) for location in found))


def _ranks(figure: Figure, other: Figure) -> Iterator[tuple[Any, ...]]:
    """Yield how different two figures are: of one noun, else of one kind, else as bare numbers."""
    own, others = _readings(figure), _readings(other)
    is_bare = not any(reading.kind == "date" for reading in own) or figure.kind == "number"
    for mine, theirs in product(own, others):
        if mine.kind == theirs.kind:
            is_same_noun = mine.kind == "count" and figure.unit == other.unit
            yield (0 if is_same_noun else 1, *_distance(mine.value, theirs.value))
        elif is_bare and mine.written is not None and theirs.written is not None:
            yield (2, *_distance(mine.written, theirs.written))


def _readings(figure: Figure) -> list[Reading]:
    parts = figure.parts if figure.kind == "range" else ()
    return [reading for one in (figure, *parts) for reading in one.readings]


def _distance(first: Any, second: Any) -> tuple[Any, ...]:
    """Return how different two values are; tuples compare the most important first.

    Dates differ in their level, then in year, month and day; identifiers in their common beginning,
    then in their length.
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        return min(_distance_of_dates(first, date) for date in coarser(second))
    if isinstance(first, str | tuple) or isinstance(second, str | tuple):
        common = Prefix.similarity(str(first), str(second))
        return (-common, abs(len(str(first)) - len(str(second))))
    return (abs(first - second),)


def _distance_of_dates(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[int, ...]:
    level, other_level = (_LEVELS.get(str(date[0]), 0) for date in (first, second))
    is_other = first[0] != second[0] and "yearless" in (first[0], second[0])
    pairs = zip(first[1:], second[1:], strict=False)
    numbers = (pair for pair in pairs if all(isinstance(one, int) for one in pair))
    return (is_other, abs(level - other_level), *(abs(one - two) for one, two in numbers))


def _shown(location: FigureLocation, references: References) -> str:
    """Return the words of a figure; those of a JSON value or table with their key or header."""
    text = references.texts[location.text]
    structure = references.structures[location.text] if references.structures else None
    cells = () if structure is None else structure.cells_at(location.start, location.end)
    if len(cells) == 1 and cells[0].name:
        words = " ".join(text[location.start : location.end].split())
        return clip(f"{clip(cells[0].name, 40)}: {words}", 80)
    end = location.end
    if noun := noun_after(text, end):  # with the noun that it counts
        end = text.index(noun, end) + len(noun)
        while end < len(text) and text[end].isalpha():
            end += 1
    return clip(" ".join(text[location.start : end].split()), 60)


_LONGEST_STEP: Final = 160
#: With more absent figures than this, a text is at fault anyway, and no others are derived.
_MOST_COMPUTED: Final = 20
_DIGIT: Final = re.compile(r"\d")
_ENGLISH_WORDS: Final = re.compile(r"[A-Za-z\s-]+")


class Outcome(StrEnum):
    """How references support a figure.

    Attributes:
        STATED: A reference has it, with the same value and unit.
        DERIVED: One step of arithmetic makes it of figures of the references, of the sentence and
            of the question; it counts what they list; or the question has it.
        BOUNDED: A reference has its value with another bound that does not exclude it: "up to 48"
            for "48".
        POSSIBLE: None of these, but it is in words, as counts and shares are that nobody states; or
            the sentence supposes it, or a step makes it that makes most others, too. It is a fault
            unless somebody who reads the references says otherwise.
        ABSENT: None of these.
    """

    STATED = "stated"
    DERIVED = "derived"
    BOUNDED = "bounded otherwise"
    POSSIBLE = "possible"
    ABSENT = "absent"

    @property
    def holds(self) -> bool:
        """Whether the figure is supported, unless somebody who reads the references objects."""
        return self not in (Outcome.POSSIBLE, Outcome.ABSENT)


class Finding(NamedTuple):
    """A figure of a statement with its outcome.

    Attributes:
        figure: The figure.
        outcome: How the references support it.
        span: Where they do, or `None`.
        step: The step of arithmetic of a derived figure, such as "90 EUR - 65 EUR"; the words of
            the references that bound the value otherwise; or empty.
    """

    figure: Figure
    outcome: Outcome
    span: Span | None = None
    step: str = ""


class _Sentence(NamedTuple):
    text: str
    own: Sequence[Figure]
    asked: Sequence[Figure]
    question: str | None
    is_english: bool


#: The references of each collection are cut into passages once, and only if a figure needs it.
_derivations: Final = PerReferences(
    lambda references: Derivations(references.texts, read_figures(references))
)


def _find(figure: Figure, sentence: _Sentence, references: References, *, compute: bool) -> Finding:
    """Return the outcome of a figure of a sentence; without `compute`, none is derived."""
    if span := supporting_span(figure, references):
        return Finding(figure, Outcome.STATED, span)
    is_known = sentence.is_english or figure.comparison is not Comparison.EXACTLY
    if span := bounding_span(figure, references, is_known=is_known):
        words = references[span.reference].text[span.start : span.end]
        return Finding(figure, Outcome.BOUNDED, span, clip(words, _LONGEST_STEP))
    if sentence.question and FigureIndex([sentence.question]).find(figure):
        return Finding(figure, Outcome.DERIVED, None, "repeats the question")
    if figure.kind == "ratio" and figure.parts:
        found = [_find(part, sentence, references, compute=compute) for part in figure.parts]
        worst = max(found, key=lambda finding: list(Outcome).index(finding.outcome))
        return worst._replace(figure=figure)
    if bounding_span(figure, references, is_known=False) or not compute:
        return Finding(figure, Outcome.ABSENT)
    derivations = _derivations(references)
    if result := derivations.find(figure, sentence.text, [*sentence.own, *sentence.asked]):
        locations = (operand.location for operand in result.operands)
        location = next(filter(None, locations), None)
        span = None if location is None else references.span_at(*location)
        return Finding(figure, Outcome.DERIVED, span, clip(result.step, _LONGEST_STEP))
    if location := derivations.count(figure, sentence.text):
        span = references.span_at(*location)
        words = references[span.reference].text[span.start : span.end]
        return Finding(figure, Outcome.DERIVED, span, f"a count in {clip(words, _LONGEST_STEP)}")
    is_possible = is_supposed(figure, sentence.text) or not _DIGIT.search(figure.text)
    return Finding(figure, Outcome.POSSIBLE if is_possible else Outcome.ABSENT)


def find_outcomes(
    statement: str, references: References, question: str | None = None
) -> Iterator[Finding]:
    """Yield each figure of a statement with its outcome, in the order of the text.

    Figures that need no support, such as "one", are left out.

    Args:
        statement: The text whose figures are looked up, of one or many sentences.
        references: The texts that must support them.
        question: The question that the statement answers. Its figures may be repeated and computed
            with.
    """
    figures = list(figures_of_statement(statement))
    asked = find_figures(question) if question else ()
    spans = sentence_spans(statement)
    is_english = foreign_language(statement, ("en",)) is None
    absent = 0
    for figure in figures:
        if figure.incidental or (not is_english and _is_in_words(figure)):
            continue  # "ten" is no number in Dutch
        start, end = next(
            (span for span in spans if span[0] <= figure.start < span[1]), (0, len(statement))
        )
        end = max(end, *(last for first, last in spans if start <= first < figure.end))
        own = [other for other in figures if start <= other.start < end]
        sentence = _Sentence(statement[start:end], own, asked, question, is_english)
        compute = absent < _MOST_COMPUTED
        finding = _find(figure, sentence, references, compute=compute)
        absent += not finding.outcome.holds
        yield finding


def _is_in_words(figure: Figure) -> bool:
    """Whether a number is written in English words alone."""
    is_number = figure.kind in ("number", "count", "ordinal")
    return is_number and _ENGLISH_WORDS.fullmatch(figure.text) is not None
