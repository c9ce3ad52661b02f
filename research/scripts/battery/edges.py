"""Quotes that begin or end beside a number, a compound, a name or a list number.

A harmful kind puts a longer number or word into the text and quotes only a part of it. So its quote
occurs in the text letter by letter, which the check for accidental quotes must not drop.
"""

import random
import re
from collections.abc import Callable, Sequence

from scripts.battery.benign import Made, Maker
from scripts.battery.texts import Passage

_SPACELESS = ("zh", "ja", "th")
_WHOLE_NUMBER = r"(?<=[a-z] )\d{1,3}(?= [a-z]{3})"
_LOWER_WORD = r"(?<=\w )(?![A-Z])[^\W\d_]{4,}(?= \w)"
_AFTER_NUMBER = (
    " 000", "'000", "’000", "\u202f000", "\u00a0000", ",000", ".5", ",5", "½", " ½", " 1/2", "^6",
    "⁶", "<sup>6</sup>", " × 10⁶", "·10^3", "/2", "-40", "–40", " – 40", " to 40 mg", ":30", "+",
    "%", " %", " <b>%</b>", "‰", " percent", " per cent", " million", "-million", " bn", "°C",
    " °C", " kg", " mg/kg", "kWh", "€", " €", " USD", " BC", " p.m.",
)  # fmt: skip
_BEFORE_NUMBER = (
    "$", "US$", "€ ", "£", "EUR ", "USD ", "&#36;", "-", "−", "− ", "+", "minus ", "±", "± ", "~",
    "<", "< ", "≤", "≥ ", "1/", "1 1/", "1.", "1,", "7-", "7–", "7 – ", "10^", "3 × ", "1:",
    "**-**",
)  # fmt: skip
_AFTER_WORD = (
    "-free", "–free", "-resistant", "-and-so-on", "/or", "- and lead-free", "-, lead- and oil-free",
    "-based", "–based", "++", "+", ".com", ".evil.net", "@example.org", "_id", "&Co", "-\nfree",
)  # fmt: skip
_BEFORE_WORD = (
    "non-", "non–", "non—", "anti-", "vice-", "ex-", "quasi-", "un-", "not-", "half/", "(un)", "@",
    "user@", "my_", "www.", "A&", "non-\n",
)  # fmt: skip


def _around(text: str, span: tuple[int, int], *, is_before: bool) -> str | None:
    """Return the span with 4 to 8 words of its line before or after it."""
    start, end = span
    if is_before:
        words = re.search(r"(?<!\S)[^\W\d_]+ (?:[^\s.;:]+ ){3,7}\Z", text[:start])
        return words[0] + text[start:end] if words else None
    words = re.match(r"(?: [^\s.;:]+){3,7} [^\W\d_]+(?!\S)", text[end:])
    return text[start:end] + words[0] if words else None


def _cut(pattern: str, additions: Sequence[str], *, at_end: bool, spaced: bool = False) -> Maker:
    """Return the kind that adds something to a word or number of the text and quotes without it."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        if passage.language in _SPACELESS or (not spaced and passage.language != "en"):
            return None
        found = list(re.finditer(pattern, passage.text))
        if not found:
            return None
        match = rng.choice(found)
        quote = _around(passage.text, match.span(), is_before=at_end)
        if quote is None or passage.text.count(quote) != 1:
            return None
        place = match.end() if at_end else match.start()
        text = passage.text[:place] + rng.choice(additions) + passage.text[place:]
        return quote, text

    return maker


def _joined_words(rng: random.Random, passage: Passage) -> Made:
    """Join two words of the text, and quote up to the first of them or from the second."""
    if passage.language in _SPACELESS:
        return None
    words = re.findall(r"[^\W\d_]{4,}", passage.text)
    if not words:
        return None
    joint = rng.choice("-‐‑–/") if passage.language != "he" else "־"
    other, at_end = rng.choice(words), rng.random() < 0.5
    addition = joint + other if at_end else other + joint
    return _cut(_LOWER_WORD, (addition,), at_end=at_end, spaced=True)(rng, passage)


def _ordinal_exchanged(rng: random.Random, passage: Passage) -> Made:
    """Put another day before a month, where the day looks like a list number."""
    dates = {"de": ("Am", "Oktober 1990"), "cs": ("Dne", "října 1990")}
    if passage.language not in dates:
        return None
    before, after = dates[passage.language]
    day, other = rng.sample(range(1, 29), 2)
    sentence = passage.text[slice(*rng.choice(passage.sentences))]
    return f"{other}. {after} {sentence}", f"{before} {day}. {after} {sentence} {passage.text}"


def _marked(rng: random.Random, passage: Passage, *, is_same: bool) -> Made:
    """Number the sentences of the text, and quote one with the same or another number."""
    if passage.language != "en" or "\n" in passage.text:
        return None
    sentences = [passage.text[slice(*span)] for span in passage.sentences[:20]]
    at = rng.randrange(len(sentences))
    number = at + 1 if is_same else at + rng.choice([2, 3, 30])
    text = "\n".join(f"{place}. {sentence}" for place, sentence in enumerate(sentences, 1))
    return f"{number}{rng.choice('.)')}  {sentences[at]}", text


def _mark_invented(rng: random.Random, passage: Passage) -> Made:
    """Put a list number, or a dash before a number, where the text has none."""
    start, _ = rng.choice(passage.sentences)
    if passage.language != "en":
        return None
    number = re.search(r"(?<=[a-z] )\d+ [a-z]+(?: [^\s.;:]+){4,8}", passage.text[start:])
    if number and rng.random() < 0.5:
        return f"{rng.choice('-–−')} {number[0]}", passage.text
    sentence = passage.text[slice(*rng.choice(passage.sentences))]
    return f"{rng.randrange(1, 31)}. {sentence}", passage.text


def _beside(pattern: str, additions: Sequence[tuple[str, str]]) -> Maker:
    """Return the kind that puts a remark beside the quote: what is before it, what is after it."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        found = list(re.finditer(pattern, passage.text))
        if passage.language in _SPACELESS or not found:
            return None
        match = rng.choice(found)
        at_end = rng.random() < 0.5
        quote = _around(passage.text, match.span(), is_before=at_end)
        if quote is None:
            return None
        after, before = rng.choice(additions)
        place = match.end() if at_end else match.start()
        addition = after if at_end else before
        return quote, passage.text[:place] + addition + passage.text[place:]

    return maker


def _after_article(rng: random.Random, passage: Passage) -> Made:
    """Begin a quote after an article with an apostrophe."""
    found = list(re.finditer(r"(?<!\w)[ldLD]['’](?=\w)", passage.text))
    if passage.language != "fr" or not found:
        return None
    return passage.text[rng.choice(found).end() :].rstrip("."), passage.text


def _same(maker: Callable[..., Made], *, is_same: bool) -> Maker:
    return lambda rng, passage: maker(rng, passage, is_same=is_same)


#: What may be beside the end of a quote, and beside its start.
_REMARKS = (
    (" – so it is said –", "so it is said – "),
    ("—so it is said—", "so it is said—"),
    (" -- so it is said --", "so it is said -- "),
    (", it is said,", "it is said, "),
    (" (as is known)", "(as is known) "),
    ("; it is said,", "it is said; "),
    ("[12]", "“so-called” "),
    ("...", "and so on ... "),
    (" *more*", "**Note:** "),
    ("<br>", "<br>"),
)
#: Kinds that must be accepted.
BENIGN_EDGES: dict[str, Maker] = {
    "remark beside a word": _beside(_LOWER_WORD, _REMARKS),
    "remark beside a number": _beside(_WHOLE_NUMBER, _REMARKS),
    "list number copied": _same(_marked, is_same=True),
    "after an article with an apostrophe": _after_article,
}
#: Kinds that must be rejected, even with `fuzzy`.
HARMFUL_EDGES: dict[str, Maker] = {
    "number cut at its end": _cut(_WHOLE_NUMBER, _AFTER_NUMBER, at_end=True),
    "number cut at its start": _cut(_WHOLE_NUMBER, _BEFORE_NUMBER, at_end=False),
    "compound or name cut at its end": _cut(_LOWER_WORD, _AFTER_WORD, at_end=True),
    "compound or name cut at its start": _cut(_LOWER_WORD, _BEFORE_WORD, at_end=False),
    "compound of two words cut": _joined_words,
    "ordinal exchanged": _ordinal_exchanged,
    "list number exchanged": _same(_marked, is_same=False),
    "list mark invented": _mark_invented,
}
