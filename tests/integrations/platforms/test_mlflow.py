"""MLflow runs the scorer, stores its feedback, and records what cannot be judged as an error."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import create_model

from groundtypes import Quoted, audit
from groundtypes.errors import BackendError
from tests.cookbook.running import COOKBOOK
from tests.integrations.platforms.answers import REFERENCES, RIGHT, WRONG, Answer, needs

pytestmark = needs("mlflow")


@pytest.fixture
def mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.chdir(tmp_path)  # MLflow stores traces in the working folder
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("DO_NOT_TRACK", "true")
    import mlflow  # noqa: PLC0415 # after its settings

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'mlflow.db'}")
    mlflow.set_experiment("answers")
    yield mlflow
    mlflow.set_tracking_uri(None)


def _rows(**more: Any) -> list[dict[str, Any]]:
    return [
        {"inputs": {"question": "When?", **more}, "outputs": {"quote": quote}}
        for quote in (RIGHT, WRONG)
    ]


def test_each_check_is_a_feedback_with_rationale_and_evidence(mlflow: Any) -> None:
    from groundtypes.integrations.mlflow import scorer  # noqa: PLC0415

    result = mlflow.genai.evaluate(data=_rows(references=REFERENCES), scorers=[scorer(Answer)])
    values = {
        feedback.value: feedback
        for trace in mlflow.search_traces(return_type="list")
        for feedback in trace.info.assessments
        if feedback.name == "Quoted"
    }
    assert set(values) == {True, False}
    assert "1898" in values[False].rationale
    assert values[True].rationale is None
    assert values[True].source.source_type == "CODE"
    [span] = json.loads(values[True].metadata["evidence"])
    assert REFERENCES[0][span["start"] : span["end"]] == RIGHT
    assert all(isinstance(each, str) for each in values[True].metadata.values())
    assert result.metrics["Quoted/mean"] == 0.5
    assert result.metrics["schema/mean"] == 1.0


def test_scorers_with_names_have_means_of_their_own(mlflow: Any) -> None:
    from groundtypes.integrations.mlflow import scorer  # noqa: PLC0415

    strict = create_model("Strict", quote=(Annotated[str, Quoted(max_words=2)], ...))
    result = mlflow.genai.evaluate(
        data=_rows(references=REFERENCES),
        scorers=[scorer(Answer, name="any"), scorer(strict, name="short")],
    )
    means = {key: value for key, value in result.metrics.items() if "Quoted" in key}
    assert means == {"any.Quoted/mean": 0.5, "short.Quoted/mean": 0.0}


def test_an_answer_that_cannot_be_judged_is_an_error_and_others_go_on(mlflow: Any) -> None:
    from groundtypes.integrations.mlflow import scorer  # noqa: PLC0415

    rows = _rows(references=REFERENCES)
    del rows[0]["inputs"]["references"]
    mlflow.genai.evaluate(data=rows, scorers=[scorer(Answer)])
    found = [
        feedback
        for trace in mlflow.search_traces(return_type="list")
        for feedback in trace.info.assessments
    ]
    errors = [each for each in found if each.error is not None]
    assert len(errors) == 1
    assert "have the key 'references'" in errors[0].error.error_message
    assert [each.value for each in found if each.error is None and each.name == "Quoted"] == [False]


def test_references_may_be_read_from_the_trace(mlflow: Any) -> None:
    from groundtypes.integrations.mlflow import scorer  # noqa: PLC0415

    @mlflow.trace(span_type="RETRIEVER")  # type: ignore[untyped-decorator]
    def retrieve() -> list[str]:
        return REFERENCES

    def predict(question: str) -> dict[str, str]:
        retrieve()
        return {"quote": RIGHT}

    def retrieved(trace: Any) -> Any:
        [span] = trace.search_spans(span_type="RETRIEVER")
        return span.outputs

    result = mlflow.genai.evaluate(
        data=[{"inputs": {"question": "When?"}}],
        predict_fn=predict,
        scorers=[scorer(Answer, references=retrieved)],
    )
    assert result.metrics["Quoted/mean"] == 1.0


def test_a_stored_audit_is_logged_on_a_trace(mlflow: Any) -> None:
    from groundtypes.integrations.mlflow import log_feedback  # noqa: PLC0415

    with mlflow.start_span("answer") as span:
        span.set_outputs({"quote": WRONG})
    audited = audit(Answer, {"quote": WRONG}, context={"references": REFERENCES})
    mlflow.flush_trace_async_logging()
    log_feedback(audited, span.trace_id)
    found = {each.name: each for each in mlflow.get_trace(span.trace_id).info.assessments}
    assert {name: each.value for name, each in found.items()} == {"Quoted": False, "schema": True}
    feedback = found["Quoted"]
    assert feedback.metadata["label"] == "quote_altered"


def test_no_feedback_is_logged_of_what_was_not_judged(mlflow: Any) -> None:
    from groundtypes.integrations.mlflow import log_feedback  # noqa: PLC0415

    with mlflow.start_span("answer") as span:
        pass
    mlflow.flush_trace_async_logging()
    found = audit(Answer, {"quote": RIGHT}, context={"references": REFERENCES})
    unjudged = replace(found, mistake=BackendError("down"))
    with pytest.raises(BackendError):
        log_feedback(unjudged, span.trace_id)
    assert mlflow.get_trace(span.trace_id).info.assessments == []


def test_the_example_prints_what_is_stored(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, COOKBOOK / "mlflow_scorer.py"],
        cwd=tmp_path,
        env={**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines.count("Figures: True") == 1
    assert any(line.startswith("Figures: False amount: 3.2 has the wrong") for line in lines)
    assert any(line.startswith("groundtypes: not judged. Neither the inputs") for line in lines)
