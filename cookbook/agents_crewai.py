"""A task of CrewAI whose answer must follow from what the tool of its agent returned.

    pip install 'groundtypes[nli]' crewai
    OPENAI_API_KEY=... python cookbook/agents_crewai.py

The guardrail of the task returns the messages of the faults, and CrewAI asks the agent again with
them.
"""

import os
from typing import Annotated, Any

from crewai import LLM, Agent, Crew, Task, TaskOutput
from crewai.tools import tool
from pydantic import BaseModel, ValidationError

from groundtypes import Entailed, Figures, Judges, verify

GUIDE = "The Eiffel Tower was finished in March 1889. The tower is 330 metres tall."
JUDGES = Judges(nli=os.environ.get("GROUNDTYPES_JUDGE", "bundled"))


class Answer(BaseModel):
    """Sentences that follow from the references, with figures that occur in them."""

    text: Annotated[str, Entailed(), Figures()]


results: list[str] = []


@tool  # type: ignore[untyped-decorator]
def search(query: str) -> str:
    """Look up what the guide says about the tower."""
    del query  # this guide has one page
    results.append(GUIDE)
    return GUIDE


def check(output: TaskOutput) -> tuple[bool, Any]:
    """Judge an answer by what the tool has returned."""
    try:
        verify(Answer, {"text": output.raw}, context={"references": results, "judges": JUDGES})
    except ValidationError as error:
        faults = "\n".join(fault["msg"] for fault in error.errors())
        print("sent back ", faults)
        return False, faults
    return True, output.raw


def main() -> None:
    """Ask one question; if the third answer is at fault, too, CrewAI raises an error."""
    llm = LLM("openai/gpt-5-mini")
    guide = Agent(role="guide", goal="Answer visitors", backstory="-", llm=llm, tools=[search])
    task = Task(
        description="When was the tower finished?",
        expected_output="One sentence",
        agent=guide,
        guardrail=check,
        guardrail_max_retries=2,
    )
    print("answer    ", Crew(agents=[guide], tasks=[task]).kickoff().raw)


if __name__ == "__main__":
    main()
