"""Whether a text is clearly in none of some languages, and in which language it seems to be.

Evidence is what only running text has: words in lower case, in scripts that have cases. Names,
code between backticks, addresses, formulas and quotations tell nothing about the language of the
text around them, so they are left out, unless there is nothing else. First the scripts of the words
decide, then, for words in a script that the languages share with others, the n-grams of the words.
A text that says too little is never clearly in another language, and neither is one whose words are
mostly English where English is read: "door", "is" and "open" are Dutch as well. Work is bounded: of
a long text the beginning is read.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from groundtypes.text.characters import SPACELESS
from groundtypes.text.language_table import MAX_WORDS, is_mostly_english, load_table
from groundtypes.text.scripts import (
    SPACELESS_SCRIPTS,
    name_of_script,
    scripts_of_language,
    word_script,
)

#: How many characters of a text are read.
_MAX_CHARACTERS: Final = 2_000
_FENCED: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED: Final = re.compile(
    '"[^"\n]*"|\u201c[^\u201c\u201d\n]*\u201d|\u201e[^\u201e\u201c\u201d\n]*[\u201c\u201d]'
    "|\u00ab[^\u00ab\u00bb\n]*\u00bb|\u300c[^\u300c\u300d\n]*\u300d"
)
_IN_TOKEN: Final = rf"[^\s{SPACELESS}]"
#: Superscripts, fractions, subscripts and mathematical operators. Most of them count as letters or
#: digits in a regular expression.
_FORMULA: Final = (
    "\u00b2\u00b3\u00b9\u00bc-\u00be\u1d62-\u1d6a\u2070-\u209c\u2150-\u215f\u2200-\u22ff"
)
#: Letters and signs as wide as Chinese characters, and what they are otherwise.
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
#: A token of code, an address or a formula, by the characters in it.
_NOT_PROSE: Final = re.compile(
    rf"(?<!\S){_IN_TOKEN}*?(?:[_\\/<>{{}}\[\]=|@#$^~+{_FORMULA}]|\w[.(]\w|\w\(\)){_IN_TOKEN}*+"
)
_WORD: Final = re.compile(
    rf"[{SPACELESS}]+|[^\W\d_{SPACELESS}](?:[^\W\d_{SPACELESS}]"
    r"|[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0900-\u0dff]|['\u2019](?=[^\W\d_]))*"
)
_ROMAN: Final = re.compile(r"[IVXLCDM]+|[A-Z]{1,3}")
#: Frequent words of English that no other language of the table often has, and how many different
#: ones, and which share of all words, show that a text is English.
_ENGLISH: Final = frozenset(
    "the of and with that this from are were has have been its which their they would should "
    "there when because about into than also these those could what who your you".split()
)
_MIN_ENGLISH: Final = 2
_ENGLISH_SHARE: Final = 0.15
#: How many words of other scripts must be evidence; a capitalised word counts half.
_MIN_OTHER_SCRIPT: Final = 1.5
#: How many words of a script that languages share must be evidence; two if they have so many
#: letters, which the particles of names ("de la") have not.
_MIN_WORDS: Final = 3
_MIN_LETTERS_OF_TWO: Final = 7
#: In a script without spaces so many characters count as a word.
_CHARACTERS_PER_WORD: Final = 3
#: By how much the log probability of another language must be greater, by the number of words;
#: chosen on tuning data (`research/benchmarks/language_quality.py` has other texts).
_MARGINS: Final = {2: 32.0, 3: 18.0, 4: 18.0}
_MARGIN: Final = 12.0
#: By how much greater the margin is for a text that is part of one in a language that is read;
#: chosen on such texts: of 61 English sentences in 152,270 that are no English by their words alone
#: 3 are none with it, and of 1,385 sentences in 16 other languages 95.0 % are found, not 96.0 %.
_AMONG_READABLE: Final = 2.0
#: The largest share of words that may rather be of the languages: above it a text is mixed.
_MAX_SHARE: Final = 0.5
#: From this share of kana on, Chinese characters belong to Japanese text.
_KANA_SHARE: Final = 0.1
#: A text in Chinese characters alone that is as long as so many words is not Japanese.
_MIN_ONLY_CHINESE: Final = 4.0
_CHINESE: Final = frozenset({"zh", "yue", "wuu"})
#: Languages so close that a text in one is not clearly none of the others.
_RELATED: Final = ("da nb nn", "bs hr sr", "gl pt", "id ms")


class _Words(NamedTuple):
    """The words of a text that tell its language, and whether each is in running text."""

    words: list[str]
    is_running: list[bool]


class _Readable(NamedTuple):
    """The languages that are read, with their scripts and those so close to them."""

    languages: frozenset[str]
    scripts: frozenset[str]
    #: The places in the table of the languages and of those close to them.
    places: frozenset[int]
    #: Scripts with a language that the table does not have: their words decide nothing.
    unknown_scripts: frozenset[str]
    #: What the margins are multiplied by.
    caution: float = 1.0


def foreign_language(
    text: str, languages: Collection[str], *, among_readable: bool = False
) -> str | None:
    """Return the name of a text's language or script if it is clearly none of the languages.

    `None` means that the text may be in one of them, that it says too little, or that one of them
    is not known here.

    Args:
        text: Any text; its first 2,000 characters are read.
        languages: ISO 639 codes in lower case.
        among_readable: Whether the text is part of one that is in one of the languages, so that
            more must speak for another one.
    """
    readable = _readable(frozenset(languages))
    if readable is None:
        return None
    if among_readable:
        readable = readable._replace(caution=_AMONG_READABLE)
    if "en" in readable.languages and is_plainly_english(text):
        return None
    text = _FENCED.sub(" ", text[:_MAX_CHARACTERS])
    if not text.isascii():
        text = text.translate(_WIDE)
    return _name_with_quotations(text, readable)


def _name_with_quotations(text: str, readable: _Readable) -> str | None:
    """Return the name of another language, which quotations in a text do not tell of it."""
    unquoted = _QUOTED.sub(" ", text)
    words = _words(unquoted)
    name = _name_of_other(words, readable)
    if name is not None or unquoted == text:
        return name
    # Little stands outside of quotation marks: the whole text tells, unless the little is readable.
    running = _running(words)
    if len(running) >= _MIN_WORDS or (running and _is_readable_frame(words, running, readable)):
        return None
    return _name_of_other(_words(text), readable)


def is_plainly_english(text: str) -> bool:
    """Whether many words are of the most frequent of English: most texts need no closer look."""
    words = text[:_MAX_CHARACTERS].lower().split()
    frequent = list(filter(_ENGLISH.__contains__, words))
    return len(frequent) >= _ENGLISH_SHARE * len(words) and len(set(frequent)) >= _MIN_ENGLISH


def _name_of_other(words: _Words, readable: _Readable) -> str | None:
    if "Latn" not in readable.scripts or not all(map(str.isascii, words.words)):
        other_script = _other_script(words, readable)
        if other_script is not None:
            return other_script
    return _other_language(words, readable)


def _is_readable_frame(words: _Words, running: list[str], readable: _Readable) -> bool:
    """Whether the few words around a quotation are readable, as in `He said: "..."`.

    The first word is capitalised in every language with cases, so it may tell as well; or it is a
    name, so they may tell without it.
    """
    first = words.words[0].lower()
    return _is_rather_readable(running, readable) or (
        first not in running and _is_rather_readable([first, *running], readable)
    )


def _is_rather_readable(running: list[str], readable: _Readable) -> bool:
    """Whether a few words are rather in one of the languages than in any other."""
    if not readable.places or any(word_script(word) not in readable.scripts for word in running):
        return False
    table = load_table()
    scores = table.scores(map(table.word, running))
    return max(scores) <= max(scores[place] for place in readable.places)


def seems_readable(text: str, languages: Collection[str]) -> bool:
    """Whether a text says enough to be rather in one of the languages than in any other.

    Args:
        text: Any text; its first 2,000 characters are read.
        languages: ISO 639 codes in lower case.
    """
    readable = _readable(frozenset(languages))
    if readable is None or foreign_language(text, languages) is not None:
        return False
    running = _running(_words(text[:_MAX_CHARACTERS]))
    if len(running) < _MIN_WORDS:
        return False
    is_english = "en" in readable.languages and is_mostly_english(running)
    return is_english or _is_rather_readable(running, readable)


def most_probable_language(text: str, languages: Collection[str]) -> str | None:
    """Return which of the languages a text is most probably in; `None` if it says too little."""
    words = _words(_FENCED.sub(" ", text[:_MAX_CHARACTERS]))
    scripts = {word_script(word) for word in words.words}
    candidates = [code for code in languages if scripts & scripts_of_language(_plain(code))]
    if len(candidates) <= 1:
        return candidates[0] if candidates else None
    running = _running(words)
    if len(running) < _MIN_WORDS:
        return None
    table = load_table()
    scores = dict(zip(table.languages, table.scores(map(table.word, running)), strict=True))
    known = [code for code in candidates if _plain(code) in scores]
    return max(known, key=lambda code: scores[_plain(code)], default=None)


def likeliest_language(text: str, languages: Collection[str]) -> str | None:
    """Return which language the words of a short text speak for most; `None` if it has only one.

    Names count, too. Languages that the table does not have are left out.
    """
    words = dict.fromkeys(word.lower() for word in words_of_text(text) if len(word) > 1)
    if len(words) <= 1:
        return None
    table = load_table()
    scores = table.scores(map(table.word, list(words)[:MAX_WORDS]))
    known = zip(scores, table.languages, strict=True)
    scored = ((score, code) for score, code in known if code in languages)
    return max(scored, default=(0.0, None))[1]


@lru_cache(maxsize=64)
def _readable(languages: frozenset[str]) -> _Readable | None:
    plain = frozenset(map(_plain, languages))
    scripts = [scripts_of_language(language) for language in plain]
    if not all(scripts):
        return None
    table = load_table().languages
    close = {code for group in _RELATED for code in group.split() if plain & set(group.split())}
    return _Readable(
        plain,
        frozenset().union(*scripts),
        frozenset(place for place, code in enumerate(table) if code in plain | close),
        frozenset().union(*(scripts_of_language(code) for code in plain if code not in table)),
    )


def _plain(language: str) -> str:
    """Return a code without its region and script: `pt` of `pt-BR`."""
    code = re.split("[-_]", language.lower(), maxsplit=1)[0]
    return _codes().get(code, code)


@cache
def language_names() -> Mapping[str, str]:
    """Return the English names of languages by their shortest codes."""
    return {code: name for code, name, _ in _rows_of_languages()}


@cache
def _codes() -> Mapping[str, str]:
    """Return the shortest code of a language for each of its other codes."""
    return {other: code for code, _, others in _rows_of_languages() for other in others.split()}


def _rows_of_languages() -> Iterator[list[str]]:
    data = files("groundtypes.text").joinpath("data", "languages.txt")
    for line in data.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            yield [cell.strip() for cell in line.split("|")]


def name_of_language(code: str) -> str:
    """Return the English name of a language, or its code if it is not known here."""
    return language_names().get(_plain(code), code)


def words_of_text(text: str) -> list[str]:
    """Return the words of a text, without those of code, addresses and formulas."""
    return _WORD.findall(_NOT_PROSE.sub(" ", text))


def _words(text: str) -> _Words:
    words = words_of_text(text)
    if not any(map(str.islower, words)) and any(map(str.isupper, words)):
        # A text in capitals, or a list of abbreviations and numerals.
        words = [word.lower() if word.isupper() else word for word in words
                 if not _ROMAN.fullmatch(word)]  # fmt: skip
    running = [not (word[0].isupper() or word[0].istitle()) for word in words]
    return _Words(words, running)


def _other_script(words: _Words, readable: _Readable) -> str | None:
    """Return the name of the script of most words if it is not one that is read."""
    weights: dict[str, float] = {}
    any_running = False
    for word, is_running in zip(*words, strict=True):
        script = word_script(word)
        if script is None:
            continue
        if script in SPACELESS_SCRIPTS:
            for part_script, count in _script_counts(word).items():
                weights[part_script] = weights.get(part_script, 0.0) + count / _CHARACTERS_PER_WORD
            any_running = True
        elif len(word) > 1:
            weights[script] = weights.get(script, 0.0) + (1.0 if is_running else 0.5)
            any_running = any_running or (is_running and script not in readable.scripts)
    _join_japanese(weights)
    if _is_only_chinese(weights) and readable.languages.isdisjoint(_CHINESE):
        return name_of_script("Hani")
    others = {
        script: weight for script, weight in weights.items() if script not in readable.scripts
    }
    total = sum(others.values())
    if not any_running or total < _MIN_OTHER_SCRIPT or total <= sum(weights.values()) - total:
        return None
    return name_of_script(max(others, key=others.__getitem__))


def _script_counts(word: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for character in word:
        script = word_script(character)
        if script is not None:
            counts[script] = counts.get(script, 0) + 1
    return counts


def _join_japanese(weights: dict[str, float]) -> None:
    """Count the Chinese characters of a Japanese text as Japanese."""
    kana, chinese = weights.get("Kana", 0.0), weights.get("Hani", 0.0)
    if kana >= _KANA_SHARE * (kana + chinese) > 0.0:
        weights["Kana"] = kana + weights.pop("Hani", 0.0)


def _is_only_chinese(weights: Mapping[str, float]) -> bool:
    """Whether a text in Chinese characters is too long to be Japanese or Korean."""
    chinese = weights.get("Hani", 0.0)
    return chinese >= _MIN_ONLY_CHINESE and chinese == sum(weights.values())


def _running(words: _Words) -> list[str]:
    """Return the different words of running text with more than one letter, the first of them."""
    found: dict[str, None] = {}
    for word, is_running in zip(*words, strict=True):
        if is_running and (len(word) > 1 or not word.isascii()):
            if word_script(word) not in SPACELESS_SCRIPTS:
                found[word] = None
            if len(found) == MAX_WORDS:
                break
    return list(found)


def _other_language(words: _Words, readable: _Readable) -> str | None:
    """Return the name of the language of most words if it is clearly none that is read."""
    running = [word for word in _running(words) if word_script(word) in readable.scripts]
    if not _is_enough(running) or any(
        word_script(word) in readable.unknown_scripts for word in running
    ):
        return None
    table = load_table()
    packed = [table.word(word) for word in running]
    scores = table.scores(packed)
    other = max(range(len(scores)), key=scores.__getitem__)
    if other in readable.places:
        return None
    best = max(readable.places, key=scores.__getitem__)
    margin = readable.caution * _MARGINS.get(len(running), _MARGIN)
    if scores[other] - scores[best] < margin:
        return None
    if _share(packed, best, other) > _MAX_SHARE:
        return None
    if "en" in readable.languages and is_mostly_english(running):
        return None
    code = table.languages[other]
    return name_of_language(code)


def _is_enough(running: list[str]) -> bool:
    if len(running) >= _MIN_WORDS:
        return True
    return len(running) == 2 and sum(map(len, running)) >= _MIN_LETTERS_OF_TWO


def _share(packed: list[int], best: int, other: int) -> float:
    """Return the share of words that are more probable in the first language."""
    rather = sum(
        1 for word in packed if (word >> 16 * best) & 0xFFFF > (word >> 16 * other) & 0xFFFF
    )
    return rather / len(packed)
