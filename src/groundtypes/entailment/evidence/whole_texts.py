"""Premises for engines that read whole texts: all references, or the best passages in their order.

All sentences of an answer share one premise where possible, because an engine then reads it once.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from groundtypes.entailment.evidence.passage_index import PassageIndex, chunk_index
from groundtypes.references import References
from groundtypes.scoring import NLIScorer, window_of_reader

#: What stands between references, and between passages that do not follow each other.
_GAP = "\n\n"
#: Tokens of a question beside its texts: the template and what separates texts.
_TEMPLATE_TOKENS = 80
#: How many bytes of UTF-8 a token has at least, on average, if an engine does not count.
_BYTES_PER_TOKEN = 3
#: No tokenizer has tokens with more characters than this, on average.
_CHARACTERS_PER_TOKEN = 12
#: At most so many passages are looked at for each sentence.
_PASSAGES = 24


def premises_for_reader(
    references: References, statements: Sequence[tuple[str, str]], engine: NLIScorer
) -> list[str]:
    """Return the premise of each statement for an engine with a window.

    Args:
        references: The references.
        statements: What is judged, and for each what stands before it.
        engine: The engine, which says how much it reads.
    """
    window = window_of_reader(engine)
    assert window is not None  # noqa: S101 # the caller has asked
    count = _counter(engine)
    longest = max((count(before) + count(text) for text, before in statements), default=0)
    budget = max(window // 2, window - longest - _TEMPLATE_TOKENS)
    if _fits(references.texts, budget, count):
        return [_GAP.join(references.texts)] * len(statements)
    index = chunk_index(references)
    ranked = [index.most_similar_positions(text, _PASSAGES) for text, _ in statements]
    premises: list[str] = []
    for group in _groups(index, ranked, budget, count):
        chosen = _chosen(index, ranked[group], budget, count)
        premises += [_joined(index, references, chosen)] * len(ranked[group])
    return premises


def _counter(engine: NLIScorer) -> Callable[[str], int]:
    """Return what counts the tokens of a text."""
    counted: Callable[[str], int] | None = getattr(engine, "count_tokens", None)
    if counted is not None:
        return counted
    return lambda text: -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)


def _fits(texts: Sequence[str], budget: int, count: Callable[[str], int]) -> bool:
    """Whether all texts together have at most `budget` tokens."""
    if sum(map(len, texts)) > budget * _CHARACTERS_PER_TOKEN:
        return False  # without counting the tokens of a library
    return sum(count(text) + 1 for text in texts) <= budget


def _groups(
    index: PassageIndex,
    ranked: Sequence[Sequence[int]],
    budget: int,
    count: Callable[[str], int],
) -> list[slice]:
    """Return runs of statements whose best passages fit together, as few as halving gives."""
    groups = [slice(0, len(ranked))]
    done: list[slice] = []
    while groups:
        group = groups.pop()
        best = {positions[0] for positions in ranked[group] if positions}
        size = group.stop - group.start
        if size <= 1 or sum(count(index.text(position)) for position in best) <= budget:
            done.append(group)
        else:
            middle = group.start + size // 2
            groups += [slice(middle, group.stop), slice(group.start, middle)]
    return done


def _chosen(
    index: PassageIndex,
    ranked: Sequence[Sequence[int]],
    budget: int,
    count: Callable[[str], int],
) -> list[int]:
    """Return the positions of the passages that all statements share, in ascending order.

    First the best passage of each statement, then the second best of each, and so on.
    """
    chosen: set[int] = set()
    left = budget
    for rank in range(_PASSAGES):
        for positions in ranked:
            if rank >= len(positions) or positions[rank] in chosen:
                continue
            size = count(index.text(positions[rank])) + 1
            # The best passage of all is taken even if it is too long: the engine cuts it.
            if size <= left or not chosen:
                chosen.add(positions[rank])
                left -= size
    return sorted(chosen)


def _joined(index: PassageIndex, references: References, positions: Sequence[int]) -> str:
    """Return passages as one text; those that follow each other as they do in the reference."""
    if not positions:
        return ""
    pieces = [index.text(positions[0])]
    for before, position in pairwise(positions):
        first, second = index.passage(before).span, index.passage(position).span
        rows = index.is_row(before) or index.is_row(position)
        if rows or first.reference != second.reference or position != before + 1:
            pieces.append(_GAP + index.text(position))
        else:  # passages may share a sentence
            text = references[second.reference].text
            pieces.append(text[first.end : second.end])
    return "".join(pieces)
