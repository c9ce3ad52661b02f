"""Rows that a person should look at are in a file of their own, and never trained on."""

import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from typer.testing import CliRunner

from groundtypes import Entailed, Grounded, Judges
from groundtypes.backends.operating_point import ReviewBand
from groundtypes.cli.app import app
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.dataset import build_dataset
from groundtypes.integrations.recordings import Attempt, RecordedCall
from tests.backends.test_operating_point import calibration
from tests.calibration.rows import GUIDE, engine

BAND = ReviewBand(low=0.3, high=0.8, risk=0.05, delta=0.05)


class Answer(Grounded):
    text: Annotated[str, Entailed()]


def judges(band: ReviewBand | None = BAND) -> Judges:
    return Judges(nli=engine(), calibration=calibration(0.5, engine(), band=band))


def answer(score: float) -> dict[str, str]:
    return {"text": f"The tower scores {score:.2f} here."}


def row(number: int, score: float) -> dict[str, Any]:
    references = {"guide": f"{GUIDE} {number}."}
    question = f"Which score has number {number * 7919}?"
    return {"id": number, "references": references, "question": question, "answer": answer(score)}


def call(number: int, *scores: float) -> RecordedCall:
    given = row(number, 0.0)
    prompt = ({"role": "user", "content": given["question"]},)
    attempts = [
        Attempt(ok=at == len(scores) - 1, messages=prompt, answer=json.dumps(answer(score)))
        for at, score in enumerate(scores)
    ]
    return RecordedCall(
        attempts=attempts,
        llm="scripted",
        question=given["question"],
        references=given["references"],
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def trained_on(folder: Path, kind: str = "supervised") -> list[dict[str, Any]]:
    return [each for split in ("train", "test") for each in lines(folder / kind / f"{split}.jsonl")]


@pytest.mark.parametrize("policy", ["reject", "drop-items", "snap"])
def test_every_row_is_in_one_file_and_is_counted_once(tmp_path: Path, policy: Any) -> None:
    rows = [row(number, score) for number, score in enumerate((0.9, 0.7, 0.1, 0.4, 0.95))]
    built = build_dataset(Answer, rows, tmp_path / "data", policy=policy, judges=judges())
    assert sorted(each["line"] for each in trained_on(tmp_path / "data")) == [1, 5]
    review = lines(tmp_path / "data" / "review.jsonl")
    assert [(each["line"], each["id"], each["score"]) for each in review] == [
        (2, 1, 0.7),
        (4, 3, 0.4),
    ]
    assert [each["line"] for each in lines(tmp_path / "data" / "rejected.jsonl")] == [3]
    counts = built.manifest["counts"]
    assert (counts["clean"], counts["review"], counts["rejected"]) == (2, 2, 1)
    assert "review.jsonl" in built.manifest["files"]
    (check,) = built.manifest["options"]["checks"]
    assert check["options"]["band"]["high"] == 0.8


def test_without_a_band_there_is_no_such_file(tmp_path: Path) -> None:
    rows = [row(number, score) for number, score in enumerate((0.9, 0.7, 0.1))]
    built = build_dataset(Answer, rows, tmp_path / "data", judges=judges(None))
    assert not (tmp_path / "data" / "review.jsonl").exists()
    counts = built.manifest["counts"]
    assert (counts["clean"], counts["review"], counts["rejected"]) == (2, 0, 1)


def test_an_answer_in_doubt_is_no_refused_one_of_a_pair(tmp_path: Path) -> None:
    calls = [call(1, 0.4, 0.9), call(2, 0.1, 0.9), call(3, 0.1, 0.6), call(4, 0.6, 0.1)]
    built = build_dataset(Answer, calls, tmp_path / "data", judges=judges())
    pairs = trained_on(tmp_path / "data", "preference")
    assert [json.loads(pair["rejected"][0]["content"]) for pair in pairs] == [answer(0.1)]
    assert [each["line"] for each in lines(tmp_path / "data" / "review.jsonl")] == [3, 4]
    assert built.manifest["counts"]["review"] == 2


def test_the_command_takes_a_calibration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("groundtypes.judges._named_engines", BoundedCache[str, Any](2))
    monkeypatch.setattr("groundtypes.judges.nli_by_name", lambda _: engine())
    rows = [row(number, score) for number, score in enumerate((0.9, 0.7))]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    calibration(0.5, engine(), band=BAND).save(tmp_path / "band.json")
    options = ["rows.jsonl", "--output", "data", "--judge", "bundled", "--calibration", "band.json"]
    model = ["--model", "tests.dataset.build.test_review:Answer"]
    result = CliRunner().invoke(app, ["dataset", *options, *model])
    assert result.exit_code == 0, result.output
    assert [each["line"] for each in lines(tmp_path / "data" / "review.jsonl")] == [2]
    assert "review 1" in result.stdout
