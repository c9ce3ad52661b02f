"""The band of a cascade: as little as possible goes to the second engine, and nothing is lost."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from groundtypes.calibration import calibrate_cascade
from groundtypes.errors import BackendError, CalibrationError, ContextError
from groundtypes.prompts.response_models import ClaimLabel
from groundtypes.scoring import NLIScores, Pair, Question, Reply


class Known:
    """An engine that has a score for each text."""

    def __init__(self, scores: dict[str, float]) -> None:
        self.scores = scores

    def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
        shares = [self.scores[pair.hypothesis] for pair in pairs]
        return [NLIScores(share, 1 - share, 0.0) for share in shares]


def rows(count: int) -> list[dict[str, Any]]:
    return [
        {
            "text": f"The tower number {number} of the town is very tall.",
            "references": f"This is what is known of the town's tower {number}.",
            "label": number % 2 == 0,
        }
        for number in range(count)
    ]


def engines(labelled: list[dict[str, Any]], unsure: float) -> tuple[Known, Known]:
    """Return an engine that is right where it is sure, and a second one that is always right."""
    numbers = random.Random(3)
    first, then = {}, {}
    for row in labelled:
        right = 0.97 if row["label"] else 0.03
        doubtful = numbers.random() < unsure
        first[row["text"]] = numbers.uniform(0.3, 0.7) if doubtful else right
        then[row["text"]] = 0.9 if row["label"] else 0.1
    return Known(first), Known(then)


def test_a_small_band_is_enough_where_the_first_engine_knows_what_it_does_not_know() -> None:
    labelled = rows(400)
    curve = calibrate_cascade(labelled, *engines(labelled, unsure=0.25))
    low, high = curve.between
    assert 0.03 < low < 0.5 < high < 0.97
    assert 0.15 < curve.chosen.asked < 0.35
    assert curve.chosen.balanced_accuracy > 0.97
    assert curve.points[0].balanced_accuracy < 0.93
    assert curve.points[-1].balanced_accuracy == 1.0
    assert [point.asked <= share for point, share in zip(curve.points, (0.0, 0.1), strict=False)]
    assert " *" in str(curve)


def test_nothing_is_asked_where_the_second_engine_knows_nothing_more() -> None:
    labelled = rows(60)
    first, _ = engines(labelled, unsure=0.0)
    curve = calibrate_cascade(labelled, first, first)
    assert curve.chosen.asked == 0.0


def test_all_is_asked_where_the_first_engine_is_sure_and_wrong() -> None:
    labelled = rows(100)
    numbers = random.Random(5)
    first = Known({row["text"]: numbers.choice((0.02, 0.98)) for row in labelled})
    _, then = engines(labelled, unsure=0.0)
    curve = calibrate_cascade(labelled, first, then)
    assert curve.chosen.asked == 1.0
    assert curve.between == (0.0, 1.0)


def test_points_never_ask_more_than_their_share() -> None:
    labelled = rows(80)
    curve = calibrate_cascade(labelled, *engines(labelled, unsure=0.9))
    for number, point in enumerate(curve.points):
        assert point.asked <= number / 10


def test_too_few_rows_are_refused() -> None:
    labelled = rows(12)
    with pytest.raises(CalibrationError, match="6 supported"):
        calibrate_cascade(labelled, *engines(labelled, unsure=0.5))
    with pytest.raises(ContextError):
        calibrate_cascade(labelled, *engines(labelled, unsure=0.5), batch=0)


def test_a_row_that_an_engine_cannot_judge_is_left_out_if_asked_for() -> None:
    labelled = rows(60)
    first, then = engines(labelled, unsure=0.2)

    class Picky(Known):
        def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
            if any("number 7 " in pair.hypothesis for pair in pairs):
                raise BackendError("it does not like this")
            return super().score(pairs)

    picky = Picky(then.scores)
    with pytest.raises(BackendError):
        calibrate_cascade(labelled, first, picky)
    curve = calibrate_cascade(labelled, first, picky, on_mistake="keep", batch=10)
    counts = curve.points[-1].counts
    right = counts.accepted_supported + counts.rejected_unsupported
    assert right + counts.accepted_unsupported + counts.rejected_supported == 59


def test_a_row_without_references_is_refused() -> None:
    # Its recorded score is that of one engine, and would be taken for that of both.
    labelled = rows(40)
    recorded = {"text": "It is tall indeed.", "score": 0.5, "label": True}
    with pytest.raises(CalibrationError, match="Row 41 has no references"):
        calibrate_cascade([*labelled, recorded], *engines(labelled, unsure=0.5))


def test_an_llm_may_be_the_second_engine() -> None:
    labelled = rows(40)
    first, _ = engines(labelled, unsure=0.5)

    class Knowing:
        def answer(self, questions: Sequence[Question]) -> list[Reply]:
            return [Reply(self._label(question.content)) for question in questions]

        def _label(self, content: str) -> ClaimLabel:
            right = any(row["label"] and row["text"] in content for row in labelled)
            return ClaimLabel(label="supported" if right else "not stated", passage=None)

    curve = calibrate_cascade(labelled, first, Knowing())
    assert curve.points[-1].balanced_accuracy == 1.0


def test_what_the_first_engine_calls_contradicted_is_in_the_band_by_its_entailment() -> None:
    # As in a cascade, which goes by the probability of entailment.
    labelled = rows(80)
    doubtful = {row["text"] for row in labelled[:24]}
    _, then = engines(labelled, unsure=0.0)

    class Contradicting(Known):
        def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
            return [
                NLIScores(0.3, 0.2, 0.5) if pair.hypothesis in doubtful else score
                for pair, score in zip(pairs, super().score(pairs), strict=True)
            ]

    first = Contradicting(engines(labelled, unsure=0.0)[0].scores)
    curve = calibrate_cascade(labelled, first, then)
    assert curve.chosen.asked == pytest.approx(0.3)
    assert curve.between[0] < 0.3
    assert curve.chosen.balanced_accuracy == 1.0
