"""What is valid in an answer, when the re-asks of instructor are used up.

    pip install 'groundtypes[instructor]'
    python cookbook/last_attempt.py --base-url http://127.0.0.1:8115/v1 --model local

A client keeps what is valid, and prints what it left out. `docs/instructor.md` says how the parts
are chosen, and how to decide it yourself.
"""

import argparse
import os
from typing import Any

import instructor
import openai
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel

from groundtypes import Grounded, Quote
from groundtypes.integrations.attempts import KeptAnswer, keep_valid_answers

REFERENCES = {
    "almanac": (
        "The Eiffel Tower was finished in March 1889. It was the tallest structure in the world "
        "until 1930. Gustave Eiffel's company designed and built it for the World's Fair."
    )
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

    findings: list[Finding]
    motto: Quote | None = None


def show(kept: KeptAnswer[Any]) -> None:
    """Print what the answer lacks; a service would log it, or tell the reader."""
    print(f"attempt    {kept.attempt} was the best")
    for part in kept.left_out:
        print(f"left out   {part}: {part.value}")


def main() -> int:
    """Ask one question; return 1 when nothing of any answer can be kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    parser.add_argument("--question", default="When was the tower finished, and who built it?")
    options = parser.parse_args()
    with openai.OpenAI(
        base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-"), timeout=300
    ) as endpoint:
        client = instructor.from_openai(endpoint, mode=instructor.Mode.JSON_SCHEMA)
        keep_valid_answers(client, report=show)
        try:
            answer = client.create(
                model=options.model,
                response_model=Answer,
                messages=[{"role": "user", "content": PROMPT}],
                context={"references": REFERENCES, "question": options.question},
                max_retries=1,
                temperature=0,
                max_tokens=400,
            )
        except InstructorRetryException as error:
            print(f"no answer  after {error.n_attempts} attempts")
            return 1
    for finding in answer.findings:
        print(f"statement  {finding.statement}")
        print(f"quote      {finding.quote!s}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
