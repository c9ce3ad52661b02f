"""Changes that make a quote say what its reference does not, and typos."""

import random
import re
from collections.abc import Callable, Iterable, Mapping

from corpora import word_groups as w
from scripts.battery.benign import Made, Maker, pick
from scripts.battery.texts import Passage, clause

_NUMBER = re.compile(r"(?<![\w.,/–-])\d[\d,]*(?:\.\d+)?(?![\w,/–-]|\.\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{3,}(?![\w'’-])")
_COMMON = frozenset("January February March April June July August September October".split())

Change = Callable[[random.Random, str], str | None]


def _quoted(change: Change, tries: int = 6) -> Maker:
    """Return the kind that changes a quote; the change answers `None` where it does not apply."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        if passage.language != "en":
            return None
        for _ in range(tries):
            quote = passage.text[slice(*pick(rng, passage))]
            changed = change(rng, quote)
            if changed is not None and changed != quote:
                return changed, passage.text
        return None

    return maker


def _put(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _one(rng: random.Random, pattern: str | re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(re.finditer(pattern, text))
    return rng.choice(found) if found else None


def _swaps(groups: Mapping[str, tuple[str, ...]]) -> Maker:
    """Return the kind that puts another word of a group in the place of one."""
    listed = "|".join(sorted(map(re.escape, groups), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w'’-])(?:{listed})(?![\w'’-])")

    def change(rng: random.Random, text: str) -> str | None:
        found = _one(rng, pattern, text)
        return _put(text, found, rng.choice(groups[found[0]])) if found else None

    return _quoted(change)


def _digit(rng: random.Random, text: str) -> str | None:
    found = _one(rng, _NUMBER, text)
    if not found:
        return None
    places = [at for at in range(*found.span()) if text[at].isdigit()]
    at = rng.choice(places)
    return text[:at] + rng.choice("123456789".replace(text[at], "")) + text[at + 1 :]


def _decimal(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<![\w.,-])\d+\.\d+(?![\w.,])", text)
    if not found:
        return None
    whole, part = found[0].split(".")
    moved = [f"{whole}{part}", f"{whole}{part[0]}.{part[1:]}" if len(part) > 1 else f"0.{whole}"]
    return _put(text, found, rng.choice([*moved, whole]))


def _thousands(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]|\.\d)", text)
    if not found:
        return None
    number = found[0]
    return _put(
        text, found, rng.choice([number + ",000", number.replace(",", ".", 1), number[:-4]])
    )


def _sign_added(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<=[a-z] )\d+\.?\d*(?= |%)", text)
    return _put(text, found, rng.choice("-−") + found[0]) if found else None


def _sign_dropped(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en":
        return None
    start, end = rng.choice(passage.sentences)
    quote = passage.text[start:end]
    found = _one(rng, r"(?<=[a-z] )\d+\.\d+(?= |%)", quote)
    if not found:
        return None
    signed = _put(quote, found, rng.choice("-−") + found[0])
    return quote, passage.text[:start] + signed + passage.text[end:]


def _signs(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<![<>=/])[<>=≤≥](?= ?\d)", text)
    others = {"<": ">≤=", ">": "<≥=", "=": "<>", "≤": "≥<", "≥": "≤>"}
    return _put(text, found, rng.choice(others[found[0]])) if found else None


def _percent(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<=\d)%(?= [A-Za-z])", text)
    if found:
        return _put(text, found, rng.choice(["", "‰", " percentage points", " mg"]))
    found = _one(rng, r"[$€£](?=\d)", text)
    return _put(text, found, rng.choice("$€£¥".replace(found[0], ""))) if found else None


def _year(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<![\w–-])(?:1[5-9]|20)\d\d(?![\w–-])", text)
    return (
        _put(text, found, str(int(found[0]) + rng.choice([-10, -1, 1, 2, 10]))) if found else None
    )


def _negation_dropped(rng: random.Random, text: str) -> str | None:
    kinds = [(pattern, new) for pattern, new in w.NEGATIONS if pattern.search(text)]
    if not kinds:
        return None
    pattern, new = kinds[0]
    found = _one(rng, pattern, text)
    # A negation at an edge leaves words that stand in the reference.
    if not found or found.start() == 0 or found.end() == len(text):
        return None
    return _put(text, found, found.expand(new))


def _negation_added(rng: random.Random, text: str) -> str | None:
    found = _one(
        rng, r"\b(?:is|was|are|were|has|had|have|will|can|may|should|must|could) (?=[a-z])", text
    )
    return _put(text, found, f"{found[0]}not ") if found else None


def _names(text: str) -> list[re.Match[str]]:
    return [found for found in _NAME.finditer(text) if found[0] not in _COMMON]


def _name_typo(rng: random.Random, text: str) -> str | None:
    names = _names(text)
    if not names:
        return None
    found = rng.choice(names)
    name, at = found[0], rng.randrange(1, len(found[0]) - 1)
    typos = [name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:]]
    return _put(text, found, rng.choice([*typos, name[:at] + rng.choice("aeiou") + name[at + 1 :]]))


def _exchanged(rng: random.Random, text: str, found: list[re.Match[str]]) -> str | None:
    if len({one[0] for one in found}) < 2:
        return None
    first, second = sorted(rng.sample(found, 2), key=lambda one: one.start())
    between = text[first.end() : second.start()]
    if first[0].lower() == second[0].lower() or between.strip() in {"and", "or", ",", "&"}:
        return None
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def _names_exchanged(rng: random.Random, text: str) -> str | None:
    return _exchanged(rng, text, _names(text))


def _words_exchanged(rng: random.Random, text: str) -> str | None:
    return _exchanged(rng, text, list(re.finditer(r"(?<![\w'’-])[a-z]{4,}(?![\w'’-])", text)))


def _plural(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<![\w'’-])[a-z]{5,}[a-hj-rtv-z]s(?![\w'’-])", text)
    # Without its s, "countries" is a typo and not a word.
    stems = ("ies", "ches", "shes", "sses", "xes", "zes", "stases")
    if not found or found[0].endswith(stems):
        return None
    return _put(text, found, found[0][:-1])


def _added(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<=[a-z]) (?=[a-z])", text)
    return _put(text, found, f" {rng.choice(w.ADDED)} ") if found else None


def _dropped(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<=[a-z]) [a-z]{4,}(?= [a-z])", text)
    return _put(text, found, "") if found else None


def _little_dropped(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<=[a-z]) (?:the|a|an|of|in|to|for|by|with)(?= [a-z])", text)
    return _put(text, found, "") if found else None


def _question(_rng: random.Random, text: str) -> str | None:
    return text[:-1] + "?" if text.endswith(".") else None


def _reversed(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en":
        return None
    first, second = sorted(rng.sample(range(len(passage.sentences)), 2))
    one, two = (passage.text[slice(*passage.sentences[at])] for at in (first, second))
    if passage.text.count(one) > 1 or passage.text.count(two) > 1:
        return None
    return f"{two} {rng.choice(['', '', '... ', '[...] '])}{one}", passage.text


def _clauses_reversed(_rng: random.Random, text: str) -> str | None:
    one, comma, two = text.rstrip(".").partition(", ")
    if not comma or min(len(one.split()), len(two.split())) < 3:
        return None
    return f"{two}, {one}"


def _spliced(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en":
        return None
    first, second = sorted(rng.sample(range(len(passage.sentences)), 2))
    halves = []
    for at, (low, high) in ((first, (0.0, 0.5)), (second, (0.5, 1.0))):
        span = passage.sentences[at]
        count = len(passage.text[slice(*span)].split())
        halves.append(
            passage.text[slice(*clause(passage, span, int(low * count), int(high * count)))]
        )
    return " ".join(halves), passage.text


def _cut_number(rng: random.Random, passage: Passage) -> Made:
    found = _one(rng, r"(?<![\w.,-])(?:\d{2,}|\d+[.,]\d+)%? [A-Za-z]", passage.text)
    if not found or passage.language != "en":
        return None
    digits = re.match(r"[\d.,]+", found[0])
    assert digits
    cut = found.start() + rng.randrange(1, digits.end())
    if not passage.text[cut].isdigit():
        cut += 1
    rest = re.match(r"\S+(?: [^\s.]+){5,12}", passage.text[cut:])
    return (rest[0], passage.text) if rest else None


def _cut_word(rng: random.Random, passage: Passage) -> Made:
    pattern = r"(?<=\s)(un|in|dis|im|ir|il|non|mis|re)([a-z]{5,}(?: [^\s.]+){6,12})"
    found = _one(rng, pattern, passage.text)
    return (found[2], passage.text) if found and passage.language == "en" else None


def _hidden_negation(rng: random.Random, passage: Passage) -> Made:
    pattern = re.compile(r"\b(?:not|never|cannot|without|no)\b")
    spans = [span for span in passage.sentences if pattern.search(passage.text, *span)]
    if not spans or passage.language != "en":
        return None
    sentence = passage.text[slice(*rng.choice(spans))]
    found = _one(rng, pattern, sentence)
    assert found
    if len(sentence[: found.start()].split()) < 2 or len(sentence[found.end() :].split()) < 3:
        return None
    dots = rng.choice(["...", "…", "[...]"])
    return f"{sentence[: found.start()]}{dots}{sentence[found.end() :]}", passage.text


def _typo(known: frozenset[str], kind: str) -> Maker:
    def change(rng: random.Random, text: str) -> str | None:
        found = _one(rng, r"(?<![\w'’-])[a-z]{7,}(?![\w'’-])", text)
        if not found or len(text.split()) < 6:
            return None
        word, at = found[0], rng.randrange(2, len(found[0]) - 2)
        if kind == "dropped":
            typo = word[:at] + word[at + 1 :]
        elif kind == "doubled":
            typo = word[:at] + word[at] + word[at:]
        else:
            typo = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return None if typo in known or typo == word else _put(text, found, typo)

    return _quoted(change)


def _comma(rng: random.Random, text: str) -> str | None:
    found = _one(rng, r"(?<=[a-z]),(?= [a-z])", text)
    return _put(text, found, "") if found else None


def _brackets(_rng: random.Random, text: str) -> str | None:
    bare = re.sub(r"(?<= )\(([A-Za-z][^()\d]*)\)(?= [a-z])", r"\1", text)
    return bare if "(" not in bare and ")" not in bare else None


def typos(known: Iterable[str]) -> dict[str, Maker]:
    """Return the kinds that only `fuzzy` accepts; no typo is one of the `known` words."""
    words = frozenset(known)
    kinds = {f"slip: letter {kind}": _typo(words, kind) for kind in ("dropped", "doubled")}
    return {
        **kinds,
        "slip: letters swapped": _typo(words, "swapped"),
        "comma dropped": _quoted(_comma),
        "brackets dropped": _quoted(_brackets),
    }


#: kind -> maker; all of these must be rejected, with `fuzzy` too
HARMFUL: dict[str, Maker] = {
    "number: a digit": _quoted(_digit),
    "number: decimal point": _quoted(_decimal),
    "number: thousands": _quoted(_thousands),
    "number: sign added": _quoted(_sign_added),
    "number: sign dropped": _sign_dropped,
    "number: cut": _cut_number,
    "number word": _swaps(w.NUMBER_WORDS),
    "unit": _swaps(w.UNITS),
    "percent or currency": _quoted(_percent),
    "date: month or day": _swaps(w.DATES),
    "date: year": _quoted(_year),
    "comparison sign": _quoted(_signs),
    "comparison word": _swaps(w.COMPARISONS),
    "negation dropped": _quoted(_negation_dropped, 20),
    "negation added": _quoted(_negation_added),
    "negation behind an ellipsis": _hidden_negation,
    "quantifier": _swaps(w.QUANTIFIERS),
    "name: a letter": _quoted(_name_typo),
    "names exchanged": _quoted(_names_exchanged),
    "words exchanged": _quoted(_words_exchanged),
    "opposite word": _swaps(w.ANTONYMS),
    "neighbouring word": _swaps(w.NEIGHBOURS),
    "lookalike word": _swaps(w.LOOKALIKES),
    "plural to singular": _quoted(_plural),
    "tense": _swaps(w.VERBS),
    "modal verb": _swaps(w.MODALS),
    "pronoun": _swaps(w.PRONOUNS),
    "connective": _swaps(w.CONNECTIVES),
    "function word": _swaps(w.FUNCTION_WORDS),
    "word added": _quoted(_added),
    "word dropped": _quoted(_dropped),
    "function word dropped": _quoted(_little_dropped),
    "word cut": _cut_word,
    "statement made a question": _quoted(_question),
    "sentences reversed": _reversed,
    "clauses reversed": _quoted(_clauses_reversed),
    "sentences spliced": _spliced,
}
