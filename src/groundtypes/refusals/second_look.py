"""A second look at texts that decline by the models, without what is not their own answer.

Most texts answer, and are read once. What declines is judged again without its quotations, code,
examples and translations, and without its polite ending: if what is left answers, so does the text.
"""

from collections.abc import Callable, Iterator

from groundtypes.refusals.closings import end_before_closing, says_more_than_courtesy
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.shown_words import without_shown_words

__all__ = ["own_parts"]


def own_parts(text: str, declines: Callable[[str], bool]) -> Iterator[str]:
    """Yield what a text says itself: without what it shows, and without its polite ending.

    `declines` judges a quotation or example alone. A text that is nothing but code yields "".
    """
    shorter = without_shown_words(text, declines)
    if shorter is not None:
        yield shorter
    rest = text if shorter is None else shorter
    end = _end_of_answer(rest)
    if end is not None:
        yield rest[:end]


def _end_of_answer(text: str) -> int | None:
    """Return where a text of which all is read ends without its polite ending, if it says more."""
    spans = opening_spans(text)
    if not spans or spans[-1][1] < len(text.rstrip()):
        return None
    end = end_before_closing(text)
    return end if end is not None and says_more_than_courtesy(text[:end]) else None
