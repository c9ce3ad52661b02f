"""Leaving out what a reply quotes, reports, or says as an idiom.

"The sign says 'no entry'" declines nothing, and neither does "I cannot recommend it enough".
`mask_quotations` masks them in an English opening. `without_quotations` leaves out of a text in any
language the quotations that decline by themselves: all else between quotation marks, such as a
name, is a part of what the reply says, and so is a quotation that is the whole text, or that has no
more than a label such as "Answer:" beside it.
"""

import re
from collections.abc import Callable
from typing import Final

from groundtypes.refusals.word_classes import SPACELESS, fold, load_word_classes

#: The character between two sentences of an opening.
SENTENCE_BREAK: Final = "\x01"
#: The character that replaces a quotation or an idiom.
MASK: Final = "\x02"
#: The pattern begins with a set of two characters, which is fast to search for.
_QUOTED: Final = re.compile(
    r"""["'](?:(?<=")[^"]{2,400}"|(?<=')(?<!\w')[^']{8,400}'(?!\w))""",
)
#: A key of a JSON object, which is not a quotation.
_KEY: Final = re.compile(r"\"\w{1,30}\"(?=\s*:)")
#: Stage directions, remarks in brackets, and the brackets of JSON.
_ASIDE: Final = re.compile(r"\*[^*\n]{2,200}\*|\([^()\n]{2,200}\)|[{}\[\]]")
#: Verbs and nouns that introduce a quotation.
_REPORTING: Final = re.compile(
    r"\b(?:said|says|say|replie[ds]|reply|answer(?:s|ed)|told|tells|wr(?:ote|ites)|respond(?:s|ed)|"
    r"asked|shout(?:s|ed)|whisper(?:s|ed)|explain(?:s|ed)|titled|called|named|phrase|sentence|words?"
    r"|lines?|translat\w*|means|quot\w+|lyrics?|song|example|reads|stat(?:es|ed)|add(?:s|ed)|"
    r"message|argu(?:es|ed)|admit(?:s|ted)|insist(?:s|ed)|declar(?:es|ed))\b"
)
#: Reported speech without quotation marks: "he said, no".
_REPORTED: Final = re.compile(
    r"(?:(?<!\bi )(?<!\bwe )(?<!\bhave )(?<!\bam ))\b(?:said|replie[ds]|answered|told \w+|wrote|"
    r"responded|asked|shouted|whispered|explained|added|insisted|declared|announced)\s?[:,]\s?"
    r"(?=(?:no|i|we|my|sorry|it)\b)[^.!?\x01]*"
)
#: All reported speech has this; searching for it first takes a tenth of the time.
_MAY_BE_REPORTED: Final = re.compile(r"[:,]\s?(?:no|i|we|my|sorry|it)\b")
#: ... and a verb that introduces it.
_MAY_REPORT: Final = re.compile(r"said|replie|told |wrote|ed\s?[:,]")
#: "I cannot recommend it enough" declines nothing.
_IDIOM: Final = re.compile(
    r"c(?<!\w.)(?:an(?:not|'?t| not)|ould(?:n't| not)) (?:"
    r"(?:recommend|thank|praise|stress|emphasi[sz]e|get|rate|speak|say) (?:\w+ ){0,5}enough\b"
    r"(?! (?:information|details?))|wait (?:to|for|until)\b|help but\b|help (?:feeling|wondering|"
    r"noticing|thinking|smiling|laughing|falling|loving|admiring|being|it\b(?! with))|"
    r"agree more\b|believe (?:how|it|my|that|what)\b|imagine\b|overstate\b|go wrong\b|"
    r"be happier\b)"
)
#: "I could not find any errors in your code" says what was found: nothing wrong. What a document
#: would have to say ("any errors listed in the manual", "any problems with it") is not found.
_NOTHING_WRONG: Final = re.compile(
    r"\b(?:(?:(?:can|could|did|do) not|cannot|(?:ca|could|did|do)n't) "
    r"(?:find|see|spot|detect|notice) any|"
    r"(?:find|found|see|spotted|detected|noticed) no) "
    r"(?:(?!mention|record|info|data|detail|evidence|report|reference|about|of |on |for |in )"
    r"\w+ ){0,2}"
    r"(?:errors?|mistakes?|typos?|bugs?|faults|flaws?|defects?|differences?|discrepanc(?:y|ies)|"
    r"contradictions?|inconsistenc(?:y|ies)|vulnerabilit(?:y|ies))\b(?! codes?| messages?)"
    r"(?![^.!?\x01]*\b(?:list|mention|describ|document|stat|report|record|provid|passage|context|"
    r"source|excerpt|manual|about|regarding|concerning|relat|attach|upload|but|though|however|"
    r"not|no|cannot|because|since|without|access|unless|until|\w+n't))"
    r"[^.!?,;\x01]*"
)
#: The verbs in it; looking for these first takes a tenth of the time.
_FINDING: Final = ("find", "found", "see", "spot", "detect", "notice")
#: With more letters than this outside of the quotation marks, the text is more than a quotation.
_MIN_LETTERS_OUTSIDE: Final = 25


def mask_quotations(opening: str) -> str:
    """Return a normalised opening with a mask in place of each quotation and idiom.

    A quotation that is the whole text stays, because then it is the answer.
    """
    if '"' in opening or " '" in opening:
        opening = _mask_quoted(opening)
    if _MAY_BE_REPORTED.search(opening) and _MAY_REPORT.search(opening):
        opening = _REPORTED.sub(_mask, opening)
    if (" any " in opening or " no " in opening) and any(verb in opening for verb in _FINDING):
        opening = _NOTHING_WRONG.sub(f" {MASK} ", opening)
    return _IDIOM.sub(f" {MASK} ", opening)


def _mask_quoted(opening: str) -> str:
    has_keys = '":' in opening or '" :' in opening
    if not has_keys and _QUOTED.search(opening) is None:
        return opening
    without_keys = _KEY.sub("", opening) if has_keys else opening
    outside = _ASIDE.sub("", _QUOTED.sub("", without_keys))
    if _has_many_letters(outside) or _REPORTING.search(outside):
        return _QUOTED.sub(_mask, without_keys)
    return opening


def _has_many_letters(text: str) -> bool:
    """Return whether there are more letters than `_MIN_LETTERS_OUTSIDE`; mostly the start tells."""
    return any(
        sum(map(str.isalpha, part)) > _MIN_LETTERS_OUTSIDE
        for part in (text[: 3 * _MIN_LETTERS_OUTSIDE], text)
    )


def _mask(match: re.Match[str]) -> str:
    # The breaks stay, so that later sentences keep their numbers.
    return f" {MASK} {SENTENCE_BREAK * match[0].count(SENTENCE_BREAK)}"


#: How many characters of a text are searched, and how many parts are judged.
_MAX_SEARCHED: Final = 1_000
_MAX_PARTS: Final = 6
#: What stands in the place of a quotation.
_LEFT_OUT: Final = '"\u2026"'
#: Quotation marks as languages pair them. An apostrophe in a word closes none.
_QUOTATION: Final = re.compile(
    r"\"([^\"\n]{4,400})\"|\u201c([^\u201c\u201d]{4,400})\u201d|\u201d([^\u201d]{4,400})\u201d"
    r"|\u201e([^\u201c\u201d\u201e\"]{4,400})[\u201c\u201d\"]|\u00ab([^\u00ab\u00bb]{4,400})\u00bb"
    r"|\u00bb([^\u00ab\u00bb]{4,400})\u00ab|\u300c([^\u300c\u300d]{4,400})\u300d"
    r"|\u300e([^\u300e\u300f]{4,400})\u300f|\uff02([^\uff02]{4,400})\uff02"
    r"|\u201a((?:[^\u2018\u2019\u201a]|(?<=\w)\u2019(?=\w)){4,400})[\u2018\u2019]"
    r"|\u2018((?:[^\u2018\u2019]|(?<=\w)\u2019(?=\w)){4,400})\u2019"
    r"|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w)){4,400})'(?!\w)"
)
#: A key of a JSON object before its value.
_KEY_BEFORE: Final = re.compile(r"[\"'\u201d]\s*:\s*$")
_SENTENCE_STARTS: Final = re.compile(
    r"(?<=[.!?])[\"'\u2019\u201d)\]*_]*\s+|(?<=[\u3002\uff01\uff1f\u0964\u061f\u06d4])\s*|\s*\n\s*"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SPACELESS_RUN: Final = re.compile(f"[{SPACELESS}]+")
#: A frame of fewer words, or of fewer characters without spaces, is a mere label.
_MIN_WORDS: Final = 2
_MIN_CHARACTERS: Final = 3
#: With a word for answering, a frame of so few words is a label, too ("My answer is: ...").
_MAX_LABEL: Final = 5
#: A frame that apologises, names the model or its rules, or refuses is no frame. What a document
#: says ("the form says 'unknown'") may be how a reply abstains.
_OWN_WORDS: Final = frozenset({"SORRY", "AI", "POLICY", "REFUSE", "DOC"})


def without_quotations(text: str, declines: Callable[[str], bool]) -> str | None:
    """Return a text without the quotations that decline; `None` if it has none.

    `declines` judges a part alone.
    """
    begin, rest = text[:_MAX_SEARCHED], text[_MAX_SEARCHED:]
    if _QUOTATION.search(begin) is None or not _is_frame(_QUOTATION.sub(" ", begin)):
        return None
    left = [_MAX_PARTS]

    def replace(match: re.Match[str]) -> str:
        words = match[match.lastindex or 0]
        if _KEY_BEFORE.search(begin, max(0, match.start() - 8), match.start()):
            return match[0]
        left[0] -= 1  # of too many, the last are not judged
        return _LEFT_OUT if left[0] >= 0 and declines(words.strip()) else match[0]

    found = _QUOTATION.sub(replace, begin)
    return None if found == begin or _declines_beside(found, declines) else found + rest


def _declines_beside(text: str, declines: Callable[[str], bool]) -> bool:
    """Return whether the sentences decline in which nothing was left out.

    A model may take them for an answer beside a sentence that has become odd.
    """
    sentences = _SENTENCE_STARTS.split(text)
    whole = [sentence for sentence in sentences if _LEFT_OUT not in sentence]
    return len(whole) < len(sentences) and declines(" ".join(whole))


def _is_frame(outside: str) -> bool:
    """Return whether the words beside a quotation are more than a label, and do not decline."""
    folded = fold(outside)
    characters = sum(map(len, _SPACELESS_RUN.findall(folded)))
    words = _SPACELESS_RUN.sub(" ", folded)
    number = len(_WORD.findall(words))
    if number < _MIN_WORDS and characters < _MIN_CHARACTERS:
        return False
    classes = _classes_of(outside)
    is_label = number < _MAX_LABEL and not characters and "ANSWER" in classes
    return not is_label and _OWN_WORDS.isdisjoint(classes)


def _classes_of(text: str) -> set[str]:
    """Return the classes of all words of a text."""
    known = load_word_classes()
    folded = fold(text)
    classes: set[str] = set()
    for word in _WORD.findall(_SPACELESS_RUN.sub(" ", folded)):
        names = known.of_word(word)
        # English "not" is a note in another language.
        classes.update(name for name in names if name != "DOC" or "NEG" not in names)
    for run in _SPACELESS_RUN.findall(folded):
        classes.update(name for names in known.in_run(run) for name in names)
    return classes
