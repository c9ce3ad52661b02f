"""Changes that give a quote another meaning than its reference, and typos."""

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


def _quote_change(change: Change, tries: int = 6) -> Maker:
    """Return the kind that changes a quote; a change returns `None` if it does not apply."""

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


def _replace(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _choose(rng: random.Random, pattern: str | re.Pattern[str], text: str) -> re.Match[str] | None:
    matches = list(re.finditer(pattern, text))
    return rng.choice(matches) if matches else None


def _swaps(groups: Mapping[str, tuple[str, ...]]) -> Maker:
    """Return the kind that replaces a word by another word of its group."""
    alternatives = "|".join(sorted(map(re.escape, groups), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w'’-])(?:{alternatives})(?![\w'’-])")

    def change(rng: random.Random, text: str) -> str | None:
        match = _choose(rng, pattern, text)
        return _replace(text, match, rng.choice(groups[match[0]])) if match else None

    return _quote_change(change)


def _digit(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, _NUMBER, text)
    if not match:
        return None
    places = [place for place in range(*match.span()) if text[place].isdigit()]
    place = rng.choice(places)
    return text[:place] + rng.choice("123456789".replace(text[place], "")) + text[place + 1 :]


def _decimal(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<![\w.,-])\d+\.\d+(?![\w.,])", text)
    if not match:
        return None
    whole, part = match[0].split(".")
    shifted = [f"{whole}{part}", f"{whole}{part[0]}.{part[1:]}" if len(part) > 1 else f"0.{whole}"]
    return _replace(text, match, rng.choice([*shifted, whole]))


def _thousands(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]|\.\d)", text)
    if not match:
        return None
    number = match[0]
    return _replace(
        text, match, rng.choice([number + ",000", number.replace(",", ".", 1), number[:-4]])
    )


def _sign_added(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<=[a-z] )\d+\.?\d*(?= |%)", text)
    return _replace(text, match, rng.choice("-−") + match[0]) if match else None


def _sign_dropped(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en":
        return None
    start, end = rng.choice(passage.sentences)
    quote = passage.text[start:end]
    match = _choose(rng, r"(?<=[a-z] )\d+\.\d+(?= |%)", quote)
    if not match:
        return None
    signed = _replace(quote, match, rng.choice("-−") + match[0])
    return quote, passage.text[:start] + signed + passage.text[end:]


def _comparison_sign(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<![<>=/])[<>=≤≥](?= ?\d)", text)
    alternatives = {"<": ">≤=", ">": "<≥=", "=": "<>", "≤": "≥<", "≥": "≤>"}
    return _replace(text, match, rng.choice(alternatives[match[0]])) if match else None


def _percent(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<=\d)%(?= [A-Za-z])", text)
    if match:
        return _replace(text, match, rng.choice(["", "‰", " percentage points", " mg"]))
    match = _choose(rng, r"[$€£](?=\d)", text)
    return _replace(text, match, rng.choice("$€£¥".replace(match[0], ""))) if match else None


def _year(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<![\w–-])(?:1[5-9]|20)\d\d(?![\w–-])", text)
    return (
        _replace(text, match, str(int(match[0]) + rng.choice([-10, -1, 1, 2, 10])))
        if match
        else None
    )


def _negation_dropped(rng: random.Random, text: str) -> str | None:
    kinds = [(pattern, new) for pattern, new in w.NEGATIONS if pattern.search(text)]
    if not kinds:
        return None
    pattern, new = kinds[0]
    match = _choose(rng, pattern, text)
    # Without a negation at its edge, a quote still occurs in the reference.
    if not match or match.start() == 0 or match.end() == len(text):
        return None
    return _replace(text, match, match.expand(new))


def _negation_added(rng: random.Random, text: str) -> str | None:
    match = _choose(
        rng, r"\b(?:is|was|are|were|has|had|have|will|can|may|should|must|could) (?=[a-z])", text
    )
    return _replace(text, match, f"{match[0]}not ") if match else None


def _names(text: str) -> list[re.Match[str]]:
    return [match for match in _NAME.finditer(text) if match[0] not in _COMMON]


def _name_typo(rng: random.Random, text: str) -> str | None:
    names = _names(text)
    if not names:
        return None
    match = rng.choice(names)
    name, place = match[0], rng.randrange(1, len(match[0]) - 1)
    typos = [name[:place] + name[place + 1 :], name[:place] + name[place] + name[place:]]
    return _replace(
        text, match, rng.choice([*typos, name[:place] + rng.choice("aeiou") + name[place + 1 :]])
    )


def _exchange(rng: random.Random, text: str, matches: list[re.Match[str]]) -> str | None:
    if len({match[0] for match in matches}) < 2:
        return None
    first, second = sorted(rng.sample(matches, 2), key=lambda match: match.start())
    between = text[first.end() : second.start()]
    if first[0].lower() == second[0].lower() or between.strip() in {"and", "or", ",", "&"}:
        return None
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def _names_exchanged(rng: random.Random, text: str) -> str | None:
    return _exchange(rng, text, _names(text))


def _words_exchanged(rng: random.Random, text: str) -> str | None:
    return _exchange(rng, text, list(re.finditer(r"(?<![\w'’-])[a-z]{4,}(?![\w'’-])", text)))


def _plural(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<![\w'’-])[a-z]{5,}[a-hj-rtv-z]s(?![\w'’-])", text)
    # Without its s, "countries" is a typo and not a word.
    stems = ("ies", "ches", "shes", "sses", "xes", "zes", "stases")
    if not match or match[0].endswith(stems):
        return None
    return _replace(text, match, match[0][:-1])


def _added(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<=[a-z]) (?=[a-z])", text)
    return _replace(text, match, f" {rng.choice(w.ADDED)} ") if match else None


def _dropped(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<=[a-z]) [a-z]{4,}(?= [a-z])", text)
    return _replace(text, match, "") if match else None


def _function_word_dropped(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<=[a-z]) (?:the|a|an|of|in|to|for|by|with)(?= [a-z])", text)
    return _replace(text, match, "") if match else None


def _made_question(_rng: random.Random, text: str) -> str | None:
    return text[:-1] + "?" if text.endswith(".") else None


def _sentences_reversed(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en":
        return None
    first, second = sorted(rng.sample(range(len(passage.sentences)), 2))
    first_sentence, second_sentence = (
        passage.text[slice(*passage.sentences[number])] for number in (first, second)
    )
    if passage.text.count(first_sentence) > 1 or passage.text.count(second_sentence) > 1:
        return None
    return (
        f"{second_sentence} {rng.choice(['', '', '... ', '[...] '])}{first_sentence}",
        passage.text,
    )


def _clauses_reversed(_rng: random.Random, text: str) -> str | None:
    first, comma, second = text.rstrip(".").partition(", ")
    if not comma or min(len(first.split()), len(second.split())) < 3:
        return None
    return f"{second}, {first}"


def _spliced(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en":
        return None
    first, second = sorted(rng.sample(range(len(passage.sentences)), 2))
    halves = []
    for number, (low, high) in ((first, (0.0, 0.5)), (second, (0.5, 1.0))):
        span = passage.sentences[number]
        count = len(passage.text[slice(*span)].split())
        halves.append(
            passage.text[slice(*clause(passage, span, int(low * count), int(high * count)))]
        )
    return " ".join(halves), passage.text


def _number_cut(rng: random.Random, passage: Passage) -> Made:
    match = _choose(rng, r"(?<![\w.,-])(?:\d{2,}|\d+[.,]\d+)%? [A-Za-z]", passage.text)
    if not match or passage.language != "en":
        return None
    digits = re.match(r"[\d.,]+", match[0])
    assert digits
    cut = match.start() + rng.randrange(1, digits.end())
    if not passage.text[cut].isdigit():
        cut += 1
    rest = re.match(r"\S+(?: [^\s.]+){5,12}", passage.text[cut:])
    return (rest[0], passage.text) if rest else None


def _word_cut(rng: random.Random, passage: Passage) -> Made:
    pattern = r"(?<=\s)(un|in|dis|im|ir|il|non|mis|re)([a-z]{5,}(?: [^\s.]+){6,12})"
    match = _choose(rng, pattern, passage.text)
    return (match[2], passage.text) if match and passage.language == "en" else None


def _negation_elided(rng: random.Random, passage: Passage) -> Made:
    pattern = re.compile(r"\b(?:not|never|cannot|without|no)\b")
    spans = [span for span in passage.sentences if pattern.search(passage.text, *span)]
    if not spans or passage.language != "en":
        return None
    sentence = passage.text[slice(*rng.choice(spans))]
    match = _choose(rng, pattern, sentence)
    assert match
    if len(sentence[: match.start()].split()) < 2 or len(sentence[match.end() :].split()) < 3:
        return None
    dots = rng.choice(["...", "…", "[...]"])
    return f"{sentence[: match.start()]}{dots}{sentence[match.end() :]}", passage.text


def _typo(known: frozenset[str], kind: str) -> Maker:
    def change(rng: random.Random, text: str) -> str | None:
        match = _choose(rng, r"(?<![\w'’-])[a-z]{7,}(?![\w'’-])", text)
        if not match or len(text.split()) < 6:
            return None
        word, place = match[0], rng.randrange(2, len(match[0]) - 2)
        if kind == "dropped":
            typo = word[:place] + word[place + 1 :]
        elif kind == "doubled":
            typo = word[:place] + word[place] + word[place:]
        else:
            typo = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        return None if typo in known or typo == word else _replace(text, match, typo)

    return _quote_change(change)


def _comma_dropped(rng: random.Random, text: str) -> str | None:
    match = _choose(rng, r"(?<=[a-z]),(?= [a-z])", text)
    return _replace(text, match, "") if match else None


def _brackets_dropped(_rng: random.Random, text: str) -> str | None:
    bare = re.sub(r"(?<= )\(([A-Za-z][^()\d]*)\)(?= [a-z])", r"\1", text)
    return bare if "(" not in bare and ")" not in bare else None


def typos(known: Iterable[str]) -> dict[str, Maker]:
    """Return the kinds that only `fuzzy` accepts; no typo is one of the `known` words."""
    known_words = frozenset(known)
    kinds = {f"slip: letter {kind}": _typo(known_words, kind) for kind in ("dropped", "doubled")}
    return {
        **kinds,
        "slip: letters swapped": _typo(known_words, "swapped"),
        "comma dropped": _quote_change(_comma_dropped),
        "brackets dropped": _quote_change(_brackets_dropped),
    }


#: kind -> maker; all of these must be rejected, even with `fuzzy`
HARMFUL: dict[str, Maker] = {
    "number: a digit": _quote_change(_digit),
    "number: decimal point": _quote_change(_decimal),
    "number: thousands": _quote_change(_thousands),
    "number: sign added": _quote_change(_sign_added),
    "number: sign dropped": _sign_dropped,
    "number: cut": _number_cut,
    "number word": _swaps(w.NUMBER_WORDS),
    "unit": _swaps(w.UNITS),
    "percent or currency": _quote_change(_percent),
    "date: month or day": _swaps(w.DATES),
    "date: year": _quote_change(_year),
    "comparison sign": _quote_change(_comparison_sign),
    "comparison word": _swaps(w.COMPARISONS),
    "negation dropped": _quote_change(_negation_dropped, 20),
    "negation added": _quote_change(_negation_added),
    "negation behind an ellipsis": _negation_elided,
    "quantifier": _swaps(w.QUANTIFIERS),
    "name: a letter": _quote_change(_name_typo),
    "names exchanged": _quote_change(_names_exchanged),
    "words exchanged": _quote_change(_words_exchanged),
    "opposite word": _swaps(w.ANTONYMS),
    "neighbouring word": _swaps(w.NEIGHBOURS),
    "lookalike word": _swaps(w.LOOKALIKES),
    "plural to singular": _quote_change(_plural),
    "tense": _swaps(w.VERBS),
    "modal verb": _swaps(w.MODALS),
    "pronoun": _swaps(w.PRONOUNS),
    "connective": _swaps(w.CONNECTIVES),
    "function word": _swaps(w.FUNCTION_WORDS),
    "word added": _quote_change(_added),
    "word dropped": _quote_change(_dropped),
    "function word dropped": _quote_change(_function_word_dropped),
    "word cut": _word_cut,
    "statement made a question": _quote_change(_made_question),
    "sentences reversed": _sentences_reversed,
    "clauses reversed": _quote_change(_clauses_reversed),
    "sentences spliced": _spliced,
}
