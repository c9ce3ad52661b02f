"""Questions in references: what a text says without those that nothing answers.

"Can I return a gift card? Ask at the till." does not say that one can, but small models read it so.
A question that may be answered by "yes" or "no" says something only together with such an answer
behind it, and becomes a statement with it: "Can I return it? No." says "No, can not I return it.",
which models read like "I can not return it.". A question such as "When does it close?" stays if
something follows it, as the answer may be understood only with it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from groundtypes.text.punkt import CLOSING, sentence_ends
from groundtypes.text.question_words import AUXILIARY, LEADING_CLAUSE, PRONOUN, REDUCED_NOT

_MARKS: Final = "?\uff1f\u061f"
_ENDS: Final = re.compile(rf"[{_MARKS}][{_MARKS}!]*\.?[{CLOSING}]*\s*\Z")
#: How much of the end of a text is looked at.
_LONGEST_END: Final = 20
#: "The ferry is late, isn't it?" is a statement, and so is "Did you know that it is late?".
_STATING: Final = re.compile(
    rf",\s{{0,3}}(?:right|correct|ok|(?:{AUXILIARY}|wo|ca)(?:{REDUCED_NOT}|\snot)?\s{PRONOUN})"
    r"\s?\?\W*\Z"
    r"|^\W*did\syou\sknow\b",
    re.IGNORECASE,
)
#: What may stand before a question or an answer: markup, "Q:", and the header of a cell.
_BEFORE: Final = re.compile(
    r"(?:[^\w(]|\(?[0-9]{1,3}[.)]\s|(?:q|a|question|answer)\s?[0-9]{0,3}\s?[:.)]\s?"
    r"|[\w ]{1,40}?\sis\s(?=(?-i:[^\W\d_a-z])|yes\b|no\b)|(?:and|but|so|or|then)\s)*",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"(?:on|in|at|to|for|from|with|by|of|until|since|under)?\s?"
    r"(?:what|when|where|which|who|whom|whose|why|how)\b",
    re.IGNORECASE,
)
_WHAT_IF: Final = re.compile(r"what\sif\b", re.IGNORECASE)
#: A question with its verb in front, perhaps behind "If you lose it,".
_VERB_FIRST: Final = re.compile(
    rf"(?P<start>{LEADING_CLAUSE}{AUXILIARY})(?P<negated>{REDUCED_NOT}|\snot)?(?=\s)",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"(?:no|nope|nah|never|not\sat\sall|not\syet|(?:certainly|absolutely|definitely|unfortunately|"
    r"of\scourse|sadly|sorry,?|probably)\s(?:not|no))\b",
    re.IGNORECASE,
)
_AFFIRMED: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|certainly|absolutely|definitely|of\scourse|indeed|correct|right|"
    r"true)\b(?![,;]?\s(?:or\s|and\s)?no\b)",
    re.IGNORECASE,
)
#: The answer particles of other languages, whose questions stay as they are.
_FOREIGN: Final = re.compile(
    r"(?:ja|nein|doch|oui|non|si|s\u00ed|s\u00ec|sim|n\u00e3o|nee|nej|nie|tak|\u0434\u0430|"
    r"\u043d\u0435\u0442)\b|\u662f|\u4e0d|\u306f\u3044|\u3044\u3044\u3048",
    re.IGNORECASE,
)
_ONLY: Final = re.compile(r"only\s", re.IGNORECASE)
#: What may stand between a particle and what follows it.
_BETWEEN: Final = ' .,;:!*_"\u201d\u2013\u2014-'
#: Behind a particle, what shows that it is one: "No dogs are allowed." has none.
_AFTER: Final = re.compile(
    rf"\s?(?:[.,;:!\u2013\u2014\u3002\uff0c*_]|-\s|\Z)|\s(?=(?:{PRONOUN}|these|those)\b)",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether a text ends with a question."""
    if _ENDS.search(text[-_LONGEST_END:]) is None or _STATING.search(text) is not None:
        return False
    # "It costs 4 euros (or 5?)" states something.
    return text.rstrip()[-1] not in ")]" or text.lstrip()[0] in "(["


def has_question(text: str) -> bool:
    """Whether a text has any question mark."""
    return any(mark in text for mark in _MARKS)


def is_answer(question: str, following: str) -> bool:
    """Whether a text answers the question that another one ends with, as far as words show."""
    _, asked = _divided(question)
    return _is_open(asked) or _particle(following) is not None


def stated(text: str) -> str:
    """Return what a text says: without its questions, but for those that it answers itself."""
    if not has_question(text):
        return text
    sentences = list(_sentences(text))
    said: list[str] = []
    for at, sentence in enumerate(sentences):
        if not asks(sentence):
            said.append(sentence)
            continue
        before, asked = _divided(sentence)
        said.append(before)
        if at + 1 < len(sentences):
            asked, sentences[at + 1] = _with_answer(asked, sentences[at + 1])
            said.append(asked)
    return "".join(said).strip()


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text with the white space behind them."""
    for start, end in pairwise([0, *sentence_ends(text, 0, len(text)), len(text)]):
        if start < end:
            yield text[start:end]


def _divided(sentence: str) -> tuple[str, str]:
    """Return what stands before a question, which begins with a line that looks like one."""
    starts = [0, *(match.end() for match in re.finditer(r"\n\s*(?=\S)|[;:\u2014]\s+", sentence))]
    for start in starts:
        begin = _BEFORE.match(sentence, start)
        assert begin is not None  # noqa: S101 # it may be empty
        if _VERB_FIRST.match(sentence, begin.end()) or _ASKED.match(sentence, begin.end()):
            return sentence[:start], sentence[start:]
    last = sentence.rstrip().rfind("\n") + 1
    return sentence[:last], sentence[last:]


def _is_open(asked: str) -> bool:
    """Whether a question asks for more than "yes" or "no"."""
    words = _bare(asked)
    return _ASKED.match(words) is not None and _WHAT_IF.match(words) is None


def _bare(text: str) -> str:
    """Return a text without what may stand before a question or an answer."""
    match = _BEFORE.match(text)
    return text[match.end() :] if match is not None else text


def _particle(text: str) -> re.Match[str] | None:
    """Return the "yes", "no" or "only" that a text begins with, behind markup."""
    words = _bare(text)
    for pattern in (_NEGATED, _AFFIRMED, _FOREIGN):
        if (match := pattern.match(words)) and _AFTER.match(words, match.end()):
            return match
    return _ONLY.match(words)


def _with_answer(asked: str, following: str) -> tuple[str, str]:
    """Return a question as what it says with its answer, and what else the answer says."""
    if _is_open(asked):
        return asked, following
    particle = _particle(following)
    if particle is None:
        return "", following
    words = _ENDS.sub("", _bare(asked)).rstrip()
    words = words[:1].lower() + words[1:]
    rest = particle.string[particle.end() :].lstrip(_BETWEEN)
    verb = _VERB_FIRST.match(words)
    if particle.re is _FOREIGN:
        return asked, following
    if verb is not None and verb["negated"]:  # what "No." means here is open
        return "", rest
    if particle.re is _ONLY:
        return f" {words}, ", particle.string[0].lower() + particle.string[1:]
    if particle.re is _AFFIRMED:
        said = f"Yes, {words}"
    elif verb is None:
        said = f"It is not true that {words}"
    else:
        said = f"No, {verb['start']} not{words[verb.end() :]}"
    while (again := particle.re.match(rest)) and _AFTER.match(rest, again.end()):  # "No, never."
        rest = rest[again.end() :].lstrip(_BETWEEN)
    is_fragment = rest[:1].islower() and particle.string[particle.end()] != "."
    return f" {said}{', ' if is_fragment else '. ' if rest.strip() else '.'}", rest
