"""An unusable context is the same mistake for every check, also if the check does not read it."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final

import pytest
from pydantic import BaseModel, create_model, field_validator

from groundtypes import (
    Aligned,
    Answered,
    Check,
    Cited,
    Entailed,
    Faithful,
    Figures,
    Grounded,
    Judged,
    Judges,
    Quoted,
    Supported,
    aaudit,
    audit,
    audit_many,
    verify,
)
from groundtypes.errors import ContextError
from groundtypes.testing import ScriptedLLM, ScriptedNLI
from tests.checks import Short

REFERENCES: Final = "The tower is 330 metres tall."
TEXT: Final = "The tower is 330 metres tall."
ENGINES: Final = Judges(nli=ScriptedNLI(), llm=ScriptedLLM(lambda question: None))
CHECKS: Final[tuple[Check, ...]] = (
    Quoted(),
    Entailed(),
    Figures(),
    Answered(),
    Cited(),
    Supported(),
    Judged("It is polite."),
    Faithful(),
    Aligned(),
    Short(),
)
CONTEXTS: Final[dict[str, tuple[Any, str]]] = {
    "judges": ({"references": REFERENCES, "judges": 5}, "'judges' is of type int"),
    "judges as a text": ({"references": REFERENCES, "judges": "openai/m"}, "'judges'"),
    "question": ({"references": REFERENCES, "question": 5}, "'question' is of type int"),
    "no mapping": ([("references", REFERENCES)], "mapping"),
}


@pytest.mark.parametrize(("context", "words"), CONTEXTS.values(), ids=CONTEXTS)
@pytest.mark.parametrize("base", [Grounded, BaseModel])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_check_refuses_an_unusable_context(
    check: Check, base: type[BaseModel], context: Any, words: str
) -> None:
    model = create_model("Answer", __base__=base, text=(Annotated[str, check], ...))
    if isinstance(context, dict):
        context = {"judges": ENGINES} | context
    for judge in (model.model_validate, _verify(model), _audit(model)):
        with pytest.raises(ContextError, match=words):
            judge({"text": TEXT}, context=context)


def _verify(model: type[BaseModel]) -> Callable[..., Any]:
    return lambda data, context: verify(model, data, context=context)


def _audit(model: type[BaseModel]) -> Callable[..., Any]:
    return lambda data, context: audit(model, data, context=context)


class Quotation(Grounded):
    quote: Annotated[str, Quoted()]


class Decorated(BaseModel):
    quote: str

    _is_quote = field_validator("quote")(Quoted())


WRONG: Final[dict[str, Any]] = {"references": REFERENCES, "judges": 5}


@pytest.mark.parametrize(
    "judge",
    [
        lambda data: audit_many(Quotation, [data], context=[WRONG]),
        lambda data: asyncio.run(aaudit(Quotation, data, context=WRONG)),
        lambda data: Decorated.model_validate(data, context=WRONG),
    ],
    ids=["many", "async", "a validator"],
)
@pytest.mark.parametrize("quote", ["330 metres tall", "331 metres tall"], ids=["right", "wrong"])
def test_it_is_no_fault_of_any_answer(judge: Callable[[Any], Any], quote: str) -> None:
    with pytest.raises(ContextError, match="'judges'"):
        judge({"quote": quote})


class Plain(Grounded):
    text: str


def test_a_model_without_checks_reads_no_context() -> None:
    assert Plain.model_validate({"text": TEXT}, context=WRONG).text == TEXT


def test_none_counts_as_missing() -> None:
    context = {"references": REFERENCES, "judges": None, "question": None}
    assert verify(Quotation, {"quote": "330 metres tall"}, context=context).quote
