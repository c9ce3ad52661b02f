"""Rows that nobody chose by hand: slices of real texts with one thing changed at random.

A mutation takes some words in a row of a text and changes a token, or exchanges, inserts or removes
a character of any class at any place, in the quote or in the text. `oracle.judge` says what the
quote then is; where it cannot tell, the row is left out and counted.
"""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scripts.battery.oracle import SPACELESS, Verdict, judge
from scripts.battery.texts import Passage

__all__ = ["CLASSES", "MUTATIONS", "mutations"]

SEEDS: Final = {"tune": 19_481, "test": 20_261}
#: Rows of each mutation and expectation.
ROWS: Final = {"tune": 18, "test": 14}
_TRIES: Final = 500
#: Texts in English are the only ones with many numbers.
_ENGLISH: Final = 0.4

#: Returns the changed slice, given the words of the whole text; `None` if it does not apply.
Mutation = Callable[[random.Random, str, list[str]], str | None]

#: A slice has no markup, footnotes, ellipses or line ends: what may be ignored of these is the
#: matter of other kinds.
_MARKUP: Final = re.compile(r"[\[\]*_|\\{}#~$`\n…^]|\.\.|<\S|&\w|https?:|www\.|^\W*\d+[.)]\s")
_INNER_SIGN: Final = re.compile(r"(?<=\w)[^\w\s\u00ad\u200b](?=\w)")
_TOKEN: Final = re.compile(r"\S+")
_CHUNK: Final = re.compile(r"[^。、，．；：\s]+[。、，．；：]?")
_UNITS: Final = re.compile(r"(?<=\d)( ?)((?:[kKmMµGgcdp]?(?:g|L|l|m|W|Hz|V|b|B|A))|mg|MG)(?![\w/])")


def _members(*categories: str, stop: int = 0x10000) -> str:
    """Return the characters of categories, without surrogates and what is not assigned."""
    return "".join(
        chr(code) for code in range(0x20, stop) if unicodedata.category(chr(code)) in categories
    )


_MARKS: Final = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030c\u0323\u0327\u0328"
_DASHES: Final = "-‐‑‒–—−"
_QUOTES: Final = "\"'“”„‘’‚«»‹›`´"
#: class -> the characters that an insertion or exchange takes from
CLASSES: Final[Mapping[str, str]] = {
    "letter": "abcdefghijklmnopqrstuvwxyzåßøœабвгдежзлпрстухчшяαβγδθλμπσφω",
    "letter of another script": "аесорхуіАВЕКМНОРСТοανικΑΒΕΖΗΙΚαοԁһ",
    "accent": _MARKS,
    "digit": "0123456789",
    "digit of another script": "٠١٢٣٤٥٦٧٨٩०१२३४५६७८९０１２３４５６７８９۰۱۲۳۴۵۶۷۸۹",
    "raised digit": "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄",
    "punctuation": ",.;:?!,;،؛؟。、",
    "sign": "+-−±<>≤≥=≈×/^%‰°&@§",
    "currency": "$€£¥₹₽",
    "bracket": "()[]{}",
    "dash": _DASHES,
    "quotation mark": _QUOTES,
    "space": " \t\u00a0\u2009\u202f\u3000\u2003",
    "invisible": "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u2060\u2066\u2069\ufeff",
    "symbol": _members("So", stop=0x2800),
}


def _belongs(name: str, character: str) -> bool:
    """Return whether a character of a text is of a class."""
    category = unicodedata.category(character)
    if name in ("letter", "letter of another script"):
        return category[0] == "L"
    if name in ("digit", "digit of another script", "raised digit"):
        return category == "Nd"
    if name == "accent":
        return category == "Mn"
    if name == "space":
        return character.isspace()
    return character in CLASSES[name] and not character.isspace()


def _exchanged(name: str) -> Mutation:
    def mutate(rng: random.Random, text: str, _: list[str]) -> str | None:
        places = [at for at, character in enumerate(text) if _belongs(name, character)]
        if not places:
            return None
        at = rng.choice(places)
        return text[:at] + rng.choice(CLASSES[name]) + text[at + 1 :]

    return mutate


def _inserted(name: str) -> Mutation:
    def mutate(rng: random.Random, text: str, _: list[str]) -> str | None:
        at = rng.randrange(1, len(text))
        return text[:at] + rng.choice(CLASSES[name]) + text[at:]

    return mutate


def _removed(name: str) -> Mutation:
    def mutate(rng: random.Random, text: str, _: list[str]) -> str | None:
        text = unicodedata.normalize("NFD", text) if name == "accent" else text
        places = [at for at, character in enumerate(text) if _belongs(name, character)]
        if not places:
            return None
        at = rng.choice(places)
        return unicodedata.normalize("NFC", text[:at] + text[at + 1 :])

    return mutate


def _set_beside_a_number(rng: random.Random, text: str, _: list[str]) -> str | None:
    edges = [at for match in re.finditer(r"\d+", text) for at in match.span()]
    if not edges:
        return None
    at = rng.choice(edges)
    return text[:at] + rng.choice(CLASSES["sign"] + CLASSES["currency"] + "., '") + text[at:]


def _token_exchanged(rng: random.Random, text: str, words: list[str]) -> str | None:
    tokens = text.split(" ")
    tokens[rng.randrange(len(tokens))] = rng.choice(words)
    return " ".join(tokens)


def _number_exchanged(rng: random.Random, text: str, words: list[str]) -> str | None:
    tokens = text.split(" ")
    numbers = [at for at, token in enumerate(tokens) if any(map(str.isdigit, token))]
    others = [word for word in words if any(map(str.isdigit, word))]
    if not numbers or not others:
        return None
    tokens[rng.choice(numbers)] = rng.choice(others)
    return " ".join(tokens)


def _token_dropped(rng: random.Random, text: str, _: list[str]) -> str | None:
    tokens = text.split(" ")
    del tokens[rng.randrange(len(tokens))]
    return " ".join(tokens) or None


def _token_moved(rng: random.Random, text: str, _: list[str]) -> str | None:
    tokens = text.split(" ")
    token = tokens.pop(rng.randrange(len(tokens)))
    tokens.insert(rng.randrange(len(tokens) + 1), token)
    return " ".join(tokens)


def _token_doubled(rng: random.Random, text: str, _: list[str]) -> str | None:
    tokens = text.split(" ")
    at = rng.randrange(len(tokens))
    return " ".join([*tokens[:at], tokens[at], *tokens[at:]])


def _token_cut(rng: random.Random, text: str, _: list[str]) -> str | None:
    """Return the slice without a part of one token, often of the first or the last."""
    tokens = text.split(" ")
    at = rng.choice([0, -1, rng.randrange(len(tokens))])
    if len(tokens[at]) < 2:
        return None
    place = rng.randrange(1, len(tokens[at]))
    tokens[at] = tokens[at][place:] if at == 0 or rng.random() < 0.3 else tokens[at][:place]
    return " ".join(tokens)


def _cut_at_a_sign(rng: random.Random, text: str, _: list[str]) -> str | None:
    """Return the slice up to or from a sign inside a token: a part of a word or number."""
    signs = [match.start() for match in _INNER_SIGN.finditer(text)]
    if not signs:
        return None
    at = rng.choice(signs)
    return _around(rng, text[:at] if rng.random() < 0.5 else text[at + 1 :])


def _edge_at_a_number(rng: random.Random, text: str, _: list[str]) -> str | None:
    """Return the slice up to or from a number, without what stands beside it."""
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return None
    number = rng.choice(numbers)
    return _around(rng, text[: number.end()] if rng.random() < 0.5 else text[number.start() :])


def _around(rng: random.Random, part: str) -> str | None:
    """Return the part, often with a space, a quotation mark or an invisible character around it."""
    marks = CLASSES["space"] + CLASSES["quotation mark"] + CLASSES["invisible"]
    before, after = (rng.choice(["", " ", rng.choice(marks)]) for _ in range(2))
    return before + part + after if len(part.split()) > 1 else None


def _case(rng: random.Random, text: str, _: list[str]) -> str | None:
    tokens = text.split(" ")
    at = rng.randrange(len(tokens))
    tokens[at] = rng.choice([str.upper, str.lower, str.title, str.swapcase])(tokens[at])
    return " ".join(tokens)


def _unit_case(rng: random.Random, text: str, _: list[str]) -> str | None:
    match = next(_UNITS.finditer(text), None)
    if not match:
        return None
    at = rng.randrange(match.start(2), match.end(2))
    return text[:at] + text[at].swapcase() + text[at + 1 :]


def _form(rng: random.Random, text: str, _: list[str]) -> str | None:
    """Return the slice in another Unicode form, whole or in full-width letters."""
    if rng.random() < 0.5:
        return unicodedata.normalize(rng.choice(["NFD", "NFC"]), text)
    wide = str.maketrans({code: code + 0xFEE0 for code in range(0x30, 0x7B) if chr(code).isalnum()})
    return text.translate(wide)


#: kind -> mutation
MUTATIONS: Final[Mapping[str, Mutation]] = {
    "nothing": lambda _rng, text, _words: text,
    "token exchanged": _token_exchanged,
    "number exchanged": _number_exchanged,
    "token dropped": _token_dropped,
    "token moved": _token_moved,
    "token doubled": _token_doubled,
    "token cut": _token_cut,
    "cut at a sign": _cut_at_a_sign,
    "edge at a number": _edge_at_a_number,
    "case": _case,
    "case of a unit": _unit_case,
    "form": _form,
    "sign beside a number": _set_beside_a_number,
    **{
        f"{name} {verb}": change(name)
        for name in CLASSES
        for verb, change in (
            ("exchanged", _exchanged),
            ("inserted", _inserted),
            ("removed", _removed),
        )
        if (verb, name) not in {("removed", "raised digit"), ("removed", "digit of another script")}
    },
}


_CUTS: Final = (_cut_at_a_sign, _edge_at_a_number)


def _slice(rng: random.Random, passage: Passage) -> tuple[int, int] | None:
    """Return the span of 4 to 16 words in a row, or of some clauses where words have no spaces."""
    spaceless = passage.language in SPACELESS - {"ko"}
    tokens = list((_CHUNK if spaceless else _TOKEN).finditer(passage.text))
    fewest = 1 if spaceless else 4
    if len(tokens) < fewest:
        return None
    count = rng.randint(fewest, min(len(tokens), 16))
    first = rng.randrange(len(tokens) - count + 1)
    return tokens[first].start(), tokens[first + count - 1].end()


def _pick(rng: random.Random, pool: Mapping[str, list[Passage]]) -> Passage:
    others = sorted(set(pool) - {"en"})
    english = "en" in pool and rng.random() < _ENGLISH
    language = "en" if english or not others else rng.choice(others)
    return rng.choice(pool[language])


def _mutated(
    rng: random.Random, mutate: Mutation, passage: Passage
) -> tuple[str, str, Verdict] | None:
    """Return a quote, its text and the verdict; `None` if the mutation does not apply."""
    span = _slice(rng, passage)
    if span is None or _MARKUP.search(passage.text, *span):
        return None
    start, end = span
    quote = passage.text[start:end]
    changed = mutate(rng, quote, passage.text.split())
    if changed is None or not changed.strip():
        return None
    text = passage.text
    # What is cut off the quote has to stay in the text.
    if mutate not in _CUTS and rng.random() < 1 / 3:
        text = text[:start] + changed + text[end:]
    else:
        quote = changed
    return quote, text, judge(quote, text, passage.language)


def mutations(
    part: str, passages: list[Passage], left_out: Counter[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a part, and count in `left_out` what cannot be judged, by reason."""
    rng = random.Random(SEEDS[part])
    pool: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.part == part:
            pool.setdefault(passage.language, []).append(passage)
    for name, mutate in MUTATIONS.items():
        made: Counter[str] = Counter()
        for _ in range(_TRIES):
            passage = _pick(rng, pool)
            mutated = _mutated(rng, mutate, passage)
            if mutated is None:
                continue
            quote, text, verdict = mutated
            if verdict.expect is None:
                if left_out is not None:
                    left_out[verdict.reason] += 1
                continue
            if made[verdict.expect] < ROWS[part]:
                made[verdict.expect] += 1
                yield {
                    "kind": f"mutation: {name}",
                    "expect": verdict.expect,
                    "quote": quote,
                    "references": {passage.id: text},
                }
