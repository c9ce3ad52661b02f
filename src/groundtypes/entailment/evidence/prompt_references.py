"""The references that go into a prompt about a whole text: all of them, or relevant passages."""

from collections.abc import Iterator
from typing import Final

from groundtypes.entailment.evidence.passage_index import Passage, select_passages
from groundtypes.entailment.evidence.prompt_passages import EvidencePassages
from groundtypes.references import References
from groundtypes.text.hypotheses import hypotheses

#: If the references have more characters in all, only their relevant passages are shown.
_MAX_CHARACTERS: Final = 24_000
#: How many passages are selected for each sentence of the text.
_PASSAGES_EACH: Final = 3
#: How many characters of a text decide which passages are relevant.
_MAX_TEXT: Final = 20_000


def relevant_references(
    references: References, text: str, name: str = "reference"
) -> list[tuple[str, str]]:
    """Return the references with their names in a prompt: "reference 1", "reference 2", ...

    References of more than 24,000 characters in all are reduced to the passages that are relevant
    to the text.
    """
    if sum(map(len, references.texts)) <= _MAX_CHARACTERS:
        texts = references.texts
    else:
        texts = EvidencePassages.of(_relevant_passages(references, text), references).texts
    return [(f"{name} {number}", reference) for number, reference in enumerate(texts, 1)]


def _relevant_passages(references: References, text: str) -> Iterator[Passage]:
    """Yield the passages selected for each sentence of a text, 24,000 characters at most."""
    characters_left = _MAX_CHARACTERS
    seen = set()
    for sentence in hypotheses(text[:_MAX_TEXT]):
        for passage in select_passages(references, sentence.text, _PASSAGES_EACH):
            if passage.span not in seen and len(passage.text) <= characters_left:
                seen.add(passage.span)
                characters_left -= len(passage.text)
                yield passage
