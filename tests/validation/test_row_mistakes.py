"""A row that cannot be judged is that row's mistake; the others are judged."""

import asyncio
import pickle
from collections.abc import Sequence
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, ValidationError

from groundtypes import (
    Answered,
    Audit,
    Entailed,
    Grounded,
    Judged,
    Judges,
    LanguageError,
    NLIScores,
    Pair,
    audit,
    audit_many,
    verify_many,
)
from groundtypes.errors import (
    BackendError,
    BudgetError,
    CheckError,
    ContextError,
    MissingJudgeError,
    MissingReferencesError,
    Mistake,
    ReferencesError,
)
from groundtypes.report import Report
from groundtypes.testing import ScriptedLLM, contained
from groundtypes.validation import aaudit_many, aiter_audits, averify_many, iter_audits

REFERENCE = "The bridge was opened in 1932. Dogs are not allowed on it."
TRUE = {"text": "The bridge was opened in 1932."}
FALSE = {"text": "The bridge was opened by a king."}
GERMAN = {"text": "Die Brücke wurde im Jahr 1932 für alle eröffnet."}
POISON = {"text": "The poison stops the engine."}


def _boom(value: str) -> str:
    if "boom" in value:
        raise KeyError(value)
    return value


class Answer(Grounded):
    text: Annotated[str, Entailed(), AfterValidator(_boom)]


class Helpful(Grounded):
    text: Annotated[str, Answered(unless_unanswerable=True)]


class Unavailable(ConnectionError):
    """An engine that cannot be reached."""


class Engine:
    """Scores by the words, and fails where a text has the word poison."""

    languages = ("en",)

    def __init__(self, error: type[Exception] = RuntimeError) -> None:
        self.batches: list[list[Pair]] = []
        self.error = error
        self.is_down = False

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        self.batches.append(list(pairs))
        if self.is_down or any("poison" in pair.hypothesis for pair in pairs):
            raise self.error("no")
        return [contained(pair) for pair in pairs]


def context(engine: Any, references: Any = REFERENCE, **more: Any) -> dict[str, Any]:
    return {"references": references, "judges": Judges(nli=engine), **more}


def kinds(audits: Sequence[Audit[Any]]) -> list[Any]:
    return [found.ok if found.mistake is None else type(found.mistake) for found in audits]


def numbered(count: int) -> list[dict[str, str]]:
    """Return rows of which none shares a question with another."""
    return [{"text": f"The bridge has {number} lamps."} for number in range(count)]


@pytest.mark.parametrize(
    ("row", "mistake"),
    [
        (GERMAN, LanguageError),
        (POISON, BackendError),
        ({"text": "It goes boom."}, CheckError),
    ],
    ids=["another language", "its questions stop the engine", "the model raises"],
)
@pytest.mark.parametrize("batch", [1, 2, 256])
def test_a_row_that_cannot_be_judged_does_not_end_the_others(
    row: dict[str, str], mistake: type[Mistake], batch: int
) -> None:
    rows = [TRUE, FALSE, row, TRUE, row, FALSE]
    with pytest.raises((mistake, KeyError)):
        audit_many(Answer, rows, context=context(Engine()), batch=batch)
    found = audit_many(Answer, rows, context=context(Engine()), batch=batch, on_mistake="keep")
    assert kinds(found) == [True, False, mistake, True, mistake, False]
    for given, judged in zip(rows, found, strict=True):
        if judged.mistake is None:
            assert judged.verdicts == audit(Answer, given, context=context(Engine())).verdicts
        else:
            assert (judged.value, judged.error, judged.verdicts) == (None, None, ())


def test_the_row_of_a_context_that_cannot_be_used_is_kept() -> None:
    judges = {"judges": Judges(nli=Engine())}
    contexts: list[Any] = [
        context(Engine()),
        judges,
        context(Engine(), references=[{"no": "text"}]),
        context(Engine(), question=7),
        "no context",
        context(Engine()),
    ]
    found = audit_many(Answer, [TRUE] * 6, context=contexts, on_mistake="keep")
    assert [found[0].ok, found[-1].ok] == [True, True]
    assert kinds(found)[1:3] == [MissingReferencesError, ReferencesError]
    assert all(isinstance(judged.mistake, Mistake) for judged in found[1:-1])
    with pytest.raises(MissingReferencesError):
        audit_many(Answer, [TRUE] * 6, context=contexts)


def test_a_row_without_the_question_that_a_check_needs_is_kept() -> None:
    refusal = {"text": "The documents do not say."}
    contexts = [context(Engine(), question="How long is it?"), context(Engine())]
    found = audit_many(Helpful, [refusal] * 2, context=contexts, on_mistake="keep")
    assert kinds(found)[1] is ContextError
    assert found[0].mistake is None
    with pytest.raises(ContextError, match="needs the question"):
        audit_many(Helpful, [refusal], context=contexts[1], on_mistake="keep")


def test_verify_many_raises_faults_and_mistakes_together() -> None:
    rows = [TRUE, FALSE, GERMAN, TRUE]
    with pytest.raises(ExceptionGroup) as caught:
        verify_many(Answer, rows, context=context(Engine()), on_mistake="keep")
    fault, mistake = caught.value.exceptions
    assert isinstance(fault, ValidationError)
    assert isinstance(mistake, LanguageError)
    assert [error.__notes__ for error in (fault, mistake)] == [["row 1"], ["row 2"]]
    assert verify_many(Answer, [TRUE], context=context(Engine()), on_mistake="keep")
    with pytest.raises(LanguageError):
        verify_many(Answer, rows, context=context(Engine()))


def test_the_async_twins_keep_mistakes_too() -> None:
    async def twins() -> list[Audit[Answer]]:
        given = context(Engine())
        with pytest.raises(ExceptionGroup):
            await averify_many(Answer, [TRUE, GERMAN], context=given, on_mistake="keep")
        iterated = [
            found
            async for found in aiter_audits(
                Answer, [TRUE, GERMAN], context=given, on_mistake="keep"
            )
        ]
        assert kinds(iterated) == [True, LanguageError]
        return await aaudit_many(Answer, [TRUE, GERMAN], context=given, on_mistake="keep")

    assert kinds(asyncio.run(twins())) == [True, LanguageError]


@pytest.mark.parametrize("at", [0, 1, 100, 127, 254, 255])
def test_few_calls_find_the_row_that_stops_the_engine(at: int) -> None:
    rows = numbered(256)
    rows[at] = POISON
    engine = Engine()
    found = audit_many(Answer, rows, context=context(engine), on_mistake="keep")
    assert [number for number, judged in enumerate(found) if judged.mistake] == [at]
    assert len(engine.batches) <= 30
    # The engine answered for each other row.
    assert all(judged.verdicts for number, judged in enumerate(found) if number != at)


def test_rows_far_apart_that_stop_the_engine_are_all_found() -> None:
    rows = numbered(300)
    bad = range(0, 300, 7)
    for number in bad:
        rows[number] = {"text": f"Poison {number} is poison."}
    found = audit_many(Answer, rows, context=context(Engine()), batch=64, on_mistake="keep")
    assert [number for number, judged in enumerate(found) if judged.mistake] == list(bad)


@pytest.mark.parametrize("count", [1, 2, 5, 256])
def test_an_engine_that_never_answers_is_raised(count: int) -> None:
    engine = Engine(Unavailable)
    engine.is_down = True
    with pytest.raises(BackendError):
        audit_many(Answer, numbered(count), context=context(engine), on_mistake="keep")
    assert len(engine.batches) <= 4


def test_an_outage_in_the_middle_ends_the_run_soon() -> None:
    engine = Engine(Unavailable)
    audits = iter_audits(
        Answer, numbered(1_000), context=context(engine), batch=50, on_mistake="keep"
    )
    assert all(next(audits).mistake is None for _ in range(50))
    engine.is_down = True
    engine.batches.clear()
    with pytest.raises(BackendError, match="failed for 3 rows, one after the other"):
        list(audits)
    assert len(engine.batches) == 4


def test_an_engine_that_fails_for_every_row_ends_the_run_later() -> None:
    engine = Engine()
    audits = iter_audits(
        Answer, numbered(1_000), context=context(engine), batch=100, on_mistake="keep"
    )
    assert all(next(audits).mistake is None for _ in range(100))
    engine.is_down = True
    engine.batches.clear()
    with pytest.raises(BackendError, match="failed for 50 rows"):
        list(audits)
    assert len(engine.batches) == 51


def test_a_row_that_takes_too_long_is_its_own_mistake() -> None:
    rows = numbered(20)
    rows[7] = POISON
    found = audit_many(Answer, rows, context=context(Engine(TimeoutError)), on_mistake="keep")
    assert [number for number, judged in enumerate(found) if judged.mistake] == [7]


def test_any_number_of_rows_may_be_in_another_language() -> None:
    engine = Engine()
    rows = [GERMAN] * 200
    found = audit_many(Answer, rows, context=context(engine), on_mistake="keep")
    assert set(kinds(found)) == {LanguageError}
    assert not engine.batches


def test_what_no_row_can_cause_is_raised() -> None:
    class Ruled(Grounded):
        text: Annotated[str, Judged("It is polite.")]

    with pytest.raises(MissingJudgeError):
        audit_many(Ruled, [TRUE] * 3, context={"references": REFERENCE}, on_mistake="keep")

    def spent(_: Any) -> Any:
        raise BudgetError("nothing is left")

    judges = Judges(llm=ScriptedLLM(spent))
    with pytest.raises(BudgetError):
        audit_many(
            Ruled,
            [TRUE] * 3,
            context={"references": REFERENCE, "judges": judges},
            on_mistake="keep",
        )


@pytest.mark.parametrize("value", ["skip", "", None, True])
def test_another_value_is_a_mistake(value: Any) -> None:
    with pytest.raises(ContextError, match="on_mistake"):
        audit_many(Answer, [TRUE], context=context(Engine()), on_mistake=value)


def test_the_audit_of_a_row_that_could_not_be_judged_says_so() -> None:
    first, found = audit_many(Answer, [TRUE, GERMAN], context=context(Engine()), on_mistake="keep")
    assert (found.ok, found.value, found.faults) == (False, None, ())
    assert "not judged: LanguageError" in repr(found)
    assert found.to_dict()["judged"] is False
    assert "German" in found.to_row()["error"]
    assert found.given == GERMAN
    assert found.references is not None
    assert "judged" not in first.to_dict()
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 # our own
    assert type(again.mistake) is LanguageError
    assert not again.ok


def test_a_report_shows_it_as_not_judged() -> None:
    audits = audit_many(Answer, [TRUE, GERMAN], context=context(Engine()), on_mistake="keep")
    assert dict(Report(audits).summary.states) == {"ok": 1, "unjudged": 1}
