"""Numbers, dates and units of a statement must occur in the quote beside it.

    pip install groundtypes
    python cookbook/figures.py

No language model is needed: three answers are in this file. A small NLI model may take "$2.3
million" for "$3.2 million"; a check that reads values does not.
"""

from typing import Annotated

from groundtypes import Figures, Grounded, Quote, audit
from groundtypes.figures import find_figures

REFERENCES = {
    "report": "The bridge opened on 14 June 2019. It is 1,200 km from the capital, cost $3.2 "
    "million and is crossed by more than 4,000 people a day.",
}


class Finding(Grounded):
    """A statement with the quote that supports it."""

    quote: Quote
    statement: Annotated[str, Figures(by="quote")]


ANSWERS = [
    {
        "quote": "cost $3.2 million and is crossed by more than 4,000 people a day",
        "statement": "For 3,200,000 dollars, over four thousand people cross it every day.",
    },
    {
        "quote": "cost $3.2 million and is crossed by more than 4,000 people a day",
        "statement": "It cost $2.3 million.",
    },
    {
        "quote": "The bridge opened on 14 June 2019.",
        "statement": "It was opened on 4 June 2019, in the 2010s.",
    },
]


def main() -> None:
    """Audit the answers, and show figures that are equal."""
    for number, answer in enumerate(ANSWERS, start=1):
        report = audit(Finding, answer, context={"references": REFERENCES})
        print(f"answer {number}: holds" if report.ok else "", end="\n" if report.ok else "")
        for fault in report.faults:
            print(f"answer {number}: {fault.message}")
    same = ("1,200 km", "1.2 thousand kilometres", "1200000 m")
    values = {find_figures(text)[0].readings[0].value for text in same}
    assert len(values) == 1
    print("Same values: " + " = ".join(same))


if __name__ == "__main__":
    main()
