"""From a live instructor client to preference pairs: the rejected attempts become `rejected`.

    pip install 'groundtypes[instructor]'
    python cookbook/preference_pairs.py --base-url http://127.0.0.1:8115/v1 --model local

Records the attempts of a client while it works, then writes prompt, chosen and rejected, as TRL's
DPOTrainer reads them.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Annotated, Any

import instructor
import openai
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel, Field

from groundtypes import Grounded, Quote
from groundtypes.dataset import build_dataset
from groundtypes.integrations.recordings import record

REFERENCES = {
    "almanac": (
        "The Eiffel Tower was finished in March 1889. It was the tallest structure in the world "
        "until 1930. Gustave Eiffel's company designed and built it for the World's Fair."
    )
}
QUESTIONS = ["When was the Eiffel Tower finished?"]
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


def work(client: Any, model: str) -> None:
    """Ask, as an application would; a question that gets no good answer is recorded too."""
    for question in QUESTIONS:
        try:
            client.create(
                model=model,
                response_model=Answer,
                messages=[{"role": "user", "content": PROMPT}],
                context={"references": REFERENCES, "question": question},
                max_retries=2,
            )
        except InstructorRetryException:
            print("no answer to:", question)


def main() -> None:
    """Work, and make pairs of what was recorded."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", default=os.environ.get("OPENAI_BASE_URL"))
    parser.add_argument("--model", default="local")
    options = parser.parse_args()
    key = os.environ.get("OPENAI_API_KEY", "-")
    with openai.OpenAI(base_url=options.base_url, api_key=key) as plain:
        client = instructor.from_openai(plain)
        with record(client) as recording:
            work(client, options.model)
    with tempfile.TemporaryDirectory() as scratch:
        built = build_dataset(Answer, recording, Path(scratch), test=0)
        print(built.manifest["counts"]["preference train"], "pairs")
        path = Path(scratch) / "preference" / "train.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            pair = json.loads(line)
            print("rejected", pair["rejected"][0]["content"])
            print("because ", pair["reasons"][0]["slug"], "in", pair["reasons"][0]["field"])
            print("chosen  ", pair["chosen"][0]["content"])


if __name__ == "__main__":
    main()
