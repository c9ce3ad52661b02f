"""Checks of texts judge them without their citation markers."""

from typing import Annotated, Any

import pytest

from groundtypes import (
    Answered,
    Check,
    Entailed,
    Faithful,
    Figures,
    Grounded,
    Judged,
    Judges,
    Supported,
    audit,
    guard,
)
from groundtypes.evaluation import EvaluationRow, evaluate_many
from groundtypes.scoring import Question
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedLLM, ScriptedNLI

REFERENCES = ["The tower is 330 metres tall.", "It was finished in 1889."]
PLAIN = "The tower is 330 metres tall. It was finished in 1889."
TEXTS = [
    "The tower is 330 metres tall [1]. It was finished in 1889 [2].",
    "The tower is 330 metres tall.[^1] It was finished in 1889.[^7]",
    "The tower is 330 metres tall ([a.org](https://a.org/b/77)). It was finished in 1889 [7](https://a.org/5).",
    "The tower is 330 metres tall (Smith, 2021). It was finished in 1889 ##1$$.",
]


def found(check: Any, text: str, judges: Judges) -> Any:
    class Answer(Grounded):
        text: Annotated[str, check]

    return audit(Answer, {"text": text}, context={"references": REFERENCES, "judges": judges})


@pytest.mark.parametrize("text", TEXTS)
def test_an_engine_gets_sentences_without_markers(text: str) -> None:
    engine = ScriptedNLI(lambda _: ENTAILED)
    assert found(Entailed(), text, Judges(nli=engine)).ok
    asked = {pair.hypothesis for batch in engine.batches for pair in batch}
    assert asked == {"The tower is 330 metres tall.", "It was finished in 1889."}
    assert found(Figures(), text, Judges()).ok
    assert found(Answered(), text, Judges()).ok


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("check", [Judged("It is short."), Faithful(), Supported()])
def test_an_llm_gets_texts_without_markers(check: Any, text: str) -> None:
    seen: list[str] = []

    def answer(question: Question) -> Any:
        seen.append(str(question))
        return None

    with pytest.raises(Exception):  # noqa: B017, PT011 # only the question counts
        found(check, text, Judges(llm=ScriptedLLM(answer)))
    assert seen
    assert all(mark not in seen[0] for mark in ("[1]", "[^", "a.org", "2021", "##"))


def test_a_figure_beside_a_marker_is_still_judged() -> None:
    assert not found(Figures(), "The tower is 331 metres tall [1].", Judges()).ok
    assert not found(Figures(), "It met again (Rome, 2019) there.", Judges()).ok


def test_a_text_of_a_marker_alone_is_judged_as_it_is() -> None:
    engine = ScriptedNLI(lambda _: NEUTRAL)
    assert not found(Entailed(), "[1]", Judges(nli=engine)).ok


@pytest.mark.parametrize("text", TEXTS)
def test_a_guarded_stream_is_passed_on_with_its_markers(text: str) -> None:
    engine = ScriptedNLI(lambda _: ENTAILED)
    checks = [Entailed(), Figures()]
    passed = guard([text], REFERENCES, checks=checks, judges=Judges(nli=engine))
    assert "".join(passed) == text
    asked = {pair.hypothesis for batch in engine.batches for pair in batch}
    assert not any(mark in words for words in asked for mark in ("[", "a.org", "2021", "##"))


def test_a_check_of_ones_own_reads_the_markers() -> None:
    seen: list[str] = []

    class Noting(Check):
        def judge(self, value: str, case: Any) -> Any:
            seen.append(value)
            return self.holds()

    assert "".join(guard(["[1]"], REFERENCES, checks=[Noting(), Figures()])) == "[1]"
    assert seen == ["[1]"]


@pytest.mark.parametrize("text", TEXTS)
def test_answers_are_scored_without_markers(text: str) -> None:
    rows = [EvaluationRow("?", REFERENCES, each, "It is tall.") for each in (text, PLAIN)]
    judges = Judges(nli=ScriptedNLI(lambda _: ENTAILED))
    with_markers, without = evaluate_many(rows, judges=judges)
    assert with_markers.metrics == without.metrics
