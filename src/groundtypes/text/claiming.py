"""Which words of a sentence claim something that a reference could say.

Questions, offers, wishes, requests, pointers and phrases that lead to what follows claim nothing. A
sentence is divided into its clauses, and claims nothing only if none of them does, because a
superfluous fault costs a re-ask and a hidden claim is never judged: "I'm sorry, the museum is
closed." and "Please call, the office is open." claim something. `claiming_phrases.txt` has the
phrases.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from groundtypes.text.punkt import sentence_ends
from groundtypes.text.questions import asks

#: The name of another section, and a group that captures nothing.
_SECTION: Final = re.compile(r"\{([a-z ]+)\}")
_GROUP: Final = re.compile(r"(?<!\\)\((?!\?)")


@cache
def phrases(section: str) -> re.Pattern[str]:
    """Return the pattern of a section: one of its lines is to match."""
    return re.compile(_joined(section), re.IGNORECASE)


def _joined(section: str) -> str:
    lines = [
        _SECTION.sub(
            lambda name: _joined(name[1]), _GROUP.sub("(?:", line.replace("'", "['\u2019]"))
        )
        for line in _sections()[section]
    ]
    return f"(?:{'|'.join(lines)})"


@cache
def _sections() -> dict[str, list[str]]:
    text = (files(__package__) / "data" / "claiming_phrases.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].replace(" ", "").isalpha():
            lines = sections[line[1:-1]] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


#: The signs after which a sentence ends, and what may stand behind them.
_TRAILING: Final = " \t\r\n*_`\"'\u201d\u2019\u00bb)]"
_EDGES: Final = " \t\r\n*_>`\"'\u201c\u201d\u2018\u2019()[].,!;\u2026\uff0c\uff01\u3002"
_CLAUSE_EDGES: Final = _EDGES + ":-\u2013\u2014"
_QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f", "\u037e")
_COLONS: Final = (":", "\uff1a")
#: What a question of the writer begins with that follows a statement: "It is closed, shall I ...?"
_OWN_QUESTION: Final = re.compile(
    r"(?:[,;:] |\s[-\u2013\u2014] ?|\u2014)(?:(?:and|but|so|or) )?"
    r"(?:(?:would|do|could|can|will|did|have|are) you|(?:shall|should|can|may|could) (?:i|we))\b",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(
    r"[,;:\uff1a\uff1b\uff0c]\s|\s[-\u2013\u2014]+\s|\u2014"
    r"|\s(?=(?:but|because|although|though|whereas|yet|while|since|and (?:i|we|then))\b)",
    re.IGNORECASE,
)
#: What may stand before the first item of a list: "Key facts: It opened in 1932."
_LEAD: Final = re.compile(r"(?P<words>[^:\uff1a.!?\n]{1,60})[:\uff1a]\s{1,9}(?=\S)")
_CONJUNCTION: Final = re.compile(r"\A(?:and|but|so|or|then|also|well|yet)\b,? ?", re.IGNORECASE)
_URL: Final = re.compile(r"\(?(?:https?://|www\.)[^\s<>()]{1,500}[^\s<>().,;:!?]\)?")
_ADDRESS: Final = re.compile(r",? (?:everybody|everyone|folks|friends)\Z", re.IGNORECASE)
_POLITE: Final = re.compile(r",? please\Z", re.IGNORECASE)
#: Emoji, which are no words: "Hello \U0001f389!"
_SYMBOLS: Final = re.compile(r"[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]{1,100}")
_DIGIT: Final = re.compile(r"\d")
#: The longest sentence that may claim nothing, in characters, and the longest name of a link.
_LONGEST: Final = 300
_LONGEST_LINK: Final = 8
#: What takes the place of a link, as in `claiming_phrases.txt`.
_LINK_SIGN: Final = "\ufffc"


def claiming_words(text: str, *, cites: bool, links: Sequence[str] = ()) -> str:
    """Return the words of a sentence that claim something: all, or none, or some.

    Short sentences are joined with those beside them. A sentence that cites by a marker of its own
    claims something, unless it asks or only points; `links` are the words of the links in it.
    """
    lead = _LEAD.match(text)
    if lead and phrases("lead").fullmatch(lead["words"].strip(_EDGES)):
        text = text[lead.end() :]
    starts = [0, *sentence_ends(text, 0, len(text)), len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(starts)]
    is_cited = cites and len(pieces) == 1
    kept = [piece for piece in pieces if not _claims_nothing(piece, links, is_cited=is_cited)]
    return text if len(kept) == len(pieces) else " ".join(kept)


def _claims_nothing(text: str, links: Sequence[str], *, is_cited: bool) -> bool:
    ending = text.strip()[-_LONGEST:].rstrip(_TRAILING)
    # "It is tall, isn't it?" is a statement.
    if ending.endswith(_QUESTION_MARKS) and asks(text):
        own = None if is_cited else _OWN_QUESTION.search(text[:_LONGEST])
        before = text[: own.start()].strip(_EDGES) if own else ""
        return not before or phrases("condition").match(before) is not None or _has_no_claim(before)
    if len(text) > _LONGEST:
        return not is_cited and ending.endswith(_COLONS)
    if phrases("pointer").fullmatch(text.strip()):
        return True
    if is_cited:
        return False
    if ending.endswith(_COLONS):
        return True
    words = _with_link_signs(_SYMBOLS.sub("", text), links).strip(_EDGES)
    return not words or (_LINK_SIGN in words and _points_to_link(words)) or _has_no_claim(words)


def _with_link_signs(text: str, links: Sequence[str]) -> str:
    """Return a text with a sign in place of each link that is named by a few words."""
    for link in links:
        if link and len(link.split()) <= _LONGEST_LINK and not phrases("verbs").search(link):
            text = text.replace(link, _LINK_SIGN, 1)
    return _URL.sub(_LINK_SIGN, text)


def _points_to_link(words: str) -> bool:
    """Whether all that is said beside a link is that something is to be found there."""
    if phrases("link pointer").fullmatch(words):
        return True
    others = re.findall(r"[^\W_]+(?:['\u2019]\w+)?", words.replace(_LINK_SIGN, " "))
    return all(phrases("link words").fullmatch(word) for word in others)


def _has_no_claim(words: str) -> bool:
    """Whether each clause claims nothing, and at least one of them says so by its words."""
    words = _ADDRESS.sub("", words)
    if _POLITE.search(words):
        words = "please " + _POLITE.sub("", words)
    if phrases("no claim").fullmatch(words) and not _CLAUSE_END.search(words):
        return True
    clauses = (clause.strip(_CLAUSE_EDGES) for clause in _CLAUSE_END.split(words))
    kinds = {_kind_of(clause) for clause in clauses if clause}
    return "claim" not in kinds and ("no claim" in kinds or kinds == {"greeting"})


#: What a clause says: a part claims nothing beside a clause that does not.
_Kind: TypeAlias = Literal["claim", "no claim", "greeting", "part"]


def _kind_of(clause: str) -> _Kind:
    said = _CONJUNCTION.sub("", clause, count=1)
    while greeting := phrases("interjection").match(said):
        said = said[greeting.end() :].strip(_CLAUSE_EDGES)
        if not said:
            return "greeting"
    has_figure = _DIGIT.search(said) is not None
    if (
        phrases("no claim").fullmatch(said)
        or phrases("not told").search(said)
        or (not has_figure and phrases("without figures").fullmatch(said))
    ):
        return "no claim"
    return "part" if phrases("condition").match(said) else "claim"
