"""The sets of statements: `Entailed()` by the bundled model, on a sample of each set."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Final

from pydantic import create_model

from benchmarks.effect.outcomes import Outcome, Rows, RowSet, structured, table_of_tests
from benchmarks.judges.sets import SETS as JUDGED_SETS
from benchmarks.judges.sets import JudgedSet, sample
from benchmarks.structured_sources import TEST, TUNE
from groundtypes import Entailed, Grounded, Judges, audit_many
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import DiskScoreCache

__all__ = ["SETS"]

_ANSWER: Final[Any] = create_model(
    "Answer", __base__=Grounded, text=(Annotated[str, Entailed()], ...)
)
#: Sets of which no row needs the public data.
_WRITTEN: Final = frozenset({"written-statements", "written-answers", "minimal-pairs", "copied"})


def _outcomes(rows: Rows, given: Iterable[tuple[str, bool, str, Any, str | None]]) -> Any:
    """Yield the outcomes of rows: id, whether it is supported, text, references and question."""
    engine = OnnxNLI(cache=DiskScoreCache(rows.cache / "scores.sqlite"), threads=1)
    judges, cases = Judges(nli=engine, languages="any"), list(given)
    audits = audit_many(
        _ANSWER,
        [{"text": text} for _, _, text, _, _ in cases],
        context=[
            {"references": references, "question": question, "judges": judges}
            for _, _, _, references, question in cases
        ],
    )
    for (id_, supported, text, _, _), report in zip(cases, audits, strict=True):
        said = "; ".join(str(fault.slug) for fault in report.faults) or "accepted"
        yield Outcome.of(id_, said, text, wanted=supported, passes=report.ok)


def _sampled(judged: JudgedSet, rows: Rows) -> Iterator[Outcome]:
    found = sample(judged, rows.data, rows.most)  # type: ignore[arg-type] # the written need none
    given = [(row.id, row.is_right, row.text, list(row.references), row.question) for row in found]
    yield from _outcomes(rows, given)


def _statements(rows: Rows) -> Iterator[Outcome]:
    given = []
    for number, row in enumerate(rows.of(table_of_tests("statements.jsonl"))):
        name = f"{number} ({row['kind']})"
        given.append((name, row["supported"], row["text"], row["references"], row["question"]))
    yield from _outcomes(rows, given)


def _structured(rows: Rows) -> Iterator[Outcome]:
    found = [row for path in (TUNE, TEST) for row in rows.of(path) if row["kind"] == "sentence"]
    if rows.cases is not None:
        cases = rows.of(rows.cases / "structured.jsonl")
        found += [row for row in cases if row["kind"] == "entailed"]
    given = []
    for row in found:
        supported, text, reference = structured(row)
        given.append((row["id"], supported, text, [reference], None))
    yield from _outcomes(rows, given)


SETS: Final = (
    RowSet("statements of a reader", "tests", _statements),
    RowSet("structured", "battery", _structured),
    *(
        RowSet(
            judged.title,
            "written" if judged.name in _WRITTEN else "public",
            partial(_sampled, judged),
            "" if judged.name in _WRITTEN else "data",
        )
        for judged in JUDGED_SETS
        if judged.kind != "pair"
    ),
)
