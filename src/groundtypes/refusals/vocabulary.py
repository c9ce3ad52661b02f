"""The words that tell a refusal from an answer, and how words are folded into a few tokens.

Words with the same function ("passage", "document", "context") become one token, so that the model
needs few examples of each.
"""

from collections.abc import Sequence
from typing import Final

#: The token in capitals, or the word, that replaces each of these words.
_CLASSES: Final = {
    "DOC": (
        "context contexts passage passages document documents source sources text texts excerpt "
        "excerpts paragraph paragraphs reference references article articles snippet snippets "
        "material materials transcript page pages knowledge base corpus result results manual "
        "report record records file files content data"
    ),
    "GIVEN": "provided given supplied available above retrieved uploaded shared following attached",
    "SAY": (
        "provide provides mention mentions mentioned contain contains include includes included "
        "specify specifies specified say says state states stated address addresses addressed "
        "discuss discusses discussed cover covers covered describe describes described offer "
        "offers indicate indicates indicated list lists listed explain explains explained "
        "disclose discloses disclosed detail details refer refers clarify clarifies reveal "
        "reveals identify identifies contained"
    ),
    "HELP": (
        "help assist support fulfill fulfil comply answer respond complete produce write "
        "generate create engage participate continue proceed give advise recommend suggest tell "
        "teach encourage promote endorse condone assisting helping providing giving creating "
        "writing generating answering fulfilling engaging"
    ),
    "INFO": (
        "information info details evidence mention indication reference answer detail specifics "
        "guidance knowledge"
    ),
    "BAD": (
        "illegal unethical harmful inappropriate dangerous offensive unlawful hateful immoral "
        "disrespectful discriminatory derogatory unsafe violent malicious racist sexist biased "
        "insensitive fraudulent violence harm hate discrimination crime criminal"
    ),
    "AI": "ai llm chatbot bot assistant",
    "SORRY": "sorry apologize apologise apologies apology unfortunately regret regrettably afraid",
    "FIND": "find found locate located determine determined see identify confirm verify",
    "REQUEST": "request requests prompt query queries question questions ask asks inquiry task",
    "not": "not never cant cannot dont doesnt wont isnt arent didnt couldnt ain",
    "no": "no none neither nor without zero",
    "unable": "unable incapable impossible",
    "decline": "decline declines refuse refrain declining refuses",
}
_TOKEN_OF_WORD: Final = {
    word: token
    # A word in two classes belongs to the first.
    for token, words in reversed(_CLASSES.items())
    for word in words.split()
}
#: Words that are left out.
_FILLERS: Final = frozenset(
    "really explicitly directly specifically currently simply just also actually any very quite "
    "truly certainly definitely the a an this that these those such and so but or".split()
)
#: A text without any of these words is taken for an answer without running the model. The list is
#: broad, so that it has a word of every English text that declines ("t" is the rest of "don t").
_BARE_TRIGGERS: Final = (
    "not no none cannot cant dont doesnt wont isnt never neither nor without unable incapable "
    "impossible sorry apologize apologise apologies apology unfortunately regret regrettably "
    "afraid ai llm chatbot bot assistant decline declines declined refuse refuses refrain "
    "illegal unethical harmful inappropriate dangerous offensive unlawful hateful immoral "
    "disrespectful discriminatory derogatory unsafe malicious insensitive unclear unknown "
    "insufficient lacks lack lacking missing absent unanswerable nothing nope nah against "
    "guidelines policy policies respectful respect ethical appropriate uncomfortable "
    "unspecified unaware unsure uncertain only comply rather violates violate responsible "
    "nobody legal false stereotypes stereotype privacy private clarify rephrase important "
    "model personal context passage t nowhere outside silent mean ambiguous confidential disabled "
    "blocked withheld guess undisclosed beyond cropped intend stopped restricted "
    "i i'm me my mine please blank empty incomplete illegible unreadable smudged redacted null tba"
).split()
#: The verbs that "n't" is appended to.
_NEGATED_VERBS: Final = (
    "ai are ca could did do does had has have is may might must need ought sha should was were wo "
    "would"
).split()
_TRIGGERS: Final = frozenset(
    [
        *_BARE_TRIGGERS,
        *(f"{word}'{end}" for word in _BARE_TRIGGERS for end in ("s", "d", "ll", "re", "ve")),
        *(f"{word}n't" for word in _NEGATED_VERBS),
    ]
)
#: Contractions whose two halves are not those on either side of the apostrophe.
_CONTRACTIONS: Final = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "i'm": "i am",
    "it's": "it is",
    "that's": "that is",
    "there's": "there is",
}
#: The word that the half behind an apostrophe is short for.
_SECOND_HALVES: Final = {"re": "are", "ve": "have", "ll": "will", "d": "would"}


def may_decline(words: Sequence[str], opening: str = "") -> bool:
    """Whether a text has any of the words without which it is taken for an answer.

    A question may ask back, whatever its words; `opening` is searched for one if it is given.
    """
    return "?" in opening or not _TRIGGERS.isdisjoint(words)


def fold_word(word: str) -> tuple[str, ...]:
    """Return the tokens of a word: none, one, or one for each half of a contraction."""
    return tuple(
        _TOKEN_OF_WORD.get(part, part) for part in _expand(word) if part and part not in _FILLERS
    )


def _expand(word: str) -> list[str]:
    """Return the words of a contraction, or the word itself."""
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word].split()
    if word.endswith("n't"):
        return [word[:-3], "not"]
    first, *others = word.split("'")
    return [first, *(_SECOND_HALVES.get(part, part) for part in others)]
