"""Models whose checks ask engines, and rows for them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel

from groundtypes import Entailed, Faithful, Grounded, Judges, Supported
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict
from tests.command_line import write_rows


def unexpected(question: Question) -> Any:
    """Refuse to answer: an estimate asks nobody."""
    raise AssertionError(f"an LLM was asked: {question.prompt}")


LLM = ScriptedLLM(unexpected)


class FaithfulText(Grounded, judges=Judges(llm=LLM)):
    """A text that takes one question to an LLM."""

    text: Annotated[str, Faithful()]


class OneCall(Grounded, judges=Judges(llm=LLM)):
    """A text whose claims are extracted and labelled in one call."""

    text: Annotated[str, Supported()]


class TwoCalls(Grounded, judges=Judges(llm=LLM)):
    """A text whose claims are labelled in a second call."""

    text: Annotated[str, Supported(calls="two")]


class CallPerClaim(Grounded, judges=Judges(llm=LLM)):
    """A text each of whose claims takes a call."""

    text: Annotated[str, Supported(calls="per_claim")]


class EntailedText(Grounded):
    """A text that an NLI engine judges."""

    text: Annotated[str, Entailed()]


class Grade(BaseModel):
    """A reply that this library does not know."""

    grade: int
    words: list[str]


class Graded(Check):
    """A check of a user's own."""

    def judge(self, value: str, case: Case) -> Verdict:
        """Ask for a grade."""
        [reply] = case.ask(case.llm, [Question("grade", "Grade it.", value, Grade)])
        return self.holds(label=str(reply.answer))


class GradedText(Grounded, judges=Judges(llm=LLM)):
    """A text that a check of a user's own judges."""

    text: Annotated[str, Graded()]


def _raise(value: str) -> str:
    if "boom" in value:
        raise KeyError("no such thing")
    return value


class Buggy(Grounded):
    """A model whose own code fails on some rows."""

    text: Annotated[str, AfterValidator(_raise)]


def text_row(number: int) -> dict[str, Any]:
    """Return a row with a reference and two sentences of its own."""
    return {
        "references": {"r": f"Ida Moe built the mill of {number}. A fire came in 19{number}."},
        "text": f"Ida Moe built the mill of {number} by the river. "
        f"A great fire came to the old mill in the year 19{number}.",
    }


def text_rows(path: Path, numbers: Iterable[int]) -> Path:
    """Write rows, and return their file."""
    return write_rows(path / "rows.jsonl", map(text_row, numbers))
