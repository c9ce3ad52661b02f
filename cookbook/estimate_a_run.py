"""Estimate a run before anything is spent: rows, calls and tokens of an LLM, and time.

    pip install 'groundtypes[cli]'
    python cookbook/estimate_a_run.py [ROWS.jsonl]

Rows are answers in prose with their references (by default those beside this file). Two ways to
check them are compared: quickly, by figures alone, and claim by claim with an LLM, in one or two
calls for each answer. The LLM is only a name here: an estimate counts what would be asked, goes on
with replies that it makes up, and says how far they decide the result. On a command line:
`groundtypes claims ROWS.jsonl --llm openai/gpt-5-mini --estimate --call-seconds 3`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from groundtypes import Figures, Grounded, Judges, Supported
from groundtypes.dataset import Interval, estimate
from groundtypes.scoring import Question, Reply

ROWS = Path(__file__).parent / "data" / "statements.jsonl"
#: What your LLM costs, in dollars for a million tokens read and written.
PRICES = (0.25, 2.00)


class NobodyToAsk:
    """An LLM engine of one's own in place of `Judges(llm="openai/gpt-5-mini")`."""

    def answer(self, questions: Sequence[Question]) -> Sequence[Reply]:
        """Answer questions; an estimate never calls this."""
        raise AssertionError(f"{len(questions)} questions were asked")


class FiguresAnswer(Grounded):
    """An answer whose figures occur in the references."""

    answer: Annotated[str, Figures()]


class OneCall(Grounded):
    """An answer whose claims are extracted and labelled in one call."""

    answer: Annotated[str, Supported()]


class TwoCalls(Grounded):
    """An answer whose claims are extracted in one call and labelled in another."""

    answer: Annotated[str, Supported(calls="two")]


def shown(interval: Interval) -> str:
    """Return an expected value with its bounds."""
    return f"{interval.value:,.0f} ({interval.low:,.0f} to {interval.high:,.0f})"


def main() -> None:
    """Print what each way would take."""
    rows = Path(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    judges = Judges(llm=NobodyToAsk())
    for model in (FiguresAnswer, OneCall, TwoCalls):
        found = estimate(model, rows, judges=judges, call_seconds=3.0)
        tokens = (found.input_tokens.value, found.output_tokens.value)
        cost = sum(price * count / 1e6 for price, count in zip(PRICES, tokens, strict=True))
        print(f"{model.__name__}: {found.rows.value:,.0f} rows")
        print(f"  calls: {shown(found.calls)}")
        print(f"  tokens: {shown(found.input_tokens)} read, {shown(found.output_tokens)} written")
        print(f"  cost: ${cost:.2f}")
        print(f"  seconds: {shown(found.seconds)}")


if __name__ == "__main__":
    main()
