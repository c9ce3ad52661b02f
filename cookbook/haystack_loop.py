"""A Haystack pipeline that loops until the answer is grounded in the retrieved documents.

    pip install groundtypes haystack-ai
    python cookbook/haystack_loop.py --base-url http://127.0.0.1:8115/v1 --model local

A component validates the replies; it finds the references by `grounded_in`, so that no pipeline
has to pass them. What is at fault goes back into the prompt.
"""

import argparse
import os
from typing import Any

from haystack import Document, Pipeline, component
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.core.errors import PipelineMaxComponentRuns
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from pydantic import ValidationError

from groundtypes import Grounded, Quote, grounded_in

DOCUMENTS = [
    Document(id="almanac", content="The Eiffel Tower was finished in March 1889."),
    Document(id="guide", content="The tower is 330 metres tall."),
]
QUESTION = "When was the tower finished?"
PROMPT = """\
{% for document in documents %}[{{ document.id }}] {{ document.content }}
{% endfor %}
{{ question }}
Answer as JSON: {"answer": ..., "quote": the words that prove it}
{% if faults %}Your last answer was {{ reply }}
{{ faults }}{% endif %}"""


class Answer(Grounded):
    """The answer to the question, and the words that prove it."""

    answer: str
    quote: Quote


@component
class AnswerValidator:
    """Parses replies; what is at fault goes out on its own sockets."""

    @component.output_types(answer=Answer, faults=str, reply=str)  # type: ignore[untyped-decorator]
    def run(self, replies: list[ChatMessage]) -> dict[str, Any]:
        """Return the answer, or the messages of its faults."""
        text = replies[0].text or ""
        try:
            return {"answer": Answer.model_validate_json(text)}
        except ValidationError as error:
            faults = "\n".join(fault["msg"] for fault in error.errors())
            print(f"sent back  {faults}")
            return {"faults": faults, "reply": text}


def pipeline(base_url: str, model: str) -> Pipeline:
    """Return the pipeline with its loop; each component runs at most three times."""
    loop = Pipeline(max_runs_per_component=3)
    template = [ChatMessage.from_user(PROMPT)]
    loop.add_component(
        "prompt",
        ChatPromptBuilder(template=template, required_variables=["documents", "question"]),
    )
    key = Secret.from_token(os.environ.get("OPENAI_API_KEY", "-"))
    loop.add_component("llm", OpenAIChatGenerator(model=model, api_base_url=base_url, api_key=key))
    loop.add_component("validator", AnswerValidator())
    loop.connect("prompt.prompt", "llm.messages")
    loop.connect("llm.replies", "validator.replies")
    loop.connect("validator.faults", "prompt.faults")
    loop.connect("validator.reply", "prompt.reply")
    return loop


def main() -> int:
    """Ask one question; return 1 when no answer came whose quote is real."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    options = parser.parse_args()
    inputs = {"prompt": {"documents": DOCUMENTS, "question": QUESTION}}
    with grounded_in(DOCUMENTS, question=QUESTION):
        try:
            result = pipeline(options.base_url, options.model).run(inputs)
        except PipelineMaxComponentRuns:
            print("no answer")
            return 1
    answer: Answer = result["validator"]["answer"]
    print(f"answer     {answer.answer}")
    print(f"quote      {answer.quote!s}  [{answer.quote.span.reference}]")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
