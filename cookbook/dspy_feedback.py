"""A DSPy program whose answers are scored, and asked for again with what is wrong with them.

    pip install groundtypes dspy
    python cookbook/dspy_feedback.py --base-url http://127.0.0.1:8115/v1 --model openai/local

`metric` returns a score and a feedback string, as `dspy.Evaluate` and `dspy.GEPA` take them. The
program sends the feedback to the model itself.
"""

import argparse
import os
from typing import Any

import dspy

from groundtypes import Grounded, Quote, audit, grounded_in

DOCUMENTS = {
    "almanac": "The Eiffel Tower was finished in March 1889.",
    "guide": "The tower is 330 metres tall.",
}
QUESTION = "When was the tower finished?"
ATTEMPTS = 3


class Answer(Grounded):
    """The answer to the question, and the words that prove it."""

    answer: str
    quote: Quote


def judge(prediction: Any) -> tuple[float, str]:
    """Return the share of checks that hold, and the messages of the others."""
    found = audit(Answer, {"answer": prediction.answer, "quote": prediction.quote})
    score = 1 - len(found.faults) / max(1, len(found.verdicts))
    return score, "\n".join(fault.message or "" for fault in found.faults)


def metric(example: Any, prediction: Any, *_trace: object) -> Any:
    """Return the score and the feedback of a prediction on an example of a data set."""
    # DSPy calls this in threads of its own; the block is opened where it is needed.
    with grounded_in(example.documents, question=example.question):
        score, feedback = judge(prediction)
    return dspy.Prediction(score=score, feedback=feedback)


class Answering(dspy.Module):  # type: ignore[misc] # DSPy has no types
    """Asks until every check holds, at most three times."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict("documents, question, feedback -> answer, quote")

    def forward(self, documents: str, question: str) -> Any:
        """Return the last prediction with its score."""
        feedback = "none yet"
        for _ in range(ATTEMPTS):
            prediction = self.predict(documents=documents, question=question, feedback=feedback)
            prediction.score, feedback = judge(prediction)
            if prediction.score == 1:
                break
            print(f"score      {prediction.score:.2f}\nfeedback   {feedback}")
        return prediction


def main() -> int:
    """Ask one question; return 1 when no answer came whose quote is real."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default="openai/local")
    options = parser.parse_args()
    key = os.environ.get("OPENAI_API_KEY", "-")
    dspy.configure(lm=dspy.LM(options.model, api_base=options.base_url, api_key=key, cache=False))
    texts = "\n".join(f"[{name}] {text}" for name, text in DOCUMENTS.items())
    with grounded_in(DOCUMENTS, question=QUESTION):
        prediction = Answering()(documents=texts, question=QUESTION)
    print(f"answer     {prediction.answer}\nquote      {prediction.quote}")
    example = dspy.Example(documents=DOCUMENTS, question=QUESTION)
    print(f"metric     {metric(example, prediction).score:.2f}")
    return int(prediction.score < 1)


if __name__ == "__main__":
    raise SystemExit(main())
