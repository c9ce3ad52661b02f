"""The texts on which an engine and people disagree most, of however many rows."""

import heapq
from dataclasses import dataclass, field
from typing import Final

from groundtypes.calibration.labelled_rows import LabelledRow
from groundtypes.text.message_excerpts import clip

_MOST: Final = 20
_MAX_TEXT: Final = 400


@dataclass(frozen=True, slots=True, order=True)
class Example:
    """A labelled text with its score, and the number of its row."""

    score: float
    number: int
    text: str


@dataclass(slots=True)
class Examples:
    """The unsupported texts with the highest scores, and the supported ones with the lowest."""

    _unsupported: list[tuple[float, int, Example]] = field(default_factory=list)
    _supported: list[tuple[float, int, Example]] = field(default_factory=list)

    def add(self, row: LabelledRow, score: float) -> None:
        """Keep the text if few others are as surprising."""
        heap = self._supported if row.supported else self._unsupported
        surprise = -score if row.supported else score
        if len(heap) == _MOST and surprise <= heap[0][0]:
            return
        example = Example(score, row.number, clip(" ".join(row.text.split()), _MAX_TEXT))
        heapq.heappush(heap, (surprise, -row.number, example))
        if len(heap) > _MOST:
            heapq.heappop(heap)

    def wrongly_accepted(self, threshold: float) -> list[Example]:
        """Return unsupported texts that the threshold accepts, the highest score first."""
        found = [example for *_, example in sorted(self._unsupported, reverse=True)]
        return [example for example in found if example.score >= threshold]

    def wrongly_rejected(self, threshold: float) -> list[Example]:
        """Return supported texts that the threshold rejects, the lowest score first."""
        found = [example for *_, example in sorted(self._supported, reverse=True)]
        return [example for example in found if example.score < threshold]
