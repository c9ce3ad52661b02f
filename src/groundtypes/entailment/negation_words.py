"""The words of a sentence, with everything in it that denies as a word of its own.

Answer particles ("No, ..."), tag questions and idioms ("no doubt", "not only") deny nothing; "at no
time" and "is free of" do. English only.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.word_classes import NEGATION
from groundtypes.text.plain_letters import plain_letters

__all__ = [
    "DENYING",
    "has_negation",
    "is_denying",
    "plain_word",
    "sentence_words",
    "with_base",
    "without_particle",
    "without_tag",
]

#: An answer particle at the beginning; "No. 5" is a number.
_PARTICLE: Final = re.compile(
    r"\s*(?:(?:no|nope|nah|yes|yeah|yep|yup)\s*(?:[,;:!\u2013\u2014]|-\s|\.(?!\s*[\dA-Z]?\d))\s*){1,3}"
    r"(?=\S)",
    re.IGNORECASE,
)
#: A question that asks for agreement with the sentence before it.
_TAG: Final = re.compile(
    r",?\s{0,3}(?:,\s{0,3}(?:no|right|yes|ok|correct)|\b(?:is|are|was|were|do|does|did|has|have|had|can|could|"
    r"will|wo|would|should)(?:n't| not)? (?:it|they|he|she|we|you|there|i))\s{0,3}\?\s{0,3}$",
    re.IGNORECASE,
)
#: Joins the words of an expression, as in `groundtypes.entailment.alignment`.
_JOINER: Final = "\u02cd"
#: Expressions that deny, and those that look like it and deny nothing. What they say beside the
#: denial follows as a word of its own: "free of sugar" contains no sugar.
_DENYING: Final = (
    r"at no time|under no circumstances?|on no account|in no (?:event|case|way|circumstances?)|"
    r"by no means|not once|anything but|no longer|no one"
)
_IDLE: Final = (
    r"no doubt|no problem|no worries|no matter|no wonder|not to worry|not to mention|"
    r"not (?:only|just|merely|simply|least|surprisingly)|why not\?|whether or not|"
    r"without (?:a )?(?:doubt|fail|question|exception)|needless to say"
)
_EXPRESSION: Final = re.compile(rf"\b(?:{_DENYING}|{_IDLE})(?!\w)", re.IGNORECASE)
_IDLE_TEXT: Final = re.compile(_IDLE)
_BE: Final = r"\b(?:is|are|was|were|be)"
#: Other wordings of a denial; `what` is a word that it denies, and `verb` one that it has.
_REWORDED: Final = (
    re.compile(rf"(?P<verb>){_BE} free (?:of|from)(?= [a-z])", re.IGNORECASE),
    re.compile(rf"(?P<verb>){_BE} (?P<what>[a-z]{{2,20}})-free\b", re.IGNORECASE),
    re.compile(r"^it (?:is|was) (?:untrue|false|incorrect|wrong) that\b", re.IGNORECASE),
    re.compile(r"^it (?:is|was) not (?:true|correct|right|the case) that\b", re.IGNORECASE),
    re.compile(r"(?<=[a-z] )(?:nearly|almost)(?= [a-z]{2,20}ed\b)", re.IGNORECASE),
)
#: Wordings that say the same with and without a negation, as the one with it.
_SAME: Final = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), text)
    for pattern, text in (
        (r"fewer than", "less than"),
        (r"at most|not more than", "no more than"),
        (r"at least|not less than", "no less than"),
        (r"impossible", "not possible"),
        (r"prohibited|forbidden|banned", "not permitted"),
        (r"allowed", "permitted"),
        (r"but also", "and"),
    )
)
#: "Whether it rains or not", which is "whether it rains".
_WHETHER: Final = re.compile(r"\b(whether .{1,60}?) or not\b", re.IGNORECASE)
_TRUE_THAT: Final = re.compile(
    r"^(?:it (?:is|was) (?:true|correct)|there (?:is|was|can be) no doubt|"
    r"(?:nobody|no one) (?:doubts|doubted)) that\s",
    re.IGNORECASE,
)
#: "The claim that it is closed is wrong."
_WRONG_CLAIM: Final = re.compile(
    r"^the (?:claim|rumou?r|report|statement|assertion|allegation|belief|idea)s? that "
    r"(?P<claim>.{3,300})"
    r"(?P<wrong> (?:is|was) (?:wrong|false|untrue|unfounded|incorrect|not true))\W*$",
    re.IGNORECASE,
)
#: "The no. 1 pool": a number.
_NUMBER_SIGN: Final = re.compile(r"\bno\. ?(?=\d)", re.IGNORECASE)
#: Words that deny, each with the word that stays without the denial.
DENYING: Final = {
    **dict.fromkeys(("not", "never", "no", "nor", "neither", "hardly", "barely", "scarcely"), ""),
    "without": "with",
    "unable": "able",
    "nobody": "somebody",
    "no_one": "somebody",
    "no_longer": "",
    "nothing": "something",
    "none": "some",
    "nowhere": "somewhere",
}
#: Past forms with their verbs: "did not pay" beside "paid".
_IRREGULAR: Final = {
    past: verb
    for verb, pasts in (
        forms.split(":")
        for forms in (
            "become:became begin:began,begun break:broke,broken bring:brought build:built "
            "buy:bought catch:caught choose:chose,chosen come:came deal:dealt drink:drank,drunk "
            "drive:drove,driven eat:ate,eaten fall:fell,fallen feel:felt fight:fought find:found "
            "fly:flew,flown forget:forgot,forgotten get:got give:gave,given go:went,gone "
            "grow:grew,grown hear:heard hide:hid,hidden hold:held keep:kept know:knew,known "
            "lead:led leave:left lend:lent lose:lost make:made mean:meant meet:met pay:paid "
            "ride:rode,ridden ring:rang,rung rise:rose,risen run:ran say:said see:saw,seen "
            "sell:sold send:sent shake:shook,shaken show:shown shrink:shrank sing:sang,sung "
            "sink:sank,sunk sit:sat sleep:slept speak:spoke,spoken spend:spent stand:stood "
            "steal:stole,stolen swim:swam,swum take:took,taken teach:taught tell:told "
            "think:thought throw:threw,thrown understand:understood wear:wore,worn win:won "
            "write:wrote,written withdraw:withdrew,withdrawn"
        ).split()
    )
    for past in pasts.split(",")
}


def without_particle(text: str) -> str:
    """Return a text without an answer particle such as "No," at its beginning.

    A text that is nothing else stays.
    """
    return text[match.end() :] if (match := _PARTICLE.match(text)) else text


def sentence_words(text: str) -> Sequence[Word]:
    """Return the words of a sentence, with an expression that denies as one word."""
    if wrong := _WRONG_CLAIM.match(text):
        text = f"{_joined(wrong['wrong'])} {wrong['claim']}"
    text = _TRUE_THAT.sub("", _NUMBER_SIGN.sub("number ", text.strip()))
    text = _WHETHER.sub(r"\1", text)
    for pattern, same in _SAME:
        text = pattern.sub(same, text)
    for pattern in _REWORDED:
        text = pattern.sub(_reworded, text)
    return words_of(_EXPRESSION.sub(lambda match: _joined(match[0]), text)).words


def _joined(expression: str) -> str:
    return _JOINER + re.sub(r"\W+", _JOINER, expression.strip().rstrip("?"))


def _reworded(match: re.Match[str]) -> str:
    groups = match.groupdict()
    verb = "contains " if "verb" in groups else ""
    return f"{verb}{_joined(match[0])} {groups.get('what') or ''}"


def has_negation(text: str) -> bool:
    """Whether a text has a word or an expression that denies."""
    return any(
        word.text in NEGATION or is_denying(word.text)
        for word in sentence_words(plain_letters(text))
    )


def is_denying(text: str) -> bool:
    """Whether a word or a joined expression denies; other joined expressions are idle."""
    return text in DENYING or (
        text.startswith("_") and not _IDLE_TEXT.fullmatch(text[1:].replace("_", " "))
    )


def without_tag(text: str) -> str:
    """Return a sentence without a tag question such as ", isn't it?" at its end."""
    return _TAG.sub("", text)


def with_base(word: Word) -> Word:
    """Return a word with the stem of its verb, if it is a past form."""
    text = _IRREGULAR.get(word.text)
    if (
        text is None
        and word.stem == word.text
        and word.text.endswith("ed")
        and not word.text.endswith("eed")
    ):
        # The stemmer leaves "used" and "lied", and makes "carri" of "carried".
        text = word.text[:-1]
    elif text is None and word.stem.endswith("i"):
        text = f"{word.stem[:-1]}y"
    return word if text is None else replace(word, stem=plain_word(text).stem)


def plain_word(text: str) -> Word:
    """Return a single word as it is compared."""
    return words_of(text).words[0]
