"""What tells a refusal from an answer: the word groups of its head, folded so that few say much.

A head becomes a row of words: case, typography, contractions and fillers are folded, words that
do the same work ("passage", "document", "context") are one, and what somebody else says in
quotation marks is left out. The groups of one to four neighbours are the features of a linear
model.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

__all__ = [
    "BREAK",
    "NEXT",
    "groups",
    "may_decline",
    "own_words",
    "plain_head",
    "row_of",
    "shape",
    "words_of",
]

#: So many words of a head are read.
_WORDS: Final = 140
_FIRST: Final = "<t>"
#: Stands in a row where a sentence begins, but for the first.
NEXT: Final = "<s>"
_LAST: Final = "</t>"
_QUOTE: Final = "<q>"
BREAK: Final = "\x01"
_MASK: Final = "\x02"

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
_FOLDED: Final = {
    word: name
    # What stands in two classes is of the first.
    for name, words in reversed(_CLASSES.items())
    for word in words.split()
}
_FILLERS: Final = frozenset(
    "really explicitly directly specifically currently simply just also actually any very quite "
    "truly certainly definitely the a an this that these those such and so but or".split()
)
#: No head in English without any of these declines ("t" is left of "don t"). It is broad: it
#: decides only which heads are read at all.
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
    "model personal context passage t"
).split()
_DENYING: Final = (
    "ai are ca could did do does had has have is may might must need ought sha should was were wo "
    "would"
).split()
_TRIGGERS: Final = frozenset(
    [
        *_BARE_TRIGGERS,
        *(f"{word}'{end}" for word in _BARE_TRIGGERS for end in ("s", "d", "ll", "re", "ve")),
        *(f"{word}n't" for word in _DENYING),
    ]
)
#: A word with what an apostrophe joins to it, or a mark; the first is for ASCII, and faster.
_ASCII_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)*|[\x01\x02]")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[\x01\x02]")
#: Contractions that are more than their two halves.
_CONTRACTED: Final = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "i'm": "i am",
    "it's": "it is",
    "that's": "that is",
    "there's": "there is",
}
_HALVES: Final = {"re": "are", "ve": "have", "ll": "will", "d": "would"}
_TYPOGRAPHY: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\u00b4\u0060\u2032\uff07\u055a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"')
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f")
)
_QUOTED: Final = re.compile(r"\"[^\"]{2,400}\"|(?<!\w)'[^']{8,400}'(?!\w)")
_KEY: Final = re.compile(r"\"\w{1,30}\"(?=\s*:)")
_ASIDE: Final = re.compile(r"\*[^*\n]{2,200}\*|\([^()\n]{2,200}\)|[{}\[\]]")
_REPORTING: Final = re.compile(
    r"\b(?:said|says|say|replie[ds]|reply|answer(?:s|ed)|told|tells|wr(?:ote|ites)|respond(?:s|ed)|"
    r"asked|shout(?:s|ed)|whisper(?:s|ed)|explain(?:s|ed)|titled|called|named|phrase|sentence|words?"
    r"|lines?|translat\w*|means|quot\w+|lyrics?|song|example|reads|stat(?:es|ed)|add(?:s|ed)|"
    r"message|argu(?:es|ed)|admit(?:s|ted)|insist(?:s|ed)|declar(?:es|ed))\b"
)
_REPORTED: Final = re.compile(
    r"(?:(?<!\bi )(?<!\bwe )(?<!\bhave )(?<!\bam ))\b(?:said|replie[ds]|answered|told \w+|wrote|"
    r"responded|asked|shouted|whispered|explained|added|insisted|declared|announced)\s?[:,]\s?"
    r"(?=(?:no|i|we|my|sorry|it)\b)[^.!?\x01]*"
)
#: What a head has that holds another's words.
_TELLING: Final = (
    '"',
    " '",
    "said",
    "replie",
    "told",
    "wrote",
    "responded",
    "asked",
    "answered",
    "shouted",
    "whispered",
    "explained",
    "added",
    "insisted",
    "declared",
    "announced",
)
#: "I cannot recommend it enough" declines nothing.
_IDIOM: Final = re.compile(
    r"c(?<!\w.)(?:an(?:not|'?t| not)|ould(?:n't| not)) (?:"
    r"(?:recommend|thank|praise|stress|emphasi[sz]e|get|rate|speak|say) (?:\w+ ){0,5}enough\b"
    r"(?! (?:information|details?))|wait (?:to|for|until)\b|help but\b|help (?:feeling|wondering|"
    r"noticing|thinking|smiling|laughing|falling|loving|admiring|being|it\b(?! with))|"
    r"agree more\b|believe (?:how|it|my|that|what)\b|imagine\b|overstate\b|go wrong\b|"
    r"be happier\b)"
)
_OUTSIDE: Final = 25
_SHAPE: Final = 3_000
_SIZES: Final = (60, 150, 400, 1000, 2000)
_LIST: Final = re.compile(r"\n\s{0,8}(?:\d{1,2}[.)]|[-*\u2022])\s|: ?1[.)] ")


def plain_head(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the sentences in lower case and plain typography, with a mark between them."""
    head = BREAK.join([text[start:end] for start, end in spans]).lower()
    if not head.isascii():
        return unicodedata.normalize("NFKC", head).lower().translate(_TYPOGRAPHY)
    return head.replace("`", "'") if "`" in head else head


def words_of(head: str) -> list[str]:
    """Return the words of a plain head, as many as are read."""
    pattern = _ASCII_TOKEN if head.isascii() else _TOKEN
    return pattern.findall(head)[:_WORDS]


def may_decline(words: Sequence[str]) -> bool:
    """Whether any word is one of those without which nothing declines."""
    return not _TRIGGERS.isdisjoint(words)


def own_words(head: str, words: list[str]) -> list[str]:
    """Return the words of a plain head without idioms and what others say; `words` are all."""
    own = head
    if any(map(head.__contains__, _TELLING)):
        own = _without_quotes(own)
    own = _IDIOM.sub(f" {_MASK} ", own)
    return words if own == head else words_of(own)


def _without_quotes(head: str) -> str:
    """Return the head without what somebody else says; what is a quote as a whole stays."""
    if '"' in head or " '" in head:
        bare = _KEY.sub("", head) if '":' in head or '" :' in head else head
        outside = _ASIDE.sub("", _QUOTED.sub("", bare))
        if _REPORTING.search(outside) or sum(map(str.isalpha, outside)) > _OUTSIDE:
            head = _QUOTED.sub(_masked, bare)
    return _REPORTED.sub(_masked, head)


def _masked(match: re.Match[str]) -> str:
    return f" {_MASK} {BREAK * match[0].count(BREAK)}"


def row_of(words: Sequence[str], *, whole: bool) -> list[str]:
    """Return the words as the model knows them; `whole`: nothing stands behind them."""
    row = [_FIRST, *chain.from_iterable(map(_FOLDS.__getitem__, words))]
    if whole:
        row.append(_LAST)
    return row


class _Folds(dict[str, tuple[str, ...]]):
    """Word -> what stands for it in a row: nothing, one word, or the parts of a contraction.

    Each word is folded once; of words that are not known yet, so many are remembered.
    """

    _MOST: Final = 20_000
    _LONGEST: Final = 40

    def __missing__(self, word: str) -> tuple[str, ...]:
        folded = tuple(
            _FOLDED.get(part, part) for part in _parts(word) if part and part not in _FILLERS
        )
        if len(self) < self._MOST and len(word) <= self._LONGEST:
            self[word] = folded
        return folded


def _parts(word: str) -> list[str]:
    if word in _CONTRACTED:
        return _CONTRACTED[word].split()
    if word.endswith("n't"):
        return [word[:-3], "not"]
    return [_HALVES.get(part, part) if at else part for at, part in enumerate(word.split("'"))]


_FOLDS: Final = _Folds({BREAK: (NEXT,), _MASK: (_QUOTE,)})


def groups(row: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every group of one to four neighbours in a row."""
    second, third, fourth = row[1:], row[2:], row[3:]
    yield from zip(row, strict=False)
    yield from zip(row, second, strict=False)
    yield from zip(row, second, third, strict=False)
    yield from zip(row, second, third, fourth, strict=False)


def shape(text: str) -> list[str]:
    """Return features of the whole: how long it is, whether it has a list, and its paragraphs.

    What follows a disclaimer is seen by these, without being read: the first 3,000 characters
    tell enough.
    """
    begin = text[:_SHAPE].strip()
    size = len(begin) if len(text) <= _SHAPE else _SHAPE
    found = [f"<size{sum(size > limit for limit in _SIZES)}>"]
    if _LIST.search(begin):
        found.append("<list>")
    if paragraphs := begin.count("\n\n"):
        found.append(f"<paragraphs{min(3, paragraphs)}>")
    return found
