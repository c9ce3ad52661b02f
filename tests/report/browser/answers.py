"""Answers of every kind, as the pages of these tests show them."""

from typing import Any

from tests.report.pages import REFERENCES, TOWER, fault, row, span, verdict

__all__ = ["ALTERED", "ANSWERS", "MENDED", "OPINION", "many"]

WORDS = "finished in 1889"
OPINION = row(
    {"answer": "The tower is 330 metres tall. Nobody in the whole city likes it."},
    [
        verdict(
            ("answer",),
            "Entailed",
            label="entailment",
            score=0.97,
            threshold=0.5,
            span=span("It is 330 metres tall."),
        ),
        fault(
            ("answer",),
            "contradicted",
            "Entailed",
            label="contradiction",
            score=0.02,
            threshold=0.5,
            span=span("Millions climb it every year."),
        ),
    ],
    id="opinion",
    question="Do people like the tower?",
)
ALTERED = row(
    {"facts": [{"quote": "finished in 1899", "note": "Old."}]},
    [fault(("facts", 0, "quote"), "quote_altered", span=span(WORDS), score=0.9)],
    id="altered",
    question="When was it finished?",
)
MENDED = row(
    {"quote": WORDS},
    [verdict(("quote",), label="exact", span=span(WORDS), score=1.0)],
    id="mended",
    question="How old is it?",
)
DROPPED = row(
    {"quotes": ["no such words", WORDS]},
    [
        {**fault(("quotes", 0), "quote_not_found"), "dropped": True},
        verdict(("quotes", 1), label="exact", span=span(WORDS)),
    ],
    id="dropped",
    ok=True,
)
BROKEN = {"line": 9, "raw": "{oops", "verdicts": [], "error": "not JSON: at character 2"}
CLEAN = {"id": "clean", "references": REFERENCES, "answer": {"text": "A tower."}}
ANSWERS: list[dict[str, Any]] = [OPINION, ALTERED, MENDED, DROPPED, BROKEN, CLEAN]


def many(count: int) -> list[dict[str, Any]]:
    """Return so many answers, each with a reference of its own; every tenth is faulty."""
    rows = []
    for number in range(count):
        references = {"tower": f"{TOWER} Number {number}."}
        found = (
            fault(("quote",), "quote_altered", span=span(WORDS))
            if number % 10 == 3
            else verdict(("quote",), label="exact", span=span(WORDS))
        )
        question = f"What of number {number}?"
        rows.append(row({"quote": WORDS}, [found], references=references, question=question))
    return rows
