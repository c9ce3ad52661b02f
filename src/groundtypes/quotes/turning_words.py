"""The words that an ellipsis may not hide, by language, and the recognition of the language.

The lists are in `data/turning_words.txt`, which explains its keys and marks. They are read once, at
the first quote with an ellipsis, and each language's patterns are compiled when it is first met.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from groundtypes.text.characters import INVISIBLE, MARKS, SPACELESS, WORD
from groundtypes.text.language_detection import likeliest_language
from groundtypes.text.scripts import word_script

#: The tokens that stand for commas, brackets and dashes, and for semicolons and colons.
DELIMITER: Final = ","
SEMICOLON: Final = ";"
_TOKEN: Final = re.compile(
    rf"(?P<word>(?:{WORD}|[{SPACELESS}][{MARKS}]*)+)"
    r"|(?P<semicolon>[;:\uff1b\uff1a\u061b](?!\d))"
    r"|(?P<delimiter>[,\uff0c\u3001\u060c()\[\]{}\uff08\uff09\u2014](?!\d)|(?<=\s)[-\u2013]+(?=\s)"
    r"|(?<=\w)\u2013(?=\w))"
)
_HYPHENATION: Final = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad\u00ac]\s*\n\s*(?=[^\W\d_])")
_GREEK: Final = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]+")
_GREEK_ACCENTS: Final = re.compile(r"[\u0300-\u036f]")
#: Marks of Arabic and Hebrew that most texts leave out, the kashida, and a dot of Turkish.
_VOWEL_MARKS: Final = re.compile(r"[\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u0307]")
_VARIANTS: Final = str.maketrans(
    "\u0623\u0625\u0622\u0649\u0629\u06cc\u06a9\u015f\u0163",
    "\u0627\u0627\u0627\u064a\u0647\u064a\u0643\u0219\u021b",
)
#: Scripts that tell the language, except that Japanese has Han characters, too.
_LANGUAGE_OF_SCRIPT: Final = {"Grek": "el", "Hebr": "he", "Thai": "th", "Hang": "ko", "Kana": "ja"}
_SPACELESS_LANGUAGES: Final = ("zh", "ja", "th")
#: A language is recognised by so many of its frequent words, and by this share of all words.
_FEWEST_COMMON: Final = 2
_LEAST_SHARE: Final = 0.14
#: Languages with nearly as many hits as the best one are taken into account, too.
_NEARLY_BEST: Final = 0.85


def folded_words(text: str) -> str:
    """Return the words of a text, folded, with spaces around each and signs for delimiters."""
    text = INVISIBLE.sub("", _HYPHENATION.sub("", text))
    text = unicodedata.normalize("NFKC", text).casefold()
    if not text.isascii():
        text = _VOWEL_MARKS.sub("", text).translate(_VARIANTS)
        text = _GREEK.sub(_without_accents, text)
    words = [
        match[0] if match["word"] else DELIMITER if match["delimiter"] else SEMICOLON
        for match in _TOKEN.finditer(text)
    ]
    return f" {' '.join(words)} " if words else " "


def _without_accents(match: re.Match[str]) -> str:
    return _GREEK_ACCENTS.sub("", unicodedata.normalize("NFD", match[0]))


@dataclass(frozen=True, eq=False)
class Language:
    """The lists of one language, by their keys."""

    code: str
    entries: dict[str, list[str]] = field(repr=False)

    @cached_property
    def common(self) -> frozenset[str]:
        """Frequent words, folded."""
        return frozenset(folded_words(word).strip() for word in self.entries.get("common", ()))

    @property
    def is_listed(self) -> bool:
        """Whether it is known what turns a sentence of the language."""
        return "turns" in self.entries

    def find(self, key: str, words: str) -> re.Match[str] | None:
        """Return the first entry of a list in folded words."""
        exceptions, pattern = _patterns(self, key)
        if exceptions is not None:
            words = exceptions.sub(" ", words)
        return None if pattern is None else pattern.search(words)


@cache
def _patterns(
    language: Language, key: str
) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Return what is taken out first, and what is looked for then."""
    entries = language.entries.get(key, [])
    exceptions = [entry[1:] for entry in entries if entry.startswith("!")]
    words = [entry for entry in entries if not entry.startswith("!")]
    return _pattern(language.code, exceptions), _pattern(language.code, words)


def _pattern(code: str, entries: Sequence[str]) -> re.Pattern[str] | None:
    if not entries:
        return None
    if code in _SPACELESS_LANGUAGES:
        cores = {folded_words(entry.replace("_", "")).strip() for entry in entries}
        return re.compile("|".join(map(re.escape, sorted(cores, key=len, reverse=True))))
    return re.compile(rf"(?<= )(?:{'|'.join(map(_of_entry, entries))})(?= )")


def _of_entry(entry: str) -> str:
    """Return the pattern of an entry: a word, its beginning, its end or two words."""
    core = re.escape(folded_words(entry.strip("*").replace("_", " ")).strip())
    before = "[^ ]*" if entry.startswith("*") else ""
    after = "[^ ]*" if entry.endswith("*") else ""
    return f"{before}{core}{after}"


@cache
def _languages() -> dict[str, Language]:
    """Return all languages of the data by their codes."""
    data = files("groundtypes.quotes").joinpath("data", "turning_words.txt")
    languages: dict[str, Language] = {}
    entries: dict[str, list[str]] = {}
    for line in data.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            entries = {}
            code = line.strip("[]")
            languages[code] = Language(code, entries)
        elif line and not line.startswith("#"):
            key, _, words = line.partition(": ")
            entries.setdefault(key, []).extend(words.split())
    return languages


@cache
def _languages_by_script() -> dict[str | None, list[Language]]:
    """Return the languages of each script that are told apart by their frequent words."""
    by_script: dict[str | None, list[Language]] = {}
    for language in _languages().values():
        scripts = Counter(filter(None, map(_script_of_word, language.common)))
        if scripts:
            by_script.setdefault(scripts.most_common(1)[0][0], []).append(language)
    return by_script


def _script_of_word(word: str) -> str | None:
    return next(filter(None, map(word_script, word)), None)


def languages_of(hidden: str, sentence: str, around: str) -> list[Language] | None:
    """Return the languages whose lists decide about hidden words; `None` if one is unknown.

    All three are folded words: those hidden, those of their sentence, and those around it, by which
    the language is recognised where the sentence is too short.
    """
    languages: dict[str, Language] = {}
    scripts = {_script_of_word(word) for word in hidden.split() if any(map(str.isalpha, word))}
    of_sentence = Counter(filter(None, map(_script_of_word, sentence.split())))
    main_script = of_sentence.most_common(1)[0][0] if of_sentence else "Latn"
    for script in scripts or (main_script,):
        found = _languages_of_script(script, sentence, around)
        if not found and script != main_script:
            # Such as a name in its own script in brackets: every list of the script decides.
            found = [one for one in _languages_by_script().get(script, []) if one.is_listed]
        if not found:
            return None if scripts else []
        languages.update((one.code, one) for one in found)
    return list(languages.values())


def _languages_of_script(script: str | None, sentence: str, around: str) -> list[Language]:
    if script == "Hani" and "Kana" in map(word_script, around):
        script = "Kana"
    code = "zh" if script == "Hani" else _LANGUAGE_OF_SCRIPT.get(script or "")
    if code is not None:
        return [_languages()[code]]
    candidates = _languages_by_script().get(script, [])
    recognised = _recognised(candidates, sentence, script) or _recognised(
        candidates, around, script
    )
    if not any(one.is_listed for one in recognised):
        return []
    # In "Dal jsem si pivo", two words are frequent in Italian, but the letters are Czech.
    likeliest = likeliest_language(sentence, [one.code for one in candidates])
    return [
        one for one in candidates if one.is_listed and (one in recognised or one.code == likeliest)
    ]


def possible_languages(hidden: str, sentence: str) -> list[Language]:
    """Return the languages that a sentence of no recognised language may be of.

    They have lists, and one of their frequent words is in the sentence; if there are none of these,
    they are all that are written in the scripts of the hidden words. Both are folded words.
    """
    scripts = {_script_of_word(word) for word in hidden.split()}
    listed = [
        one
        for script in sorted(filter(None, scripts))
        for one in _languages_by_script().get(script, [])
        if one.is_listed
    ]
    words = frozenset(sentence.split())
    return [one for one in listed if one.common & words] or listed


def _recognised(candidates: Sequence[Language], folded: str, script: str | None) -> list[Language]:
    """Return the languages with the most frequent words in a text; none where there are too few."""
    counts = Counter(word for word in folded.split() if _script_of_word(word) == script)
    hits = {
        one.code: sum(counts[word] for word in common)
        for one in candidates
        if len(common := counts.keys() & one.common) >= _FEWEST_COMMON
    }
    best = max(hits.values(), default=0)
    if best < _LEAST_SHARE * counts.total():
        return []
    return [one for one in candidates if hits.get(one.code, 0) >= max(1, _NEARLY_BEST * best)]
