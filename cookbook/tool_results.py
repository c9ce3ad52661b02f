"""The results of tools as references: JSON, and a table.

    pip install groundtypes
    python cookbook/tool_results.py

An agent has called two tools: one returned JSON, the other one a CSV text. The answer is checked
against both. Each quote knows the place of its value, and a figure needs the unit that its key or
its header names. `Entailed()` judges sentences in the same way, with the row or object that is
closest as evidence.
"""

from typing import Annotated

from groundtypes import Figures, Grounded, Quoted, Reference, References, audit, verify

ORDERS = {
    "customer": {"name": "Marta Kowalska", "vip": False},
    "currency": "EUR",
    "orders": [
        {"id": "A17", "status": "shipped", "total": 128.4, "weight_kg": 3.5},
        {"id": "A18", "status": "open", "total": 1250, "weight_kg": None},
    ],
}
SALES = """\
Region,Revenue (EUR million) 2022,Revenue (EUR million) 2023,Returns (%)
North,38.1,41.2,2.5
South,12.9,11.4,4.0
"""


class Finding(Grounded):
    """A statement with the value that it is based on."""

    value: Annotated[str, Quoted()]
    statement: Annotated[str, Figures()]


class Report(Grounded):
    """What an agent answers."""

    findings: list[Finding]


def main() -> None:
    """Show the texts of the tool results, the places of values, and what is wrong in an answer."""
    references = References.of(
        [Reference.of_json("orders", ORDERS), Reference.of_table("sales", SALES)]
    )
    for reference in references:
        print(reference.text)

    context = {"references": references}
    report = verify(
        Report,
        {
            "findings": [
                {"value": "Status: shipped", "statement": "Order A17 weighs 3,500 grams."},
                {"value": "North, 41.2", "statement": "Revenue was 41.2 million euros in 2023."},
            ]
        },
        context=context,
    )
    for finding in report.findings:
        print(f"{finding.statement} [{finding.value.span.place}]")  # type: ignore[attr-defined] # a QuotedText

    wrong = audit(
        Report,
        {
            "findings": [
                {"value": "South: 41.2", "statement": "Revenue was 41.2 billion euros."},
                {"value": "total: 125", "statement": "Order A18 came to 1,250 dollars."},
            ]
        },
        context=context,
    )
    for fault in wrong.faults:
        print(f"{'.'.join(map(str, fault.loc))}: {fault.slug}: {fault.message}")


if __name__ == "__main__":
    main()
