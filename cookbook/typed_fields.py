"""Typed fields of an invoice with instructor, each tied to its quote.

    pip install 'groundtypes[instructor]'
    python cookbook/typed_fields.py --base-url http://127.0.0.1:8115/v1 --model local

Prints each rejected answer with its errors, then the fields, whose values are those of the invoice:
the scale, the unit, and which amount, date or number of the quote it is. No model judges them.
`research/notes/local-llm.md` says how to run a small model on this machine.
"""

import argparse
import datetime as dt
import os
from decimal import Decimal
from typing import Annotated

import instructor
import openai
from instructor.core.exceptions import InstructorRetryException
from pydantic import ValidationError

from groundtypes import Figures, Grounded, Quote

INVOICE = """\
Northwind Ltd, invoice no. 2024-117
Invoice date: 5 April 2024
Payment due: 25 April 2024
Net amount: EUR 16,500.00
VAT 19 %: EUR 3,135.00
Total due: EUR 19,635.00
"""
PROMPT = """\
{% for id, text in references.items() %}[{{ id }}]
{{ text }}
{% endfor %}
Fill in the fields. Each quote is copied word for word and states the value beside it."""


class Invoice(Grounded):
    """An invoice: each value with the quote that states it."""

    issued_quote: Quote
    issued: Annotated[dt.date, Figures(by="issued_quote", of="invoice date")]
    due_quote: Quote
    due: Annotated[dt.date, Figures(by="due_quote", of="due")]
    total_quote: Quote
    total: Annotated[Decimal, Figures(by="total_quote", unit="EUR", of="total due")]
    vat_percent: Annotated[float, Figures(unit="%", of="VAT")]


def show_fault(error: Exception) -> None:
    """Print what the model is sent back."""
    if isinstance(error, ValidationError):
        for fault in error.errors():
            place = ".".join(map(str, fault["loc"]))
            print(f"sent back  {place}: {fault['type']}\n           {fault['msg']}")


def main() -> int:
    """Read one invoice; return 1 when no answer came whose values stand in it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    options = parser.parse_args()
    with openai.OpenAI(
        base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-"), timeout=300
    ) as endpoint:
        client = instructor.from_openai(endpoint, mode=instructor.Mode.JSON_SCHEMA)
        client.on("parse:error", show_fault)
        try:
            invoice = client.create(
                model=options.model,
                response_model=Invoice,
                messages=[{"role": "user", "content": PROMPT}],
                context={"references": {"invoice": INVOICE}},
                max_retries=2,
                temperature=0,
                max_tokens=400,
            )
        except InstructorRetryException as error:
            print(f"no answer  after {error.n_attempts} attempts: {type(error.__cause__).__name__}")
            return 1
    print(f"issued     {invoice.issued}  {invoice.issued_quote!s}")
    print(f"due        {invoice.due}  {invoice.due_quote!s}")
    print(f"total      {invoice.total} EUR, with {invoice.vat_percent:g} % VAT")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
