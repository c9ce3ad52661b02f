"""An answer in prose with citation markers, re-asked until what it cites supports it.

    pip install 'groundtypes[instructor,nli]'
    python cookbook/cited_answer.py --base-url http://127.0.0.1:8115/v1 --model local

Prints each rejected answer with its errors, then the answer as Markdown whose markers are links,
and the words of the references behind each marker. The bundled NLI model judges.
"""

import argparse
import os
from typing import Annotated, Any

import instructor
import openai
from instructor.core.exceptions import InstructorRetryException
from pydantic import ValidationError

from groundtypes import Cited, CitedText, Grounded

REFERENCES = {
    "almanac": (
        "The Eiffel Tower was finished in March 1889. It was the tallest structure in the world "
        "until 1930. Gustave Eiffel's company designed and built it for the World's Fair."
    ),
    "guide": (
        "The tower is 330 metres tall, about as high as a building of 81 storeys. It has three "
        "levels for visitors, with restaurants on the first and second."
    ),
}
# Instructor fills in the template from the same context in which the citations are looked up.
PROMPT = """\
{% for text in references.values() %}[{{ loop.index }}] {{ text }}
{% endfor %}
Question: {{ question }}
Answer in one to three sentences from the texts above."""


class Answer(Grounded):
    """The answer to the question."""

    answer: Annotated[str, Cited()]


def show_fault(error: Exception) -> None:
    """Print what the model is sent back."""
    if isinstance(error, ValidationError):
        for fault in error.errors():
            print(f"sent back  {fault['type']}: {fault['msg']}")


def show(answer: CitedText) -> None:
    """Print the answer, and the evidence behind each of its markers."""
    links = {id_: f"https://example.com/{id_}" for id_ in REFERENCES}
    print(f"answer     {answer.as_markdown(links)}")
    for citation in answer.citations:
        for span in citation.spans:
            words = REFERENCES[span.reference][span.start : span.end]
            print(f"{answer[citation.start : citation.end]:10} {span.reference}: {words}")


def main() -> int:
    """Ask one question; return 1 when no answer came whose citations hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    parser.add_argument("--question", default="When was the tower finished, and how tall is it?")
    options = parser.parse_args()
    context: dict[str, Any] = {"references": REFERENCES, "question": options.question}
    with openai.OpenAI(
        base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-"), timeout=300
    ) as endpoint:
        client = instructor.from_openai(endpoint, mode=instructor.Mode.JSON_SCHEMA)
        client.on("parse:error", show_fault)
        try:
            reply = client.create(
                model=options.model,
                response_model=Answer,
                messages=[{"role": "user", "content": PROMPT}],
                context=context,
                max_retries=2,
                temperature=0,
                max_tokens=400,
            )
        except InstructorRetryException as error:
            print(f"no answer  after {error.n_attempts} attempts: {type(error.__cause__).__name__}")
            return 1
    assert isinstance(reply.answer, CitedText)
    show(reply.answer)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
