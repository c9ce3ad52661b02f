"""A cited answer with LiteLLM, which asks any provider in the protocol of OpenAI.

    pip install groundtypes litellm
    python cookbook/litellm_answers.py --base-url http://127.0.0.1:8115/v1 --model openai/local

LiteLLM sends the schema of a model and returns text. Whoever reads the text finds the references
by `grounded_in`; a loop sends the faults back.
"""

import argparse
import os
from typing import Any

import litellm
from pydantic import ValidationError

from groundtypes import Grounded, Quote, grounded_in

REFERENCES = {
    "almanac": "The Eiffel Tower was finished in March 1889.",
    "guide": "The tower is 330 metres tall.",
}
QUESTION = "When was the tower finished?"


class Answer(Grounded):
    """The answer to the question, and the words that prove it."""

    answer: str
    quote: Quote


def main() -> int:
    """Ask one question; return 1 when no answer came whose quote is real."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default="openai/local")
    options = parser.parse_args()
    texts = "\n".join(f"[{name}] {text}" for name, text in REFERENCES.items())
    messages: list[Any] = [{"role": "user", "content": f"{texts}\n\n{QUESTION}"}]
    with grounded_in(REFERENCES, question=QUESTION):
        for _ in range(3):
            reply: Any = litellm.completion(
                model=options.model,
                messages=messages,
                response_format=Answer,
                api_base=options.base_url,
                api_key=os.environ.get("OPENAI_API_KEY", "-"),
            )
            text = reply.choices[0].message.content
            try:
                answer = Answer.model_validate_json(text)
            except ValidationError as error:
                faults = "\n".join(fault["msg"] for fault in error.errors())
                print(f"sent back  {faults}")
                messages += [
                    {"role": "assistant", "content": text},
                    {"role": "user", "content": faults},
                ]
            else:
                print(f"answer     {answer.answer}")
                print(f"quote      {answer.quote!s}  [{answer.quote.span.reference}]")
                return 0
    print("no answer")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
