"""LangChain's structured output, parsers and threads find the references of `grounded_in`."""

import asyncio
from typing import Any

import pytest
from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import PydanticOutputParser
from langchain_core.runnables import RunnableLambda, RunnableParallel
from langchain_openai import ChatOpenAI
from pydantic import SecretStr, ValidationError

from groundtypes import Grounded, Quote, grounded_in
from groundtypes.errors import MissingReferencesError
from tests.scripted_openai import Say, ScriptedOpenAI

pytestmark = pytest.mark.usefixtures("one_certificate")
BLUE = {"a": "The sky is blue."}
GREY = {"a": "The sky is grey."}


class Answer(Grounded):
    """An answer."""

    quote: Quote


def chat(server: ScriptedOpenAI) -> Any:
    return ChatOpenAI(base_url=server.base_url, model="m", api_key=SecretStr("-"))


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
def test_structured_output(method: str, server: ScriptedOpenAI) -> None:
    server.script(*[Say({"quote": "sky is blue"})] * 4)
    model = chat(server).with_structured_output(Answer, method=method)

    async def ask() -> Any:
        async with grounded_in(BLUE):
            return await model.ainvoke("Which sky? JSON")

    with grounded_in(BLUE):
        assert model.invoke("Which sky? JSON").quote.span.reference == "a"
    assert asyncio.run(ask()).quote.span.reference == "a"
    with (
        grounded_in(GREY),
        pytest.raises((ValidationError, OutputParserException), match='"blue" should be "grey"'),
    ):
        model.invoke("Which sky? JSON")
    with pytest.raises(MissingReferencesError):
        model.invoke("Which sky? JSON")


def test_what_comes_with_the_raw_reply_may_be_a_mistake(server: ScriptedOpenAI) -> None:
    server.script(Say({"quote": "sky is blue"}))
    model = chat(server).with_structured_output(Answer, method="function_calling", include_raw=True)
    assert isinstance(model.invoke("Which sky?")["parsing_error"], MissingReferencesError)


def test_a_stream_of_calls_ends_before_what_is_at_fault(server: ScriptedOpenAI) -> None:
    server.script(Say({"quote": "The sky is grey"}, chunk=21))
    model = chat(server).with_structured_output(Answer, method="function_calling")
    with grounded_in(BLUE):
        assert [answer.quote for answer in model.stream("Which sky?")] == ["The sky is"]


def test_threads_of_runnables_see_the_block() -> None:
    parser = PydanticOutputParser(pydantic_object=Answer)
    text = '{"quote": "sky is blue"}'

    async def batch() -> Any:
        return await parser.abatch([text] * 8)

    with grounded_in(BLUE):
        assert len(parser.batch([text] * 8)) == 8
        both = RunnableParallel(one=parser, two=RunnableLambda(parser.invoke)).invoke(text)
        assert both["one"] == both["two"]
        assert len(asyncio.run(batch())) == 8
    with grounded_in(GREY):
        failed = parser.batch([text] * 3, return_exceptions=True)
    assert [type(error) for error in failed] == [OutputParserException] * 3
    assert all("grey" in str(error) for error in failed)
    with pytest.raises(MissingReferencesError):
        parser.invoke(text)
