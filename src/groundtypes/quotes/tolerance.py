"""Which differences a fuzzy search forgives: punctuation, and slips of the pen."""

from collections.abc import Callable, Sequence

from groundtypes.quotes.align import Edit, Unit
from groundtypes.quotes.patterns import DASH, HYPHEN, POINT
from groundtypes.quotes.typos import is_slip

__all__ = ["forgiven"]

#: At most one word in so many may hold a slip.
_WORDS_PER_SLIP = 4


def forgiven(
    edits: Sequence[Edit], quote: str, text: str, words: int, known: Callable[[str], bool]
) -> bool:
    """Whether all differences are punctuation or slips, and slips are few among the words.

    `known` says whether a word is one of the references'. Where there are no edits at all, marks
    differ that are not compared, such as the numbers of footnotes: that is forgiven nowhere.
    """
    slips = 0
    for edit in edits:
        if _is_punctuation(edit, quote, text):
            continue
        if not _is_slip(edit, text, known):
            return False
        slips += 1
    return bool(edits) and slips * _WORDS_PER_SLIP <= words


def _is_slip(edit: Edit, text: str, known: Callable[[str], bool]) -> bool:
    if len(edit.quoted) != 1 or len(edit.true) != 1:
        return False
    true = edit.true[0]
    return is_slip(edit.quoted[0].key, text[true.start : true.end], known)


def _is_punctuation(edit: Edit, quote: str, text: str) -> bool:
    """Whether only punctuation differs, and not inside a number or ratio."""
    return all(
        unit.kind in (POINT, DASH, HYPHEN) and not _between_digits(unit, whole)
        for units, whole in ((edit.quoted, quote), (edit.true, text))
        for unit in units
    )


def _between_digits(unit: Unit, text: str) -> bool:
    before = text[max(0, unit.start - 9) : unit.start].rstrip()[-1:]
    after = text[unit.end : unit.end + 9].lstrip()[:1]
    return before.isdigit() and after.isdigit()
