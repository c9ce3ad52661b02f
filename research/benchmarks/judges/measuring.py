"""One judge on some sets: what it says of each row, and what that costs."""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import create_model

from benchmarks import machine
from benchmarks.judges.sets import SETS, JudgedRow, JudgedSet, sample
from benchmarks.judges.store import Store, shown_name
from groundtypes import Entailed, Figures, Grounded, Judges, NLIScorer, Pair
from groundtypes.backends.operating_point import engine_id
from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.errors import LanguageError
from groundtypes.judges import named_nli
from groundtypes.validation import Audit, iter_audits
from groundtypes.verdicts import Verdict

__all__ = ["Measurement", "measure"]

#: So many pairs are scored for one text that is audited: they are shorter.
_PAIRS_PER_TEXT: Final = 8
_PACKAGES: Final = ("onnxruntime", "tokenizers", "transformers", "torch", "peft")
#: An answer as users declare it, and its sentences, whose figures are also looked up one by one.
_ANSWER: Final[Any] = create_model(
    "Answer",
    __base__=Grounded,
    text=(Annotated[str, Entailed(), Figures()], ...),
    sentences=(list[Annotated[str, Figures()]], ...),
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What to measure: a judge by its name, on which sets, and how many rows of each.

    After `seconds` no further batch of `batch` texts is begun; a later run goes on there.
    `is_same_engine` says that stored judgements are of this engine, whatever its digest is.
    """

    judge: str
    data: Path
    store: Store
    sets: Sequence[str] = ()
    most: int | None = 200
    batch: int = 16
    seconds: float | None = None
    is_same_engine: bool = False


def measure(wanted: Measurement) -> bool:
    """Judge the rows that have no stored judgement, and return whether all of them have one now.

    Raises:
        Mistake: The judge is missing or fails.
        SystemExit: The stored judgements are of another engine.
    """
    name = shown_name(wanted.judge)
    engine: NLIScorer | None = None  # loaded when there is something to judge
    began = time.perf_counter()
    for judged in SETS:
        if wanted.sets and judged.name not in wanted.sets:
            continue
        known = wanted.store.read(name, judged.name)
        rows = [row for row in sample(judged, wanted.data, wanted.most) if row.id not in known]
        size = wanted.batch * (_PAIRS_PER_TEXT if judged.kind == "pair" else 1)
        for batch in (rows[start : start + size] for start in range(0, len(rows), size)):
            if wanted.seconds is not None and time.perf_counter() - began > wanted.seconds:
                print(f"{name}: out of time at {judged.name}", file=sys.stderr, flush=True)
                return False
            if engine is None:
                engine = named_nli(wanted.judge)
                wanted.store.claim(name, str(engine_id(engine)), is_same=wanted.is_same_engine)
            _judge_batch(wanted, name, engine, judged, batch)
        print(f"{name}: {judged.name}, {len(rows)} rows", file=sys.stderr, flush=True)
    return True


def _judge_batch(
    wanted: Measurement, name: str, engine: NLIScorer, judged: JudgedSet, rows: Sequence[JudgedRow]
) -> None:
    tokens = getattr(engine, "tokens_read", None)
    began, began_computing = time.perf_counter(), time.process_time()
    records = list(_judgements(engine, judged, rows))
    seconds, processor_seconds = time.perf_counter() - began, time.process_time() - began_computing
    wanted.store.add(name, judged.name, records)
    wanted.store.add_run(
        name,
        {
            "set": judged.name,
            "statements": sum(record.get("statements", 0) for record in records),
            "seconds": round(seconds, 3),
            "processor_seconds": round(processor_seconds, 3),
            "tokens": None if tokens is None else getattr(engine, "tokens_read", 0) - tokens,
            "peak_mib": _peak_memory(),
            "machine": machine.describe(_PACKAGES),
        },
    )


def _peak_memory() -> int | None:
    """Return the largest resident size of this process so far, in MiB; `None` on Windows."""
    try:
        import resource  # noqa: PLC0415 # not on every platform
    except ImportError:
        return None
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size // (2**20 if sys.platform == "darwin" else 2**10)


def _judgements(
    engine: NLIScorer, judged: JudgedSet, rows: Sequence[JudgedRow]
) -> Iterator[dict[str, Any]]:
    """Yield what the judge says of each row."""
    if judged.kind == "pair":
        pairs = [Pair(row.references[0], row.text) for row in rows]
        for row, score in zip(rows, engine.score(pairs), strict=True):
            scores = (score.entailment, score.neutral, score.contradiction)
            yield _record(row, statements=1, scores=[round(each, 4) for each in scores])
        return
    for row, audit in zip(rows, _audits(engine, rows), strict=True):
        if audit is None:
            yield _record(row, refused="language")
        else:
            yield _judgement(row, audit)


def _record(row: JudgedRow, **said: Any) -> dict[str, Any]:
    pair = {} if row.pair is None else {"pair": row.pair}
    return {"id": row.id, "label": row.label, **pair, **said}


def _audits(engine: NLIScorer, rows: Sequence[JudgedRow]) -> list[Audit[Any] | None]:
    """Return an audit of each row, `None` where the engine does not read its language."""
    try:
        return list(
            iter_audits(
                _ANSWER,
                ({"text": row.text, "sentences": _sentence_texts(row)} for row in rows),
                context=(
                    {
                        "references": list(row.references),
                        "question": row.question,
                        "judges": Judges(nli=engine),
                    }
                    for row in rows
                ),
                batch=len(rows),
            )
        )
    except LanguageError:
        if len(rows) == 1:
            return [None]
    half = len(rows) // 2
    return [*_audits(engine, rows[:half]), *_audits(engine, rows[half:])]


def _sentence_texts(row: JudgedRow) -> list[str]:
    return [row.text[sentence.start : sentence.end] for sentence in row.sentences]


def _judgement(row: JudgedRow, audit: Audit[Any]) -> dict[str, Any]:
    entailed = [verdict for verdict in audit.verdicts if verdict.check == "Entailed"]
    figures = [verdict for verdict in audit.verdicts if verdict.check == "Figures"]
    record = _record(
        row,
        statements=len(entailed),
        entailed=all(verdict.ok for verdict in entailed),
        score=_lowest(entailed),
        figures=all(verdict.ok for verdict in figures if verdict.loc[0] == "text"),
    )
    if row.sentences:
        record["sentences"] = list(_by_sentence(row, entailed, figures))
    return record


def _by_sentence(
    row: JudgedRow, entailed: Sequence[Verdict], figures: Sequence[Verdict]
) -> Iterator[dict[str, Any]]:
    """Yield what is said of each labelled sentence.

    A sentence in which the check finds no claim is not judged: `entailed` is `None`.
    """
    statements = list(zip(sentences_with_claims(row.text), entailed, strict=True))
    for number, sentence in enumerate(row.sentences):
        of_sentence = [
            verdict
            for statement, verdict in statements
            if statement.start < sentence.end and sentence.start < statement.end
        ]
        yield {
            "right": sentence.right,
            "kind": sentence.kind,
            "entailed": all(verdict.ok for verdict in of_sentence) if of_sentence else None,
            "score": _lowest(of_sentence),
            "figures": all(
                verdict.ok for verdict in figures if verdict.loc == ("sentences", number)
            ),
        }


def _lowest(verdicts: Sequence[Verdict]) -> float:
    """Return the lowest score; 1 where nothing was judged, as nothing was refused."""
    return round(min((verdict.score or 0.0 for verdict in verdicts), default=1.0), 4)
