"""The texts that the models of many languages learn, each with its kind and weight."""

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from corpora.refusal_replies import written_replies
from training.refusal_templates import examples, phrases
from training.refusals import CLAIMS, ORDINARY, PASSAGES, train_rows

__all__ = ["weighted_texts"]

#: Public sets of which three rows in ten are taken, and rows that count half.
_THINNED: Final = frozenset({"nomiracl_en", *CLAIMS, *ORDINARY})
_HALVED: Final = frozenset({"nomiracl_en", "templates"})
#: English has far more replies in varied wordings than the others, which these would drown out.
_OF_VARIED_ENGLISH: Final = 0.5
_EACH: Final = 3


def weighted_texts(
    folder: Path, parts: Collection[str] = ("train",)
) -> Iterator[tuple[str, str, float]]:
    """Yield each training text with its kind and weight; three rows in ten of the large sets."""
    for reply in written_replies():
        if reply.part in parts:
            is_common = reply.language != "en" or reply.wording == "common"
            yield reply.text, reply.kind, 1.0 if is_common else _OF_VARIED_ENGLISH
    without = ("templates", "written", *CLAIMS[1:], PASSAGES)
    for row in train_rows(folder, without, parts):
        number = int(hashlib.sha256(row.text.encode()).hexdigest(), 16) % 10
        if row.origin not in _THINNED or number < 3:  # three in ten
            yield row.text, row.kind, 0.5 if row.origin in _HALVED else 1.0
    yield from ((text, kind, 1.0) for text, kind in phrases())
    yield from ((text, kind, 0.5) for text, kind in examples(_EACH))
