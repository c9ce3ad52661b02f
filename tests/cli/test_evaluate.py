"""`groundtypes evaluate` scores runs, resumes what was interrupted, and compares two runs."""

import csv
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Cited, Judges, NLIScores, Pair
from groundtypes.dataset import Columns, EvaluationJob
from groundtypes.errors import BackendError, DatasetError, LanguageError
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI
from tests.command_line import read_rows, run, write_rows

GOOD = "The bridge was opened in 1932."
BAD = "The bridge was painted in blue by Ida Moe."
NONE = "The documents do not mention when it was opened."


def row(number: int, answer: Any = GOOD, **more: Any) -> dict[str, Any]:
    return {
        "id": f"row-{number}",
        "question": "When was the bridge opened?",
        "context": [f"{GOOD} It has {number} cables."],
        "ground_truth": GOOD,
        "answer": answer,
        **more,
    }


def _nli(pair: Pair) -> NLIScores:
    return ENTAILED if pair.hypothesis in pair.premise else NEUTRAL


def job(source: Path, **options: Any) -> EvaluationJob:
    judges = Judges(nli=options.pop("nli", None) or ScriptedNLI(_nli))
    return EvaluationJob(source=source, judges=judges, engine="scripted", **options)


def test_means_have_intervals_and_rows(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(1), row(2, BAD), row(3, NONE)])
    report = job(source).run()
    assert report.means["answer_refuses"].mean == pytest.approx(1 / 3)
    mean = report.means["answer_by_context"]
    assert (mean.rows, mean.low <= mean.mean <= mean.high) == (3, True)


def test_each_row_is_written_with_its_statements(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(1), row(2, BAD)])
    job(source, rows=tmp_path / "out.jsonl").run()
    good, bad = read_rows(tmp_path / "out.jsonl")
    assert good["answer_by_context"]["hypotheses"][0]["text"] == GOOD
    assert good["scores"]["answer_by_context"] > bad["scores"]["answer_by_context"]
    assert [good["id"], bad["id"]] == ["row-1", "row-2"]


def test_broken_rows_are_kept_with_their_reason_and_counted(tmp_path: Path) -> None:
    rows: list[Any] = [row(1), b"{", b"[]", row(4, answer=[1]), row(5, context=3), {"id": 6}]
    source = write_rows(tmp_path / "rows.jsonl", rows)
    report = job(source, rows=tmp_path / "out.jsonl").run()
    assert (len(report.rows), report.broken) == (6, 5)
    written = read_rows(tmp_path / "out.jsonl")
    assert ["error" in line for line in written] == [False, True, True, True, True, True]
    assert "but 'id'; the option `answer` names" in written[5]["error"]


@pytest.mark.parametrize(
    ("answer", "context", "question", "truth"),
    [
        ("response", "retrieved_contexts", "user_input", "reference"),
        ("actual_output", "retrieval_context", "input", "expected_output"),
        ("output", "contexts", "query", "expected_response"),
    ],
)
def test_the_columns_of_other_tools_are_found(
    tmp_path: Path, answer: str, context: str, question: str, truth: str
) -> None:
    names = {"answer": answer, "context": context, "question": question, "ground_truth": truth}
    rows = [row(1), row(2, BAD)]
    named = [{names.get(key, key): value for key, value in each.items()} for each in rows]
    expected = job(write_rows(tmp_path / "rows.jsonl", rows)).run()
    found = job(write_rows(tmp_path / "named.jsonl", named)).run()
    assert (found.rows, found.broken) == (expected.rows, 0)
    assert len(found.means) > 3


def test_columns_that_differ_break_the_row_unless_one_is_named(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(1), row(2, contexts=["other"])])
    out = tmp_path / "out.jsonl"
    assert job(source, rows=out).run().broken == 1
    assert "the keys 'context' and 'contexts' hold different" in read_rows(out)[1]["error"]
    assert "`context`; name one of them by this option" in read_rows(out)[1]["error"]
    assert job(source, columns=Columns(context="context")).run().broken == 0


def test_missing_columns_are_named_with_those_found(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [{"reply": GOOD, "context": "x"}])
    with pytest.raises(DatasetError, match=r"'answer'.*'reply', 'context'"):
        job(source).run()
    assert job(source, columns=Columns(answer="reply")).run().broken == 0


@pytest.mark.parametrize("part", ["answer", "context", "question", "ground_truth", "row_id"])
def test_a_column_that_is_named_must_be_in_the_file(tmp_path: Path, part: str) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(1), {**row(2), "x": "It is tall."}])
    with pytest.raises(DatasetError, match=f"no column 'typo', but .*`{part}`"):
        job(source, columns=Columns(**{part: "typo"})).run()
    broken = 1 if part in ("answer", "context") else 0
    assert job(source, columns=Columns(**{part: "x"})).run().broken == broken


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_an_empty_file_is_a_mistake(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    source.write_text("")
    with pytest.raises(DatasetError, match="has no rows"):
        job(source, rows=tmp_path / "out.jsonl").run()
    assert not (tmp_path / "out.jsonl").exists()


def test_a_table_without_rows_must_have_the_columns(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    source.write_text("reply,context\n")
    with pytest.raises(DatasetError, match=r"no column 'answer' or .*, but 'reply'"):
        job(source).run()
    with pytest.raises(DatasetError, match=r"no column 'text'"):
        job(source, columns=Columns(answer="reply", context="text")).run()
    report = job(source, columns=Columns(answer="reply")).run()
    assert (report.means, report.rows) == ({}, [])


def test_a_parquet_file_without_rows_must_have_the_columns(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    source = tmp_path / "rows.parquet"
    parquet.write_table(pa.table({"reply": pa.array([], pa.string())}), source)
    with pytest.raises(DatasetError, match=r"no column 'answer' or .*, but 'reply'"):
        job(source).run()
    assert job(source, columns=Columns(answer="reply")).run().rows == []


def test_a_baseline_without_rows_is_a_mistake(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(1)])
    with pytest.raises(DatasetError, match="has no rows"):
        job(source, baseline=write_rows(tmp_path / "none.jsonl", [])).run()


def test_csv_is_read_and_contexts_in_a_cell_may_be_json(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    with source.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "question", "context", "answer", "ground_truth"])
        writer.writeheader()
        writer.writerow(row(1) | {"context": json.dumps([GOOD])})
        writer.writerow(row(2) | {"context": GOOD, "ground_truth": ""})
        writer.writerow(row(3) | {"answer": ""})
    report = job(source).run()
    assert report.broken == 0
    assert report.means["answer_by_context"].rows == 2
    assert report.means["truth_refuses"].rows == 2
    assert report.means["answer_refuses"].mean == pytest.approx(1 / 3)


def test_a_long_cell_is_read(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    source.write_text(f"answer,context\n{GOOD},{'word ' * 100_000}\n")
    assert job(source).run().broken == 0


def test_parquet_without_pyarrow_is_a_clear_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    source = tmp_path / "rows.parquet"
    source.write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match="pip install pyarrow"):
        job(source).run()


def test_parquet_is_read_where_pyarrow_is_there(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    source = tmp_path / "rows.parquet"
    parquet.write_table(arrow.Table.from_pylist([row(1), row(2, BAD)]), source)
    assert job(source).run().means["answer_by_context"].rows == 2


def test_an_interrupted_run_goes_on_and_ends_as_one_that_was_not(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(n, BAD if n % 3 else GOOD) for n in range(9)])

    def interrupted(pair: Pair) -> NLIScores:
        if "6 cables" in pair.premise:
            raise KeyboardInterrupt
        return _nli(pair)

    out = tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        job(source, rows=out, batch=2, nli=ScriptedNLI(interrupted)).run()
    assert not out.exists()
    engine = ScriptedNLI(_nli)
    report = job(source, rows=out, batch=2, nli=engine, resume=True).run()
    asked = {pair.premise for batch in engine.batches for pair in batch}
    assert not any("0 cables" in premise for premise in asked)
    whole = job(source, rows=tmp_path / "whole.jsonl").run()
    assert report.means == whole.means
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out.jsonl",
        "rows.jsonl",
        "whole.jsonl",
    ]


def test_another_run_is_not_continued(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(n) for n in range(4)])
    out = tmp_path / "out.jsonl"

    def broken(pair: Pair) -> NLIScores:
        if "3 cables" in pair.premise:
            raise KeyboardInterrupt
        return _nli(pair)

    with pytest.raises(KeyboardInterrupt):
        job(source, rows=out, batch=1, nli=ScriptedNLI(broken)).run()
    with pytest.raises(DatasetError, match="columns"):
        job(source, rows=out, resume=True, columns=Columns(answer="question")).run()
    source.write_bytes(source.read_bytes().replace(b"in 1932", b"in 1923"))
    with pytest.raises(DatasetError, match="input digest"):
        job(source, rows=out, resume=True).run()


def test_outputs_that_exist_are_not_replaced_unasked(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [row(1)])
    out = write_rows(tmp_path / "out.jsonl", [{}])
    with pytest.raises(DatasetError, match="overwrite=True"):
        job(source, rows=out).run()
    job(source, rows=out, overwrite=True).run()
    assert read_rows(out)[0]["id"] == "row-1"


@pytest.mark.parametrize("saved", [False, True], ids=["rows", "results"])
def test_two_runs_are_compared_by_the_ids_of_their_rows(tmp_path: Path, saved: bool) -> None:
    before = [row(n, BAD) for n in range(6)]
    after = [row(n, GOOD) for n in reversed(range(6))]
    old = write_rows(tmp_path / "old.jsonl", before)
    new = write_rows(tmp_path / "new.jsonl", after)
    if saved:
        job(old, rows=tmp_path / "old.scores.jsonl").run()
        old = tmp_path / "old.scores.jsonl"
    found = job(new, baseline=old).run().differences
    assert found is not None
    difference = found["answer_by_context"]
    assert (difference.larger, difference.smaller, difference.clear) == (6, 0, True)


def test_runs_that_cannot_be_paired_are_a_mistake(tmp_path: Path) -> None:
    rows = [{key: value for key, value in row(n).items() if key != "id"} for n in range(3)]
    old = write_rows(tmp_path / "old.jsonl", rows[:2])
    new = write_rows(tmp_path / "new.jsonl", rows)
    with pytest.raises(DatasetError, match="row_id"):
        job(new, baseline=old).run()


def test_runs_with_ids_that_repeat_are_compared_in_order_only_if_it_is_one_order(
    tmp_path: Path,
) -> None:
    rows = [{**row(n), "id": n // 2} for n in range(4)]
    old = write_rows(tmp_path / "old.jsonl", rows)
    assert job(old, baseline=old).run().differences is not None
    with pytest.raises(DatasetError, match="no ids that pair them"):
        job(write_rows(tmp_path / "new.jsonl", rows[::-1]), baseline=old).run()
    others = write_rows(
        tmp_path / "others.jsonl", [{**each, "id": f"run 2, {each['id']}"} for each in rows]
    )
    assert job(others, baseline=old).run().differences is not None


def test_the_command_prints_means_and_differences(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    write_rows(tmp_path / "old.jsonl", [row(n, NONE) for n in range(3)])
    write_rows(tmp_path / "new.jsonl", [row(n) for n in range(3)])
    done = run(
        "evaluate", "new.jsonl", "--compare", "old.jsonl", "--json", "out.json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert b"answer entailed by context" in done.stdout
    summary = json.loads((tmp_path / "out.json").read_text())
    assert summary["differences"]["answer_refuses"]["mean"] == -1.0
    assert summary["rows"] == 3


def test_broken_rows_make_the_exit_code_1_and_mistakes_2(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    write_rows(tmp_path / "rows.jsonl", [row(1), b"{"])
    assert run("evaluate", "rows.jsonl", cwd=tmp_path).returncode == 1
    assert run("evaluate", "nowhere.jsonl", cwd=tmp_path).returncode == 2
    done = run("evaluate", "rows.jsonl", "--answer", "reply", cwd=tmp_path)
    assert done.returncode == 2
    assert b"'reply'" in done.stderr


@pytest.mark.parametrize(
    ("ids", "plain"),
    [
        ([date(2024, 1, 2), date(2024, 1, 3)], ["2024-01-02", "2024-01-03"]),
        ([datetime(2024, 1, 2, 3, tzinfo=UTC), None], ["2024-01-02T03:00:00+00:00", None]),
        ([b"a", b"\xff\x00"], ["a", "ff00"]),
        ([Decimal("1.50"), Decimal(2)], ["1.50", "2.00"]),
        ([float("nan"), 1.5], ["nan", 1.5]),
    ],
    ids=["dates", "times", "bytes", "decimals", "numbers"],
)
def test_an_id_of_parquet_is_written_as_json(
    tmp_path: Path, ids: list[Any], plain: list[Any]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{**row(number), "id": id_} for number, id_ in enumerate(ids)]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    job(tmp_path / "rows.parquet", rows=tmp_path / "out").run()
    assert [line["id"] for line in read_rows(tmp_path / "out")] == plain
    report = job(tmp_path / "rows.parquet", baseline=tmp_path / "out").run()
    assert report.differences is not None


def test_a_row_that_the_engine_cannot_read_is_kept_with_its_reason(tmp_path: Path) -> None:
    class English(ScriptedNLI):
        languages = ("en",)

    german = row(2, "Die Brücke wurde im Jahr 1932 nicht eröffnet.")
    source = write_rows(tmp_path / "rows.jsonl", [row(1), german, row(3)])
    report = job(source, rows=tmp_path / "out.jsonl", nli=English(_nli)).run()
    assert (len(report.rows), report.broken, report.unjudged) == (3, 0, 1)
    written = read_rows(tmp_path / "out.jsonl")
    assert ["error" in line for line in written] == [False, True, False]
    assert "German" in written[1]["error"]
    assert report.to_dict()["unjudged"] == 1
    with pytest.raises(LanguageError):
        job(source, nli=English(_nli), on_mistake="raise").run()


def test_a_run_that_goes_on_counts_the_rows_that_could_not_be_judged_before(
    tmp_path: Path,
) -> None:
    class English(ScriptedNLI):
        languages = ("en",)

    german = row(2, "Die Brücke wurde im Jahr 1932 nicht eröffnet.")
    source = write_rows(tmp_path / "rows.jsonl", [row(1), german, b"{"])
    out = tmp_path / "out.jsonl"
    for _ in range(2):
        report = job(source, rows=out, nli=English(_nli), overwrite=True).run()
        assert (report.broken, report.unjudged) == (1, 1)
    compared = job(source, nli=English(_nli), baseline=out).run()
    assert compared.unjudged == 1


def test_questions_that_stop_the_engine_are_the_mistake_of_their_row(tmp_path: Path) -> None:
    def fussy(pair: Pair) -> NLIScores:
        if "poison" in pair.hypothesis:
            raise RuntimeError
        return _nli(pair)

    rows = [row(number) for number in range(40)]
    rows[17] = row(17, "There is poison in it.")
    source = write_rows(tmp_path / "rows.jsonl", rows)
    report = job(source, nli=ScriptedNLI(fussy)).run()
    assert (report.unjudged, report.rows[17], report.broken) == (1, None, 0)
    assert report.rows.count(None) == 1


def test_an_engine_that_fails_for_every_row_ends_the_evaluation(tmp_path: Path) -> None:
    def down(pair: Pair) -> NLIScores:
        raise ConnectionError

    engine = ScriptedNLI(down)
    source = write_rows(tmp_path / "rows.jsonl", [row(number) for number in range(40)])
    with pytest.raises(BackendError):
        job(source, nli=engine).run()
    assert engine.calls <= 4


def cited_row(number: int, label: int, **more: Any) -> dict[str, Any]:
    """Return a row whose answer cites the reference with this number; the first one supports it."""
    answer = f"{GOOD[:-1]} [{label}]."
    return row(number, answer, **{"context": [GOOD, "It is long."], **more})


def test_citations_are_scored_only_if_the_run_asks_for_it(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [cited_row(1, 1), cited_row(2, 2), b"{"])
    files = {"rows": tmp_path / "out.jsonl"}
    plain = job(source, **files, summary=tmp_path / "out.json").run()
    for path in tmp_path.glob("out.*"):
        assert "citation" not in path.read_text()
    assert not any("citation" in name for name in plain.means)
    report = job(source, **files, citations=Cited(superfluous=True), overwrite=True).run()
    mean = report.means["citation_recall"]
    assert (mean.mean, mean.rows) == (0.5, 2)
    written = read_rows(tmp_path / "out.jsonl")
    assert [line["scores"]["citation_f1"] for line in written[:2]] == [1.0, 0.0]
    assert written[1]["citation_verdicts"][0]["slug"] == "citation_unsupported"
    assert [line["scores"]["citation_precision"] for line in written[:2]] == [1.0, 0.0]


@pytest.mark.parametrize("saved", [False, True], ids=["rows", "results"])
def test_citations_of_two_runs_are_compared(tmp_path: Path, saved: bool) -> None:
    check = Cited(superfluous=True)
    old = write_rows(tmp_path / "old.jsonl", [cited_row(n, 2) for n in range(4)])
    new = write_rows(tmp_path / "new.jsonl", [cited_row(n, 1 if n else 2) for n in range(4)])
    if saved:
        job(old, rows=tmp_path / "old.scores.jsonl", citations=check).run()
        old = tmp_path / "old.scores.jsonl"
    found = job(new, baseline=old, citations=check).run().differences
    assert found is not None
    change = found["citation_recall"]
    assert (change.mean, change.larger, change.same) == (0.75, 3, 1)


def test_a_baseline_without_scores_of_citations_has_no_differences_of_them(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", [cited_row(1, 1)])
    job(source, rows=tmp_path / "old.jsonl").run()
    check = Cited(superfluous=True)
    report = job(source, baseline=tmp_path / "old.jsonl", citations=check).run()
    assert report.differences is not None
    assert "citation_recall" in report.means
    assert "citation_recall" not in report.differences
    assert "answer_by_context" in report.differences


def test_an_interrupted_run_with_citations_goes_on_only_with_them(tmp_path: Path) -> None:
    source = write_rows(
        tmp_path / "rows.jsonl", [cited_row(n, 1, context=[GOOD, f"{n} cables"]) for n in range(4)]
    )

    def interrupted(pair: Pair) -> NLIScores:
        if "2 cables" in pair.premise:
            raise KeyboardInterrupt
        return _nli(pair)

    out, check = tmp_path / "out.jsonl", Cited(superfluous=True)
    with pytest.raises(KeyboardInterrupt):
        job(source, rows=out, batch=1, nli=ScriptedNLI(interrupted), citations=check).run()
    with pytest.raises(DatasetError, match="citations"):
        job(source, rows=out, batch=1, resume=True).run()
    report = job(source, rows=out, batch=1, resume=True, citations=check).run()
    assert report.means["citation_f1"].rows == 4


def test_the_command_scores_citations(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    write_rows(tmp_path / "old.jsonl", [cited_row(n, 2) for n in range(3)])
    write_rows(tmp_path / "new.jsonl", [cited_row(n, 1) for n in range(3)])
    arguments = ("evaluate", "new.jsonl", "--compare", "old.jsonl", "--json", "out.json")
    done = run(*arguments, "--citations", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"citation precision" in done.stdout
    summary = json.loads((tmp_path / "out.json").read_text())
    assert summary["means"]["citation_f1"]["mean"] == 1.0
    assert summary["differences"]["citation_recall"]["mean"] == 1.0
    assert b"citation" not in run("evaluate", "new.jsonl", cwd=tmp_path).stdout
