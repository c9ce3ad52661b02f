"""Markup, characters and signs that make no difference to a quote, and others that do."""

import random
import re
from collections.abc import Callable

from scripts.battery.benign import Made, Maker, pick
from scripts.battery.texts import Passage

#: What is put before and after a word, in texts of Markdown, HTML and LaTeX.
_WRAPPINGS = (
    ("[", "][1]"), ("[", "][note-2]"), ("[[", "]]"), ("[[Page|", "]]"), ("<time>", "</time>"),
    ('<span data-id="7">', "</span>"), ("<var>", "</var>"), ("<mark hidden>", "</mark>"),
    ("<!-- a > b -->", ""), ("==", "=="), ("\\emph{", "}"), ("\\textbf{", "}"), ("$", "$"),
    ("", "®"), ("", "™"), ("", "∗"), ("", "‡"), ("", "\\\n"), ("", "<ins></ins>"),
)  # fmt: skip
_VARIANTS = {
    "'": "ʼʹ＇", "-": "‐‑֊־", "°": "º˚", "×": "x", "~": "∼", "%": "٪％﹪", "?": "？؟", ":": "∶：",
    "ş": "ș", "ţ": "ț", "ș": "ş", "ț": "ţ", "।": ".", "،": ",",
    "م": ("م", "مـ"), "ن": ("ن", "نـ"), "ب": ("ب", "بـ"),
    "ำ": ("\u0e4d\u0e32",), "ï": ("ı\u0308",), "í": ("ı\u0301",),
}  # fmt: skip
_BULLETS = "➢►✓◆\uf0d8\uf0fc❖▸"
#: A unit after a number, and another unit of the same letters.
_UNITS = {
    "mg": "Mg", "mm": "mM", "ml": "ML", "mL": "ML", "MW": "mW", "MHz": "mHz", "mV": "MV", "s": "S",
    "nm": "nM", "GB": "Gb", "MB": "Mb", "h": "H", "g": "G", "m": "M", "t": "T", "MPa": "mPa",
}  # fmt: skip
_UNITS_OF_ONE_MEANING = {"kg": "Kg", "km": "KM", "mL": "ml", "ml": "mL", "kW": "KW", "min": "Min"}


def _is_elsewhere(text: str, start: int, end: int) -> bool:
    """Whether the words between two offsets occur once more in the text."""
    words, before, after = (
        " ".join(re.findall(r"\w+", part.lower()))
        for part in (text[start:end], text[:start], text[end:])
    )
    return words in before or words in after


def _of_quote_or_text(change: Callable[[random.Random, str], str]) -> Maker:
    """Return the kind that changes the quote, or the reference at the place of the quote."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        for _ in range(6):
            start, end = pick(rng, passage)
            quote = passage.text[start:end]
            changed = change(rng, quote)
            if changed == quote or _is_elsewhere(passage.text, start, end):
                continue
            if rng.random() < 0.5:
                return changed, passage.text
            return quote, passage.text[:start] + changed + passage.text[end:]
        return None

    return maker


def _wrapped(rng: random.Random, text: str) -> str:
    # A capital letter after another word may be a name, in which a formula would be no markup.
    words = list(re.finditer(r"(?<= )[a-z]{4,}(?= [a-z])", text))
    for word in sorted(rng.sample(words, min(2, len(words))), key=lambda word: -word.start()):
        before, after = rng.choice(_WRAPPINGS)
        text = text[: word.start()] + before + word[0] + after + text[word.end() :]
    return text


def _ties(_rng: random.Random, text: str) -> str:
    text = re.sub(r"(?<=\d) (?=[a-z]{3})", "~", text)
    return re.sub(r"(?<=[A-Z][a-z]\.) (?=[A-Z])", "~", text)


def _variants(rng: random.Random, text: str) -> str:
    for letter, name in (("α", "alpha"), ("β", "beta"), ("γ", "gamma"), ("κ", "kappa")):
        text = re.sub(rf"(?<![Ͱ-Ͽἀ-῾]){letter}(?![Ͱ-Ͽἀ-῾])", name, text)
    return "".join(rng.choice(_VARIANTS.get(character, (character,))) for character in text)


def _broken_words(rng: random.Random, text: str) -> str:
    words = list(re.finditer(r"(?<= )[a-zà-ÿ]{8,}(?= )", text))
    for word in sorted(rng.sample(words, min(2, len(words))), key=lambda word: -word.start()):
        place = word.start() + 4
        text = text[:place] + rng.choice(["- ", "¬\n", "¬ ", "-\r\n", "\u00ad\n"]) + text[place:]
    return text


def _bullets(rng: random.Random, passage: Passage) -> Made:
    sentences = [passage.text[slice(*span)] for span in passage.sentences]
    if passage.language != "en" or len(sentences) < 2:
        return None
    bullet = rng.choice(_BULLETS)
    first = rng.randrange(len(sentences) - 1)
    return " ".join(sentences[first : first + 2]), "\n".join(f"{bullet} {one}" for one in sentences)


def _table(rng: random.Random, passage: Passage) -> Made:
    words = re.findall(r"[A-Za-z]{3,}", passage.text)
    if passage.language != "en" or len(words) < 12:
        return None
    columns = rng.choice([2, 3])
    rows = [words[at : at + columns] for at in range(0, 12, columns)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{rng.choice([' --- |', ':--:|', ' ---: |']) * columns}")
    first = rng.randrange(3)
    return " ".join(word for row in rows[first : first + 2] for word in row), "\n".join(lines)


def _units(units: dict[str, str]) -> Callable[[random.Random, str], str]:
    pattern = re.compile(rf"(?<=\d )(?:{'|'.join(map(re.escape, units))})(?![\w/²³^])")

    def change(rng: random.Random, text: str) -> str:
        found = list(pattern.finditer(text))
        if not found or text.isupper():
            return text
        unit = rng.choice(found)
        return text[: unit.start()] + units[unit[0]] + text[unit.end() :]

    return change


def _struck_out(rng: random.Random, passage: Passage) -> Made:
    start, end = pick(rng, passage)
    quote = passage.text[start:end]
    words = list(re.finditer(r"\S+", quote))
    if len(words) < 8 or "<" in quote or "~" in quote or _is_elsewhere(passage.text, start, end):
        return None
    low = rng.randrange(1, len(words) - 5)
    first, last = words[low].start(), words[low + rng.randrange(1, 4)].end()
    before, after = rng.choice(
        [("~~", "~~"), ("<del>", "</del>"), ("<s>", "</s>"), ("<strike>", "</strike>")]
    )
    struck = f"{quote[:first]}{before}{quote[first:last]}{after}{quote[last:]}"
    return quote, passage.text[:start] + struck + passage.text[end:]


def _blocks_joined(rng: random.Random, passage: Passage) -> Made:
    if passage.language != "en" or len(passage.sentences) < 2:
        return None
    first, second = (
        passage.text[slice(*span)].strip(' .?!"”').replace("\n", " ")
        for span in sorted(rng.sample(passage.sentences, 2))
    )
    if re.search(r"[.!?:;]", first + second):
        return None
    before, after = rng.choice(
        [("- ", "\n\n## "), ("1. ", "\n\n"), ("* ", "\n# "), ("", "\n\n### ")]
    )
    return f"{first} {second}", f"{before}{first}{after}{second}"


def _sign_in_text(pattern: str, new: str) -> Maker:
    """Return the kind whose reference has a sign that the quote lacks."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        start, end = pick(rng, passage)
        quote = passage.text[start:end]
        # Before and after the place there are other words, so that the quote does not end there.
        found = list(re.finditer(rf"(?<=\w\w ){pattern}(?= [a-z]{{3}})", quote))
        if not found or passage.language != "en" or _is_elsewhere(passage.text, start, end):
            return None
        match = rng.choice(found)
        signed = quote[: match.start()] + match.expand(new) + quote[match.end() :]
        return quote, passage.text[:start] + signed + passage.text[end:]

    return maker


#: Kinds that must be accepted.
BENIGN_SIGNS: dict[str, Maker] = {
    "markup of other kinds": _of_quote_or_text(_wrapped),
    "ties of LaTeX": _of_quote_or_text(_ties),
    "characters of two forms": _of_quote_or_text(_variants),
    "hyphenation of other kinds": _of_quote_or_text(_broken_words),
    "bullets of other kinds": _bullets,
    "table with a delimiter row": _table,
    "unit: case without meaning": _of_quote_or_text(_units(_UNITS_OF_ONE_MEANING)),
}
#: Kinds that must be rejected, even with `fuzzy`. They change case, brackets and markup, which the
#: plain comparison of the battery does not see.
HARMFUL_SIGNS: dict[str, Maker] = {
    "unit: case": _of_quote_or_text(_units(_UNITS)),
    "struck out": _struck_out,
    "blocks joined": _blocks_joined,
    "number: exponent dropped": _sign_in_text(r"(\d{1,3})", r"\1 ⁶"),
    "number: loss in brackets": _sign_in_text(r"(\d[\d,.]*\d|\d)", r"(\1)"),
    "code: element dropped": _sign_in_text(r"([a-z]{4,})", r"\1[0]"),
    "code: parameter dropped": _sign_in_text(r"([a-z]{4,})", r"\1<String>"),
    "code: pointer dropped": _sign_in_text(r"([a-z]{4,})", r"*\1"),
    "minus dropped": _sign_in_text(r"([a-z]{4,})", r"\1 -"),
    "isotope dropped": _sign_in_text(r"([A-Z])", r"¹⁴\1"),
    "dagger dropped": _sign_in_text(r"\((1[5-9]\d\d)\)", r"(† \1)"),
}
