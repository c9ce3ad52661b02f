"""However many checks an answer has and wherever they are, each engine is called once."""

import asyncio
import json
import threading
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from groundtypes import (
    Grounded,
    Judges,
    aaudit,
    aaudit_many,
    audit,
    audit_many,
    averify,
    verify,
    verify_many,
)
from groundtypes.errors import ContextError
from groundtypes.validation import aiter_audits, iter_audits
from tests.checks import Follows, ScriptedNLI

TEXT = " ".join(f"fact {number}." for number in range(60))


class Leaf(BaseModel):
    claim: Annotated[str, Follows()]


class Branch(BaseModel):
    leaves: list[Leaf] = []
    named: dict[str, Leaf] = {}
    below: "Branch | None" = None


class Tree(Grounded):
    branch: Branch
    claims: list[Annotated[str, Follows()]] = []


class PlainTree(BaseModel):
    branch: Branch
    claims: list[Annotated[str, Follows()]] = []


def fifty(last: str = "fact 49.") -> dict[str, Any]:
    leaves = [{"claim": f"fact {number}."} for number in range(10)]
    named = {f"k{number}": {"claim": f"fact {number}."} for number in range(10, 20)}
    below = {"leaves": [{"claim": f"fact {number}."} for number in range(20, 35)]}
    claims = [f"fact {number}." for number in range(35, 49)]
    return {
        "branch": {"leaves": leaves, "named": named, "below": below},
        "claims": [*claims, last],
    }


def context(engine: ScriptedNLI) -> dict[str, Any]:
    return {"references": TEXT, "judges": Judges(nli=engine)}


def test_fifty_checks_at_any_depth_make_one_engine_call() -> None:
    engine = ScriptedNLI()
    tree = Tree.model_validate(fifty(), context=context(engine))
    assert isinstance(tree, Tree)
    assert [len(batch) for batch in engine.batches] == [50]


def test_json_makes_one_engine_call_too() -> None:
    engine = ScriptedNLI()
    text = TypeAdapter(Any).dump_json(fifty())
    Tree.model_validate_json(text, context=context(engine))
    Tree.model_validate_json(text, strict=True, context=context(ScriptedNLI()))
    assert engine.calls == 1


def test_verify_batches_a_plain_model() -> None:
    engine = ScriptedNLI()
    assert isinstance(verify(PlainTree, fifty(), context=context(engine)), PlainTree)
    assert [len(batch) for batch in engine.batches] == [50]


def test_a_plain_model_on_its_own_finds_the_same_faults_one_call_each() -> None:
    alone, together = ScriptedNLI(), ScriptedNLI()
    with pytest.raises(ValidationError) as slow:
        PlainTree.model_validate(fifty("fact 99."), context=context(alone))
    with pytest.raises(ValidationError) as fast:
        verify(PlainTree, fifty("fact 99."), context=context(together))
    assert slow.value.errors(include_url=False) == fast.value.errors(include_url=False)
    assert (alone.calls, together.calls) == (50, 1)


def test_a_grounded_model_inside_another_joins_its_batch() -> None:
    class Inner(Grounded):
        claim: Annotated[str, Follows()]

    class Outer(Grounded):
        inner: list[Inner]

    engine = ScriptedNLI()
    Outer.model_validate(
        {"inner": [{"claim": "fact 1."}, {"claim": "fact 2."}]}, context=context(engine)
    )
    assert [len(batch) for batch in engine.batches] == [2]


def test_equal_questions_are_asked_once() -> None:
    engine = ScriptedNLI()
    tree = {"branch": {}, "claims": ["fact 1."] * 20}
    Tree.model_validate(tree, context=context(engine))
    assert [len(batch) for batch in engine.batches] == [1]


def test_a_thousand_answers_make_few_engine_calls() -> None:
    engine = ScriptedNLI()
    rows = [{"branch": {}, "claims": [f"fact {number % 50}.", "fact 1."]} for number in range(1000)]
    trees = verify_many(Tree, rows, context=context(engine))
    assert [tree.claims[0] for tree in trees] == [row["claims"][0] for row in rows]  # type: ignore[index] # rows are plain dicts
    assert engine.calls <= 4


def test_a_re_ask_pays_only_for_what_changed() -> None:
    engine = ScriptedNLI()
    shared = context(engine)
    with pytest.raises(ValidationError):
        Tree.model_validate(fifty("fact 99."), context=shared)
    Tree.model_validate(fifty("fact 48."), context=shared)
    Tree.model_validate(fifty("fact 50."), context=shared)
    assert [len(batch) for batch in engine.batches] == [50, 1]


def test_an_audit_asks_nothing_more_than_a_verification() -> None:
    engine = ScriptedNLI()
    result = audit(Tree, fifty("fact 99."), context=context(engine))
    assert len(result.verdicts) == 50
    assert engine.calls == 1


def test_threads_do_not_share_state() -> None:
    def work(number: int) -> None:
        engine = ScriptedNLI()
        text = f"only {number}."
        own = {"references": text, "judges": Judges(nli=engine)}
        for _ in range(20):
            result = audit(Tree, {"branch": {}, "claims": [text, "only x."]}, context=own)
            outcomes.append([verdict.ok for verdict in result.verdicts] == [True, False])

    outcomes: list[bool] = []
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True] * 160


def test_concurrent_tasks_do_not_share_state_and_the_loop_stays_free() -> None:
    async def one(number: int) -> bool:
        own = {"references": f"only {number}.", "judges": Judges(nli=ScriptedNLI())}
        claims = [f"only {number}.", "only x."]
        result = await aaudit(Tree, {"branch": {}, "claims": claims}, context=own)
        return [verdict.ok for verdict in result.verdicts] == [True, False]

    async def slow_engine_lets_others_run() -> int:
        release, ticks = threading.Event(), 0

        def wait(_: object) -> Any:
            assert release.wait(10)
            return ScriptedNLI().rule(_)  # type: ignore[arg-type] # the scripted rule's own pair

        engine = ScriptedNLI(wait)
        task = asyncio.create_task(
            averify(Tree, {"branch": {}, "claims": ["fact 3."]}, context=context(engine))
        )
        while not engine.batches:
            await asyncio.sleep(0)
            ticks += 1
        release.set()
        await task
        return ticks

    async def everything() -> None:
        assert await asyncio.gather(*(one(number) for number in range(16))) == [True] * 16
        assert await slow_engine_lets_others_run() > 0

    asyncio.run(everything())


def test_rows_may_each_have_a_context() -> None:
    engine = ScriptedNLI()
    contexts = [{"references": text, "judges": Judges(nli=engine)} for text in ("one a.", "two b.")]
    rows = [{"branch": {}, "claims": ["one a."]}] * 2
    assert [result.ok for result in audit_many(Tree, rows, context=contexts)] == [True, False]
    assert engine.calls == 1


@pytest.mark.parametrize("contexts", [[{}], [{}] * 3, iter([{}])])
def test_each_row_needs_exactly_one_context(contexts: Iterable[dict[str, Any]]) -> None:
    with pytest.raises(ContextError, match="exactly one item for each row"):
        audit_many(Tree, [{"branch": {}}] * 2, context=contexts)


def test_an_error_of_the_rows_themselves_is_not_taken_for_a_missing_context() -> None:
    def rows() -> Iterator[Any]:
        yield json.loads('{"branch": {}}')
        yield json.loads("{")

    with pytest.raises(json.JSONDecodeError):
        audit_many(Tree, rows(), context=[{}, {}])


@pytest.mark.parametrize(
    "rows", [{"claim": "fact 1."}, "abc", b"{}", Leaf.model_construct(claim="x"), 5, None], ids=repr
)
def test_a_single_answer_is_no_list_of_answers(rows: Any) -> None:
    context = {"references": TEXT, "judges": Judges(nli=ScriptedNLI())}
    for many, singular in ((audit_many, "audit"), (iter_audits, "audit"), (verify_many, "verify")):
        with pytest.raises(ContextError, match=rf"call {singular}\(\), or pass \[answer\]"):
            many(Leaf, rows, context=context)
    with pytest.raises(ContextError, match=r"call audit\(\)"):
        aiter_audits(Leaf, rows, context=context)
    with pytest.raises(ContextError, match=r"call audit\(\)"):
        asyncio.run(aaudit_many(Leaf, rows, context=context))


def test_rows_may_be_any_other_iterable() -> None:
    context = {"references": TEXT, "judges": Judges(nli=ScriptedNLI())}
    row = {"claim": "fact 1."}
    for rows in ([row], (row,), iter([row]), {"a": row}.values()):
        assert [found.ok for found in audit_many(Leaf, rows, context=context)] == [True]


@pytest.mark.parametrize("model", ["Leaf", 5, {}, Leaf.model_construct(claim="x")], ids=repr)
def test_what_is_no_model_is_a_mistake(model: Any) -> None:
    with pytest.raises(ContextError, match="`model` is "):
        audit(model, {"claim": "x"}, context={"references": TEXT})
