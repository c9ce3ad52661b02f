"""Write what CLDR knows of each language into the word files of `groundtypes.words`.

    python -m tables.build_words

Each file `src/groundtypes/words/data/LANGUAGE.txt` has sections, `[source]`. The sections whose
source is CLDR are written anew, all others are compiled by hand and stay as they are. To add a
language, create its file, compile its words, and run this. Babel is needed for it; the library
needs no Babel when it runs.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from babel import Locale
from babel.core import get_cldr_version
from babel.dates import get_month_names
from babel.units import format_unit

FOLDER: Final = Path(__file__).parent.parent.parent / "src/groundtypes/words/data"
ENGLISH: Final = FOLDER.parent.parent / "text/data/english_words.txt"
#: The languages that write the names of months as numbers.
NUMBERED_MONTHS: Final = ("ja", "ko", "zh")
#: Units of time of CLDR -> the name of the unit in the table of units.
DURATIONS: Final = {
    "year": "years", "month": "months", "week": "weeks", "day": "days", "hour": "hours",
    "minute": "minutes", "second": "seconds",
}  # fmt: skip
#: Numbers that have all plural forms of the languages between them.
NUMBERS: Final = (0, 1, 2, 3, 5, 10, 11, 20, 21, 100, 1_000_000, 1.5)
#: Short words and words of English name a unit only in their own language.
SHORTEST: Final = 3
#: The largest power of ten whose words are taken. Those of larger ones are another power in other
#: languages, and CLDR stops before it has all of them: a Swedish "triljon" is 10¹⁸.
LARGEST_SCALE: Final = 10**9
#: A word for a power of ten, in Romanian with a "de" before it: "25 de milioane".
SCALE: Final = re.compile(rf"de [^\W\d_]+|[^\W\d_]{{{SHORTEST + 1},}}")
#: A field of a date pattern, or words between fields.
PATTERN: Final = re.compile(r"'(?P<quoted>[^']+)'|(?P<field>y+|[ML]+|d+|G+)|(?P<plain>[^'yMLdG]+)")
#: What CLDR counts as a part of the names of Catalan months.
CATALAN_OF: Final = re.compile("^(?:de |d[\u2019'])")
FIELDS: Final = {"y": "year", "M": "month", "L": "month", "d": "day"}


def months(locale: Locale, english: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the months in dates, those without a day, and their abbreviations.

    A name of at most three letters that is a word of English counts as an abbreviation.
    """
    if locale.language in NUMBERED_MONTHS:
        return
    for number in range(1, 13):
        full, short = (
            [
                CATALAN_OF.sub("", get_month_names(width, context, locale)[number])
                for context in ("format", "stand-alone")
            ]
            for width in ("wide", "abbreviated")
        )
        doubtful = [name for name in full if len(name) <= SHORTEST and name.lower() in english]
        yield f"month [{number}]", [name for name in full[:1] if name not in doubtful]
        yield f"lone month [{number}]", [name for name in full[1:] if name not in full[:1]]
        yield f"short month [{number}]", [*(name for name in short if name not in full), *doubtful]


def gaps(locale: Locale) -> Iterator[tuple[str, list[str]]]:
    """Yield the words and marks between the fields of dates: the "de" of "3 de octubre de 2021"."""
    if locale.language in NUMBERED_MONTHS:
        return
    found: dict[str, list[str]] = {}
    if re.match("[ML]", str(locale.datetime_skeletons["MMMMd"])):
        yield "date order", ["month day"]
    patterns = [locale.date_formats["long"].pattern]
    patterns += [str(locale.datetime_skeletons[name]) for name in ("yMMMM", "MMMMd")]
    for pattern in patterns:
        before, between = "", ""
        for match in PATTERN.finditer(pattern):
            field = match["field"] or ""
            if field.startswith("G"):
                continue
            if not field:
                between += match["quoted"] or match["plain"]
                continue
            name = FIELDS[field[0]]
            if before:
                found.setdefault(f"between {before} and {name}", []).append(between)
            before, between = name, ""
    for kind, words in found.items():
        cleaned = [" ".join(word.split()).strip(". ") for word in words]
        if listed := [word for word in cleaned if any(map(str.isalpha, word))]:
            yield kind, listed


def durations(locale: Locale, english: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the units of time, in all plural forms."""
    for unit, name in DURATIONS.items():
        words = [
            re.sub(r"[\d.,\u0660-\u06f9\u09e6-\u09ef\u200e\u200f\s]+", " ", text).strip()
            for number in NUMBERS
            for text in [format_unit(number, f"duration-{unit}", length="long", locale=locale)]
            if any(map(str.isdigit, text))  # "two hours" may be one word
        ]
        is_own = [
            word
            for word in words
            if " " not in word
            and word.isprintable()
            and (not word.isascii() or (len(word) > SHORTEST and word.lower() not in english))
        ]
        yield f"unit [{name}]", is_own


def scale_words(locale: Locale) -> Iterator[tuple[str, int]]:
    """Yield the words for powers of ten, in all plural forms, each with its power."""
    for patterns in locale.compact_decimal_formats["long"].values():
        for power, pattern in patterns.items():
            digits, _, word = re.sub(r"[\u200e\u200f\s]+", " ", str(pattern.pattern)).partition(" ")
            if set(digits) == {"0"} and SCALE.fullmatch(word):
                yield word.lower(), int(power) // 10 ** (len(digits) - 1)


@cache
def ambiguous_scales() -> frozenset[str]:
    """Return the words that are one power of ten in a language and another in another one.

    Which one they are depends on more than the word, and what is compiled by hand says it.
    """
    found: dict[str, set[int]] = {}
    locales = [Locale.parse(path.stem) for path in FOLDER.glob("*.txt") if path.stem != "mul"]
    for word, power in chain.from_iterable(map(scale_words, locales)):
        found.setdefault(word, set()).add(power)
    return frozenset(word for word, powers in found.items() if len(powers) > 1)


def scales(locale: Locale) -> Iterator[tuple[str, list[str]]]:
    """Yield the words for powers of ten: the "milionu" of the Czech "0,8 milionu"."""
    found: dict[int, list[str]] = {}
    for word, power in scale_words(locale):
        if power <= LARGEST_SCALE and word not in ambiguous_scales():
            found.setdefault(power, []).append(word)
    for power, words in found.items():
        yield f"scale [{power}]", words


def lines(entries: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    """Yield a line for each kind with its words, each once."""
    for kind, words in entries:
        if unique := dict.fromkeys(words):
            yield f"{kind}: {' | '.join(unique)}"


def without_cldr(text: str) -> str:
    """Return the file without the section that is written anew."""
    return re.sub(r"\[CLDR[^\]]*\]\n(?:[^\[\n].*\n|\n)*", "", text).rstrip("\n") + "\n"


def written(path: Path) -> str:
    """Return a file with the section of CLDR as it is now."""
    shipped = path.read_text(encoding="utf-8")
    if path.stem == "mul":
        return shipped  # words whose languages are not told apart
    english = frozenset(ENGLISH.read_text(encoding="utf-8").split())
    locale = Locale.parse(path.stem)
    own = [
        *months(locale, english),
        *gaps(locale),
        *durations(locale, english),
        *scales(locale),
    ]
    section = "\n".join((f"[CLDR {get_cldr_version()}, through Babel]", *lines(own)))
    return f"{without_cldr(shipped)}\n{section}\n"


def main() -> None:
    """Write the sections of all languages that have a file."""
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(written(path), encoding="utf-8")


if __name__ == "__main__":
    main()
