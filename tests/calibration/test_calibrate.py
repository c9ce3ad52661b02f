"""`calibrate`: the threshold that labelled rows give, and what it promises."""

import asyncio
import copy
import csv
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import Calibration, Judges, NLIScores, Pair, acalibrate, audit, calibrate
from groundtypes.backends.operating_point import engine_id
from groundtypes.calibration import CalibrationResult, LabelColumns
from groundtypes.calibration.scored_rows import ScoredRow
from groundtypes.calibration.thresholds import Goal, counts_at, points_of, roc_auc, wilson
from groundtypes.errors import (
    BackendError,
    CalibrationError,
    ContextError,
    DatasetError,
    LanguageError,
)
from groundtypes.testing import ScriptedNLI
from tests.backends.test_operating_point import Answer
from tests.calibration.rows import engine, labelled, overlapping, separated, written_scores


def run(rows: Any, **options: Any) -> CalibrationResult:
    return calibrate(rows, judges=Judges(nli=engine()), **options)


def test_the_threshold_lies_between_the_two_kinds() -> None:
    result = run(separated())
    assert 0.4 < result.threshold < 0.6
    assert (result.chosen.precision, result.chosen.recall, result.roc_auc) == (1.0, 1.0, 1.0)
    found = result.calibration
    assert (found.supported, found.unsupported, found.goal) == (20, 20, "balanced accuracy")
    assert found.engine == engine_id(engine())


def test_a_check_with_the_calibration_accepts_what_the_result_says() -> None:
    rows = overlapping()
    result = run(rows, precision=0.9)
    judges = Judges(nli=engine(), calibration=result.calibration)
    accepted = 0
    for row in rows:
        context = {"references": row["references"], "judges": judges}
        accepted += audit(Answer, {"text": row["text"]}, context=context).ok
    assert accepted == result.chosen.accepted_supported + result.chosen.accepted_unsupported


@pytest.mark.parametrize("share", [0.7, 0.8, 0.9])
def test_a_goal_is_met_on_the_rows_and_nothing_better_meets_it(share: float) -> None:
    precise = run(overlapping(), precision=share)
    assert precise.chosen.precision >= share
    others = [point.counts for point in precise.points if point.counts.precision >= share]
    assert precise.chosen.recall == max(counts.recall for counts in others)
    complete = run(overlapping(), recall=share)
    assert complete.chosen.recall >= share
    others = [point.counts for point in complete.points if point.counts.recall >= share]
    assert complete.chosen.precision == max(counts.precision for counts in others)


def test_the_weakest_sentence_decides_and_a_text_without_a_statement_has_the_score_zero() -> None:
    weak = labelled(0.9, False)
    weak["text"] += " The tower scores 0.2 there."
    rows = [*separated(), weak, {**labelled(0.9, False), "text": "…"}]
    result = run(rows)
    assert (result.chosen.precision, result.chosen.recall) == (1.0, 1.0)


def test_what_is_expected_does_not_flatter_as_the_rows_themselves_do() -> None:
    # Scores that say nothing: the best threshold looks better than chance on its own rows.
    generator = [((7 * n) % 97 / 97, (n * n) % 5 < 2, n) for n in range(200)]
    result = run([labelled(score, label, n) for score, label, n in generator])
    expected = result.expected.counts.balanced_accuracy
    assert expected < result.chosen.balanced_accuracy
    found = result.calibration
    assert found.precision.low < found.precision.value < found.precision.high
    assert result.expected.lowest <= result.threshold <= result.expected.highest


def test_scores_that_are_probabilities_have_almost_no_calibration_error() -> None:
    result = run(overlapping())
    assert result.error < 0.01
    assert [each.supported for each in result.bins] == pytest.approx(
        [0.05 + 0.1 * tenth for tenth in range(10)]
    )


def _exchanged() -> list[dict[str, Any]]:
    return [{**row, "label": not row["label"]} for row in separated()]


@pytest.mark.parametrize(
    "rows",
    [_exchanged(), [labelled(0.5, n < 20, n) for n in range(40)]],
    ids=["labels exchanged", "equal scores"],
)
def test_scores_that_tell_nothing_are_a_mistake(rows: Any) -> None:
    with pytest.raises(CalibrationError, match="do not rise with the labels"):
        run(rows)


def test_scores_that_fall_with_the_labels_rank_every_pair_wrongly() -> None:
    assert run(_exchanged(), recall=0.9).roc_auc == 0.0


@pytest.mark.parametrize(
    ("label", "supported"),
    [
        (True, True),
        (1, True),
        (1.0, True),
        ("1.0", True),
        ("supported", True),
        (" Yes ", True),
        ("entailment", True),
        (False, False),
        (0, False),
        (0.0, False),
        ("0.0", False),
        ("Unsupported", False),
        ("neutral", False),
        ("contradicted", False),
        ("FALSE", False),
    ],
    ids=repr,
)
def test_labels_are_booleans_or_words(label: Any, supported: bool) -> None:
    result = run([*separated(), labelled(0.5, label)])
    assert result.calibration.supported == 20 + supported


@pytest.mark.parametrize("label", [None, "", "  ", float("nan")], ids=repr)
def test_rows_without_a_label_are_counted_and_left_out(label: Any) -> None:
    result = run([*separated(), labelled(0.5, label)])
    assert (result.calibration.supported, result.counts.unlabelled) == (20, 1)


_ROW = labelled(0.5, True)
_BAD_ROWS: dict[str, Any] = {
    "an unknown label": {**_ROW, "label": "perhaps"},
    "a label that is a number": {**_ROW, "label": 0.5},
    "a label that is a list": {**_ROW, "label": [True]},
    "no label": {"text": "x", "references": "y"},
    "no text": {"label": True, "references": "y"},
    "text of another type": {**_ROW, "text": 7},
    "text that is null": {**_ROW, "text": None},
    "no references": {"text": "x", "label": True},
    "references that are null": {**_ROW, "references": None},
    "references of another type": {**_ROW, "references": [7]},
    "a question of another type": {**_ROW, "question": 7},
    "a score that is NaN": {"text": "x", "label": True, "score": float("nan")},
    "a score above one": {"text": "x", "label": True, "score": 1.5},
    "a score that is a truth value": {"text": "x", "label": True, "score": True},
    "a score that is no number": {"text": "x", "label": True, "score": "high"},
    "a score beyond all numbers": {"text": "x", "label": True, "score": 10**400},
    "a list": [1],
}


@pytest.mark.parametrize("row", _BAD_ROWS.values(), ids=_BAD_ROWS.keys())
def test_a_broken_row_is_a_mistake_that_names_it(row: Any) -> None:
    with pytest.raises(CalibrationError, match="Row 41"):
        run([*separated(), row])


def test_an_id_that_occurs_twice_is_a_mistake() -> None:
    rows = [*separated(), labelled(0.5, True, id="a"), labelled(0.5, False, id="a")]
    with pytest.raises(CalibrationError, match=r"Row 42 .* row 41"):
        run(rows)


_TOO_FEW: dict[str, Any] = {
    "no rows": [],
    "one label only": [labelled(0.5, True, n) for n in range(50)],
    "nine of one label": [*separated(9), *(labelled(0.5, True, n) for n in range(9, 50))],
    "no labels": [labelled(0.5, None, n) for n in range(50)],
}


@pytest.mark.parametrize("rows", _TOO_FEW.values(), ids=_TOO_FEW.keys())
def test_too_few_rows_of_a_label_are_a_mistake(rows: Any) -> None:
    with pytest.raises(CalibrationError, match="at least 10"):
        run(rows)


def test_an_engine_that_gives_only_zeros_is_a_mistake() -> None:
    with pytest.raises(CalibrationError, match="score 0"):
        run([labelled(0.0, n < 10, n) for n in range(20)])


def test_a_goal_that_no_threshold_reaches_is_a_mistake_that_says_what_can_be_had() -> None:
    rows = [labelled(0.5, n < 10, n) for n in range(20)]
    with pytest.raises(CalibrationError, match=r"precision of at least 0\.95.*0\.500"):
        run(rows, precision=0.95)
    zeros = [labelled(0.0 if n < 5 else 0.5, n < 10, n) for n in range(20)]
    with pytest.raises(CalibrationError, match="recall"):
        run(zeros, recall=0.9)


@pytest.mark.parametrize(
    "options",
    [
        {"precision": 0.9, "recall": 0.9},
        {"precision": 0.0},
        {"precision": 1.2},
        {"recall": float("nan")},
        {"batch": 0},
    ],
    ids=repr,
)
def test_goals_that_make_no_sense_are_mistakes(options: dict[str, Any]) -> None:
    with pytest.raises(ContextError):
        run(separated(), **options)


def test_a_failing_engine_is_a_mistake() -> None:
    def broken(_: Pair) -> NLIScores:
        raise OSError("no model")

    with pytest.raises(BackendError):
        calibrate(separated(), judges=Judges(nli=ScriptedNLI(broken)))


def test_an_engine_in_the_place_of_judges_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="Judges"):
        calibrate(separated(), judges=engine())  # type: ignore[arg-type]


def test_rows_of_the_review_mode_without_references_have_their_recorded_scores() -> None:
    rows = [
        {
            "id": f"answer {n}#0",
            "statement": "x",
            "label": "supported" if n < 10 else "unsupported",
            "score": 0.9 if n < 10 else 0.1,
            "verdict": {"check": "Entailed", "ok": n < 10, "label": "entailment"},
        }
        for n in range(20)
    ]
    quoted = {**rows[0], "id": "q", "verdict": {"check": "Quoted", "ok": True, "label": "exact"}}
    nli = engine()
    result = calibrate([*rows, quoted], judges=Judges(nli=nli))
    assert nli.calls == 0
    assert (result.counts.recorded, result.counts.other_checks) == (20, 1)
    assert result.chosen.balanced_accuracy == 1.0


def test_a_row_with_references_is_judged_anew_whatever_score_it_has() -> None:
    rows = [{**row, "score": 0.5} for row in separated()]
    assert run(rows).roc_auc == 1.0


def test_columns_may_have_other_names() -> None:
    names = {"text": "claim", "label": "gold", "references": "docs", "question": "asked"}
    rows = [{names.get(key, key): value for key, value in row.items()} for row in separated()]
    for row in rows:
        row |= {"asked": "How?", "text": 7, "question": 7}
    assert run(rows, columns=LabelColumns(**names)).roc_auc == 1.0
    with pytest.raises(CalibrationError, match="'nothing'"):
        run(rows, columns=LabelColumns(text="nothing", label="gold"))


def test_columns_of_other_tools_are_found() -> None:
    names = {"text": "response", "references": "retrieved_contexts"}
    rows = [{names.get(key, key): value for key, value in row.items()} for row in separated()]
    assert run(rows).roc_auc == 1.0
    with pytest.raises(CalibrationError, match=r"Row 1 .*'output'.* for `text`; name one"):
        run([rows[0] | {"output": "other"}])
    assert run([row | {"statement": row["response"], "response": "x"} for row in rows]).roc_auc == 1


def test_json_lines_and_csv_give_the_same_result(tmp_path: Path) -> None:
    rows = separated()
    lines = tmp_path / "rows.jsonl"
    lines.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    table = tmp_path / "rows.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            writer.writerow({**row, "references": json.dumps(row["references"])})
    assert run(lines) == run(str(table)) == run(rows) == run(iter(rows))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", CalibrationError),
        (b"{oops", CalibrationError),
        (b"[1]\n", CalibrationError),
        (b"\xff\xfe\n", CalibrationError),
        (b'{"text": "\\ud800", "references": "x", "label": true}', CalibrationError),
        (b'{"text": "x", "references": "x", "label": true, "score": NaN}', CalibrationError),
        (None, DatasetError),
    ],
    ids=["empty", "no JSON", "a list", "no UTF-8", "a lone surrogate", "NaN", "missing"],
)
def test_a_file_that_holds_no_labelled_rows_is_a_mistake(
    tmp_path: Path, content: bytes | None, error: type[Exception]
) -> None:
    path = tmp_path / "rows.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error):
        run(path)


def test_rows_are_read_as_they_are_needed() -> None:
    read = 0

    def rows() -> Any:
        nonlocal read
        for row in separated(100):
            read += 1
            yield row

    class Watching(ScriptedNLI):
        def score(self, pairs: Any, /) -> Any:
            assert read <= 10 * (self.calls + 1)
            return super().score(pairs)

    nli = Watching(engine().rule)
    calibrate(rows(), judges=Judges(nli=nli), batch=10)
    assert nli.calls == 20


def test_the_async_twin_returns_the_same_and_leaves_the_loop_free() -> None:
    class Slow(ScriptedNLI):
        def score(self, pairs: Any, /) -> Any:
            time.sleep(0.05)
            return super().score(pairs)

    async def both() -> tuple[CalibrationResult, int]:
        ticks = 0
        task = asyncio.create_task(
            acalibrate(separated(), judges=Judges(nli=Slow(engine().rule)), batch=4)
        )
        while not task.done():
            ticks += 1
            await asyncio.sleep(0.005)
        return task.result(), ticks

    result, ticks = asyncio.run(both())
    assert ticks > 2
    assert result.threshold == run(separated()).threshold


def test_the_same_seed_gives_the_same_result_and_the_file_gives_it_back(tmp_path: Path) -> None:
    result = run(overlapping(), seed=3)
    assert result == run(overlapping(), seed=3) == copy.deepcopy(result)
    result.save(tmp_path / "calibration.json")
    assert Calibration.load(tmp_path / "calibration.json") == result.calibration
    json.dumps(result.to_dict(), allow_nan=False)
    with pytest.raises(CalibrationError):
        result.save(tmp_path / "no folder" / "calibration.json")


def test_texts_with_the_same_references_stay_in_one_part() -> None:
    rows = [labelled(0.9 if n % 2 else 0.1, bool(n % 2), n // 8) for n in range(80)]
    assert run(rows).expected.counts.balanced_accuracy == 1.0
    # All of one reference: there each row stands for itself.
    rows = [labelled(0.9 if n % 2 else 0.1, bool(n % 2)) for n in range(80)]
    assert run(rows).expected.counts.balanced_accuracy == 1.0


_SCORES = st.integers(0, 20).map(lambda n: n / 20)
_ROWS = st.lists(st.builds(ScoredRow, _SCORES, st.booleans(), st.just("g")), min_size=1).filter(
    lambda rows: any(row.score > 0 for row in rows)
)


@given(_ROWS)
def test_every_point_counts_what_its_threshold_accepts(rows: list[ScoredRow]) -> None:
    points = points_of(rows)
    assert [point.threshold for point in points] == sorted(
        {point.threshold for point in points}, reverse=True
    )
    for point in points:
        assert 0.0 < point.threshold <= 1.0
        assert point.counts == counts_at(rows, point.threshold)


@given(_ROWS.filter(lambda rows: len({row.supported for row in rows}) == 2))
def test_the_area_is_how_often_a_supported_text_has_the_higher_score(
    rows: list[ScoredRow],
) -> None:
    pairs = [
        (one.score > two.score) + (one.score == two.score) / 2
        for one in rows
        for two in rows
        if one.supported and not two.supported
    ]
    assert roc_auc(points_of(rows)) == pytest.approx(sum(pairs) / len(pairs))


@given(st.floats(0.01, 1), _ROWS)
def test_no_point_is_better_than_the_one_that_is_chosen(
    share: float, rows: list[ScoredRow]
) -> None:
    points = points_of(rows)
    best = Goal().best(points).counts.balanced_accuracy
    assert best == max(point.counts.balanced_accuracy for point in points)
    try:
        chosen = Goal(precision=share).choose(points)
    except CalibrationError:
        assert max(point.counts.precision for point in points) < share
    else:
        assert chosen.counts.precision >= share


@given(st.integers(0, 500), st.integers(0, 500))
def test_an_interval_holds_its_share_and_narrows_with_rows(part: int, rest: int) -> None:
    found = wilson(part, part + rest)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    more = wilson(4 * part, 4 * (part + rest))
    assert more.high - more.low <= found.high - found.low


def test_intervals_are_those_of_the_textbook() -> None:
    found = wilson(45, 50)
    assert (found.low, found.high) == pytest.approx((0.7864, 0.9565), abs=1e-4)


def test_a_row_that_cannot_be_judged_is_left_out_and_counted() -> None:
    class English(ScriptedNLI):
        languages = ("en",)

    judges = Judges(nli=English(written_scores))
    german = "Die Brücke wurde im Jahr 1932 nicht eröffnet und niemand hat sie gesehen."
    rows = [*separated(), {**labelled(0.9, True), "text": german}]
    with pytest.raises(LanguageError):
        calibrate(rows, judges=judges)
    found = calibrate(rows, judges=judges, on_mistake="keep")
    assert found.counts.unjudged == 1
    assert found.calibration.supported == 20
