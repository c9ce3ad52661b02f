"""Inspect runs the scorer on the outputs of its mock model."""

from pathlib import Path
from typing import Any

from tests.integrations.platforms.answers import REFERENCES, RIGHT, WRONG, Answer, needs

pytestmark = needs("inspect_ai")


def evaluated(tmp_path: Path, metadata: dict[str, Any]) -> Any:
    from inspect_ai import Task, eval  # noqa: A004, PLC0415 # its name
    from inspect_ai.dataset import Sample  # noqa: PLC0415
    from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: PLC0415

    from groundtypes.integrations.inspect_ai import grounded  # noqa: PLC0415

    outputs = [ModelOutput.from_content("mockllm/model", text) for text in (RIGHT, WRONG)]
    for output in outputs:
        output.usage = ModelUsage()  # else the tokens are counted with files from the network
    task = Task(
        dataset=[Sample(input=f"When? {number}", metadata=metadata) for number in range(2)],
        scorer=grounded(Answer),
    )
    model = get_model("mockllm/model", custom_outputs=outputs)
    [log] = eval(task, model=model, log_dir=str(tmp_path), display="none", max_samples=1)
    return log


def test_an_output_scores_one_if_every_check_holds(tmp_path: Path) -> None:
    log = evaluated(tmp_path, {"references": REFERENCES})
    assert log.status == "success"
    scores = [sample.scores["grounded"] for sample in log.samples]
    assert sorted(score.value for score in scores) == [0.0, 1.0]
    wrong = min(scores, key=lambda score: score.value)
    assert "1898" in wrong.explanation
    assert wrong.metadata["Quoted"]["label"] == "quote_altered"
    assert log.results.scores[0].metrics["accuracy"].value == 0.5


def test_an_output_that_cannot_be_judged_is_an_error(tmp_path: Path) -> None:
    log = evaluated(tmp_path, {})
    assert log.status == "error"
    assert "have the key 'references'" in log.error.message
