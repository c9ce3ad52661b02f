"""What is one word: compounds with a hyphen or slash, names with signs, addresses, contractions.

The patterns match in plain text (`edge_context`), and no quote may end inside of a match.
"""

import re
from typing import Final

from groundtypes.text.characters import SPACELESS, WORD

__all__ = [
    "BEFORE_WORD",
    "INSIDE_WORD",
    "is_dotted_word",
    "is_elided_article",
    "is_possessor",
]

_PREFIXES: Final = (
    "non|un|anti|in|dis|pre|post|sub|ex|vice|pseudo|quasi|counter|co|re|half|semi|multi|nicht|"
    "contre|sans|ikke|icke|не|без|анти|псевдо"
)
#: Between these words and a hyphen, a part of a compound is left out: "lead- and cadmium-free".
_AND: Final = "and|or|und|oder|bzw|sowie|et|ou|og|och|eller|ja|tai|sekä|oraz|lub|и|или|та|або"
_LETTER: Final = r"[^\W\d_]"
INSIDE_WORD: Final = re.compile(
    rf"""{WORD}[-/&@_\u00b7\u2212]{WORD}
    |{WORD}-[ ]?\n[ ]*[^\W\d_]
    |{WORD}-(?:[,/]|[ ](?i:{_AND})(?!{WORD}))
    |(?<!{WORD})(?i:{_PREFIXES})\u2014{WORD}
    |(?<!{WORD})(?:[A-DFO]{{1,3}})-(?![\w-])
    |{WORD}\+
    |{WORD}\#{WORD}
    |(?<!{WORD})[A-Za-z][#\u266f\u266d](?!\w)
    |{WORD}(?:::|://){WORD}
    |[A-Z]{{2}}:{_LETTER}|{WORD}:in(?:nen)?(?!{WORD})
    |[A-Za-z]:\\\w|\w\\{{1,2}}\w(?=[\w\\.]*\\)
    |[\u05d0-\u05ea][\u05f3\u05f4"'][\u05d0-\u05ea]
    |{WORD}[\u207a\u207b]
    |(?<!\w)(?:(?:[A-Z][a-z]?\d{{0,2}}){{1,7}}\d|OH|HO|CN|SCN|Cl|Br)[-\u2212](?![\w-])
    |(?<!\w)(?:[A-Z][a-z]?\d{{0,2}}){{1,8}}\u2212(?![\w\u2212])
    |[A-Z\d)]\u2212(?![\w\u2212\s]|\s\d)
    |(?<![\w,])(?:[A-Z]|\d{{1,2}})'?,(?:(?:[A-Z]|\d{{1,2}})'?,){{0,3}}(?:[A-Z]|\d{{1,2}})'?-{_LETTER}
    |(?<!{WORD})[^\W\d_]{{1,2}}\^[-+\u2212]?\d
    |{WORD}(?:\((?:s|es|n|en|e|r|in|innen|nen|ies|ed)\)|/-{_LETTER})
    |\({_LETTER}{{1,6}}-?\){_LETTER}
    |\)-{_LETTER}
    |\[{_LETTER}\]{_LETTER}
    |{_LETTER}[ ]?(?i:n't|'(?:s|re|ve|ll|d|m|t))(?!{WORD})
    |{_LETTER}'{_LETTER}
    |\d's(?!{WORD})""",
    re.VERBOSE,
)
#: What precedes a word and belongs to it.
BEFORE_WORD: Final = re.compile(
    rf"""(?<!{WORD})(?:[@$]|(?<=\s)\#)(?=[^\W\d]){WORD}
    |(?<![\w.)\]"'])\.(?:[A-Z]{{2}}|[a-z])
    |(?<!{WORD})(?i:{_AND})[ ]-{WORD}
    |[不未非无無没沒][{SPACELESS}]""",
    re.VERBOSE,
)
_DOTTED: Final = re.compile(rf"{WORD}\.{WORD}")
#: Articles and pronouns that Romance languages join to the next word.
_ELIDED: Final = re.compile(
    r"(?i)(?<!\w)(?:[ldjmtscg]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|all|nell|sull|dall|coll|quell|"
    r"quest|bell|sant|un|gl|degl|agl|negl|dov|cos|com)'\Z"
)
_POSSESSIVE: Final = re.compile(r"[ ]?'[sS](?![\w-])")
_POSSESSOR: Final = re.compile(r"[^\W\d_]{2,}\Z")
#: After these words "'s" is short for "is", "has" or "us", and no possessive.
_CONTRACTED: Final = frozenset(
    "it he she that this there here what who where when why how which let everything something "
    "nothing anything everyone someone anyone everybody somebody nobody anybody one so now then "
    "dat wie das was der die er sie es wir ihr ist geht gibt hat wenn ob".split()
)


def is_possessor(before: str, after: str) -> bool:
    """Whether a name or noun ends here that a possessive follows: "Joe" in "Joe's house"."""
    if not _POSSESSIVE.match(after):
        return False
    word = _POSSESSOR.search(before)
    return word is not None and word[0].lower() not in _CONTRACTED


def is_elided_article(before: str) -> bool:
    """Whether the text ends with an article or pronoun before which a word begins: "l'"."""
    return _ELIDED.search(before) is not None


def is_dotted_word(window: str, at: int) -> bool:
    """Whether a full stop beside this offset is inside a name, such as "bank.com" or "U.S.".

    A sentence may also end there, where a space or a footnote mark was lost: "It grew.The" and
    "It grew.5 The".
    """
    for start in range(max(0, at - 2), at):
        if match := _DOTTED.match(window, start):
            stop = start + 1
            before, after = window[:stop], window[stop + 1 :]
            if after[0].isdigit():
                return after.lstrip("0123456789")[:1].isalpha() or before[-1].isdigit()
            if after[0].isupper():
                is_capitalised = before[-1].islower() and not after[1:2].isupper()
                return not is_capitalised
            return match[0][-1].islower()
    return False
