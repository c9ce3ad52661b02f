"""Changes that keep a quote correct: each kind turns a passage into a quote and its reference."""

import html
import random
import re
import unicodedata
from collections.abc import Callable

from scripts.battery.texts import Passage, clause

#: What a kind returns: the quote and the text of the reference; `None` if it does not apply.
Made = tuple[str, str] | None
Maker = Callable[[random.Random, Passage], Made]

_SPACELESS = ("zh", "ja", "th")
#: A word after a number that belongs to it.
_AFTER_NUMBER = (
    r"[^\w\s(\"“]|\d|(?i:million|billion|trillion|thousand|hundred|percent|per\b|to\b|x\b|[ap]\.?m)|"
    r"[a-zµμ]{1,2}(?:/|\W*\Z)|mmol|mmHg|BC"
)


def pick(rng: random.Random, passage: Passage) -> tuple[int, int]:
    """Return the span of a sentence, or of 6 or more words in it."""
    span = rng.choice(passage.sentences)
    if passage.language in _SPACELESS:
        return span
    count = len(passage.text[slice(*span)].split())
    if count < 9 or rng.random() < 0.5:
        return span
    low = rng.randrange(0, count - 6)
    high = rng.randrange(low + 6, count + 1)
    words = passage.text[slice(*span)].split()
    if _is_one_amount(words[low - 1 : low + 1]) or _is_one_amount(words[high - 1 : high + 1]):
        return span
    return clause(passage, span, low, high)


def _is_one_amount(words: list[str]) -> bool:
    """Whether two neighbouring words are a number and its sign, unit or scale, or a range."""
    if len(words) < 2:
        return False
    one, other = words
    if re.search(r"\d\W?\Z", one):
        return re.match(_AFTER_NUMBER, other) is not None
    return other[:1].isdigit() and re.fullmatch(r"\W{1,2}", one) is not None


def _picked_quote(rng: random.Random, passage: Passage) -> str:
    return passage.text[slice(*pick(rng, passage))]


def _quote_change(change: Callable[[random.Random, str], str]) -> Maker:
    """Return the kind that changes a verbatim quote; unchanged quotes are discarded."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        for _ in range(4):
            quote = _picked_quote(rng, passage)
            changed = change(rng, quote)
            if changed != quote:
                return changed, passage.text
        return None

    return maker


def _text_change(change: Callable[[random.Random, str], str]) -> Maker:
    """Return the kind that changes the reference at the place of the quote."""

    def maker(rng: random.Random, passage: Passage) -> Made:
        for _ in range(4):
            start, end = pick(rng, passage)
            quote = passage.text[start:end]
            changed = change(rng, quote)
            if changed != quote:
                return quote, passage.text[:start] + changed + passage.text[end:]
        return None

    return maker


def _insert(rng: random.Random, text: str, places: list[int], mark: Callable[[], str]) -> str:
    for place in sorted(rng.sample(places, min(len(places), 3)), reverse=True):
        text = text[:place] + mark() + text[place:]
    return text


def _spaces(rng: random.Random, text: str) -> str:
    return re.sub(r" ", lambda _: rng.choice([" ", "  ", "\n", "\n    ", "\t"]), text)


def _hard_spaces(rng: random.Random, text: str) -> str:
    return re.sub(r" ", lambda _: rng.choice("\u00a0\u202f\u2009\u3000 "), text)


def _lines(rng: random.Random, text: str) -> str:
    width = rng.choice([30, 48, 60])
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    indent = rng.choice(["", "  ", "      "])
    return ("\n" + indent).join([*lines, line])


def _full_width(_rng: random.Random, text: str) -> str:
    return "".join(
        "\u3000" if char == " " else chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char
        for char in text
    )


_STRAIGHT = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "«": '"', "»": '"'})


def _quotation_marks(_rng: random.Random, text: str) -> str:
    straight = text.translate(_STRAIGHT)
    if straight != text:
        return straight
    text = re.sub(r'(?<![\w.,%])"(?=\w)', "“", text)
    text = re.sub(r'(?<=[A-Za-z.,])"(?!\w)', "”", text)
    return re.sub(r"(?<=[A-Za-z])'(?=[a-z])", "’", text)


def _marks_dropped(_rng: random.Random, text: str) -> str:
    unmarked = re.sub(r'"([^"]+)"|“([^”]+)”', lambda match: match[1] or match[2], text)
    return unmarked if not re.search(r'["“”]', unmarked) else text


def _dashes(rng: random.Random, text: str) -> str:
    text = re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", lambda _: rng.choice("‐‑–"), text)
    text = re.sub(r"(?<=\d)[-–](?=\d)", lambda match: "–" if match[0] == "-" else "-", text)
    return re.sub(
        r"(?<!\d) ?[–—] ?(?!\d)| -{1,2} ", lambda _: rng.choice(["—", " – ", " - ", " -- "]), text
    )


def _ligatures(_rng: random.Random, text: str) -> str:
    for plain, joined in (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")):
        text = text.replace(plain, joined)
    return text


def _places_in_words(text: str) -> list[int]:
    return [match.start() + 3 for match in re.finditer(r"[a-zà-ÿ]{7,}", text)]


def _hyphenated(rng: random.Random, text: str) -> str:
    return _insert(
        rng, text, _places_in_words(text)[:4], lambda: rng.choice(["-\n", "-\n  ", "\u00ad\n"])
    )


def _words(text: str, low: int = 4) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<![\w*_'’-])[A-Za-z]{{{low},}}(?![\w*_'’-])", text))


def _wrap_words(rng: random.Random, text: str, pairs: list[tuple[str, str]]) -> str:
    words = _words(text)
    for word in sorted(
        rng.sample(words, min(len(words), 2)), key=lambda word: word.start(), reverse=True
    ):
        before, after = rng.choice(pairs)
        text = text[: word.start()] + before + word[0] + after + text[word.end() :]
    return text


def _markdown(rng: random.Random, text: str) -> str:
    return _wrap_words(rng, text, [("*", "*"), ("**", "**"), ("_", "_"), ("__", "__"), ("`", "`")])


def _links(rng: random.Random, text: str) -> str:
    pages = ["https://example.org/wiki/Page", "/wiki/Page_(other)", "#notes"]
    return _wrap_words(rng, text, [("[", f"]({page})") for page in pages])


def _tags(rng: random.Random, text: str) -> str:
    link = '<a href="https://example.org/a?b=1">'
    return _wrap_words(
        rng, text, [("<b>", "</b>"), ("<em>", "</em>"), (link, "</a>"), ("<br/>", "")]
    )


def _entities(rng: random.Random, text: str) -> str:
    changed = html.escape(text).replace("–", "&ndash;").replace("—", "&mdash;")
    for accented, name in (("é", "&eacute;"), ("ü", "&uuml;"), ("ö", "&#246;"), ("’", "&rsquo;")):
        changed = changed.replace(accented, name)
    return changed.replace(" ", "&nbsp;", 1) if rng.random() < 0.5 else changed


def _footnotes(rng: random.Random, text: str) -> str:
    places = [match.end() for match in re.finditer(r"[a-z]{4,}[.,]?(?= |$)", text)]
    marks = ["[1]", "[12]", "[3][4]", "¹", "²³", "<sup>7</sup>", "[citation needed]", "†"]
    return _insert(rng, text, places, lambda: rng.choice(marks))


def _citation_added(rng: random.Random, text: str) -> str:
    if not re.search(r"[a-z]{4,}[.,]?$", text):
        return text
    return text + rng.choice(["[1]", " [2]", " [1][3]"])


def _tokenised(_rng: random.Random, text: str) -> str:
    text = re.sub(r"(?<=\w)(n['’]t|['’](?:s|re|ve|ll|d|m))\b", r" \1", text)
    text = re.sub(r'(?<![\w.,])"(?=\w)', "`` ", text)
    text = re.sub(r'(?<=[\w.,])"', " ''", text)
    text = re.sub(r"(?<=[A-Za-z)\]%])([,;:])(?= |$)", r" \1", text)
    text = re.sub(r"(?<=[a-z)%])\.$", " .", text)
    return re.sub(r"([()])", r" \1 ", text).replace("  ", " ").strip()


def _operators(rng: random.Random, text: str) -> str:
    text = re.sub(r"(\d) ?%", lambda match: f"{match[1]}{rng.choice(['', ' ', '  '])}%", text)
    return re.sub(
        r" ?(?<![<>=/])([<>=≤≥]) ?(?=\d)",
        lambda match: rng.choice([match[1], f" {match[1]} "]),
        text,
    )


def _two_sentences(rng: random.Random, passage: Passage) -> Made:
    pairs = list(zip(passage.sentences, passage.sentences[1:], strict=False))
    spans = [(earlier[0], later[1]) for earlier, later in pairs if later[0] - earlier[1] < 3]
    if not spans:
        return None
    start, end = rng.choice(spans)
    return " ".join(passage.text[start:end].split()), passage.text


def _bullet_list(rng: random.Random, passage: Passage) -> Made:
    made = _two_sentences(rng, passage)
    if not made or "\n" in passage.text:
        return None
    bullet = rng.choice(["- ", "* ", "> ", "• "])
    sentences = [passage.text[slice(*span)] for span in passage.sentences]
    return made[0], "# Notes\n\n" + "\n".join(bullet + sentence for sentence in sentences)


def _spread_characters(rng: random.Random, text: str) -> str:
    places = [
        place
        for place in range(1, len(text))
        if text[place - 1].isalpha() and text[place].isalpha()
    ]
    return _insert(rng, text, places, lambda: rng.choice([" ", "\n", "\u3000"]))


def _bidi(rng: random.Random, text: str) -> str:
    if rng.random() < 0.5:
        return f"\u202b{text}\u202c" if not text.isascii() else f"\u202a{text}\u202c"
    places = [match.start() for match in re.finditer(r" ", text)]
    return _insert(rng, text, places, lambda: rng.choice("\u200e\u200f\u2068\u2069"))


def _combined(rng: random.Random, text: str) -> str:
    text = _spaces(rng, _quotation_marks(rng, text))
    return f"“{text.upper() if rng.random() < 0.3 else text}”"


def _zero_width(rng: random.Random, text: str) -> str:
    return _insert(
        rng, text, _places_in_words(text), lambda: rng.choice("\u200b\u2060\ufeff\u200c")
    )


def _last_punctuation(rng: random.Random, text: str) -> str:
    if text.endswith((".", ",", ";")):
        return text[:-1] + rng.choice(["", "", ",", ";"])
    return text + "." if text[-1].isalpha() else text


def _in_languages(languages: tuple[str, ...], maker: Maker) -> Maker:
    return lambda rng, passage: maker(rng, passage) if passage.language in languages else None


_ENGLISH = ("en",)
_SPACED = ("en", "fr", "de", "es", "vi", "cs", "ru", "el", "he", "ar", "hi", "ko")
_ACCENTED = ("en", "fr", "de", "es", "vi", "cs", "el", "ko")

#: kind -> maker; all of these must be accepted without `fuzzy`
BENIGN: dict[str, Maker] = {
    "as it stands": lambda rng, passage: (_picked_quote(rng, passage), passage.text),
    "other languages": _in_languages(
        (*_SPACED[1:], *_SPACELESS),
        lambda rng, passage: (_picked_quote(rng, passage), passage.text),
    ),
    "two sentences": _in_languages(_ENGLISH, _two_sentences),
    "small letters": _quote_change(lambda _, text: text.lower()),
    "capitals": _in_languages(_ENGLISH, _quote_change(lambda _, text: text.upper())),
    "white space": _in_languages(_SPACED, _quote_change(_spaces)),
    "lines of the reference": _in_languages(_SPACED, _text_change(_lines)),
    "spaces of other kinds": _in_languages(_SPACED, _quote_change(_hard_spaces)),
    "decomposed quote": _quote_change(lambda _, text: unicodedata.normalize("NFD", text)),
    "decomposed reference": _text_change(lambda _, text: unicodedata.normalize("NFD", text)),
    "full width": _in_languages(_ENGLISH, _quote_change(_full_width)),
    "quotation marks": _in_languages(_ENGLISH, _quote_change(_quotation_marks)),
    "inner marks dropped": _in_languages(_ENGLISH, _quote_change(_marks_dropped)),
    "marks around": _quote_change(
        lambda rng, text: "{}{}{}".format(*rng.choice(["“*”", '"*"', "«*»", "„*“"])).replace(
            "*", text
        )
    ),
    "brackets around": _quote_change(lambda _, text: f"({text})" if "(" not in text else text),
    "dots around": _quote_change(
        lambda rng, text: rng.choice(["...{}...", "… {}", "{} [...]"]).format(text)
    ),
    "dashes": _in_languages(_ENGLISH, _quote_change(_dashes)),
    "ligatures": _in_languages(_ENGLISH, _text_change(_ligatures)),
    "soft hyphens": _in_languages(
        ("en", "fr", "de", "es"),
        _text_change(
            lambda rng, text: _insert(rng, text, _places_in_words(text), lambda: "\u00ad")
        ),
    ),
    "zero width": _in_languages(("en", "fr", "de", "es"), _text_change(_zero_width)),
    "hyphenation": _in_languages(("en", "fr", "de", "es"), _text_change(_hyphenated)),
    "Markdown in the reference": _in_languages(_ENGLISH, _text_change(_markdown)),
    "Markdown in the quote": _quote_change(
        lambda rng, text: rng.choice(["**{}**", "*{}*", "> {}", "- {}", "`{}`"]).format(text)
    ),
    "Markdown links": _in_languages(_ENGLISH, _text_change(_links)),
    "Markdown list": _in_languages(_ENGLISH, _bullet_list),
    "HTML tags": _in_languages(_ENGLISH, _text_change(_tags)),
    "HTML entities": _in_languages(("en", "fr", "de"), _text_change(_entities)),
    "footnotes in the reference": _in_languages(_ENGLISH, _text_change(_footnotes)),
    "footnotes in the quote": _in_languages(_ENGLISH, _quote_change(_citation_added)),
    "last stop": _in_languages(_ENGLISH, _quote_change(_last_punctuation)),
    "tokenised reference": _in_languages(_ENGLISH, _text_change(_tokenised)),
    "spaces in spaceless scripts": _in_languages(("zh", "ja"), _quote_change(_spread_characters)),
    "direction marks": _in_languages(("en", "he", "ar"), _quote_change(_bidi)),
    "space around signs": _in_languages(_ENGLISH, _quote_change(_operators)),
    "several at once": _in_languages(_ENGLISH, _quote_change(_combined)),
}
