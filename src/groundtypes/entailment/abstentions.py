"""Whether the references contain what a text says that they do not: an abstention may be wrong.

"The documents do not say when the contract was signed" is right unless they say it. So an engine is
asked about "when the contract was signed" alone, and entailment of that is a fault.
"""

import re
from functools import lru_cache
from typing import Final

from groundtypes.refusals.detect import detect_refusal
from groundtypes.refusals.refusal import RefusalKind
from groundtypes.refusals.word_classes import fold, load_word_classes
from groundtypes.scoring import THRESHOLD, NLIScores
from groundtypes.text.coverage import content_terms

#: A passage that entails with at least this probability what an abstention denies says it: for
#: engines that read whole texts, and for others. Chosen on RAG answers with wrong abstentions.
_SAID_BY_READER: Final = THRESHOLD
SAID: Final = 0.6
#: A longer sentence does more than to abstain.
_MAX_ABSTENTION: Final = 300
#: The classes of words that deny, of those that say it together with them ("not mention"), which
#: stand at most so many words apart, and of all words that tell nothing of what is denied.
_DENYING: Final = frozenset({"NEG", "MISSING", "UNSURE"})
_TELLING: Final = frozenset({"SAY", "KNOW"})
_FRAME: Final = _DENYING | _TELLING | {"DOC", "INFO", "FIND", "GIVEN", "SORRY"}
_MAX_BETWEEN: Final = 3
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_CLAUSE_END: Final = re.compile(
    r"[,;:()\u2013\u2014\uff0c\uff1b\u3001\u3002\uff01\uff1f]+\s*|\s-\s|[.!?]+\s+"
)
#: What is denied has a word.
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
#: A clause of fewer words claims nothing by itself.
_MIN_CLAUSE: Final = 3


@lru_cache(maxsize=4_096)
def denied_by(sentence: str) -> str | None:
    """Return what a sentence says that the references do not say; `None` if it says more, or else.

    That is what stands before or behind words such as "not mention".
    """
    if len(sentence) > _MAX_ABSTENTION:
        return None
    part = _part_without_frame(sentence)
    if not (_LETTERS.search(part) and content_terms(part) and _abstains(sentence)):
        return None
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if clause]
    long = [clause for clause in clauses if len(clause.split()) >= _MIN_CLAUSE]
    return part if len(long) <= 1 or all(map(_abstains, long)) else None


def scores_of_abstention(said: float, *, reads: bool) -> NLIScores:
    """Return the scores of an abstention, given the probability that the references say it.

    Args:
        said: The probability of entailment of what the sentence denies.
        reads: Whether it is that of an engine which reads whole texts.
    """
    limit = _SAID_BY_READER if reads else SAID
    wrong = min(1.0, said * THRESHOLD / limit)
    return NLIScores(entailment=1.0 - wrong, neutral=0.0, contradiction=wrong)


def _abstains(text: str) -> bool:
    return detect_refusal(text).kind is RefusalKind.ABSTENTION


def _part_without_frame(sentence: str) -> str:
    """Return what stands before or behind the words that deny; `""` if it has none of these."""
    known = load_word_classes()
    words = list(_WORD.finditer(sentence))
    classes = [set(known.of_word(fold(word[0]))) for word in words]
    told = [at for at, found in enumerate(classes) if found & (_DENYING | _TELLING)]
    groups: list[list[int]] = []
    for at in told:
        if groups and at - groups[-1][-1] <= _MAX_BETWEEN:
            groups[-1].append(at)
        else:
            groups.append([at])
    group = next((group for group in groups if any(classes[at] & _DENYING for at in group)), None)
    if group is None:
        return ""
    sides = (range(group[-1] + 1, len(words)), range(group[0]))
    side = max(
        sides,
        key=lambda side: len(
            content_terms(" ".join(words[at][0] for at in side if not classes[at] & _FRAME))
        ),
    )
    return sentence[words[side[0]].start() : words[side[-1]].end()] if side else ""
