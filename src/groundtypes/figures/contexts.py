"""Figures that references state of something else than a statement does.

"The Halcyon spent the winter 130 miles from the Sound" is wrong where the passage about the Halcyon
has 90 miles, and 130 miles stand in one about sledges. The words of a statement tell: it shares
many with a passage that has another figure of the kind, and few with all that have the figure.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, Final

from groundtypes.figures.figure import Figure
from groundtypes.figures.forms import indexed_forms, supporting_forms
from groundtypes.figures.passages import Passages, words_of
from groundtypes.figures.steps import Operand

__all__ = ["Contexts"]

#: By how much more of the weight of a statement's words the other passage must have.
_LEAD: Final = 0.15
#: How many of its words the other passage must have.
_FEWEST_WORDS: Final = 5
#: Smaller numbers stand everywhere, and dates are said again without their occasion.
_SMALLEST: Final = 13
_WITHOUT_UNIT: Final = ("number", "count")
_NO_AMOUNTS: Final = frozenset(("ordinal", "label", "identifier"))


class Contexts:
    """Looks up what the passages are about that have a figure."""

    def __init__(self, passages: Passages) -> None:
        """Begin with the passages of some texts."""
        self._passages = passages

    @cached_property
    def _by_form(self) -> dict[tuple[str, Any], list[int]]:
        """The numbers of the operands with each form and value."""
        numbers: defaultdict[tuple[str, Any], list[int]] = defaultdict(list)
        for number, operand in enumerate(self._passages.operands):
            for reading in operand.figure.readings:
                for form in indexed_forms(reading, operand.figure):
                    numbers[form].append(number)
        return dict(numbers)

    @cached_property
    def _by_kind(self) -> dict[str, list[Operand]]:
        operands: defaultdict[str, list[Operand]] = defaultdict(list)
        for operand in self._passages.operands:
            for kind in _kinds(operand.figure):
                operands[kind].append(operand)
        return dict(operands)

    def other_figure(
        self, figure: Figure, own: Collection[Figure], statement: str
    ) -> Figure | None:
        """Return the figure that stands where the statement's should, if this one does not.

        Args:
            figure: A figure that the passages state.
            own: All figures of the statement.
            statement: The sentence.
        """
        kinds = _kinds(figure)
        if not kinds or _is_common(figure):
            return None
        stating = self._stating(figure)
        used = {
            operand.passage
            for other in own
            for operand in self._stating(other)
            if kinds & _kinds(operand.figure)
        }
        rivals = [
            operand
            for kind in kinds
            for operand in self._by_kind.get(kind, ())
            if operand.passage not in used
        ]
        if not stating or not rivals:
            return None
        words = words_of(statement)
        shared = self._passages.shared_words(words)
        whole = sum(map(self._passages.weight, words))
        rival = max(rivals, key=lambda one: self._weight(shared, [one.passage]))
        if len(shared.get(rival.passage, ())) < _FEWEST_WORDS:
            return None
        stated = max(self._weight(shared, self._around(one.passage)) for one in stating)
        lead = self._weight(shared, [rival.passage]) - stated
        return rival.figure if lead > _LEAD * whole else None

    def _stating(self, figure: Figure) -> list[Operand]:
        """Return the figures that support a figure, whatever their bounds."""
        numbers = {
            number for form in supporting_forms(figure) for number in self._by_form.get(form, ())
        }
        return [self._passages.operands[number] for number in sorted(numbers)]

    def _around(self, passage: int) -> list[int]:
        """Return a passage with those before and after it in its text."""
        locations = self._passages.locations
        return [
            other
            for other in range(max(0, passage - 1), min(len(locations), passage + 2))
            if locations[other].text == locations[passage].text
        ]

    def _weight(self, shared: dict[int, set[str]], passages: Sequence[int]) -> float:
        words = set().union(*(shared.get(passage, ()) for passage in passages))
        return sum(map(self._passages.weight, words))


def _kinds(figure: Figure) -> set[str]:
    """Return the kinds of amounts that a figure may be; numbers and counts are one."""
    kinds = {reading.kind for reading in figure.readings} - _NO_AMOUNTS
    return {"" if kind in _WITHOUT_UNIT else kind for kind in kinds}


def _is_common(figure: Figure) -> bool:
    """Whether it is a date or a small number, which stands in many contexts."""
    return any(
        reading.kind == "date"
        or (
            reading.kind in _WITHOUT_UNIT
            and not isinstance(reading.value, str | tuple)
            and reading.value in range(_SMALLEST)
        )
        for reading in figure.readings
    )
