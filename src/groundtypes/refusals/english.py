"""Whether an opening is English, by its most frequent words."""

from collections.abc import Sequence
from typing import Final

from groundtypes.refusals.vocabulary import may_decline

#: With one of these and without any accent a text is English; they are looked up first.
_ONLY_ENGLISH: Final = frozenset("the and of that this with from which would should".split())
#: Frequent words of English that are no frequent words of other languages.
_ENGLISH: Final = frozenset(
    "the and of to is it you that this with for are was not have has be by from they we can "
    "which there your my as but or what all were when would could should will does do did i'm "
    "it's don't can't cannot isn't doesn't i've i'll i'd that's sorry no any if at an on has his "
    "she been its their into about after first last during said because through between years than "
    "who how where more died while".split()
)
#: Frequent words of other languages in the Latin script that are no English words.
_OTHERS: Final = frozenset(
    (
        "der das und ist nicht ich den dem ein eine zu mit auf es sie für kann leider keine "
        "kein im wird von wir auch aus oder le la les des est et une pas je vous pour dans que "
        "qui ne sur n'est il du au aux cette el los las por para con una no's se lo del al su "
        "sus está puedo è che di non per un sono della nel questo posso não um uma os ao dos "
        "da em é mas het een van niet dat ik voor zijn met op te och att som inte jag är på "
        "det av för og ikke jeg er til af han nie się na w z jest ja za že není v bir ve bu "
        "için değil yok saya tidak ini itu yang dan untuk dengan nu si și în este pe tôi không "
        "là của hogy nem és az egy ei en hän "
    ).split()
)


def is_english(words: Sequence[str], *, is_ascii: bool) -> bool:
    """Return whether the words of an opening are English; `is_ascii`: so are all characters.

    A text with none of the frequent words is English if it is ASCII and has a word of a refusal.
    """
    if is_ascii and not _ONLY_ENGLISH.isdisjoint(words):
        return True
    if _OTHERS.isdisjoint(words):
        return not _ENGLISH.isdisjoint(words) or (is_ascii and may_decline(words))
    english, others = _counts(words)
    return english > others


def may_be_english(words: Sequence[str], *, is_ascii: bool) -> bool:
    """Return whether an opening that is not recognised may be English all the same.

    Names, numbers and words such as "he runs away" tell no language, and some words are frequent in
    two ("van", "per").
    """
    if not is_ascii:
        return False
    english, others = _counts(words)
    return english >= others


def _counts(words: Sequence[str]) -> tuple[int, int]:
    """Return how many of the words are frequent in English, and how many in other languages."""
    return sum(map(_ENGLISH.__contains__, words)), sum(map(_OTHERS.__contains__, words))
