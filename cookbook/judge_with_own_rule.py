"""An LLM judges by a rule of your own, and its reasons let the other LLM fix its answer.

    pip install 'groundtypes[instructor]'
    python cookbook/judge_with_own_rule.py --base-url http://127.0.0.1:8115/v1 --model local

Prints each rejected reply with the judge's reasons, then the one that follows the rule.
"""

import argparse
import os
from typing import Annotated, Any

import instructor
import openai
from instructor.core.exceptions import InstructorRetryException
from pydantic import Field, ValidationError

from groundtypes import Faithful, Grounded, Judged, Judges
from groundtypes.backends.llm import InstructorLLM

POLICY = (
    "A refund takes up to ten working days. Shipping costs are not refunded. Opened software "
    "cannot be returned."
)
PROMPT = """\
Policy: {{ references }}
Customer: {{ question }}
Write a reply of at most two sentences to the customer."""


class Reply(Grounded):
    """A reply to a customer."""

    text: Annotated[
        str,
        Field(max_length=400),
        Judged("It is polite and does not blame the customer."),
        Faithful(),
    ]


def show_fault(error: Exception) -> None:
    """Print what the model is sent back."""
    if isinstance(error, ValidationError):
        for fault in error.errors():
            print(f"sent back  {fault['type']}: {fault['msg']}")


def main() -> int:
    """Ask for one reply; return 1 when none came that keeps the rule."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    parser.add_argument("--question", default="I opened the game. I want my money back, now!")
    options = parser.parse_args()
    with openai.OpenAI(
        base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-"), timeout=300
    ) as endpoint:
        client = instructor.from_openai(endpoint, mode=instructor.Mode.JSON_SCHEMA)
        client.on("parse:error", show_fault)
        # The judge may be another, stronger model than the one that writes.
        judge = InstructorLLM(
            endpoint,
            options.model,
            mode=instructor.Mode.JSON_SCHEMA,
            timeout=300,
            options={"temperature": 0},
        )
        context: dict[str, Any] = {
            "references": POLICY,
            "question": options.question,
            "judges": Judges(llm=judge),
        }
        try:
            reply = client.create(
                model=options.model,
                response_model=Reply,
                messages=[{"role": "user", "content": PROMPT}],
                context=context,
                max_retries=2,
                temperature=0,
                max_tokens=300,
            )
        except InstructorRetryException as error:
            print(f"no reply   after {error.n_attempts} attempts: {type(error.__cause__).__name__}")
            return 1
    print(f"reply      {reply.text}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
