"""With `validate_assignment`, a value is judged before a field of an answer takes it."""

import asyncio
import copy
import gc
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, Literal, Self

import pytest
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from groundtypes import Grounded, Judges, Quote, Quoted, audit, grounded_in, nonblocking, verify
from groundtypes.errors import CheckError, MissingReferencesError, MissingVerdictError
from groundtypes.rounds.state import Origin
from groundtypes.testing import ENTAILED
from groundtypes.validation import assignments, one_at_a_time
from tests.checks import Follows, ScriptedNLI

REFERENCES = ["The tower is tall and grey.", "The river is wide and slow."]
CONTEXT = {"references": REFERENCES}


class Fact(BaseModel):
    quote: Quote


class Answer(Grounded):
    model_config = ConfigDict(validate_assignment=True)

    source: str = "0"
    quote: Annotated[str, Quoted(of="source")]
    facts: list[Fact] = []
    count: int = 0
    _seen: int = PrivateAttr(0)


def answer(**fields: Any) -> Answer:
    return Answer.model_validate({"quote": "The tower is tall", **fields}, context=CONTEXT)


def slugs(error: ValidationError) -> list[tuple[tuple[int | str, ...], str]]:
    return [(line["loc"], line["type"]) for line in error.errors()]


def test_an_assigned_value_is_judged_with_the_references_of_the_validation() -> None:
    changed = answer()
    changed.quote = "is TALL and grey"
    assert changed.quote == "is tall and grey"
    assert getattr(changed.quote, "span", None) is not None
    with pytest.raises(ValidationError) as raised:
        changed.quote = "is small and red"
    assert slugs(raised.value) == [(("quote",), "quote_not_found")]
    assert changed.quote == "is tall and grey"


DATA = {"quote": "The tower is tall", "facts": []}
MADE: dict[str, Any] = {
    "verify": lambda: verify(Answer, DATA, context=CONTEXT),
    "audit": lambda: audit(Answer, DATA, context=CONTEXT).value,
    "JSON": lambda: Answer.model_validate_json('{"quote": "The tower is tall"}', context=CONTEXT),
    "in a list": lambda: verify(list[Answer], [DATA], context=CONTEXT)[0],
    "copy": lambda: copy.copy(answer()),
    "deep copy": lambda: copy.deepcopy(answer()),
    "changed copy": lambda: answer().model_copy(update={"count": 1}),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE.keys())
def test_the_references_are_remembered_however_the_answer_was_made(make: Any) -> None:
    made = make()
    made.quote = "tall and grey"
    with pytest.raises(ValidationError):
        made.quote = "tall and red"


def test_each_answer_has_the_references_of_its_own_validation() -> None:
    first = answer()
    second = Answer.model_validate({"quote": "It is red"}, context={"references": "It is red."})
    second.quote = "is red"
    with pytest.raises(ValidationError):
        first.quote = "is red"


def test_another_field_that_reads_the_assigned_one_is_judged_again() -> None:
    changed = answer()
    with pytest.raises(ValidationError) as raised:
        changed.source = "1"
    assert slugs(raised.value) == [(("quote",), "quote_in_other_reference")]
    assert changed.source == "0"
    changed.source = "0"


def test_instances_are_judged_anew_and_faults_have_their_place() -> None:
    changed = answer()
    changed.facts = [Fact.model_construct(quote="is wide and slow")]
    assert getattr(changed.facts[0].quote, "span", None) is not None
    with pytest.raises(ValidationError) as raised:
        changed.facts = [*changed.facts, Fact.model_construct(quote="is dry")]
    assert slugs(raised.value) == [(("facts", 1, "quote"), "quote_not_found")]
    assert len(changed.facts) == 1


def test_a_field_without_checks_is_validated_and_needs_no_references() -> None:
    changed = Answer.model_construct(quote="is not judged")
    changed.count = "3"  # type: ignore[assignment]
    assert changed.count == 3
    assert "count" in changed.model_fields_set
    with pytest.raises(ValidationError):
        changed.count = "many"  # type: ignore[assignment]
    changed._seen = 1
    assert changed._seen == 1


@pytest.mark.parametrize(
    "made",
    [
        lambda: Answer.model_construct(quote="The tower is tall"),
        lambda: pickle.loads(pickle.dumps(answer())),  # noqa: S301 # our own
    ],
    ids=["constructed", "unpickled"],
)
def test_an_answer_without_references_takes_no_judged_value(made: Any) -> None:
    changed = made()
    with pytest.raises(MissingReferencesError):
        changed.quote = "tall and grey"
    assert changed.quote == "The tower is tall"


class Claims(Grounded):
    model_config = ConfigDict(validate_assignment=True)

    claims: list[Annotated[str, Follows()]]
    kept: list[Annotated[str, Follows(on_fault="drop")]] = []
    title: Annotated[str, Follows(by="note")] = ""
    note: str = ""


def claims(engine: ScriptedNLI) -> Claims:
    context = {"references": "a b c d", "judges": Judges(nli=engine)}
    data = {"claims": ["a"], "title": "a", "note": "a"}
    return Claims.model_validate(data, context=context)


def test_the_questions_of_an_assignment_are_one_batch() -> None:
    engine = ScriptedNLI()
    changed = claims(engine)
    engine.batches.clear()
    changed.claims = ["b", "c", "d"]
    assert [len(batch) for batch in engine.batches] == [3]
    with pytest.raises(ValidationError) as raised:
        changed.claims = ["x", "b", "y"]
    assert [line["loc"] for line in raised.value.errors()] == [("claims", 0), ("claims", 2)]
    assert changed.claims == ["b", "c", "d"]
    with pytest.raises(ValidationError) as raised:
        changed.note = "b"
    assert [line["loc"] for line in raised.value.errors()] == [("title",)]
    assert changed.note == "a"


def test_items_are_dropped_from_an_assigned_list() -> None:
    changed = claims(ScriptedNLI())
    changed.kept = ["a", "x", "b"]
    assert changed.kept == ["a", "b"]


def test_the_judges_are_those_of_the_validation() -> None:
    class Outer(Grounded, judges=Judges(nli=ScriptedNLI())):
        inner: Claims

    outer = Outer.model_validate({"inner": {"claims": ["a"]}}, context={"references": "a b"})
    outer.inner.claims = ["b"]
    with pytest.raises(ValidationError):
        outer.inner.claims = ["c"]


def _replaced(context: dict[str, Any]) -> None:
    context.update(references={"0": "The river is wide."}, question="other", judges=None)


def _emptied(context: dict[str, Any]) -> None:
    context.clear()


def _changed_in_place(context: dict[str, Any]) -> None:
    context["references"]["0"] = "The river is wide."


def _made_unreadable(context: dict[str, Any]) -> None:
    context["references"]["0"] = 5


@pytest.mark.parametrize("change", [_replaced, _emptied, _changed_in_place, _made_unreadable])
@pytest.mark.parametrize("reads", [True, False], ids=["references read", "not read before"])
def test_what_becomes_of_the_context_does_not_change_what_an_answer_is_judged_by(
    change: Callable[[dict[str, Any]], None], reads: bool
) -> None:
    class Optional(Grounded):
        model_config = ConfigDict(validate_assignment=True)
        quote: Quote | None = None
        facts: list[Answer] = []

    texts = {"0": "The tower is tall and grey."}
    context: dict[str, Any] = {"references": texts, "question": "Which?", "judges": Judges()}
    data = {"quote": "The tower", "facts": [{"quote": "is tall"}]} if reads else {}
    changed = Optional.model_validate(data, context=context)
    change(context)
    for part in (changed, *changed.facts, copy.copy(changed)):
        part.quote = "tall and grey"
        with pytest.raises(ValidationError):
            part.quote = "The river"
    changed.facts = [{"quote": "The tower"}]  # type: ignore[list-item]
    changed.facts[0].quote = "and grey"


def test_an_engine_that_fails_leaves_the_answer_as_it_was() -> None:
    def fail(pair: Any) -> Any:
        raise OSError("no connection")

    changed = claims(ScriptedNLI())
    engine = ScriptedNLI(fail)
    context = {"references": "a", "judges": Judges(nli=engine)}
    assignments.remember(changed, Origin(context, None, None))
    with pytest.raises(Exception) as raised:  # noqa: PT011 # whichever mistake it becomes
        changed.claims = ["b"]
    assert not isinstance(raised.value, ValidationError)
    assert changed.claims == ["a"]


def test_the_validators_of_the_model_run_on_assignment() -> None:
    class Counted(Answer):
        @model_validator(mode="after")
        def check(self) -> Self:
            if self.count > 5:
                raise ValueError("too many")
            return self

    counted = Counted.model_validate({"quote": "The tower is tall"}, context=CONTEXT)
    counted.count = 5
    with pytest.raises(ValidationError):
        counted.count = 6
    assert counted.count == 5


def test_a_validator_that_puts_in_a_value_which_was_not_judged_is_a_mistake() -> None:
    class Hiding(Answer):
        @model_validator(mode="after")
        def hide(self) -> Self:
            if self.count:
                self.__dict__["quote"] = "is small and red"
            return self

    hiding = Hiding.model_validate({"quote": "The tower is tall"}, context=CONTEXT)
    with pytest.raises(MissingVerdictError):
        hiding.count = 1
    assert hiding.quote == "The tower is tall"


def test_frozen_fields_extra_fields_and_unknown_ones_are_as_in_pydantic() -> None:
    class Open(Answer):
        model_config = ConfigDict(extra="allow")
        kind: Literal["a"] = Field("a", frozen=True)

    class Closed(Answer):
        model_config = ConfigDict(extra="forbid")

    opened = Open.model_validate({"quote": "The tower is tall"}, context=CONTEXT)
    opened.more = 3
    assert opened.model_extra == {"more": 3}
    with pytest.raises(ValidationError):
        opened.kind = "a"
    closed = Closed.model_validate({"quote": "The tower is tall"}, context=CONTEXT)
    with pytest.raises(ValidationError):
        closed.more = 3


def test_nothing_is_remembered_of_an_answer_that_is_gone() -> None:
    gc.collect()
    before = len(assignments._origins)
    made = [answer() for _ in range(3)]
    assert len(assignments._origins) == before + 3
    made.clear()
    gc.collect()
    assert len(assignments._origins) == before


@pytest.mark.parametrize(
    "made",
    [
        pickle.loads(pickle.dumps(answer())),  # noqa: S301 # of this very test
        Answer.model_construct(quote="The tower is tall"),
    ],
    ids=["unpickled", "constructed"],
)
def test_an_answer_that_remembers_nothing_says_why(made: Answer) -> None:
    with pytest.raises(MissingReferencesError, match=r"not pickled.*grounded_in") as raised:
        made.quote = "tall and grey"
    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 # of this very test
    assert str(again) == str(raised.value)
    assert made.quote == "The tower is tall"


class Holding(ScriptedNLI):
    """An engine that answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.may_answer = threading.Event(), threading.Event()

    def score(self, pairs: Any, /) -> Any:
        self.is_asked.set()
        assert self.may_answer.wait(60)
        return super().score(pairs)


def _assign(changed: Any, name: str, value: Any) -> None:
    setattr(changed, name, value)


def test_threads_that_assign_to_one_answer_take_turns() -> None:
    engine = Holding()
    engine.may_answer.set()
    changed = claims(engine)
    engine.may_answer.clear()
    engine.is_asked.clear()
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(_assign, changed, "claims", ["b"])
        assert engine.is_asked.wait(60)
        others = [pool.submit(_assign, changed, "note", note) for note in ("a b", "a c")]
        with pytest.raises(TimeoutError):
            others[0].result(0.1)
        engine.may_answer.set()
        for future in (first, *others):
            future.result(60)
    assert changed.claims == ["b"]
    assert changed.note in ("a b", "a c")
    assert not one_at_a_time._assignments._threads


def test_tasks_that_assign_to_one_answer_take_turns() -> None:
    pytest.importorskip("greenlet")
    changed = claims(ScriptedNLI())

    async def assign(value: str) -> None:
        changed.claims = [value]

    async def main() -> None:
        await asyncio.gather(*(nonblocking(assign("abcd"[number % 4])) for number in range(50)))

    asyncio.run(main())
    assert changed.claims[0] in set("abcd")
    assert not one_at_a_time._assignments._threads


def test_an_engine_that_assigns_to_the_answer_it_judges_is_a_mistake() -> None:
    changed: Any = None

    def assign(pair: Any) -> Any:
        if changed is not None:
            changed.note = "judged"
        return ENTAILED

    made = claims(ScriptedNLI(assign))
    changed = made
    with pytest.raises(CheckError, match="assigns to the same answer"):
        made.claims = ["b"]
    assert made.claims == ["a"]


def test_a_block_of_references_serves_answers_that_remember_none() -> None:
    with grounded_in(REFERENCES):
        made = Answer(quote="The tower is tall")
        constructed = Answer.model_construct(quote="The tower is tall")
        constructed.quote = "tall and grey"
        with pytest.raises(ValidationError):
            constructed.quote = "tall and red"
    with pytest.raises(MissingReferencesError):
        constructed.quote = "is tall"
    made.quote = "tall and grey"  # it remembers the block in which it was validated
    with grounded_in("It is wide and red."), pytest.raises(ValidationError):
        made.quote = "wide and red"
