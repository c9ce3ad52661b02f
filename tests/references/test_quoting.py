"""Quotes of JSON values and tables: whole values wherever they are, and advice that holds."""

import random
import re
from typing import Annotated

import pytest
from pydantic import BaseModel

from groundtypes import Audit, Quoted, Reference, References, audit

ORDERS = Reference.of_json(
    "orders",
    {
        "note": "The shop is open on Sundays.",
        "orders": [
            {"id": "A17", "status": "shipped", "total": 4.5, "city": "New York"},
            {"id": "A18", "status": "open", "total": 5, "city": "York", "gift": True},
        ],
    },
)
CITIES = Reference.of_table("cities", "City,Area (km²),Mayor\nUlm,118.69,Ann Lee\nBonn,141,Bo Ray")
REFERENCES = References.of([Reference("guide", "York is open. It has 5 gates."), ORDERS, CITIES])
_ADVICE = re.compile(r'(?:RIGHT|reads|is in reference \w+): "(.+)"\. (?:Use|Copy)', re.DOTALL)


class Answer(BaseModel):
    quote: Annotated[str, Quoted()]


def judged(quote: str) -> Audit[Answer]:
    return audit(Answer, {"quote": quote}, context={"references": REFERENCES})


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("open", "orders[1].status"),
        ("York", "orders[1].city"),
        ("5", "orders[1].total"),
        ("orders[1].total: 5", "orders[1].total"),
        ("$.orders[1].status: open", "orders[1].status"),
        ("orders[0] | total: 4.5", "orders[0].total"),
        ("row 'Ulm', column 'Area (km²)': 118.69", "row 'Ulm', column 'Area (km²)'"),
        ("id: A17 | status: shipped", "orders[0]"),
        ("Ulm,118.69,Ann Lee", "row 'Ulm'"),
        ("Ulm, 118.69, Ann Lee", "row 'Ulm'"),
        ("| Bonn | 141 | Bo Ray |", "row 'Bonn'"),
        ("118.69\tAnn Lee", "row 'Ulm'"),
    ],
)
def test_a_whole_value_is_found_where_it_is_one(quote: str, place: str) -> None:
    (verdict,) = judged(quote).verdicts
    assert verdict.ok, verdict.message
    assert verdict.span is not None
    assert verdict.span.place == place


@pytest.mark.parametrize(
    ("quote", "slug"),
    [
        ("A17 | status:", "quote_altered"),
        ("Bonn,118.69,Ann Lee", None),
        ("Ulm | Ann Lee | 118.69", None),
        ("Ulm | 118.69 | Bo Ray", None),
        ("id: A17 | status", "quote_altered"),
        ("orders[1] | id: A18 | stat", "quote_altered"),
        ("Ulm | Area (km²)", "quote_altered"),
        ("orders[0].total: 5", None),
        ("orders[1].city: New York", None),
        ("$.orders[1].total: 4.5", None),
        ("row 'Bonn', column 'Area (km²)': 118.69", None),
        ("shop", "quote_too_short"),
        ("gates", "quote_too_short"),
    ],
)
def test_a_key_without_value_and_another_value_are_no_quotes(quote: str, slug: str | None) -> None:
    (fault,) = judged(quote).faults
    assert slug is None or fault.slug == slug


@pytest.mark.parametrize("seed", range(60))
def test_what_an_error_advises_to_quote_is_a_quote(seed: int) -> None:
    rng = random.Random(seed)
    reference = rng.choice([ORDERS, CITIES])
    lines = reference.text.splitlines()
    words = rng.choice(lines).split()
    start = rng.randrange(len(words))
    part = words[start : start + rng.randint(2, 6)]
    part[rng.randrange(len(part))] = rng.choice(["closed", "44.98", "A19", "status:", "|", "Rome"])
    for fault in judged(" ".join(part)).faults:
        if advice := _ADVICE.search(fault.message or ""):
            assert judged(advice[1]).ok, (part, advice[1])


def test_the_advice_has_the_value_of_each_key() -> None:
    (fault,) = judged("A17: open").faults
    assert fault.message is not None
    assert 'RIGHT: "orders[0] | id: A17 | status: shipped"' in fault.message
