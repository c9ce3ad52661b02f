"""MLflow runs an evaluation, and each check of each answer is feedback on its trace.

    pip install 'groundtypes[mlflow]'
    python cookbook/mlflow_scorer.py

Results are in `mlflow.db` of this folder: `mlflow ui --backend-store-uri sqlite:///mlflow.db` shows
them. No language model and no account is needed: three answers are in this file. The last row
has no references, so that its answer cannot be judged: that is an error, and no low score.
"""

from decimal import Decimal
from typing import Annotated, Any

import mlflow
from pydantic import BaseModel

from groundtypes import Figures, Quote
from groundtypes.integrations.mlflow import scorer


class Answer(BaseModel):
    """An amount with the quote that states it."""

    quote: Quote
    amount: Annotated[Decimal, Figures(by="quote")]


REFERENCES = ["Net revenue was $3.2 million in 2023, up from $2.9 million."]
QUOTE = "Net revenue was $3.2 million in 2023"
ROWS: list[dict[str, Any]] = [
    {
        "inputs": {"question": "What was the revenue?", "references": REFERENCES},
        "outputs": {"quote": QUOTE, "amount": amount},
    }
    for amount in ("3200000", "3.2")
] + [{"inputs": {"question": "What?"}, "outputs": {"quote": QUOTE, "amount": "3200000"}}]


def main() -> None:
    """Evaluate the answers, and print what MLflow has stored."""
    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    mlflow.set_experiment("revenue")
    result = mlflow.genai.evaluate(data=ROWS, scorers=[scorer(Answer)])
    for trace in mlflow.search_traces(run_id=result.run_id, return_type="list"):
        for found in trace.info.assessments:
            if found.error is not None:
                print(f"{found.name}: not judged. {found.error.error_message}")
            else:
                print(f"{found.name}: {found.value} {found.rationale or ''}".rstrip())


if __name__ == "__main__":
    main()
