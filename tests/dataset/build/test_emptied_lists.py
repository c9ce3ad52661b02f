"""An answer of which dropping leaves nothing is no example."""

from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from groundtypes import Grounded, Quote, Quoted
from groundtypes.dataset import build_dataset
from tests.dataset.samples import contents, fact, read, row

BAD, GOOD = fact(7, good=False), fact(7)


class Fact(BaseModel):
    statement: str
    quote: Quote


class DroppedFact(BaseModel):
    statement: str
    quote: Annotated[str, Quoted(on_fault="drop")]


class Answer(Grounded):
    facts: list[Fact]


class Dropping(Grounded):
    facts: list[DroppedFact]


class Section(BaseModel):
    facts: list[Fact]


class Report(Grounded):
    sections: list[Section]


CASES: dict[str, tuple[Any, Any, int]] = {
    "all items": (Answer, {"facts": [BAD, BAD]}, 0),
    "all items that the model drops": (Dropping, {"facts": [BAD]}, 0),
    "some items": (Answer, {"facts": [BAD, GOOD]}, 1),
    "some items that the model drops": (Dropping, {"facts": [GOOD, BAD]}, 1),
    "all items of one list": (Report, {"sections": [{"facts": [BAD]}, {"facts": [GOOD]}]}, 0),
    "some items of each list": (
        Report,
        {"sections": [{"facts": [BAD, GOOD]}, {"facts": [GOOD]}]},
        1,
    ),
    "a list that was empty before": (
        Report,
        {"sections": [{"facts": []}, {"facts": [GOOD, BAD]}]},
        1,
    ),
}


@pytest.mark.parametrize(("model", "answer", "count"), CASES.values(), ids=CASES.keys())
def test_an_answer_whose_list_dropping_has_emptied_is_rejected(
    tmp_path: Path, model: Any, answer: Any, count: int
) -> None:
    given = [row(7, answer=answer), row(8)] if model is not Report else [row(7, answer=answer)]
    built = build_dataset(model, given, tmp_path, policy="drop-items")
    assert built.counts.repaired == count
    assert built.manifest["counts"]["repaired"] == count
    assert built.counts.clean == len(given) - 1
    assert built.counts.rejected == 1 - count
    rejected = [
        line
        for name in contents(tmp_path)
        if name == "rejected.jsonl"
        for line in read(tmp_path / name)
    ]
    assert len(rejected) == 1 - count
