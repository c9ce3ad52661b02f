"""Masking what an English reply quotes, or says as an idiom.

"The sign says 'no entry'" declines nothing, and neither does "I cannot recommend it enough".
"""

import re
from typing import Final

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
