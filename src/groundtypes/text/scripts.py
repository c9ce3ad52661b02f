"""Scripts: which one a word is written in, and which ones a language is written in."""

from bisect import bisect_right
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Ranges of letters: first and last code point, and the ISO 15924 code of the script.
_RANGES: Final = (
    (0x0041, 0x02AF, "Latn"),
    (0x0370, 0x03FF, "Grek"),
    (0x0400, 0x052F, "Cyrl"),
    (0x0531, 0x058F, "Armn"),
    (0x0591, 0x05F4, "Hebr"),
    (0x0600, 0x06FF, "Arab"),
    (0x0750, 0x077F, "Arab"),
    (0x08A0, 0x08FF, "Arab"),
    (0x0900, 0x097F, "Deva"),
    (0x0980, 0x09FF, "Beng"),
    (0x0A00, 0x0A7F, "Guru"),
    (0x0A80, 0x0AFF, "Gujr"),
    (0x0B00, 0x0B7F, "Orya"),
    (0x0B80, 0x0BFF, "Taml"),
    (0x0C00, 0x0C7F, "Telu"),
    (0x0C80, 0x0CFF, "Knda"),
    (0x0D00, 0x0D7F, "Mlym"),
    (0x0D80, 0x0DFF, "Sinh"),
    (0x0E00, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Laoo"),
    (0x0F00, 0x0FFF, "Tibt"),
    (0x1000, 0x109F, "Mymr"),
    (0x10A0, 0x10FF, "Geor"),
    (0x1100, 0x11FF, "Hang"),
    (0x1200, 0x139F, "Ethi"),
    (0x1780, 0x17FF, "Khmr"),
    (0x1E00, 0x1EFF, "Latn"),
    (0x1F00, 0x1FFF, "Grek"),
    (0x3005, 0x3007, "Hani"),
    (0x3040, 0x30FF, "Kana"),
    (0x3130, 0x318F, "Hang"),
    (0x31F0, 0x31FF, "Kana"),
    (0x3400, 0x9FFF, "Hani"),
    (0xAC00, 0xD7AF, "Hang"),
    (0xF900, 0xFAFF, "Hani"),
    (0xFB1D, 0xFB4F, "Hebr"),
    (0xFB50, 0xFDFF, "Arab"),
    (0xFE70, 0xFEFC, "Arab"),
    (0xFF21, 0xFF5A, "Latn"),
    (0xFF66, 0xFF9D, "Kana"),
    (0x20000, 0x3FFFF, "Hani"),
)
_STARTS: Final = [start for start, _, _ in _RANGES]

#: Scripts whose words are not separated by spaces.
SPACELESS_SCRIPTS: Final = frozenset("Hani Kana Thai Laoo Khmr Mymr Tibt".split())

#: The name of each script in English, for messages.
NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Latn": "the Latin script",
        "Grek": "Greek",
        "Cyrl": "the Cyrillic script",
        "Armn": "Armenian",
        "Hebr": "Hebrew",
        "Arab": "the Arabic script",
        "Deva": "the Devanagari script",
        "Beng": "the Bengali script",
        "Guru": "Punjabi",
        "Gujr": "Gujarati",
        "Orya": "Odia",
        "Taml": "Tamil",
        "Telu": "Telugu",
        "Knda": "Kannada",
        "Mlym": "Malayalam",
        "Sinh": "Sinhala",
        "Thai": "Thai",
        "Laoo": "Lao",
        "Tibt": "the Tibetan script",
        "Mymr": "Burmese",
        "Geor": "Georgian",
        "Hang": "Korean",
        "Ethi": "the Ethiopic script",
        "Khmr": "Khmer",
        "Hani": "Chinese",
        "Kana": "Japanese",
    }
)

_LANGUAGES: Final = {
    "Latn": (
        "af az bs ca cs cy da de en eo es et eu fi fr fy ga gd gl ha hr hu id ig is it jv ku la lb "
        "lt lv mg mi ms mt nb nl nn no oc pl pt qu rm ro rw sk sl sn so sq sr st su sv sw tk tl tr "
        "uz vi wo xh yo zu"
    ),
    "Cyrl": "ba be bg cv kk ky mk mn ru sr tg tt uk",
    "Arab": "ar ckb fa ku ps sd ug ur",
    "Deva": "hi mr ne sa",
    "Beng": "as bn",
    "Hebr": "he yi",
    "Ethi": "am ti",
    "Tibt": "bo dz",
    "Hani": "ja ko wuu yue zh",
    "Grek": "el",
    "Armn": "hy",
    "Guru": "pa",
    "Gujr": "gu",
    "Orya": "or",
    "Taml": "ta",
    "Telu": "te",
    "Knda": "kn",
    "Mlym": "ml",
    "Sinh": "si",
    "Thai": "th",
    "Laoo": "lo",
    "Mymr": "my",
    "Geor": "ka",
    "Hang": "ko",
    "Khmr": "km",
    "Kana": "ja",
}


def _by_language() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for script, languages in _LANGUAGES.items():
        for language in languages.split():
            found.setdefault(language, set()).add(script)
    return {language: frozenset(scripts) for language, scripts in found.items()}


_SCRIPTS: Final = _by_language()


def scripts_of_language(language: str) -> frozenset[str]:
    """Return the codes of the scripts of a language; empty if the language is not known."""
    return _SCRIPTS.get(language, frozenset())


def word_script(word: str) -> str | None:
    """Return the code of the script of a word's first letter; `None` if it is none of those."""
    point = ord(word[0])
    if point < 0x80:
        return "Latn" if word[0].isalpha() else None
    position = bisect_right(_STARTS, point) - 1
    if position < 0:
        return None
    _, end, script = _RANGES[position]
    return script if point <= end else None
