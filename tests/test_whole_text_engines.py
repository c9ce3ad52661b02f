"""An engine that reads whole texts runs through everything that takes an NLI engine."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from typer.testing import CliRunner

from groundtypes import (
    Answered,
    Cited,
    Entailed,
    Grounded,
    Judges,
    Pair,
    aaudit,
    audit,
    audit_many,
    guard,
)
from groundtypes.batch import AuditRows
from groundtypes.calibration import calibrate
from groundtypes.claims import check_claims
from groundtypes.cli.app import app
from groundtypes.dataset import CheckOptions, build_dataset, estimate
from groundtypes.entailment import entail
from groundtypes.errors import ContextError
from groundtypes.evaluation import evaluate
from groundtypes.models import EntailedAnswer, SupportedAnswer
from groundtypes.prompts.response_models import Claims
from groundtypes.scoring import MarkedScores, NLIScores
from groundtypes.testing import ScriptedLLM, assert_grounded, check_scorer
from tests.command_line import read_rows, write_rows
from tests.scripted_openai import Say, ScriptedOpenAI
from tests.whole_texts import WholeTextNLI, install_judge

REFERENCES = {
    "guide": "The tower is tall and made of iron. It stands by a river.",
    "almanac": "The tower was finished in 1889.",
}
GOOD, BAD = "The tower is tall and made of iron.", "The tower is painted red."
ANSWER = f"{GOOD} {BAD}"


class Statement(Grounded):
    text: Annotated[str, Entailed()]


class Prose(Grounded):
    text: Annotated[str, Cited()]


class Reply(Grounded):
    text: Annotated[str, Answered(unless_unanswerable=True)]


@pytest.fixture
def engine() -> WholeTextNLI:
    return WholeTextNLI()


def context(engine: Any, **more: Any) -> dict[str, Any]:
    return {"references": REFERENCES, "judges": Judges(nli=engine), **more}


def claims_of(question: Any) -> Claims:
    claim = {"sentence": 1, "subject": "The tower", "predicate": "is"}
    return Claims.model_validate(
        {"claims": [claim | {"object": "tall"}, claim | {"object": "red"}]}
    )


def test_it_fulfils_the_contract_of_every_engine(engine: WholeTextNLI) -> None:
    check_scorer(engine)
    assert (engine.window, engine.count_tokens(GOOD)) == (512, 8)


def test_entailed(engine: WholeTextNLI) -> None:
    audited = audit(Statement, {"text": ANSWER}, context=context(engine))
    assert [verdict.ok for verdict in audited.verdicts] == [True, False]
    assert audited.faults[0].slug == "not_entailed"
    assert [sentence.label.value for sentence in entail(REFERENCES, ANSWER, nli=engine)] == [
        "entailment",
        "neutral",
    ]


def test_rows_that_share_a_batch(engine: WholeTextNLI) -> None:
    rows = [{"text": GOOD}, {"text": BAD}]
    found = audit_many(Statement, rows, context=[context(engine)] * 2)
    assert [audited.ok for audited in found] == [True, False]


def test_cited(engine: WholeTextNLI) -> None:
    text = f"{GOOD[:-1]} [1]. The tower was finished in 1889 [1]."
    audited = audit(Prose, {"text": text}, context=context(engine))
    assert [fault.slug for fault in audited.faults] == ["citation_unsupported"]
    assert engine.calls


def test_answered(engine: WholeTextNLI) -> None:
    told = context(engine, question="How tall is the tower?")
    text = "The documents do not say how tall the tower is."
    assert isinstance(audit(Reply, {"text": text}, context=told).ok, bool)
    assert engine.calls


def test_guard(engine: WholeTextNLI) -> None:
    stream = guard([ANSWER], REFERENCES, judges=Judges(nli=engine), on_fault="drop")
    assert "".join(stream) == GOOD


def test_claims(engine: WholeTextNLI) -> None:
    assert [
        claim.label.value for claim in check_claims([GOOD, BAD], REFERENCES, checker=engine)
    ] == [
        "entailment",
        "neutral",
    ]
    judges = Judges(llm=ScriptedLLM(claims_of), checker=engine)
    context = {"references": REFERENCES, "judges": judges}
    found = audit(SupportedAnswer, {"answer": ANSWER}, context=context)
    assert [verdict.ok for verdict in found.verdicts] == [True, False]


def test_evaluate(engine: WholeTextNLI) -> None:
    found = evaluate(None, REFERENCES, ANSWER, GOOD, judges=Judges(nli=engine))
    assert found.metrics["entailed"] == 0.5


def test_assert_grounded(engine: WholeTextNLI) -> None:
    assert_grounded(GOOD, REFERENCES, nli=engine)
    with pytest.raises(AssertionError, match="1 of 1 sentences"):
        assert_grounded(BAD, REFERENCES, nli=engine)


def test_calibrate(engine: WholeTextNLI) -> None:
    rows = [
        {"text": f"{text[:-1]} {number}.", "references": f"{GOOD[:-1]} {number}.", "label": label}
        for number in range(20)
        for text, label in ((GOOD, "supported"), (BAD, "unsupported"))
    ]
    result = calibrate(rows, judges=Judges(nli=engine))
    assert result.roc_auc == 1.0


def test_audits_that_do_not_block(engine: WholeTextNLI) -> None:
    audited = asyncio.run(aaudit(Statement, {"text": ANSWER}, context=context(engine)))
    assert not audited.ok


def test_tables_of_rows() -> None:
    table: dict[str, list[Any]] = {
        "text": [GOOD, BAD],
        "references": [REFERENCES["guide"]] * 2,
    }
    for judges in (Judges(nli=WholeTextNLI()), "tests.whole_texts:whole_text_judges"):
        assert AuditRows(Statement, judges=judges)(table)["ok"] == [True, False]


@pytest.mark.engines
@pytest.mark.filterwarnings("default")  # Ray uses what it calls deprecated itself
def test_workers_of_ray() -> None:
    ray = pytest.importorskip("ray")
    from groundtypes.ray import audit as audit_with_ray  # noqa: PLC0415 # needs Ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        rows = ray.data.from_items(
            [{"text": text, "references": REFERENCES["guide"]} for text in (GOOD, BAD)]
        )
        judges = "tests.whole_texts:whole_text_judges"
        found = audit_with_ray(rows, "tests.ray.models:Statement", judges=judges, actors=1)
        assert {row["text"]: row["ok"] for row in found.take_all()} == {GOOD: True, BAD: False}
    finally:
        ray.shutdown()


# --- by the name `judge`, which every command and every run over rows takes --------------------


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[WholeTextNLI]:
    monkeypatch.chdir(tmp_path)
    return install_judge(monkeypatch)


def rows_in(folder: Path) -> Path:
    rows = [
        {"id": number, "answer": text, "references": REFERENCES, "question": "How is the tower?"}
        for number, text in enumerate((GOOD, BAD))
    ]
    return write_rows(folder / "rows.jsonl", rows)


MODEL = "groundtypes.models:EntailedAnswer"


def test_the_command_check(made: list[WholeTextNLI], tmp_path: Path) -> None:
    rows = rows_in(tmp_path)
    words = ["check", str(rows), "--model", MODEL, "--clean", "clean.jsonl", "--judge", "judge"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 1, result.output
    assert [row["answer"] for row in read_rows(tmp_path / "clean.jsonl")] == [GOOD]
    assert len(made) == 1
    assert made[0].calls


def test_a_run_is_not_continued_with_another_judge() -> None:
    plain, other = (
        CheckOptions(EntailedAnswer, MODEL),
        CheckOptions(EntailedAnswer, MODEL, judges="judge"),
    )
    assert plain.identity != other.identity
    assert CheckOptions(EntailedAnswer, MODEL, judges=Judges()).identity == plain.identity


def test_the_command_evaluate(made: list[WholeTextNLI], tmp_path: Path) -> None:
    words = ["evaluate", str(rows_in(tmp_path)), "--json", "means.json", "--judge", "judge"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    means = json.loads((tmp_path / "means.json").read_text(encoding="utf-8"))
    assert means["means"]["entailed"]["mean"] == 0.5
    assert made[0].calls
    both = CliRunner().invoke(app, [*words, "--llm", "openai/gpt-5-mini", "--overwrite"])
    assert both.exit_code == 2
    assert "--judge" in both.output


def test_the_command_calibrate(made: list[WholeTextNLI], tmp_path: Path) -> None:
    rows = [
        {"text": f"{text[:-1]} {number}.", "references": f"{GOOD[:-1]} {number}.", "label": label}
        for number in range(20)
        for text, label in ((GOOD, "supported"), (BAD, "unsupported"))
    ]
    path = write_rows(tmp_path / "labelled.jsonl", rows)
    words = ["calibrate", str(path), "-o", "own.json", "--judge", "judge"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    stored = json.loads((tmp_path / "own.json").read_text(encoding="utf-8"))
    assert stored["engine"]["name"] == "WholeTextNLI"
    assert len(made) == 1


def test_the_command_dataset(made: list[WholeTextNLI], tmp_path: Path) -> None:
    rows = rows_in(tmp_path)
    words = ["dataset", str(rows), "--model", MODEL, "--output", "data", "--judge", "judge"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["counts"]["clean"], manifest["counts"]["rejected"]) == (1, 1)
    assert manifest["options"]["judges"] == "judge"
    assert made[0].calls


def test_an_estimate_of_a_run(made: list[WholeTextNLI], tmp_path: Path) -> None:
    words = ["check", str(rows_in(tmp_path)), "--model", MODEL, "--judge", "judge", "--estimate"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert estimate(EntailedAnswer, tmp_path / "rows.jsonl", judges="judge").rows
    with pytest.raises(ContextError):
        estimate(EntailedAnswer, tmp_path / "rows.jsonl", judges="nobody")
    assert made


def test_runs_over_rows_in_python(made: list[WholeTextNLI], tmp_path: Path) -> None:
    table: dict[str, list[Any]] = {
        "text": [GOOD, BAD],
        "references": [REFERENCES["guide"]] * 2,
    }
    rows = AuditRows(Statement, judges="judge")
    assert rows(table)["ok"] == [True, False]
    assert rows.identity["judges"] == "judge"
    built = build_dataset(
        EntailedAnswer, rows_in(tmp_path), tmp_path / "built", judges="judge", near_duplicates=None
    )
    assert built.counts.clean == 1
    assert len(made) == 1


def test_the_command_claims(made: list[WholeTextNLI], tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{"answer": GOOD, "references": REFERENCES}])
    claim = {"sentence": 1, "subject": "The tower", "predicate": "is", "object": "tall"}
    with ScriptedOpenAI() as server:
        server.script(Say({"claims": [claim]}))
        words = ["claims", str(rows), "--llm", "scripted", "--base-url", server.base_url]
        result = CliRunner().invoke(app, [*words, "--judge", "judge"])
    assert result.exit_code == 0, result.output
    assert made[0].calls


@pytest.mark.parametrize("command", ["check", "evaluate", "calibrate", "dataset"])
def test_a_judge_that_does_not_exist_ends_a_command_before_a_file_is_written(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [command, str(rows_in(tmp_path)), "--judge", "nobody"]
    if command == "dataset":
        words += ["--output", "data"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "hub:NAME" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_a_verdict_names_the_words_that_an_engine_marks(engine: WholeTextNLI) -> None:
    class Marks:
        asked: list[Pair] = []

        def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
            self.asked += pairs
            return [
                MarkedScores(0.0, 1.0, 0.0, ((at := pair.hypothesis.index("red"), at + 3),))
                for pair in pairs
            ]

    engine.marks = Marks()  # type: ignore[attr-defined]
    context = {"references": REFERENCES, "judges": Judges(nli=engine)}
    held, failed = audit(Statement, {"text": ANSWER}, context=context).verdicts
    assert (held.ok, held.reason) == (True, None)
    assert failed.reason == 'not supported: "red"'
    assert [pair.hypothesis for pair in Marks.asked] == [BAD]
