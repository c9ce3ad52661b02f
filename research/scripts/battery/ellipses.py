"""Quotes with an ellipsis: what may be left out of a quote, and what may not."""

import random
import re

from corpora.word_groups import DOUBTFUL
from scripts.battery.benign import Made, Maker
from scripts.battery.texts import Passage, clause

_DOTS = ("...", "…", "[...]", "[…]", "(...)")
#: An apposition, a relative clause or a remark in brackets of a sentence.
_PARENTHESIS = re.compile(
    r",(?P<inner> (?:an?|the|which|who|born|including|such as|known|located|founded|formerly) "
    r"[^,.;:()?\n]{8,80},)|(?P<brackets>\([A-Za-z][^()?\n]{8,60}\))"
)
#: language -> words that turn their sentence
_TURNING = {
    "en": r"lacks?|lacked|fail(?:s|ed) to|refused to|instead of|former|might|less than|only|until|"
    r"unless|if|almost|nearly|alleged(?:ly)?|according to|claims? that|neither|hardly|except|"
    r"prevent(?:s|ed)?|den(?:y|ies|ied)|reject(?:s|ed)?|may|could",
    "de": r"niemand|keine?[rnms]?|nicht",
    "fr": r"nul|ni|ne|sans",
    "es": r"nadie|ni|no",
    "cs": r"nikdo|nesmí|nebo",
    "ru": r"никто|не|или",
    "el": r"κανείς|δεν",
    "he": r"לא",
    "ar": r"لا|أو",
    "zh": "不得|不",
    "ja": "ない|なく",
    "ko": "아니한다|어느 누구도",
    "vi": "không",
    "hi": "नहीं",
    "th": "ไม่",
}
_SPACELESS = ("zh", "ja", "th", "ko")


def _over_parenthesis(rng: random.Random, passage: Passage) -> Made:
    """Replace an apposition, a relative clause or a remark in brackets by an ellipsis."""
    start, end = rng.choice(passage.sentences)
    sentence = passage.text[start:end]
    found = [
        match
        for match in _PARENTHESIS.finditer(sentence)
        if not set(re.findall(r"[a-z]+", match[0].lower())) & DOUBTFUL and "n't" not in match[0]
    ]
    if passage.language != "en" or not found or "..." in sentence:
        return None
    match = rng.choice(found)
    before, after = sentence[: match.start()], sentence[match.end() :]
    if len(before.split()) < 2 or len(after.split()) < 3:
        return None
    return f"{before.rstrip()} {rng.choice(_DOTS)} {after.lstrip()}", passage.text


def _over_sentences(rng: random.Random, passage: Passage) -> Made:
    """Join two whole sentences that are not adjacent with an ellipsis."""
    if passage.language != "en" or len(passage.sentences) < 4:
        return None
    first = rng.randrange(0, len(passage.sentences) - 2)
    second = rng.randrange(first + 2, len(passage.sentences))
    earlier, later = (passage.text[slice(*passage.sentences[number])] for number in (first, second))
    return f"{earlier} {rng.choice(_DOTS[:3])} {later}", passage.text


def _over_turning_word(rng: random.Random, passage: Passage) -> Made:
    """Hide a word that turns its sentence, in any language of the texts."""
    words = _TURNING.get(passage.language)
    start, end = rng.choice(passage.sentences)
    sentence = passage.text[start:end]
    if words is None:
        return None
    bounds = ("", "") if passage.language in _SPACELESS else (r"(?<=\s)(?i:", r")(?=\s)")
    least = 4 if passage.language in _SPACELESS else 8
    found = [
        match
        for match in re.finditer(f"{bounds[0]}{words}{bounds[1]}", sentence)
        if match.start() >= least and len(sentence) - match.end() >= least
    ]
    if not found:
        return None
    match = rng.choice(found)
    dots = rng.choice(_DOTS)
    return f"{sentence[: match.start()]} {dots} {sentence[match.end() :]}", passage.text


def _over_two_sentences(rng: random.Random, passage: Passage) -> Made:
    """Join the beginning of one sentence and the end of another as if they were one."""
    if passage.language != "en" or len(passage.sentences) < 2:
        return None
    first, second = sorted(rng.sample(range(len(passage.sentences)), 2))
    spans = passage.sentences[first], passage.sentences[second]
    counts = [len(passage.text[slice(*span)].split()) for span in spans]
    head = passage.text[slice(*clause(passage, spans[0], 0, counts[0] // 2))]
    tail = passage.text[slice(*clause(passage, spans[1], counts[1] // 2, counts[1]))]
    return f"{head.rstrip('.,;:')} {rng.choice(_DOTS)} {tail}", passage.text


def _in_range(rng: random.Random, passage: Passage) -> Made:
    """Hide one end of a range of numbers."""
    pattern = r"(\d(?:[\d.,]*\d)?)( (?:to|and|or) )(\d(?:[\d.,]*\d)?)(?= [a-z]{3})"
    found = list(re.finditer(pattern, passage.text))
    if passage.language != "en" or not found:
        return None
    match = rng.choice(found)
    before = re.search(r"(?:\S+ ){1,4}\Z", passage.text[: match.start()])
    after = re.match(r"(?: [^\s.;]+){2,6}", passage.text[match.end() :])
    if before is None or after is None or "\n" in before[0]:
        return None
    return f"{before[0]}{match[1]} {rng.choice(_DOTS)}{after[0]}", passage.text


#: Kinds that must be accepted.
BENIGN_ELLIPSES: dict[str, Maker] = {
    "ellipsis over a parenthesis": _over_parenthesis,
    "ellipsis over sentences": _over_sentences,
}
#: Kinds that must be rejected, even with `fuzzy`.
HARMFUL_ELLIPSES: dict[str, Maker] = {
    "turning word behind an ellipsis": _over_turning_word,
    "two sentences spliced by an ellipsis": _over_two_sentences,
    "range torn by an ellipsis": _in_range,
}
