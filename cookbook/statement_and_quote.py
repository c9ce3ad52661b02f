"""A statement beside its quote: the quote is real, and it supports the statement.

    pip install 'groundtypes[nli]'
    python cookbook/statement_and_quote.py

A real quote can still not support the sentence beside it. `Figures` reads the numbers, which small
models cannot.
"""

from typing import Annotated

from pydantic import BaseModel

from groundtypes import Entailed, Figures, Grounded, Quote, audit

LETTER = (
    "The bridge was opened to traffic in March 1932. Work on it had begun nine years earlier. "
    "About 1,400 people were employed, and sixteen of them died. The bridge is painted grey, "
    "because grey was the only colour of which there was enough."
)


class Fact(BaseModel):
    """A statement and the words of the reference that prove it."""

    quote: Quote
    statement: Annotated[str, Entailed(by="quote"), Figures(by="quote")]


class Answer(Grounded):
    """Facts with the quotes that support them."""

    facts: list[Fact]


ANSWER = {
    "facts": [
        {
            "quote": "The bridge was opened to traffic in March 1932.",
            "statement": "Traffic has used the bridge since March 1932.",
        },
        {
            "quote": "About 1,400 people were employed, and sixteen of them died.",
            "statement": "Nobody died during the work.",
        },
        {
            "quote": "The bridge was opened to traffic in March 1932.",
            "statement": "The bridge was opened in March 1923.",
        },
    ]
}


def main() -> None:
    """Audit an answer and print each verdict."""
    report = audit(Answer, ANSWER, context={"references": LETTER})
    for verdict in report.verdicts:
        loc = ".".join(map(str, verdict.loc))
        outcome = verdict.slug or verdict.label or "holds"
        print(f"{loc}: {verdict.check}: {outcome}")
        if verdict.message:
            print(f"  {verdict.message}")


if __name__ == "__main__":
    main()
