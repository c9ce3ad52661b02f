"""A cited answer with instructor, from any endpoint that speaks the OpenAI protocol.

    pip install 'groundtypes[instructor]'
    python cookbook/instructor_quotes.py --base-url http://127.0.0.1:8115/v1 --model local

Prints each rejected answer with its errors, then the answer whose quotes are real.
`research/notes/local-llm.md` says how to run a small model on this machine.
"""

import argparse
import os
from typing import Annotated, Any

import instructor
import openai
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel, Field, ValidationError

from groundtypes import Grounded, Quote

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
# Instructor fills in the template from the same context in which the quotes are looked up.
PROMPT = """\
{% for id, text in references.items() %}[{{ id }}] {{ text }}
{% endfor %}
Question: {{ question }}
Answer from the references. Each finding has a quote that proves it."""


class Finding(BaseModel):
    """One thing that the references say."""

    statement: str
    quote: Quote


class Answer(Grounded):
    """The answer to the question, with its proofs."""

    findings: Annotated[list[Finding], Field(min_length=1, max_length=3)]


def show_fault(error: Exception) -> None:
    """Print what the model is sent back."""
    if isinstance(error, ValidationError):
        for fault in error.errors():
            place = ".".join(map(str, fault["loc"]))
            print(f"sent back  {place}: {fault['type']}\n           {fault['msg']}")


def main() -> int:
    """Ask one question; return 1 when no answer came whose quotes are real."""
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
            answer = client.create(
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
    for finding in answer.findings:
        span = finding.quote.span
        print(f"statement  {finding.statement}")
        print(f"quote      {finding.quote!s}  [{span.reference}, {span.start} to {span.end}]")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
