"""Sentences of many languages: the translations that packages on PyPI carry (gettext's `.po`).

A package is named by the folder that it is unpacked or installed in.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["CODES", "originals", "translations"]

#: The language -> the folders of its translations.
CODES: Final = {
    "ar": "ar", "az": "az az_AZ", "be": "be", "bg": "bg", "bn": "bn", "ca": "ca", "cs": "cs",
    "cy": "cy", "da": "da", "de": "de", "el": "el", "es": "es es_419 es_VE", "et": "et",
    "eu": "eu", "fa": "fa", "fi": "fi", "fr": "fr", "gl": "gl", "he": "he", "hi": "hi",
    "hr": "hr hr_HR", "hu": "hu", "id": "id id_ID", "is": "is is_IS", "it": "it", "ja": "ja",
    "ko": "ko", "lt": "lt", "lv": "lv", "mn": "mn", "nb": "nb", "nl": "nl", "pl": "pl",
    "pt": "pt pt_BR pt_PT", "ro": "ro", "ru": "ru", "sk": "sk sk_SK", "sl": "sl", "sr": "sr",
    "sv": "sv", "th": "th", "tr": "tr tr_TR", "uk": "uk", "vi": "vi", "zh": "zh_Hans",
}  # fmt: skip
_ENTRY: Final = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d\])?) (?=")', re.MULTILINE)
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
#: What a program fills in, and markup.
_FILLED_IN: Final = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\{?[^}]*\}\}?|<[^>]*>|&\w+;")


def translations(folder: Path, language: str, *, complete: bool = False) -> list[str]:
    """Return the different translations in a package, without what a program fills in.

    With `complete`, texts that a program fills in are left out.
    """
    found: dict[str, None] = {}
    for code in CODES[language].split():
        for path in sorted(folder.rglob(f"locale/{code}/LC_MESSAGES/*.po")):
            original = ""
            for kind, text in _entries(path):
                if kind.startswith("msgid"):
                    original = text
                elif complete and _FILLED_IN.search(text):
                    continue
                elif original and text and text != original:
                    found[_plain(text)] = None
    return [text for text in found if text]


def originals(folder: Path) -> list[str]:
    """Return the different English texts that a package translates to German."""
    found: dict[str, None] = {}
    for path in sorted(folder.rglob("locale/de/LC_MESSAGES/*.po")):
        for kind, text in _entries(path):
            if kind.startswith("msgid"):
                found[_plain(text)] = None
    return [text for text in found if text]


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    starts = list(_ENTRY.finditer(text))
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=True):
        # The next entry's comments begin at the first line that is not a string.
        lines = text[match.end() : end].split("\n")
        body = lines[:1]
        for line in lines[1:]:
            if not line.startswith('"'):
                break
            body.append(line)
        parts = [ast.literal_eval(part) for line in body for part in _STRING.findall(line)]
        yield match[1], "".join(parts)


def _plain(text: str) -> str:
    return " ".join(_FILLED_IN.sub(" ", text).split())
