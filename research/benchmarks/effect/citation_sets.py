"""The sets of citation markers: `Cited` on whole answers, sentence by sentence."""

from collections.abc import Iterator
from typing import Annotated, Any, Final

from pydantic import create_model

from benchmarks.effect.outcomes import Outcome, Rows, RowSet
from corpora.cited_answers import load_answers
from groundtypes import Cited, Judges, audit
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import DiskScoreCache
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI, contained

__all__ = ["SETS"]

_FOUND: Final = frozenset({"unknown", "missing"})


def _audit(text: str, references: Any, judges: Judges | None, **options: Any) -> Any:
    model: Any = create_model("Answer", text=(Annotated[str, Cited(**options)], ...))
    context = {"references": references} | ({} if judges is None else {"judges": judges})
    return audit(model, {"text": text}, context=context)


def _marked(rows: Rows) -> Iterator[Outcome]:
    """What each sentence cites, and whether unknown and missing sources are found."""
    judges = Judges(nli=ScriptedNLI(lambda _: ENTAILED), languages="any")
    for row in [*load_answers("tune"), *load_answers("test")][:: rows.every]:
        report = _audit(row.answer, row.texts, judges, scope=row.scope)
        for start, end, sentence in row.placed_sentences():
            own = [each for each in report.verdicts if _within(each.part, start, end)]
            slugs = {each.slug for each in own} - {None}
            cited = {id_ for each in own for id_ in each.citations}
            kind, name = sentence["kind"], f"{row.id}-{start} ({row.style}, {sentence['kind']})"
            said = f"cites {sorted(cited)} {sorted(slugs)}"
            if kind in _FOUND:
                right = f"citation_{kind}" in slugs
            else:
                wanted = {id_ for id_ in sentence["cites"] if id_ in row.texts}
                right = not slugs & {"citation_unknown", "citation_missing"} and (
                    cited == wanted or kind == "no_claim"
                )
            yield Outcome(
                name, "refuse" if kind in _FOUND else "pass", right, said, sentence["text"]
            )


def _supported(rows: Rows) -> Iterator[Outcome]:
    """Whether a sentence passes that what it cites supports, by the bundled model."""
    engine = OnnxNLI(cache=DiskScoreCache(rows.cache / "scores.sqlite"), threads=1)
    judges = Judges(nli=engine, languages="any")
    answers = [*load_answers("tune"), *load_answers("test")]
    for row in answers[:: max(1, len(answers) // rows.most)]:
        report = _audit(row.answer, row.texts, judges, scope=row.scope)
        for start, end, sentence in row.placed_sentences():
            if sentence["supported"] is None:
                continue
            own = [each for each in report.verdicts if _within(each.part, start, end)]
            passes = all(each.ok for each in own)
            said = str(sorted({each.slug for each in own} - {None}))
            yield Outcome.of(
                f"{row.id}-{start}",
                said,
                sentence["text"],
                wanted=sentence["supported"],
                passes=passes,
            )


def _within(part: tuple[int, int] | None, start: int, end: int) -> bool:
    return part is not None and part[0] < end and start < part[1]


def _cases(rows: Rows) -> Iterator[Outcome]:
    assert rows.cases is not None
    words = ScriptedNLI(lambda pair: ENTAILED if contained(pair) is ENTAILED else NEUTRAL)
    for row in rows.of(rows.cases / "cited.jsonl"):
        judges = Judges(nli=words) if row["category"] == "language" else None
        report = _audit(
            row["text"], row["references"], judges, style=row["style"], **row["options"]
        )
        slugs = [str(fault.slug).replace("contradicted", "unsupported") for fault in report.faults]
        right, is_clean = slugs == row["wanted"], not row["wanted"]
        yield Outcome.of(
            row["id"], str(slugs), row["text"], wanted=is_clean, passes=is_clean == right
        )


SETS: Final = (
    RowSet("markers of written answers", "battery", _marked),
    RowSet("support of written answers", "battery", _supported),
    RowSet("case file", "cases", _cases, "cases"),
)
