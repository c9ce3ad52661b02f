"""The sets of figures: `Figures()` on statements, and all checks on JSON values and tables."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

from pydantic import create_model

from benchmarks.effect.outcomes import TESTS, Outcome, Rows, RowSet, structured, table_of_tests
from benchmarks.figures_on_answers import FAULTY_FIGURE
from benchmarks.structured_sources import TEST, TUNE
from corpora.written_claims import claim_sets
from groundtypes import Figures, Grounded, Quoted, Reference, audit

__all__ = ["SETS"]

_CHECKS: Final[dict[str, type[Grounded]]] = {
    kind: create_model(kind, __base__=Grounded, text=(Annotated[str, check], ...))
    for kind, check in (("quote", Quoted()), ("figure", Figures()), ("figures", Figures()))
}
_DIGIT: Final = re.compile(r"(?<![\w.,])\d[\d.,]*(?<=\d)")
#: Kinds of written claims of which a figure is wrong.
_NUMBER: Final = frozenset({"number", "restated_number"})


def _outcome(
    id_: str,
    wanted: bool,  # noqa: FBT001 # private
    text: str,
    references: Any,
    kind: str = "figures",
    question: str | None = None,
) -> Outcome:
    context = {"references": references, "question": question}
    report = audit(_CHECKS[kind], {"text": text}, context=context)
    said = "; ".join(fault.message or "" for fault in report.faults) or "accepted"
    return Outcome.of(id_, said, text, wanted=wanted, passes=report.ok)


def _pairs(path: Path, rows: Rows) -> Iterator[Outcome]:
    for number, row in enumerate(rows.of(path)):
        name = f"{number} ({row['group']})"
        yield _outcome(name, row["holds"], row["statement"], row["reference"])


def _cases(rows: Rows) -> Iterator[Outcome]:
    assert rows.cases is not None
    for row in rows.of(rows.cases / "figures.jsonl"):
        yield _outcome(row["id"], row["label"] == "true", row["statement"], row["reference"])


def _claims(_: Rows) -> Iterator[Outcome]:
    for claims in claim_sets("test"):
        for number, claim in enumerate(claims.claims):
            if claim.supported or claim.kind in _NUMBER:
                name = f"{claims.id}-{number} ({claim.kind})"
                references = claims.references
                yield _outcome(
                    name, claim.supported, claim.text, references, question=claims.question
                )


def _answers(name: str, rows: Rows) -> Iterator[Outcome]:
    """Sentences of RAG answers, and the right ones with one number changed."""
    assert rows.data is not None
    for source in rows.of(rows.data / f"answers/{name}.jsonl.gz"):
        judge = partial(_outcome, references=source["references"], question=source["question"])
        for place, answer in enumerate(source["answers"]):
            for number, sentence in enumerate(answer["sentences"]):
                id_, text = f"{source['id']}-{place}-{number}", sentence["text"]
                if sentence["ok"] or sentence["kind"] == FAULTY_FIGURE:
                    yield judge(id_, sentence["ok"], text)
                if sentence["ok"] and (altered := _altered(text)) is not None:
                    yield judge(f"{id_} (altered)", False, altered)


def _altered(text: str) -> str | None:
    """Return a text with one digit of one number changed, by chance but always the same."""
    numbers = list(_DIGIT.finditer(text))
    if not numbers:
        return None
    chance = Random(text)
    number = chance.choice(numbers)
    places = [place for place in range(*number.span()) if text[place].isdecimal()]
    place = chance.choice(places)
    digit = chance.choice([digit for digit in "123456789" if digit != text[place]])
    return text[:place] + digit + text[place + 1 :]


def _structured(path: Path, rows: Rows) -> Iterator[Outcome]:
    for row in rows.of(path):
        if row["kind"] in _CHECKS:
            wanted, text, reference = structured(row)
            yield _outcome(f"{row['id']} ({row['kind']})", wanted, text, [reference], row["kind"])


def _headers(rows: Rows) -> Iterator[Outcome]:
    """Cells of a table whose header has a unit or a scale."""
    for row in rows.of(table_of_tests("headers.jsonl")):
        header, cell = row["header"], row["cell"]
        table = Reference.of_table("t", f"| City | {header} |\n|---|---|\n| Ulm | {cell} |")
        records = [{"city": "Ulm", header: json.loads(cell)}]
        for reference in (table, Reference.of_json("t", records)):
            for side in ("holds", "refused"):
                for text in row[side]:
                    name = f"{header}, {reference.text[:1]}, {text}"
                    yield _outcome(name, side == "holds", f"It was {text}.", [reference])


def _structured_cases(rows: Rows) -> Iterator[Outcome]:
    assert rows.cases is not None
    return _structured(rows.cases / "structured.jsonl", rows)


SETS: Final = (
    *(
        RowSet(path.stem.replace("_", " "), "tests", partial(_pairs, path))
        for path in sorted(TESTS.rglob("figure_pairs*.jsonl"))
    ),
    RowSet("written claims", "written", _claims),
    RowSet("case file", "cases", _cases, "cases"),
    *(
        RowSet(f"RAG answers, {name}", "public", partial(_answers, name), "data")
        for name in ("rag", "more", "languages")
    ),
    RowSet("headers of tables", "tests", _headers),
    RowSet("structured, tune", "battery", partial(_structured, TUNE)),
    RowSet("structured, test", "battery", partial(_structured, TEST)),
    RowSet("structured, case file", "cases", _structured_cases, "cases"),
)
