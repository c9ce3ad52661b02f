"""The passages or references that go into a prompt, numbered and without repetition.

Overlapping passages are merged into one text. The LLM gives the number of the deciding text;
`EvidencePassages.deciding_passage` maps it to a passage with its span.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from groundtypes.entailment.evidence.passage_index import Passage, select_passages
from groundtypes.references import References, Span
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

#: How many passages are selected for each hypothesis of a batch.
_PASSAGES_EACH: Final = 2
#: The most characters of all passages of a batch.
_MAX_PASSAGES: Final = 16_000


@dataclass(frozen=True, slots=True)
class EvidencePassages:
    """Passages in the form that goes into a prompt, in the order of the references.

    Passages that overlap or follow each other directly are merged. `texts` are the merged texts;
    `merged` holds for each of them the passages that it was merged from. In the prompt the first
    text is called "passage 1".
    """

    texts: tuple[str, ...]
    merged: tuple[tuple[Passage, ...], ...]

    @classmethod
    def of(cls, passages: Iterable[Passage], references: References) -> "EvidencePassages":
        """Return passages of the references, sorted and merged."""
        in_order = sorted(
            passages,
            key=lambda passage: (references.number(passage.span.reference), passage.span.start),
        )
        merged: list[list[Passage]] = []
        for passage in in_order:
            if merged and _is_adjacent(merged[-1], passage, references):
                merged[-1].append(passage)
            else:
                merged.append([passage])
        texts = (
            references[group[0].span.reference].text[group[0].span.start : _end(group)]
            for group in merged
        )
        return cls(tuple(texts), tuple(map(tuple, merged)))

    @property
    def named_texts(self) -> list[tuple[str, str]]:
        """The texts with the names that they have in a prompt."""
        return [(f"passage {number}", text) for number, text in enumerate(self.texts, 1)]

    def deciding_passage(self, number: int | None, claim: str) -> Passage | None:
        """Return the passage behind the number that an LLM gave for a claim.

        If several passages were merged, it is the one that shares most content words with the
        claim; if there is no text with this number, it is the best one of all passages. The result
        is `None` if there are no passages.
        """
        if number is not None and 1 <= number <= len(self.merged):
            candidates = list(self.merged[number - 1])
        else:
            candidates = [passage for group in self.merged for passage in group]
        claim_terms = content_terms(claim)
        return max(
            candidates,
            key=lambda passage: len(claim_terms & content_terms(passage.text)),
            default=None,
        )


def _end(passages: Iterable[Passage]) -> int:
    return max(passage.span.end for passage in passages)


def _is_adjacent(group: list[Passage], passage: Passage, references: References) -> bool:
    """Whether a passage overlaps the group or only white space lies between them."""
    reference, end = passage.span.reference, _end(group)
    if group[0].span.reference != reference:
        return False
    gap = references[reference].text[end : passage.span.start]
    return passage.span.start <= end or not gap.strip()


def batches_with_evidence(
    items: Iterable[Hypothesis],
    references: References,
    max_hypotheses: int,
    max_characters: int,
    passages_each: int = _PASSAGES_EACH,
) -> Iterator[tuple[tuple[Hypothesis, ...], EvidencePassages]]:
    """Yield the hypotheses in batches, one for each prompt, with the passages selected for them.

    A batch has at most `max_hypotheses` hypotheses, of at most `max_characters` characters in all;
    it exceeds `max_characters` only if it is a single hypothesis. The passages of a batch are
    limited to about 16,000 characters.
    """
    batch: list[Hypothesis] = []
    passages: dict[Span, Passage] = {}
    for hypothesis in items:
        selected = {
            passage.span: passage
            for passage in select_passages(references, hypothesis.text, passages_each)
        }
        if batch and (
            len(batch) == max_hypotheses
            or _characters([*batch, hypothesis]) > max_characters
            or _characters((passages | selected).values()) > _MAX_PASSAGES
        ):
            yield tuple(batch), EvidencePassages.of(passages.values(), references)
            batch, passages = [], {}
        batch.append(hypothesis)
        passages |= selected
    if batch:
        yield tuple(batch), EvidencePassages.of(passages.values(), references)


def _characters(items: Iterable[Hypothesis | Passage]) -> int:
    return sum(len(item.text) for item in items)


#: If the references have more characters in all, only their relevant passages are shown.
_MAX_REFERENCES: Final = 24_000
#: How many passages are selected for each sentence of the text.
_PASSAGES_OF_SENTENCE: Final = 3
#: How many characters of a text decide which passages are relevant.
_MAX_TEXT: Final = 20_000


def relevant_references(
    references: References, text: str, name: str = "reference"
) -> list[tuple[str, str]]:
    """Return the references with their names in a prompt: "reference 1", "reference 2", ...

    References of more than 24,000 characters in all are reduced to the passages that are relevant
    to the text.
    """
    if sum(map(len, references.texts)) <= _MAX_REFERENCES:
        texts = references.texts
    else:
        texts = EvidencePassages.of(_relevant_passages(references, text), references).texts
    return [(f"{name} {number}", reference) for number, reference in enumerate(texts, 1)]


def _relevant_passages(references: References, text: str) -> Iterator[Passage]:
    """Yield the passages selected for each sentence of a text, 24,000 characters at most."""
    characters_left = _MAX_REFERENCES
    seen = set()
    for sentence in hypotheses(text[:_MAX_TEXT]):
        for passage in select_passages(references, sentence.text, _PASSAGES_OF_SENTENCE):
            if passage.span not in seen and len(passage.text) <= characters_left:
                seen.add(passage.span)
                characters_left -= len(passage.text)
                yield passage
