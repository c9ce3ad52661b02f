"""`Audit.decision`: accept, review or reject, by the review band of a calibration."""

import json
import pickle
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from groundtypes import (
    Check,
    Cited,
    Entailed,
    Figures,
    Grounded,
    Judges,
    NLIScores,
    Pair,
    Quoted,
    audit,
    audit_many,
    calibrate,
)
from groundtypes.backends.operating_point import Calibration, ReviewBand
from groundtypes.calibration.labelled_rows import LabelColumns, RowCounts, read_labelled_rows
from groundtypes.calibration.scored_rows import ScoredRow, score_rows
from groundtypes.testing import ScriptedNLI
from groundtypes.verdicts import Verdict
from tests.backends.test_operating_point import calibration
from tests.calibration.rows import GUIDE, engine

LOW, THRESHOLD, HIGH = 0.3, 0.5, 0.8


def banded(low: float | None = LOW, high: float | None = HIGH) -> Calibration:
    band = ReviewBand(low=low, high=high, risk=0.05, delta=0.05)
    return calibration(THRESHOLD, engine(), band=band)


def text(*scores: float) -> str:
    return " ".join(f"The tower scores {score:.2f} here." for score in scores)


def context(found: Calibration | None = None, **more: Any) -> dict[str, Any]:
    judges = Judges(nli=engine(), calibration=found or banded())
    return {"references": {"guide": GUIDE}, "judges": judges, **more}


class Answer(Grounded):
    text: Annotated[str, Entailed()]


class Mean(Grounded):
    text: Annotated[str, Entailed(require="mean")]


class Explicit(Grounded):
    text: Annotated[str, Entailed(threshold=0.5)]


class Lenient(Grounded):
    text: Annotated[str, Entailed(allow_neutral=True)]


class Both(Grounded):
    text: Annotated[str, Entailed()]
    quote: Annotated[str, Quoted()]


class Two(Grounded):
    one: Annotated[str, Entailed()]
    other: Annotated[str, Entailed()]


class Marked(Grounded):
    text: Annotated[str, Cited()]


class Item(BaseModel):
    quote: Annotated[str, Quoted(on_fault="drop")]


class Dropping(Grounded):
    text: Annotated[str, Entailed()]
    items: list[Item]


_CASES: dict[str, tuple[type[Grounded], dict[str, Any], str, bool]] = {
    "at the upper limit": (Answer, {"text": text(HIGH)}, "accept", True),
    "in the band, above the threshold": (Answer, {"text": text(0.79)}, "review", True),
    "in the band, below the threshold": (Answer, {"text": text(0.31)}, "review", False),
    "at the lower limit": (Answer, {"text": text(LOW)}, "reject", False),
    "the weakest sentence decides": (Answer, {"text": text(0.9, 0.6, 0.9)}, "review", True),
    "one sentence is rejected": (Answer, {"text": text(0.9, 0.6, 0.1)}, "reject", False),
    "no word": (Answer, {"text": "…"}, "reject", False),
    "talk": (Answer, {"text": "Hello!"}, "accept", True),
    "a mean whose weakest sentence is sure": (Mean, {"text": text(0.9, 0.8)}, "accept", True),
    "a mean with a doubtful sentence": (Mean, {"text": text(1.0, 0.7)}, "review", True),
    "a mean that holds in spite of a bad sentence": (
        Mean,
        {"text": text(1.0, 1.0, 0.1)},
        "review",
        True,
    ),
    "a mean of bad sentences": (Mean, {"text": text(0.1, 0.2)}, "reject", False),
    "a threshold of its own": (Explicit, {"text": text(0.6)}, "accept", True),
    "a threshold of its own, below": (Explicit, {"text": text(0.4)}, "reject", False),
    "neutral is allowed": (Lenient, {"text": text(0.1)}, "accept", True),
    "a doubt beside a good quote": (Both, {"text": text(0.6), "quote": GUIDE}, "review", True),
    "a doubt beside a bad quote": (Both, {"text": text(0.6), "quote": "no"}, "reject", False),
    "two fields": (Two, {"one": text(0.9), "other": text(0.6)}, "review", True),
    "two fields, one rejected": (Two, {"one": text(0.6), "other": text(0.1)}, "reject", False),
    "no answer of this shape": (Answer, {"text": 7}, "reject", False),
    "an item is dropped": (
        Dropping,
        {"text": text(0.9), "items": [{"quote": "no"}]},
        "accept",
        True,
    ),
}


@pytest.mark.parametrize(("model", "data", "decision", "ok"), _CASES.values(), ids=_CASES.keys())
def test_the_decision_is_that_of_the_verdicts_and_validity_is_as_before(
    model: type[Grounded], data: dict[str, Any], decision: str, ok: bool
) -> None:
    found = audit(model, data, context=context())
    assert (found.decision, found.ok) == (decision, ok)


@pytest.mark.parametrize(("score", "decision"), [(0.2, "reject"), (0.6, "review"), (0.9, "accept")])
def test_a_sentence_with_a_citation_is_decided_in_the_same_way(score: float, decision: str) -> None:
    # The cited reference has the figure, and the engine gives the score.
    where = context(references=[f"A score of {score:.2f}."])
    found = audit(Marked, {"text": f"The tower scores {score:.2f} here [1]."}, context=where)
    assert found.decision == decision


@pytest.mark.parametrize("score", [0.1, 0.4, 0.6, 0.9])
def test_without_a_band_the_decision_is_validity(score: float) -> None:
    found = audit(Answer, {"text": text(score)}, context=context(calibration(0.5, engine())))
    assert found.decision == ("accept" if found.ok else "reject")
    assert "decision" not in found.to_dict()
    assert all("decision" not in verdict for verdict in found.to_dict()["verdicts"])


def test_a_side_without_a_limit_is_reviewed() -> None:
    sure, wrong = (
        audit(Answer, {"text": text(score)}, context=context(banded(None, None)))
        for score in (1.0, 0.0)
    )
    assert (sure.decision, wrong.decision) == ("review", "review")


def test_what_cannot_be_judged_is_reviewed_and_does_not_end_the_others() -> None:
    class Failing(Check):
        def judge(self, value: Any, case: Any) -> list[Verdict]:
            if value == "fail":
                raise OSError("no network")
            return [self.holds()]

    class Model(BaseModel):
        text: Annotated[str, Failing()]

    rows = [{"text": "fail"}, {"text": "fine"}]
    one, other = audit_many(Model, rows, context={"references": GUIDE}, on_mistake="keep")
    assert (one.decision, other.decision) == ("review", "accept")


def test_the_decision_is_in_the_plain_data_and_survives_a_pickle() -> None:
    found = audit(Answer, {"text": text(0.6)}, context=context())
    data = json.loads(found.to_json())
    assert (data["ok"], data["decision"], data["verdicts"][0]["decision"]) == (
        True,
        "review",
        "review",
    )
    (verdict,) = found.verdicts
    assert pickle.loads(pickle.dumps(verdict)).decision == "review"  # noqa: S301 # our own


def test_audits_decide_as_the_scores_that_were_calibrated() -> None:
    rows = [{"text": text(n / 400), "references": GUIDE, "label": 2 * n >= 400} for n in range(400)]
    found = calibrate(rows, judges=Judges(nli=engine()), risk=0.05)
    assert found.review is not None
    judges = Judges(nli=engine(), calibration=found.calibration)
    decided = [
        audit(Answer, {"text": row["text"]}, context={"references": GUIDE, "judges": judges})
        for row in rows
    ]
    decisions = [each.decision for each in decided]
    assert decisions.count("accept") == found.review.accepted.decided
    assert decisions.count("reject") == found.review.rejected.decided
    assert decisions.count("review") == found.review.reviewed


_SHARES = st.integers(0, 100).map(lambda number: number / 100)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.floats(0.02, 0.99))
def test_a_text_is_accepted_at_a_threshold_if_and_only_if_its_score_reaches_it(
    data: st.DataObject, threshold: float
) -> None:
    """Of an engine without evidence weights, whose several premises the merge rule merges."""
    known: dict[str, NLIScores] = {}

    def scores(pair: Pair) -> NLIScores:
        if pair.premise not in known:
            entailment = data.draw(_SHARES)
            rest = 1.0 - entailment
            share = data.draw(_SHARES)
            known[pair.premise] = NLIScores(entailment, rest * share, rest * (1.0 - share))
        return known[pair.premise]

    references = "The tower is old. The tower has a garden. The garden is old and green."
    row = {"text": "The old tower has a green garden.", "references": references, "label": True}
    labelled = read_labelled_rows([row], LabelColumns(), RowCounts())
    ((_, scored),) = score_rows(labelled, ScriptedNLI(scores), 1)
    assert isinstance(scored, ScoredRow)
    nli = ScriptedNLI(scores)
    judges = Judges(nli=nli, calibration=calibration(threshold, nli))
    found = audit(
        Answer, {"text": row["text"]}, context={"references": references, "judges": judges}
    )
    assert found.ok is (scored.score >= threshold)


class Counted(Grounded):
    text: Annotated[str, Entailed(), Figures()]


def test_a_fault_of_another_check_of_the_field_rejects() -> None:
    data = {"text": text(0.6)}  # no reference has the figure
    assert audit(Counted, data, context=context()).decision == "reject"
