"""The passages of all references, indexed by their words, and the best of them for a hypothesis.

References are cut and indexed when they are first searched. The index lives as long as the
references; equal collections share one index. A row of a table, or an object of a JSON value, is a
passage with its headers or keys, in other words than it has in the text.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from groundtypes.entailment.evidence.table_rows import (
    RowPassage,
    passages_of_markdown,
    passages_of_structure,
)
from groundtypes.references import PerReferences, References, Span
from groundtypes.references.spans import page_at
from groundtypes.text.bm25 import LexicalIndex
from groundtypes.text.chunks import chunk_spans
from groundtypes.text.questions import asks, is_answer, stated
from groundtypes.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a reference that is used as evidence.

    Attributes:
        text: What it says: the words of the reference, or of a row its values with their headers.
        span: Where it is.
    """

    text: str
    span: Span


class PassageIndex:
    """The passages of a collection of references; positions run across all references."""

    def __init__(
        self,
        references: References,
        split: Callable[[str], Sequence[tuple[int, int]]],
        *,
        with_rows: bool = False,
    ) -> None:
        """Cut each reference at the spans that `split` returns for its text.

        Args:
            references: The references.
            split: Returns the spans of the passages of a text.
            with_rows: Whether the rows of tables in Markdown texts are passages of their own; those
                of JSON values and tables always are.
        """
        # A `PerReferences` value must not refer to its references, so it has only their parts.
        self._ids, self._texts, self._pages = references.ids, references.texts, references.pages
        self._structures = references.structures
        self._with_rows = with_rows
        self._spans: list[tuple[int, int, int]] = []
        #: What the passages say that are rows, by their position.
        self._rows: dict[int, RowPassage] = {}
        for number, text in enumerate(self._texts):
            structure = self._structures[number] if self._structures else None
            rows: list[RowPassage] = []
            if structure is not None:
                rows = passages_of_structure(text, structure)
            elif with_rows:
                rows = passages_of_markdown(text)
            spans = split(text) if structure is None else ()
            self._add(number, spans, rows)

    def _add(
        self, number: int, spans: Sequence[tuple[int, int]], rows: Sequence[RowPassage]
    ) -> None:
        """Add the passages of a text in their order; a row takes the place of what it overlaps."""
        at = 0
        for start, end in spans:
            while at < len(rows) and rows[at].end <= start:
                self._add_row(number, rows[at])
                at += 1
            if at == len(rows) or end <= rows[at].start:
                self._spans.append((number, start, end))
        for row in rows[at:]:
            self._add_row(number, row)

    def _add_row(self, number: int, row: RowPassage) -> None:
        self._rows[len(self._spans)] = row
        self._spans.append((number, row.start, row.end))

    def __len__(self) -> int:
        return len(self._spans)

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The BM25 index of the passages, built on first use: a single passage needs none.

        A question that nothing answers has no terms in an index of sentences.
        """
        positions = range(len(self))
        if self._with_rows:
            return LexicalIndex([stated(self.with_answer(position)[0]) for position in positions])
        return LexicalIndex([self.text(position) for position in positions])

    def with_answer(self, position: int) -> tuple[str, int]:
        """Return the words of a passage, and the position up to which they are.

        A question has the answer that follows it.
        """
        text, after = self.text(position), position + 1
        if (
            after < len(self)
            and asks(text)
            and not self.is_row(position)
            and self.number(after) == self.number(position)
            and is_answer(text, answer := self.text(after))
        ):
            return f"{text}\n{answer}", after
        return text, position

    def text(self, position: int) -> str:
        """Return what a passage says."""
        if (row := self._rows.get(position)) is not None:
            return row.words
        number, start, end = self._spans[position]
        return self._texts[number][start:end]

    def passage(self, position: int) -> Passage:
        """Return a passage with its span."""
        number, start, end = self._spans[position]
        page = page_at(self._pages[number], start) if self._pages else None
        structure = self._structures[number] if self._structures else None
        place = None if structure is None else structure.place_at(start, end)
        return Passage(self.text(position), Span(self._ids[number], start, end, page, place))

    def is_row(self, position: int) -> bool:
        """Whether a passage is a row, which says what its header says, too."""
        return position in self._rows

    def passage_about(self, position: int, statement_terms: AbstractSet[str]) -> Passage:
        """Return a passage; of a row only what has terms of a statement, and what names it."""
        passage = self.passage(position)
        row = self._rows.get(position)
        return passage if row is None else Passage(row.words_about(statement_terms), passage.span)

    def number(self, position: int) -> int:
        """Return the number of the reference that a passage is from."""
        return self._spans[position][0]

    def most_similar(self, hypothesis: str, count: int) -> list[Passage]:
        """Return up to `count` passages, the most similar first; of equal texts only the first."""
        return [self.passage(at) for at in self.most_similar_positions(hypothesis, count)]

    def most_similar_positions(self, hypothesis: str, count: int) -> list[int]:
        """Return the positions of the passages that `most_similar` returns."""
        if len(self) == 1:
            return [0]
        candidates = count
        while True:
            positions = self.lexical.best(hypothesis, candidates)
            # Later entries overwrite earlier ones, so the reversed order keeps the best position.
            best_by_text = {self.text(position): position for position in reversed(positions)}
            if len(best_by_text) >= count or candidates >= len(self):
                distinct = set(best_by_text.values())
                return [position for position in positions if position in distinct][:count]
            candidates *= 4


#: The index of the chunks of a collection of references, built once for each collection.
chunk_index: Final = PerReferences(lambda references: PassageIndex(references, chunk_spans))
#: The index of the sentences of a collection of references, built once for each collection.
sentence_index: Final = PerReferences(
    lambda references: PassageIndex(references, sentence_spans, with_rows=True)
)


def select_passages(references: References, hypothesis: str, count: int = 5) -> list[Passage]:
    """Return up to `count` passages of the references by BM25 similarity, the best first.

    Passages that share no word with the hypothesis come last, in the order of the references. Of
    several passages with the same text only one is returned.

    Raises:
        ValueError: `count` is not positive.
    """
    if count < 1:
        raise ValueError(f"select at least one passage, not {count}")
    return chunk_index(references).most_similar(hypothesis, count)
