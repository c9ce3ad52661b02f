"""Fit the table that tells languages apart, and write it to `languages.bin`.

    python -m training.languages FOLDER [FOLDER ...]

Each folder is an unpacked package with translations: the shipped table was made of Wagtail 8.0.1
and django-oscar 4.2.1 (BSD 3-Clause License) and django-allauth 65.21.1 (MIT License). Beside them
it learns from the train part of the replies in `research/corpora/data` and, for English, from
passages of Wikipedia. Of a language there must be at least 14,000 characters.
"""

import json
import math
import sys
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from corpora.refusal_replies import written_replies
from corpora.translations import CODES, originals, translations
from corpora.wikipedia import wikipedia_passages
from groundtypes.text.language_detection import words_of_text
from groundtypes.text.language_table import MAX_STEP, PLACES, word_features
from groundtypes.text.scripts import SPACELESS_SCRIPTS, scripts_of_language

_FILE: Final = Path(__file__).parents[2] / "src/groundtypes/text/data/languages.bin"
_MIN_CHARACTERS: Final = 14_000
_PASSAGES: Final = 500
#: What is added to every count.
_SMOOTHING: Final = 0.3
#: Log probabilities, less their mean at a place, are clipped to this absolute value.
_CLIP: Final = 6.0


def main() -> None:
    """Count the n-grams of every language, and write their log probabilities."""
    folders = [Path(name) for name in sys.argv[1:]]
    texts = {
        language: dict.fromkeys(
            text for folder in folders for text in translations(folder, language)
        )
        for language in CODES
    }
    texts["en"] = dict.fromkeys(text for folder in folders for text in originals(folder))
    texts["en"].update(dict.fromkeys(wikipedia_passages()[:_PASSAGES]))
    for reply in written_replies():
        if reply.part == "train" and reply.language in texts:
            texts[reply.language][reply.text] = None
    languages = [
        language
        for language, found in sorted(texts.items())
        if sum(map(len, found)) >= _MIN_CHARACTERS and _has_words(language)
    ]
    columns = [_log_probabilities(texts[language]) for language in languages]
    values = bytearray()
    step = 2 * _CLIP / MAX_STEP
    for row in zip(*columns, strict=True):
        mean = math.fsum(row) / len(row)
        values.extend(
            round((min(_CLIP, max(-_CLIP, value - mean)) + _CLIP) / step) for value in row
        )
    head = json.dumps({"languages": languages, "step": step})
    _FILE.write_bytes(head.encode() + b"\n" + zlib.compress(bytes(values), 9))
    print(f"{len(languages)} languages, {_FILE.stat().st_size:,} bytes: {' '.join(languages)}")


def _has_words(language: str) -> bool:
    return scripts_of_language(language).isdisjoint(SPACELESS_SCRIPTS)


def _log_probabilities(texts: Iterable[str]) -> list[float]:
    counts: Counter[int] = Counter()
    for text in texts:
        for word in words_of_text(text):
            counts.update(word_features(word.lower()))
    total = counts.total() + _SMOOTHING * PLACES
    return [math.log((counts[place] + _SMOOTHING) / total) for place in range(PLACES)]


if __name__ == "__main__":
    main()
