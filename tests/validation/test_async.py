"""Every call that may ask an engine has an async twin, which does not block the event loop."""

import asyncio
import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import pytest

from groundtypes import (
    Grounded,
    Judges,
    NLIScores,
    Pair,
    claims,
    entailment,
    evaluation,
    refusals,
    validation,
)
from groundtypes import llm_judge as judge
from groundtypes.claims import acheck_claims
from groundtypes.entailment import aentail
from groundtypes.evaluation import EvaluationRow, aevaluate, aevaluate_many
from groundtypes.testing import ENTAILED, ScriptedNLI
from groundtypes.validation import aaudit_many, aiter_audits, averify_many
from tests.checks import Follows

TEXT = "The tower is tall."


def _calls() -> list[tuple[Any, str]]:
    packages = (claims, entailment, evaluation, judge, refusals, validation)
    pure = {
        "aggregate",
        "alignment_question",
        "citation_scores",
        "compare",
        "faithful_question",
        "rule_question",
    }
    return [
        (package, name)
        for package in packages
        for name in package.__all__
        if inspect.isfunction(getattr(package, name)) and name not in pure
    ]


@pytest.mark.parametrize(
    ("package", "name"), _calls(), ids=lambda part: getattr(part, "__name__", part)
)
def test_every_call_has_a_twin_with_the_same_signature(package: Any, name: str) -> None:
    names = set(package.__all__)
    twin = name[1:] if name[1:] in names else f"a{name}"
    assert twin in names
    ours, theirs = (inspect.signature(getattr(package, each)) for each in (name, twin))
    assert ours.parameters == theirs.parameters


class WaitingNLI(ScriptedNLI):
    """An engine that scores only once the event loop, which must go on meanwhile, has let it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked = threading.Event()
        self.may_answer = threading.Event()

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        self.is_asked.set()
        if not self.may_answer.wait(60):
            raise TimeoutError("the event loop is blocked")
        return [ENTAILED for _ in pairs]


class Answer(Grounded):
    text: str


class Claim(Grounded):
    text: Annotated[str, Follows()]


async def _listed(items: Any) -> list[Any]:
    return [item async for item in items]


def _twins(engine: Any) -> dict[str, Callable[[], Any]]:
    judges = Judges(nli=engine)
    context = {"references": TEXT, "judges": judges}
    rows = [{"text": TEXT}, {"text": "tall"}]
    row = EvaluationRow(None, TEXT, TEXT)
    return {
        "averify_many": lambda: averify_many(Claim, iter(rows), context=context),
        "aaudit_many": lambda: aaudit_many(Claim, iter(rows), context=context),
        "aiter_audits": lambda: _listed(aiter_audits(Claim, iter(rows), context=context, batch=1)),
        "aentail": lambda: aentail(TEXT, TEXT, nli=engine),
        "acheck_claims": lambda: acheck_claims(iter([TEXT]), TEXT, checker=engine),
        "aevaluate": lambda: aevaluate(None, TEXT, TEXT, judges=judges),
        "aevaluate_many": lambda: aevaluate_many(iter([row]), judges=judges),
    }


@pytest.mark.parametrize("name", _twins(None))
def test_the_event_loop_runs_on_while_an_engine_works(name: str) -> None:
    engine = WaitingNLI()
    twin = _twins(engine)[name]

    async def let_it_answer() -> None:
        await asyncio.to_thread(engine.is_asked.wait, 60)
        engine.may_answer.set()

    async def main() -> Any:
        result, _ = await asyncio.gather(twin(), let_it_answer())
        return result

    assert asyncio.run(main())


def test_an_async_iterator_yields_what_the_plain_one_does() -> None:
    rows = [{"text": str(number)} for number in range(7)]
    listed = asyncio.run(_listed(aiter_audits(Answer, iter(rows), context={}, batch=3)))
    assert [audit.value.text for audit in listed] == [row["text"] for row in rows]
