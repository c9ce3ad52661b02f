"""The sets of streams: whether `guard` leaves out what is false, and nothing else."""

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from benchmarks.effect.outcomes import Outcome, Rows, RowSet
from corpora.cited_answers import load_answers
from corpora.rag_answers import rag_answers
from groundtypes import Entailed, Judges, Pair, guard
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI

__all__ = ["SETS"]

#: The stream arrives in chunks of so many characters.
_CHUNK: Final = 7


def _passed(text: str, references: Any, rule: Any, checks: Any = None) -> str:
    chunks = [text[start : start + _CHUNK] for start in range(0, len(text), _CHUNK)]
    judges = Judges(nli=ScriptedNLI(rule), languages="any")
    return "".join(
        guard(chunks, references, judges=judges, checks=checks or [Entailed()], on_fault="drop")
    )


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _answers(rows: Rows) -> Iterator[Outcome]:
    """RAG answers: whole if all is entailed, else without the faulty sentences."""
    assert rows.data is not None
    names = ("rag", "more", "languages")
    for number, answer in enumerate(rag_answers(rows.data, None, names)[:: 2 * rows.every]):
        passed = _passed(answer.text, answer.references, lambda _: ENTAILED)
        yield Outcome(str(number), "pass", passed == answer.text, passed, answer.text)
        by_truth: dict[bool | None, list[str]] = {True: [], False: [], None: []}
        for sentence, right in zip(answer.sentences, answer.are_right, strict=True):
            by_truth[right].append(_letters(sentence))

        def rule(pair: Pair, faulty: list[str] = by_truth[False]) -> Any:
            said = _letters(pair.hypothesis)
            return NEUTRAL if any(said in each for each in faulty) else ENTAILED

        if by_truth[False]:
            passed = _passed(answer.text, answer.references, rule)
            rest = _letters(passed)
            right = all(each in rest for each in by_truth[True]) and not any(
                each in rest for each in by_truth[False]
            )
            yield Outcome(f"{number} (faulty)", "refuse", right, passed, answer.text)


def _documents(rows: Rows) -> Iterator[Outcome]:
    """Random Markdown, some sentences of which are false: what passes has no label."""
    try:
        from tests.validation.streams.documents import FALSE, NotFalse, document  # noqa: PLC0415 # it needs markdown-it
    except ImportError:
        return
    for number in range(0, 600, rows.every):
        text = document(Random(number)).text
        passed = _passed(text, "x", lambda _: ENTAILED, [NotFalse()])
        digest = hashlib.sha256(passed.encode()).hexdigest()[:12]
        yield Outcome(str(number), "law", FALSE not in passed, digest, text)


def _cited(rows: Rows) -> Iterator[Outcome]:
    """Answers with markers pass whole."""
    for row in load_answers("test")[:: rows.every]:
        passed = _passed(row.answer, row.texts, lambda _: ENTAILED)
        yield Outcome(row.id, "pass", passed == row.answer, passed, row.answer)


SETS: Final = (
    RowSet("RAG answers", "public", _answers, "data"),
    RowSet("random Markdown", "tests", _documents),
    RowSet("written answers with markers", "battery", _cited),
)
