"""A cited answer with pydantic-ai, from any endpoint that speaks the OpenAI protocol.

    pip install groundtypes 'pydantic-ai-slim[openai]'
    python cookbook/pydantic_ai_quotes.py --base-url http://127.0.0.1:8115/v1 --model local

The references go into the prompt for the model to read, and into `validation_context` for the
quotes to be looked up in.
"""

import argparse
import os
from typing import Annotated

from openai import AsyncOpenAI
from pydantic import BaseModel, Field
from pydantic_ai import Agent, NativeOutput, UnexpectedModelBehavior
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

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


class Finding(BaseModel):
    """One thing that the references say."""

    statement: str
    quote: Quote


class Answer(Grounded):
    """The answer to the question, with its proofs."""

    findings: Annotated[list[Finding], Field(min_length=1, max_length=3)]


def main() -> int:
    """Ask one question; return 1 when no answer came whose quotes are real."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    parser.add_argument("--question", default="When was the tower finished, and how tall is it?")
    options = parser.parse_args()
    endpoint = AsyncOpenAI(
        base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-"), timeout=300
    )
    agent = Agent(
        OpenAIChatModel(options.model, provider=OpenAIProvider(openai_client=endpoint)),
        output_type=NativeOutput(Answer),
        validation_context={"references": REFERENCES},
        retries=2,
    )
    read = "\n".join(f"[{name}] {text}" for name, text in REFERENCES.items())
    prompt = f"{read}\n\nQuestion: {options.question}\nEach finding has a quote that proves it."
    try:
        answer = agent.run_sync(prompt, model_settings={"temperature": 0, "max_tokens": 400}).output
    except UnexpectedModelBehavior as error:
        print(f"no answer  {error}")
        return 1
    for finding in answer.findings:
        span = finding.quote.span
        print(f"statement  {finding.statement}")
        print(f"quote      {finding.quote!s}  [{span.reference}, {span.start} to {span.end}]")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
