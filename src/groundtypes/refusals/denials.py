"""What a text denies that says that the references do not say something.

"The documents do not say when the contract was signed" denies "when the contract was signed".
"""

import re
from functools import lru_cache
from typing import Final

from groundtypes.refusals.detect import detect_refusal
from groundtypes.refusals.refusal import RefusalKind
from groundtypes.refusals.word_classes import fold, load_word_classes
from groundtypes.text.coverage import content_terms

#: A longer sentence does more than to abstain.
_MAX_ABSTENTION: Final = 300
#: The classes of words that deny, of those that say it together with them ("not mention"), which
#: stand at most so many words apart, and of all words that tell nothing of what is denied.
_DENYING: Final = frozenset({"NEG", "MISSING", "UNSURE"})
_TELLING: Final = frozenset({"SAY", "KNOW"})
_FRAME: Final = _DENYING | _TELLING | {"DOC", "INFO", "FIND", "GIVEN", "SORRY"}
_MAX_BETWEEN: Final = 3
#: What denies an answer has at most so many words of no class: the "based" of "based on".
_MOST_OTHER: Final = 1
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

    That is what stands before or behind words such as "not mention". It is empty where the sentence
    only denies an answer ("Unable to answer based on the given passages."), which says nothing that
    references could contain.
    """
    if len(sentence) > _MAX_ABSTENTION:
        return None
    part, is_answer = _denied_part(sentence)
    is_about_something = is_answer or (_LETTERS.search(part) and content_terms(part))
    if not (is_about_something and _abstains(sentence)):
        return None
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if clause]
    long = [clause for clause in clauses if len(clause.split()) >= _MIN_CLAUSE]
    if len(long) > 1 and not all(map(_abstains, long)):
        return None
    return "" if is_answer else part


def _abstains(text: str) -> bool:
    return detect_refusal(text).kind is RefusalKind.ABSTENTION


def _denied_part(sentence: str) -> tuple[str, bool]:
    """Return what stands before or behind the words that deny, and whether they deny an answer.

    It is empty if the sentence has no such words.
    """
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
        return "", False
    near = classes[max(0, group[0] - _MAX_BETWEEN) : group[-1] + 1 + _MAX_BETWEEN]
    tells = any(classes[at] & _TELLING for at in group)
    other = " ".join(word[0] for word, found in zip(words, classes, strict=True) if not found)
    denies_answer = not tells and any("ANSWER" in found for found in near)
    is_answer = denies_answer and len(content_terms(other)) <= _MOST_OTHER
    sides = (range(group[-1] + 1, len(words)), range(group[0]))
    side = max(
        sides,
        key=lambda side: len(
            content_terms(" ".join(words[at][0] for at in side if not classes[at] & _FRAME))
        ),
    )
    part = sentence[words[side[0]].start() : words[side[-1]].end()] if side else ""
    return part, is_answer
