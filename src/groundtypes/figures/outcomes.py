"""What references say of each figure of a statement: it is stated, derived, bounded or absent."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from groundtypes.figures.cell_figures import figures_of_statement
from groundtypes.figures.derivation import Derivations, is_supposed
from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.index import FigureIndex
from groundtypes.figures.lookup import bounding_span, read_figures, supporting_span
from groundtypes.figures.passages import Passages
from groundtypes.figures.reader import find_figures
from groundtypes.references import PerReferences, References, Span
from groundtypes.text.language_detection import foreign_language
from groundtypes.text.message_excerpts import clip
from groundtypes.text.sentences import sentence_spans

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
            the sentence supposes it, perhaps as a case of a bound, or a step makes it that makes
            most others, too. It is a fault unless somebody who reads the references says
            otherwise.
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
    """A sentence of a statement with its figures and those of the question."""

    text: str
    own: Sequence[Figure]
    asked: Sequence[Figure]
    question: str | None
    is_english: bool


#: The references of each collection are cut into passages once, and only if a figure needs it.
_derivations: Final = PerReferences(
    lambda references: Derivations(Passages(references.texts, read_figures(references)))
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
    if location := derivations.bound_of_case(figure, sentence.text):
        span = references.span_at(*location)
        words = references[span.reference].text[span.start : span.end]
        return Finding(figure, Outcome.POSSIBLE, span, f"a case of {clip(words, _LONGEST_STEP)}")
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
