"""What references say of each figure of a statement: it is stated, derived, bounded or absent."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from groundtypes.figures.cell_figures import figures_of_statement
from groundtypes.figures.derivation import Derivations
from groundtypes.figures.figure import Figure
from groundtypes.figures.index import FigureIndex
from groundtypes.figures.lookup import bounding_span, supporting_span
from groundtypes.figures.reader import find_figures
from groundtypes.references import PerReferences, References, Span
from groundtypes.shown_text import clip
from groundtypes.text.language_detection import foreign_language
from groundtypes.text.sentences import sentence_spans

__all__ = ["Finding", "Outcome", "find_outcomes"]

#: The operands of each collection of references are read once, and only if a figure needs them.
_derivations: Final = PerReferences(
    lambda references: Derivations(references.texts, references.structures)
)
_LONGEST_STEP: Final = 160
_ENGLISH_WORDS: Final = re.compile(r"[A-Za-z\s-]+")


class Outcome(StrEnum):
    """How references support a figure.

    Attributes:
        STATED: A reference has it, with the same value and unit.
        DERIVED: One step of arithmetic makes it of figures of the references, of the statement and
            of the question; or the question has it.
        BOUNDED: A reference has its value with another bound that does not exclude it: "up to 48"
            for "48".
        ABSENT: None of these.
    """

    STATED = "stated"
    DERIVED = "derived"
    BOUNDED = "bounded otherwise"
    ABSENT = "absent"


class Finding(NamedTuple):
    """A figure of a statement with its outcome.

    Attributes:
        figure: The figure.
        outcome: How the references support it.
        span: Where they do, or `None`.
        step: The step of arithmetic of a derived figure, such as "90 EUR - 65 EUR", or the words of
            the references that bound the value otherwise; else empty.
    """

    figure: Figure
    outcome: Outcome
    span: Span | None = None
    step: str = ""


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
    for figure in figures:
        if figure.incidental or (not is_english and _is_in_words(figure)):
            continue  # "ten" is no number in Dutch
        if span := supporting_span(figure, references):
            yield Finding(figure, Outcome.STATED, span)
            continue
        if span := bounding_span(figure, references, is_known=is_english):
            words = clip(_words(span, references), _LONGEST_STEP)
            yield Finding(figure, Outcome.BOUNDED, span, words)
            continue
        start, end = next(
            ((start, end) for start, end in spans if start <= figure.start < end),
            (0, len(statement)),
        )
        own = [other for other in figures if start <= other.start < end]
        yield _derived(figure, statement[start:end], [*own, *asked], question, references)


def _is_in_words(figure: Figure) -> bool:
    """Whether a number is written in English words alone."""
    is_number = figure.kind in ("number", "count", "ordinal")
    return is_number and _ENGLISH_WORDS.fullmatch(figure.text) is not None


def _words(span: Span, references: References) -> str:
    return references[span.reference].text[span.start : span.end]


def _derived(
    figure: Figure,
    sentence: str,
    own: list[Figure],
    question: str | None,
    references: References,
) -> Finding:
    """Return the figure as derived, or as absent."""
    if question and FigureIndex([question]).find(figure):
        return Finding(figure, Outcome.DERIVED, None, "repeats the question")
    derivations = _derivations(references)
    result = derivations.find(figure, sentence, own)
    if result is None:
        if listing := derivations.count(figure, sentence):
            span = references.span_at(*listing)
            step = f"a count in {clip(_words(span, references), _LONGEST_STEP)}"
            return Finding(figure, Outcome.DERIVED, span, step)
        return Finding(figure, Outcome.ABSENT)
    locations = (operand.location for operand in result.operands)
    location = next(filter(None, locations), None)
    span = None if location is None else references.span_at(*location)
    return Finding(figure, Outcome.DERIVED, span, clip(result.step, _LONGEST_STEP))
