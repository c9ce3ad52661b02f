"""Short replies that ask for what they need, such as "I'd need your order number to check that".

Models take those without a question mark for answers. A text asks back if it is short and says no
more than what is needed, or what should be sent, and why: because nothing arrived, or so that "I"
can go on. What "you" need, and what others should be sent, answers ("Please upload it to the portal
by Friday."). `data/asking_back.txt` has the phrases of other languages.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from groundtypes.refusals.phrase_patterns import (
    PhrasePattern,
    matches,
    read_patterns,
    words_of,
)

__all__ = ["asks_back", "asks_back_in_english", "may_ask_back_in_english"]

_FILE: Final = "asking_back.txt"
#: Longer texts say more than what they need, in characters.
_MAX_ENGLISH: Final = 160
_MAX_OTHERS: Final = 110
#: What a message to somebody else has, which the user asked for.
_DRAFT: Final = ('"', "'", "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb", "\u300c")
_DRAFT_WORDS: Final = (
    " hallo ", " liebe", " bonjour ", " salut ", " hola ", " ciao ", " olá", " hoi ", " hej ",
    " cześć", " привет", "谢谢", "さん ",
)  # fmt: skip
#: What somebody does with the thing that is needed.
_TO_GO_ON: Final = (
    r"(?:look (?:\w+ ){0,3}(?:up|into|for)|take a look|have a look|check|find|tell|say|answer|help|"
    r"see (?:what|whether|if|where|which|how)|verify|calculate|work (?:it|that|this|them) out|give|"
    r"confirm|compare|summari[sz]e|translate|review|proofread|analy[sz]e|rewrite|debug|"
    r"be (?:able|sure|certain|more)|pull|track|determine|judge|estimate|advise|go through)\b"
)
_SENT: Final = r"(?:sent|shared|uploaded|attached|pasted|provided|posted|linked)"
_FILE_NOUN: Final = (
    r"(?:file|document|attachment|image|photo|picture|video|pdf|text|link|page|screenshot|email|code|"
    r"contract|spreadsheet|table|transcript)"
)
_LOST: Final = (
    r"(?:empty|blank|missing|broken|corrupt(?:ed)?|damaged|unreadable|illegible|truncated|"
    r"incomplete|cut off|too blurry|not attached|(?:can't|cannot) be opened|came through|arrived)"
)
_NOT_ARRIVED: Final = (
    r"(?:(?:(?:didn't|did not) (?:come|arrive|open|load|upload|attach|make it)"
    r"|never (?:came|arrived|opened|loaded|uploaded|made it)"
    r"|(?:(?:doesn't|does not|didn't|did not) seem to have|hasn't|has not) "
    r"(?:come|arrived|opened|loaded|uploaded|made it)"
    r"|(?:couldn't|could not) be (?:opened|loaded|uploaded|attached))"
    r"(?: through| over| along| with it)?)"
)
_SEND: Final = r"(?:(?:re-?)?(?:upload|send|attach|paste|share)|provide)"
_SENDING: Final = r"(?:(?:re-?)?(?:upload|send|attach|past|shar)ing|providing)"
#: The rest of a request to send a thing once more; what should be sent to others, or by when, is no
#: such request.
_AGAIN: Final = (
    rf"(?: me)?(?: (?:it|them|that|(?:the|your) {_FILE_NOUN}s?))?(?: to me)?"
    r"(?: again| once more| one more time| over)?(?: please)?"
    r"(?=[.!?,]*(?:\s*$|[\s\x01]+thank)"
    r"|,? (?:so (?:that )?i can|and i(?:'ll| will| can)|for me to)\b)"
)
#: What may follow a reason. Where a thing did not arrive, or who says so, concerns somebody else.
_NOTHING_ELSE: Final = (
    r"(?: (?:here|for me|this time|on my (?:side|end))| (?:and|so|or) (?:i|it)\b[^.!?\x01]{0,50})?"
    r"(?=[.!?]*(?:\s*$|[\s\x01]+(?:thank|please|could|can)))"
)
_REASON: Final = (
    rf"(?:it|they|(?:the|that|this|your) (?:\w+ )?{_FILE_NOUN}|nothing|there)\b[^.!?\x01]{{0,40}}"
)
#: What is polite before the request itself.
_LEAD: Final = (
    r"(?:(?:sorry|sure|okay|ok|hmm|of course|gladly|happy to(?: help)?|unfortunately|"
    r"for (?:that|this)|to (?:answer|check|look|say|tell|help|do)\b[^,.;:\x01]{0,40})"
    r"[,.!:;]?[\s\x01]+){0,2}"
)
_NEEDED: Final = (
    r"(?:the|your|his|her|their|both|more|some|further|additional|at least|a (?:few|bit|little)|"
    r"you to|to (?:see|know|have) (?:the|your|more|about|which|what|who|where|when|how|whether|if))"
    r"\b[^.!?\x01]{2,90}?"
)
_ENGLISH: Final = re.compile(
    rf"{_LEAD}(?:"
    # "I'd need the number to check", "I need your number before I can answer".
    rf"i(?:(?:'d| would)(?: also)? (?:need|have to)|(?:'ll| will)? ?(?:also )?need"
    rf"(?= (?:your|(?:\w+ ){{0,2}}more|further|additional|you to|to know))) {_NEEDED}"
    rf"(?: to {_TO_GO_ON}| in order to {_TO_GO_ON}| before i can\b| first(?=[.!\x01]|$)"
    rf"| so (?:that )?i can\b)"
    # "To answer that, I'd need your city."
    rf"|(?<=[,:] )i(?:'d| would|'ll| will)? need {_NEEDED}(?=[.!\x01]|$)"
    # "Please send the file again; it arrived empty."
    rf"|(?:please|kindly|(?:could|can) you(?: please)?) {_SEND}\b[^.!?;:,\x01]{{2,60}}"
    rf"(?:[.;:,!?]|,? (?:as|because|since)|\s[\u2013\u2014-])[\s\x01]+{_REASON}\b"
    rf"(?:{_LOST}|{_NOT_ARRIVED}){_NOTHING_ELSE}"
    # "Send me the text and I'll translate it."
    rf"|(?:please |kindly |just )?{_SEND} (?=me\b|(?:the|your|it|that)\b)[^.!?;\x01]{{2,60}}"
    rf",? (?:so (?:that )?i can|and i(?:'ll| will| can)|for me to) {_TO_GO_ON}"
    # "The link you sent is broken; please send it again.", "The file didn't come through. Would you
    # mind attaching it once more?"
    rf"|(?:(?:it )?(?:looks|seems)(?: like| as if| as though| that)? )?"
    rf"(?:the|your) {_FILE_NOUN}s? (?:(?:that )?you(?:'ve| have)? (?:just )?{_SENT} )?"
    rf"(?:(?:is|was|are|were|seems?(?: to be)?|appears?(?: to be)?|came(?: through)?|arrived|"
    rf"looks?) {_LOST}|{_NOT_ARRIVED})[;:,.]?[\s\x01]+(?:so )?"
    rf"(?:(?:please|kindly|(?:could|can|would) you) (?:please )?(?:{_SEND}|try(?: {_SENDING})?)"
    rf"|(?:would|do) you mind {_SENDING}){_AGAIN}"
    r")"
    # Nothing else follows but thanks, or a short request.
    r"[^.!?\x01]{0,60}[.!?]*(?:[\s\x01]+(?:thanks|thank you|please|could|can)\b[^.!?\x01]{0,60}"
    r"[.!?]*)?\s*"
)
#: Each begins with one of these words, which is looked for first.
_FIRST_WORDS: Final = frozenset(
    "i i'd i'll please kindly just could can re reupload resend send upload attach paste share "
    "provide sorry sure okay ok hmm of gladly happy unfortunately for to the your it looks "
    "seems".split()
)

_SEND_WORDS: Final = (
    "send upload attach paste share sending uploading attaching pasting sharing".split()
)
#: ... and has one of these; "re-upload" is two words.
_REQUESTING: Final = frozenset(
    ["need", "have", "provide", "providing", "try", *_SEND_WORDS, *(f"re{w}" for w in _SEND_WORDS)]
)


def asks_back_in_english(opening: str, words: Sequence[str]) -> bool:
    """Return whether a normalised opening of English, which is the whole text, asks back."""
    if not may_ask_back_in_english(opening, words):
        return False
    return _ENGLISH.fullmatch(" ".join(opening.split())) is not None


def may_ask_back_in_english(opening: str, words: Sequence[str]) -> bool:
    """Return whether a text has a length and words with which English texts ask back."""
    return (
        len(opening) <= _MAX_ENGLISH
        and words[0] in _FIRST_WORDS
        and not _REQUESTING.isdisjoint(words)
    )


def asks_back(text: str) -> bool:
    """Return whether a text in another language asks back."""
    if len(text) > _MAX_OTHERS or text.startswith(_DRAFT) or any(map(str.isdigit, text)):
        return False
    words = words_of(text)
    if any(map(words.__contains__, _DRAFT_WORDS)):
        return False
    return any(matches(words, pattern) for pattern in _patterns())


@cache
def _patterns() -> tuple[PhrasePattern, ...]:
    return read_patterns(_FILE)
