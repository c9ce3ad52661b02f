"""What an evaluation platform stores of a run: one score and one comment for each check.

    pip install groundtypes
    python cookbook/feedback_on_runs.py

The evaluator is a function of the inputs and outputs of a run, as LangSmith and openevals call it:

    langsmith.evaluate(answer, data="my data set", evaluators=[evaluator(Answer)])

No language model and no account is needed: two runs are in this file.
"""

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel

from groundtypes import Figures, Quote
from groundtypes.integrations.langsmith import evaluator


class Answer(BaseModel):
    """An amount with the quote that states it."""

    quote: Quote
    amount: Annotated[Decimal, Figures(by="quote")]


INPUTS = {
    "question": "What was the revenue?",
    "references": ["Net revenue was $3.2 million in 2023, up from $2.9 million."],
}
RUNS = [
    {"quote": "Net revenue was $3.2 million in 2023", "amount": "3200000"},
    {"quote": "Net revenue was $3.2 million in 2023", "amount": "3.2"},
]


def main() -> None:
    """Print the feedback on both runs."""
    grounded = evaluator(Answer)
    for number, outputs in enumerate(RUNS, start=1):
        for feedback in grounded(INPUTS, outputs)["results"]:
            print(f"run {number}: {feedback['key']} {feedback['score']:.0f} {feedback['value']}")
            if feedback["comment"]:
                print(f"  {feedback['comment']}")


if __name__ == "__main__":
    main()
