"""An agent of Google's ADK whose answer must follow from what its tool returned.

    pip install 'groundtypes[nli]' google-adk
    GOOGLE_API_KEY=... python cookbook/agents_adk.py

A callback reads each response of the model. An answer at fault becomes a call of the tool `revise`,
which hands the messages of the faults to the model.
"""

import asyncio
import os
from typing import Annotated

from google.adk.agents import LlmAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.models import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part
from pydantic import BaseModel, ValidationError

from groundtypes import Entailed, Figures, Judges, averify

GUIDE = "The Eiffel Tower was finished in March 1889. The tower is 330 metres tall."
JUDGES = Judges(nli=os.environ.get("GROUNDTYPES_JUDGE", "bundled"))


class Answer(BaseModel):
    """Sentences that follow from the references, with figures that occur in them."""

    text: Annotated[str, Entailed(), Figures()]


def search(query: str) -> str:
    """Look up what the guide says about the tower."""
    del query  # this guide has one page
    return GUIDE


def revise(faults: str) -> str:
    """Say what is wrong in an answer; `check` calls it."""
    return faults


async def check(callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
    """Send an answer back that is at fault, at most twice; then its error is raised."""
    parts = llm_response.content.parts
    if llm_response.partial or any(part.function_call for part in parts):
        return None
    events = callback_context.session.events
    returned = [result for event in events for result in event.get_function_responses()]
    results = [result.response["result"] for result in returned if result.name == "search"]
    text = "".join(part.text or "" for part in parts if not part.thought)
    try:
        context = {"references": results, "judges": JUDGES}
        await averify(Answer, {"text": text}, context=context)
    except ValidationError as error:
        if sum(result.name == "revise" for result in returned) == 2:
            raise
        faults = "\n".join(fault["msg"] for fault in error.errors())
        print("sent back ", faults)
        call = Part.from_function_call(name="revise", args={"faults": faults})
        return LlmResponse(content=Content(role="model", parts=[*parts, call]))
    return None


def main() -> None:
    """Ask one question."""
    agent = LlmAgent(
        name="guide",
        model="gemini-2.5-flash",
        tools=[search, revise],
        after_model_callback=check,
    )
    runner = InMemoryRunner(agent)
    events = asyncio.run(runner.run_debug("When was the tower finished?", quiet=True))
    print("answer    ", events[-1].content.parts[-1].text)


if __name__ == "__main__":
    main()
