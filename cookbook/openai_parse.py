"""A cited answer with the OpenAI SDK alone, through `chat.completions.parse` or `responses.parse`.

    pip install groundtypes openai
    python cookbook/openai_parse.py --base-url http://127.0.0.1:8115/v1 --model local

The SDK validates the answer itself, without a context: `grounded_in` gives it the references. It
does not ask again by itself; a loop of a few lines does, with the messages of the faults.
"""

import argparse
import os
from typing import Annotated, Any

import openai
from pydantic import BaseModel, Field, ValidationError

from groundtypes import Grounded, Quote, grounded_in

REFERENCES = {
    "almanac": (
        "The Eiffel Tower was finished in March 1889. It was the tallest structure in the world "
        "until 1930. Gustave Eiffel's company designed and built it for the World's Fair."
    ),
    "guide": "The tower is 330 metres tall, about as high as a building of 81 storeys.",
}


class Finding(BaseModel):
    """One thing that the references say."""

    statement: str
    quote: Quote


class Answer(Grounded):
    """The answer to the question, with its proofs."""

    findings: Annotated[list[Finding], Field(min_length=1, max_length=3)]


def faults_in(error: ValidationError) -> str:
    """Return what the model is sent back."""
    lines = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return "Correct your answer:\n" + "\n".join(lines)


def parse(client: openai.OpenAI, api: str, model: str, messages: list[Any]) -> Answer | None:
    """Return the answer that the SDK has parsed, or `None` if the model refused."""
    if api == "responses":
        response = client.responses.parse(model=model, input=messages, text_format=Answer)
        return response.output_parsed
    completion = client.chat.completions.parse(
        model=model, messages=messages, response_format=Answer
    )
    return completion.choices[0].message.parsed


def main() -> int:
    """Ask one question; return 1 when no answer came whose quotes are real."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    parser.add_argument("--api", choices=["chat", "responses"], default="chat")
    parser.add_argument("--question", default="When was the tower finished, and how tall is it?")
    options = parser.parse_args()
    texts = "\n".join(f"[{name}] {text}" for name, text in REFERENCES.items())
    messages: list[Any] = [{"role": "user", "content": f"{texts}\n\n{options.question}"}]
    with (
        openai.OpenAI(
            base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-"), timeout=300
        ) as client,
        grounded_in(REFERENCES, question=options.question),
    ):
        for _ in range(3):
            try:
                answer = parse(client, options.api, options.model, messages)
            except ValidationError as error:
                messages.append({"role": "user", "content": faults_in(error)})
                print(f"sent back  {faults_in(error)}")
            else:
                break
        else:
            answer = None
    if answer is None:
        print("no answer")
        return 1
    for finding in answer.findings:
        span = finding.quote.span
        print(f"statement  {finding.statement}")
        print(f"quote      {finding.quote!s}  [{span.reference}, {span.start} to {span.end}]")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
