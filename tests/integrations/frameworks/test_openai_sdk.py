"""The OpenAI SDK's `parse` finds the references of `grounded_in`, also in many tasks at once."""

import asyncio
from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam
from pydantic import ValidationError

from groundtypes import Grounded, Quote, grounded_in
from groundtypes.errors import MissingReferencesError
from tests.scripted_openai import Exchange, Say, ScriptedOpenAI

pytestmark = pytest.mark.usefixtures("one_certificate")
MESSAGES: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Which sky?"}]


class Answer(Grounded):
    """An answer."""

    quote: Quote


class Echo:
    """Answers with what the last message says."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        Say({"quote": (body.get("messages") or body["input"])[-1]["content"]}).send(exchange, body)


@pytest.mark.parametrize("api", ["chat", "responses", "tool"])
def test_parse_inside_and_outside_of_a_block(api: str, server: ScriptedOpenAI) -> None:
    server.script(*[Say({"quote": "sky is blue"})] * 3)
    with openai.OpenAI(base_url=server.base_url, api_key="-", max_retries=2) as client:

        def parsed() -> Any:
            if api == "responses":
                response = client.responses.parse(model="m", input="-", text_format=Answer)
                return response.output_parsed
            if api == "chat":
                completion = client.chat.completions.parse(
                    model="m", messages=MESSAGES, response_format=Answer
                )
                return completion.choices[0].message.parsed
            tool = openai.pydantic_function_tool(Answer)
            completion_of_tool = client.chat.completions.parse(
                model="m", messages=MESSAGES, tools=[tool]
            )
            [call] = completion_of_tool.choices[0].message.tool_calls or []
            return call.function.parsed_arguments

        with grounded_in({"a": "The sky is blue."}):
            assert parsed().quote.span.reference == "a"
        with grounded_in({"a": "The sky is grey."}), pytest.raises(ValidationError, match="grey"):
            parsed()
        with pytest.raises(MissingReferencesError):
            parsed()
    assert len(server.requests) == 3  # no fault and no mistake is retried as an outage


def test_many_tasks_with_references_of_their_own(server: ScriptedOpenAI) -> None:
    server.script(*[Echo()] * 60)

    async def ask(client: openai.AsyncOpenAI, number: int) -> bool:
        text, asked = f"Sky {number} is blue.", number + number % 2
        async with grounded_in([text]):
            try:
                completion = await client.chat.completions.parse(
                    model="m",
                    messages=[{"role": "user", "content": f"Sky {asked} is blue."}],
                    response_format=Answer,
                )
            except ValidationError:
                return asked != number
            parsed = completion.choices[0].message.parsed
            return asked == number and parsed is not None and parsed.quote == text

    async def main() -> list[bool]:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="-") as client:
            return await asyncio.gather(*(ask(client, number) for number in range(60)))

    assert all(asyncio.run(main()))
