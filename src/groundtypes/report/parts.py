"""Which part of a field each verdict is about.

A verdict says in which field it stands and where its evidence is. Which sentence or figure of the
field it judged is worked out here, by cutting the field as the checks do.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from groundtypes.entailment.questions import claiming_sentences
from groundtypes.figures.lookup import find_figures
from groundtypes.scoring import Label
from groundtypes.verdicts import Verdict

__all__ = ["Part", "parts"]

#: A stretch of a field: half open, in code points.
Part = tuple[int, int]

_LABELS: Final = frozenset(Label)
#: Fields up to this length are cut; a page of anything longer is not read sentence by sentence.
_LONGEST: Final = 100_000
#: What a message quotes from the field.
_QUOTED: Final = re.compile(r'"([^"]{1,300})"')


def parts(text: str, verdicts: Sequence[Verdict]) -> list[Part | None]:
    """Return the stretch of the text that each verdict of its field is about.

    `None` where that is the whole field, or not known. Verdicts of one check stand in the order
    of what they judged.
    """
    found: list[Part | None] = [None] * len(verdicts)
    if len(text) > _LONGEST:
        return found
    for check in dict.fromkeys(verdict.check for verdict in verdicts):
        numbers = [at for at, verdict in enumerate(verdicts) if verdict.check == check]
        group = [verdicts[at] for at in numbers]
        for at, part in zip(numbers, _of_one_check(text, group), strict=True):
            found[at] = part
    return found


def _of_one_check(text: str, verdicts: Sequence[Verdict]) -> Sequence[Part | None]:
    cut = _cut_of(verdicts)
    if cut is None:
        return [None] * len(verdicts)
    stretches = cut(text)
    if len(stretches) == len(verdicts):
        return stretches
    return [_quoted(text, verdict) for verdict in verdicts]


def _cut_of(verdicts: Sequence[Verdict]) -> Callable[[str], list[Part]] | None:
    """Return how the check cuts its field, if it does."""
    if verdicts[0].check == "Figures":
        return None if verdicts[0].label == "none" else _figures
    if all(verdict.label in _LABELS for verdict in verdicts):
        return _sentences
    return None


def _sentences(text: str) -> list[Part]:
    return [(one.start, one.end) for one in claiming_sentences(text)]


def _figures(text: str) -> list[Part]:
    asked = [figure for figure in find_figures(text) if not figure.incidental]
    first: dict[str, Part] = {}
    for figure in asked:
        first.setdefault(figure.text, (figure.start, figure.end))
    return list(first.values())


def _quoted(text: str, verdict: Verdict) -> Part | None:
    """Return the stretch that a fault's message quotes first and that stands in the text."""
    for match in _QUOTED.finditer(verdict.message or ""):
        at = text.find(match[1])
        if at >= 0:
            return at, at + len(match[1])
    return None
