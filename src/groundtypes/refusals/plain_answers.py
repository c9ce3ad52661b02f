"""Short English texts that answer: they have no word of those that decline.

Half of ordinary short answers are such texts. The rest of the detector would find the same of them,
after it had looked for sentences, labels and quotations.
"""

import string
from typing import Final

from groundtypes.refusals.asking_back import may_ask_back_in_english
from groundtypes.refusals.english import is_certainly_english
from groundtypes.refusals.labels import MAX_LABEL
from groundtypes.refusals.opening import WHOLE_OPENING
from groundtypes.refusals.short_replies import MAX_SHORT_REPLY
from groundtypes.refusals.vocabulary import may_decline

__all__ = ["is_plain_answer"]

#: Leaves of ASCII in lower case the letters. "don't" becomes "don" and "t", which may decline.
_ONLY_LETTERS: Final = str.maketrans(
    {code: " " for code in range(128) if chr(code) not in string.ascii_lowercase}
)


def is_plain_answer(text: str) -> bool:
    """Return whether a text of which all is read is an English answer by its words alone."""
    if not (MAX_SHORT_REPLY < len(text) <= WHOLE_OPENING and text.isascii()):
        return False
    # What follows a label such as "Answer:" may be a short reply.
    if ":" in text[:MAX_LABEL]:
        return False
    words = text.lower().translate(_ONLY_LETTERS).split()
    return (
        is_certainly_english(words)
        and not may_decline(words, text)
        and not may_ask_back_in_english(text, words)
    )
