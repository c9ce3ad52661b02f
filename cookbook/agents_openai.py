"""An agent of the OpenAI Agents SDK whose answer must follow from what its tool returned.

    pip install 'groundtypes[nli]' openai-agents
    OPENAI_API_KEY=... python cookbook/agents_openai.py

An output guardrail stops the run if the answer is at fault. The next run goes on with the messages
of this one and those of the faults, at most twice.
"""

import os
from typing import Annotated, Any

import agents
from pydantic import BaseModel

from groundtypes import Entailed, Figures, Judges, audit

GUIDE = "The Eiffel Tower was finished in March 1889. The tower is 330 metres tall."
JUDGES = Judges(nli=os.environ.get("GROUNDTYPES_JUDGE", "bundled"))


class Answer(BaseModel):
    """Sentences that follow from the references, with figures that occur in them."""

    text: Annotated[str, Entailed(), Figures()]


@agents.function_tool  # type: ignore[untyped-decorator]
def search(run: agents.RunContextWrapper[list[str]], query: str) -> str:
    """Look up what the guide says about the tower."""
    del query  # this guide has one page
    run.context.append(GUIDE)
    return GUIDE


def check(
    run: agents.RunContextWrapper[list[str]], _: Any, text: str
) -> agents.GuardrailFunctionOutput:
    """Judge an answer by what the tool has returned."""
    context = {"references": run.context, "judges": JUDGES}
    faults = audit(Answer, {"text": text}, context=context).faults
    messages = "\n".join(fault.message or "" for fault in faults)
    return agents.GuardrailFunctionOutput(messages, tripwire_triggered=bool(faults))


def main() -> None:
    """Ask one question; if the third answer is at fault, too, its error is raised."""
    agents.set_tracing_disabled(disabled=True)
    agents.set_default_openai_api("chat_completions")
    guardrails = [agents.OutputGuardrail(check)]
    agent = agents.Agent("guide", model="gpt-5-mini", tools=[search], output_guardrails=guardrails)
    messages: list[Any] = [{"role": "user", "content": "When was the tower finished?"}]
    results: list[str] = []
    for attempt in range(3):
        try:
            run = agents.Runner.run_sync(agent, messages, context=results)
            print("answer    ", run.final_output)
            break
        except agents.OutputGuardrailTripwireTriggered as stopped:
            if attempt == 2:
                raise
            faults = stopped.guardrail_result.output.output_info
            print("sent back ", faults)
            messages += [item.to_input_item() for item in stopped.run_data.new_items]
            messages.append({"role": "user", "content": faults})


if __name__ == "__main__":
    main()
