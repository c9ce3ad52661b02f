"""An agent of LangChain whose answer must follow from what its tool returned.

    pip install 'groundtypes[nli]' langchain langchain-openai
    OPENAI_API_KEY=... python cookbook/agents_langchain.py

A middleware reads each message of the model. After an answer at fault, it adds the messages of the
faults and lets the agent ask the model again.
"""

import os
from typing import Annotated, Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from pydantic import BaseModel, ValidationError

from groundtypes import Entailed, Figures, Judges, verify

GUIDE = "The Eiffel Tower was finished in March 1889. The tower is 330 metres tall."
JUDGES = Judges(nli=os.environ.get("GROUNDTYPES_JUDGE", "bundled"))


class Answer(BaseModel):
    """Sentences that follow from the references, with figures that occur in them."""

    text: Annotated[str, Entailed(), Figures()]


@tool
def search(query: str) -> str:
    """Look up what the guide says about the tower."""
    del query  # this guide has one page
    return GUIDE


class Grounding(AgentMiddleware):  # type: ignore[misc]
    """Sends an answer back that is at fault, at most twice; then its error is raised."""

    @hook_config(can_jump_to=["model"])  # type: ignore[untyped-decorator]
    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Judge the last message by what the tool has returned, unless it calls the tool."""
        del runtime
        *earlier, last = state["messages"]
        if last.tool_calls:
            return None
        results = [message.text for message in earlier if message.type == "tool"]
        try:
            verify(Answer, {"text": last.text}, context={"references": results, "judges": JUDGES})
        except ValidationError as error:
            if sum(message.name == "grounding" for message in earlier) == 2:
                raise
            faults = "\n".join(fault["msg"] for fault in error.errors())
            print("sent back ", faults)
            return {"messages": [HumanMessage(faults, name="grounding")], "jump_to": "model"}
        return None


def main() -> None:
    """Ask one question."""
    agent = create_agent("openai:gpt-5-mini", [search], middleware=[Grounding()])
    state = agent.invoke({"messages": [HumanMessage("When was the tower finished?")]})
    print("answer    ", state["messages"][-1].text)


if __name__ == "__main__":
    main()
