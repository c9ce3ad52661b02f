"""Questions on the same texts in one sequence, so that each text is computed once.

A sequence holds texts, and behind each text the claims on it. The mask lets a claim see its text
and itself, and nothing else; the positions of each claim go on where its text ends. So the scores
are those of each question alone, apart from rounding, and there is no padding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundtypes.backends.causal_prompts import Prompt

#: The claims on one text may exceed the budget up to so many times the length of the text: reading
#: it once more costs more than a longer sequence.
_CLAIMS_PER_TEXT: Final = 2


@dataclass(slots=True)
class Packed:
    """The tokens of several questions as one sequence.

    Attributes:
        ids: The token ids.
        positions: The position of each token in its own question.
        texts: The number of the text that each token belongs to.
        claims: The number of the claim that each token belongs to; 0 for those of a text.
        ends: Where the last token of each question is, in the order of the prompts.
    """

    ids: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    claims: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, ids: Sequence[int], first: int, text: int, claim: int) -> None:
        """Append tokens whose positions begin with `first`."""
        self.ids += ids
        self.positions += range(first, first + len(ids))
        self.texts += [text] * len(ids)
        self.claims += [claim] * len(ids)


def pack(prompts: Sequence[Prompt]) -> Packed:
    """Return the questions as one sequence; those on the same text stand behind it."""
    packed = Packed(ends=[0] * len(prompts))
    for number, (text, positions) in enumerate(_by_text(prompts).items()):
        packed.add(text, 0, number, 0)
        for claim, position in enumerate(positions, 1):
            packed.add(prompts[position].claim, len(text), number, claim)
            packed.ends[position] = len(packed.ids) - 1
    return packed


def plan_packs(prompts: Sequence[Prompt], budget: int) -> Iterator[list[int]]:
    """Yield the positions of the questions of each sequence, of about `budget` tokens at most.

    The longest come first, so that memory that does not suffice is noticed early. A question that
    exceeds the budget is a sequence of its own.
    """
    groups = sorted(_by_text(prompts).items(), key=lambda item: -len(item[0]))
    current: list[int] = []
    tokens = 0
    for text, positions in groups:
        limit = max(budget, _CLAIMS_PER_TEXT * len(text))
        is_new = True
        for position in positions:
            needed = len(prompts[position].claim) + (len(text) if is_new else 0)
            if current and tokens + needed > (budget if is_new else limit):
                yield current
                current, tokens, is_new = [], 0, True
                needed = len(prompts[position])
            current.append(position)
            tokens += needed
            is_new = False
    if current:
        yield current


def _by_text(prompts: Sequence[Prompt]) -> dict[tuple[int, ...], list[int]]:
    groups: dict[tuple[int, ...], list[int]] = {}
    for position, prompt in enumerate(prompts):
        groups.setdefault(prompt.text, []).append(position)
    return groups
