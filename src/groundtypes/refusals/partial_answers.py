"""English sentences that decline one thing and state another ("I can't say when, but it is oak").

The models mostly take them for the half that declines. Only what stands in the same sentence behind
"but" counts, and only a plain statement: "However, the manual does mention ..." says what else a
document has, and "but I can help with ..." is an offer.
"""

import re
from typing import Final

from groundtypes.refusals.english_features import fold_word

#: Longer texts have more than two halves, in characters.
_MAX_CHARACTERS: Final = 300
_SENTENCE: Final = re.compile(
    r"\s*([^.!?;:\n]{8,200}),\s+(?:but|though|although)\s+([^!?\n]{15,200}[^!?\s])[.!]?\s*"
)
_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)*")
_MIN_WORDS: Final = 5
#: Words that no plain statement has: offers, advice, persons, further denials (tokens of
#: `fold_word`). Beside an abstention, what documents do is no answer, either.
_NOT_PLAIN: Final = frozenset(
    "HELP BAD AI SORRY REQUEST not no unable decline i me my we us our you your please let feel "
    "free happy glad welcome contact consult ask check see visit call try consider instead should "
    "could might may would refer doctor lawyer professional alternatively hope here something "
    "anything".split()
)
_OF_DOCUMENTS: Final = frozenset(["DOC", "GIVEN", "SAY", "INFO", "FIND"])


def halves_of_partial_answer(text: str, *, is_refusal: bool) -> tuple[str, str] | None:
    """Return what may decline in a short English text, and the plain statement beside it.

    `is_refusal` says whether the text is taken for a refusal or an abstention.
    """
    if len(text) > _MAX_CHARACTERS:
        return None
    match = _SENTENCE.fullmatch(text.replace("\u2019", "'"))
    if match is None:
        return None
    words = _WORD.findall(match[2].lower())
    tokens = {token for word in words for token in fold_word(word)}
    is_plain = _NOT_PLAIN.isdisjoint(tokens) and (is_refusal or _OF_DOCUMENTS.isdisjoint(tokens))
    return (match[1], match[2]) if is_plain and len(words) >= _MIN_WORDS else None
