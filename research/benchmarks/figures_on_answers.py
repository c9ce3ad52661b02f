"""How often `Figures` is right about the sentences of written RAG answers.

    python -m benchmarks.figures_on_answers --data DATA [--part tune|kept] [--engine NAME] [--wrong]

DATA is a folder with `answers/*.jsonl.gz`: answers to questions on references, each sentence with a
label that says whether the references support it, and the kind of its fault. Each sentence is
validated with `Figures()` alone. Altered figures are those of the supported sentences with one
digit changed, or with another number word, each in its sentence: they show how many wrong figures
pass by chance. `tune` is the part on which the check may be tuned, `kept` the other one; a source
is in one of them by the hash of its id. An engine that reads whole texts has the last word on what
is derived, bounded or only possible; altered figures are not counted with it, as they would ask it
about each.
"""

import argparse
import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel

from groundtypes import Figures, Judges, Verdict, audit
from groundtypes.figures import find_figures

__all__ = [
    "FAULTY_FIGURE",
    "Counts",
    "altered_figures",
    "flagged_sentences",
    "is_tuned_on",
    "load_sources",
    "table",
]

#: The kind of fault that `Figures` is to find.
FAULTY_FIGURE: Final = "number or date"
_TUNED_ON: Final = 60
_NUMBER_WORDS: Final = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBER_WORD: Final = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
#: Sources of one text, which belong to one part.
_SAME_TEXT: Final = {"wiki4-23": "wiki4-17"}

_HEADER: Final = (
    "| file | right sentences flagged | wrong numbers caught | other faults flagged "
    "| altered figures caught | fault-free answers that pass |"
)


class Sentence(BaseModel):
    """A sentence of an answer."""

    text: Annotated[str, Figures()]


@dataclass
class Counts:
    """How many sentences and answers there are, and what is found of them.

    Attributes:
        right: Sentences that the references support, and how many of them are flagged.
        number: Sentences with a wrong number or date.
        other: Sentences with another fault.
        altered: Figures of supported sentences with another digit or number word.
        answers: Answers without a faulty sentence, and how many of them have no flagged sentence.
    """

    right: list[bool] = field(default_factory=list)
    number: list[bool] = field(default_factory=list)
    other: list[bool] = field(default_factory=list)
    altered: list[bool] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)

    def row(self, name: str) -> str:
        """Return the counts as a row of a Markdown table."""
        return (
            f"| {name} | {_share(self.right)} | {_share(self.number)} | {_share(self.other)} "
            f"| {_share(self.altered)} | {_share(self.answers)} |"
        )


def _share(outcomes: Sequence[bool]) -> str:
    if not outcomes:
        return "none"
    return f"{sum(outcomes)} of {len(outcomes)} ({sum(outcomes) / len(outcomes):.1%})"


def is_tuned_on(source: str) -> bool:
    """Return whether the source with this id is in the part that the check is tuned on."""
    digest = hashlib.sha256(_SAME_TEXT.get(source, source).encode()).hexdigest()
    return int(digest, 16) % 100 < _TUNED_ON


def load_sources(path: Path, part: Literal["tune", "kept"]) -> list[dict[str, Any]]:
    """Return the sources of a file that are in a part."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        sources = [json.loads(line) for line in lines]
    return [source for source in sources if is_tuned_on(source["id"]) == (part == "tune")]


def flagged_sentences(
    answer: dict[str, Any], source: dict[str, Any], judges: Judges | None = None
) -> Iterator[tuple[dict[str, Any], tuple[Verdict, ...]]]:
    """Yield each sentence of an answer with its verdicts."""
    context = {
        "references": source["references"],
        "question": source["question"],
        "judges": judges,
    }
    for sentence in answer["sentences"]:
        report = audit(Sentence, {"text": sentence["text"]}, context=context)
        yield sentence, tuple(report.verdicts)


def altered_figures(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield a sentence with one figure altered, and where that figure is, for each of its figures.

    A digit is changed into another one at random, or a number word. Identifiers remain.
    """
    for figure in find_figures(text):
        chance = random.Random(f"{figure.start} {text}")
        digits = [at for at in range(figure.start, figure.end) if text[at] in "0123456789"]
        word = _NUMBER_WORD.search(text, figure.start, figure.end)
        if figure.incidental or figure.kind in ("identifier", "label"):
            continue
        if digits:
            at = chance.choice(digits)
            new = chance.choice([digit for digit in "123456789" if digit != text[at]])
            yield text[:at] + new + text[at + 1 :], figure.start, figure.end
        elif word:
            new = chance.choice([other for other in _NUMBER_WORDS if other != word[0].lower()])
            altered = text[: word.start()] + new + text[word.end() :]
            yield altered, figure.start, figure.end + len(altered) - len(text)


def _is_caught(altered: str, start: int, end: int, source: dict[str, Any]) -> bool:
    """Return whether the figure between two places of a sentence is a fault."""
    context = {"references": source["references"], "question": source["question"]}
    faults = audit(Sentence, {"text": altered}, context=context).faults
    shown = [
        figure.text for figure in find_figures(altered) if start < figure.end and figure.start < end
    ]
    return any(f'"{text}"' in (fault.message or "") for fault in faults for text in shown)


def _count(
    counts: Counts,
    answer: dict[str, Any],
    source: dict[str, Any],
    judges: Judges | None,
    *,
    show: bool,
) -> None:
    """Add an answer to the counts; `show` prints what is wrong."""
    passes = True
    for sentence, verdicts in flagged_sentences(answer, source, judges):
        flagged = not all(verdict.ok for verdict in verdicts)
        passes = passes and not flagged
        is_number = sentence["kind"] == FAULTY_FIGURE
        if sentence["ok"] is True:
            counts.right.append(flagged)
            for altered in altered_figures(sentence["text"]) if judges is None else ():
                counts.altered.append(_is_caught(*altered, source))
        elif sentence["ok"] is False:
            (counts.number if is_number else counts.other).append(flagged)
        if show and (flagged if sentence["ok"] is not False else is_number and not flagged):
            print(f"\n{source['id']} ok={sentence['ok']} {sentence['kind']}: {sentence['text']}")
            for verdict in verdicts:
                print(f"  ok={verdict.ok} {verdict.label} {verdict.message or verdict.reason}")
    if all(sentence["ok"] is not False for sentence in answer["sentences"]):
        counts.answers.append(passes)


def table(
    files: Sequence[Path],
    part: Literal["tune", "kept"],
    judges: Judges | None = None,
    *,
    show: bool = False,
) -> str:
    """Return the counts of each file and of all as a Markdown table."""
    lines = [_HEADER, "|---|---|---|---|---|---|"]
    total = Counts()
    for path in files:
        counts = Counts()
        for source in load_sources(path, part):
            for answer in source["answers"]:
                _count(counts, answer, source, judges, show=show)
        lines.append(counts.row(path.name.removesuffix(".jsonl.gz")))
        for name in ("right", "number", "other", "altered", "answers"):
            getattr(total, name).extend(getattr(counts, name))
    return "\n".join([*lines, total.row("all")])


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the answers")
    parser.add_argument("--part", choices=("tune", "kept"), default="tune")
    parser.add_argument("--engine", help="an engine that reads whole texts, such as judge:BASE")
    parser.add_argument("--wrong", action="store_true", help="print what is wrong of `tune`")
    args = parser.parse_args(argv)
    files = sorted((args.data / "answers").glob("*.jsonl.gz"))
    judges = Judges(nli=args.engine) if args.engine else None
    print(table(files, args.part, judges, show=args.wrong and args.part == "tune"))


if __name__ == "__main__":
    main()
