"""The passages of the references that are most similar to a hypothesis."""

from groundtypes.evidence.index import Passage, chunk_index
from groundtypes.references import References

__all__ = ["select_passages"]


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
