"""Failed attempts whose completions are messages of Anthropic, from its own client."""

import json
from typing import Any

import anthropic
import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException

from groundtypes import keep_valid
from tests.integrations.attempts.test_last_attempt import BAD, GOOD, Answer, facts
from tests.integrations.instructor.clients import CONTEXT, MESSAGES
from tests.scripted_openai import Raw, ScriptedOpenAI


def _anthropic(content: list[dict[str, Any]]) -> Raw:
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
    return Raw(json.dumps(message).encode())


@pytest.mark.parametrize("mode", ["TOOLS", "JSON"])
def test_messages_of_anthropic(server: ScriptedOpenAI, mode: str) -> None:
    answer = facts(BAD, GOOD)
    call = {"type": "tool_use", "id": "t", "name": "Answer", "input": answer}
    text = {"type": "text", "text": f"Here it is: ```json\n{json.dumps(answer)}\n```"}
    server.script(_anthropic([call if mode == "TOOLS" else text]))
    base_url = server.base_url.removesuffix("/v1")
    with anthropic.Anthropic(base_url=base_url, api_key="-", max_retries=0) as endpoint:
        client = instructor.from_anthropic(endpoint, mode=instructor.Mode[mode])
        with pytest.raises(InstructorRetryException) as raised:
            client.create(
                model="scripted",
                max_tokens=100,
                response_model=Answer,
                messages=MESSAGES,
                context=CONTEXT,
                max_retries=0,
            )
    kept = keep_valid(raised.value)
    assert [fact.quote for fact in kept.value.facts] == [GOOD]
