"""A statement that gives the value of one record to another one is not entailed."""

import json
from typing import Annotated

import pytest

from groundtypes import Cited, Entailed, Grounded, Judges, Reference, References, audit
from groundtypes.entailment import entail
from groundtypes.entailment.other_records import value_of_another_record
from groundtypes.scoring import Label
from groundtypes.testing import ENTAILED, ScriptedNLI

ORDERS = Reference.of_json(
    "orders",
    {
        "currency": "EUR",
        "page": 2,
        "customer": {"name": "Lena Vogt", "since": 2019},
        "orders": [
            {
                "id": "A17",
                "buyer": {"name": "Eva Meyer", "city": "Ulm"},
                "status": "shipped",
                "shipped_at": "2024-05-03",
                "total": 44.98,
                "items": [
                    {"sku": "X-1", "qty": 2, "price": 19.99},
                    {"sku": "X-2", "qty": 1, "price": 5},
                ],
            },
            {
                "id": "A18",
                "buyer": {"name": "Max Roth", "city": "Bonn"},
                "status": "open",
                "shipped_at": None,
                "total": 30,
                "items": [{"sku": "X-3", "qty": 3, "price": 10}],
            },
        ],
        "stats": {"max_total": 44.98, "count": 2},
    },
)
CITIES = Reference.of_table(
    "cities",
    "| City | Area (km²) | Population 2022 | Population 2023 | State |\n"
    "|---|---|---|---|---|\n"
    "| Berlin | 891.1 | 3,755,251 | 3,782,202 | Berlin |\n"
    "| Ulm | 118.7 | 126,000 | 128,928 | Baden-Württemberg |\n"
    "| Neu-Ulm | 81.0 | 58,900 | 59,400 | Bavaria |\n"
    "| Bonn | 141.1 | 331,885 | 335,789 | North Rhine-Westphalia |",
)
MUSEUM = (
    "Prices of the museum. Guided tours cost 12.50 euros.\n\n"
    "| Ticket | Price (EUR) | Sunday |\n|---|---|---|\n"
    "| Adult | 9.50 | free |\n| Child | 4 | 4 |\n| Senior | 7 | closed |\n\nOpen daily."
)
WEATHER = [
    Reference.of_json("berlin", {"city": "Berlin", "temp_c": 21.5, "condition": "Cloudy"}),
    Reference.of_json("paris", {"city": "Paris", "temp_c": 25.0, "condition": "Sunny"}),
]
FIRM = Reference.of_table(
    "firm",
    "Item,2022,2023\nRevenue (EUR million),38.6,41.2\nNet debt (EUR million),14.8,11.3\n"
    "Dividend per share (EUR),,0.55",
)
WARDS = Reference.of_json(
    "wards",
    {"north": {"beds": 40, "head": "Dr. Ames"}, "south": {"beds": 55, "head": "Dr. Boyle"}},
)

#: References, statement, and the value, what it belongs to and what is named.
OTHERS = [
    (ORDERS, "Order A17 costs 30 euros.", ("30 euros", "A18", "A17")),
    (ORDERS, "Order A17 costs thirty.", ("thirty", "A18", "A17")),
    (ORDERS, "Order A18 was shipped on 3 May 2024.", ("3 May 2024", "A17", "A18")),
    (ORDERS, "Eva Meyer's order is open.", ("open", "A18", "Eva Meyer")),
    (ORDERS, "Meyer's order is open.", ("open", "A18", "Eva Meyer")),
    (ORDERS, "Order A17 was bought by Max Roth.", ("Max Roth", "A18", "A17")),
    (ORDERS, "Order A17 contains X-3.", ("X-3", "A18", "A17")),
    (ORDERS, "Order A17 contains X-2 at 19.99 EUR.", ("19.99 EUR", "X-1", "X-2")),
    (ORDERS, "Eva Meyer lives in Bonn.", ("Bonn", "A18", "Eva Meyer")),
    (ORDERS, "The status of order A18 is shipped.", ("shipped", "A17", "A18")),
    (CITIES, "Berlin has an area of 118.7 km².", ("118.7 km²", "Ulm", "Berlin")),
    (CITIES, "Neu-Ulm covers 11,870 hectares.", ("11,870 hectares", "Ulm", "Neu-Ulm")),
    (CITIES, "Ulm lies in Bavaria.", ("Bavaria", "Neu-Ulm", "Ulm")),
    (CITIES, "Ulm had 59,400 people in 2023.", ("59,400", "Neu-Ulm", "Ulm")),
    (MUSEUM, "A Child ticket costs 9.50 euros.", ("9.50 euros", "Adult", "Child")),
    (MUSEUM, "Senior tickets are free on Sundays.", ("free", "Adult", "Senior")),
    (WEATHER, "It is 25 °C in Berlin.", ("25 °C", "Paris", "Berlin")),
    (WEATHER, "Paris is cloudy.", ("Cloudy", "Berlin", "Paris")),
    (
        FIRM,
        "Revenue was 11.3 million euros.",
        ("11.3 million euros", "Net debt (EUR million)", "Revenue (EUR million)"),
    ),
    (WARDS, "The ward north has 55 beds.", ("55", "south", "north")),
]
#: Statements that follow, or of which the rule knows too little.
NONE = [
    (ORDERS, "Order A17 costs 44.98 euros."),
    (ORDERS, "Order A18 has not been shipped, unlike A17, which was shipped on 3 May 2024."),
    (ORDERS, "Eva Meyer's order A17 contains X-1 at 19.99 EUR."),
    (ORDERS, "A17 has two X-1 and one X-2."),
    (ORDERS, "Max Roth's order is open."),
    (ORDERS, "The total of A17 is 14.98 euros more than the 30 euros of A18."),
    (ORDERS, "Lena Vogt, a customer since 2019, has orders A17 and A18."),
    (ORDERS, "Order A18 of 30 EUR is open, while A17 of 44.98 EUR has been shipped."),
    (ORDERS, "The highest total is 44.98, of order A17."),
    (ORDERS, "Order A18 consists of three X-3 for 10 each."),
    (ORDERS, "The item X-3 of order A18 costs 10 euros, in total 30."),
    (ORDERS, "Order A17 went to Ulm."),
    (ORDERS, "Of the 2 orders, A18 is the cheaper."),
    (ORDERS, "Order A18's buyer, Max Roth, lives in Bonn."),
    (ORDERS, "A17 was shipped."),
    (ORDERS, "Order A17 totals about 45 euros."),
    (ORDERS, "Order A18 costs less than 44.98."),
    (ORDERS, "Order A19 costs 30 euros."),
    (ORDERS, "The customer paid 30 euros."),
    (ORDERS, "Max Roth's order costs less than the highest total of 44.98."),
    (CITIES, "Berlin has an area of 891.1 km²."),
    (CITIES, "Ulm lies in Baden-Württemberg."),
    (CITIES, "Ulm grew from 126,000 people in 2022 to 128,928 in 2023."),
    (CITIES, "In 2023, Ulm had 128,928 inhabitants."),
    (CITIES, "Berlin is 772.4 km² larger than Ulm."),
    (CITIES, "Ulm and Neu-Ulm have 118.7 and 81.0 km²."),
    (CITIES, "Neu-Ulm, next to Ulm, has 81 km²."),
    (CITIES, "Ulm's population in 2022 was 0.126 million."),
    (CITIES, "Bonn had 335,789 people in 2023, Berlin 3,782,202."),
    (CITIES, "Neu-Ulm is in Bavaria, not in Baden-Württemberg."),
    (CITIES, "Bonn, in North Rhine-Westphalia, covers 141 square kilometres."),
    (CITIES, "Berlin covers 89,110 hectares."),
    (MUSEUM, "An adult ticket costs 9.50 euros."),
    (MUSEUM, "A guided tour costs 12.50 euros per adult."),
    (MUSEUM, "Child tickets are 4 euros, on Sundays too."),
    (MUSEUM, "A Senior ticket is 7 euros, a Child ticket 4."),
    (WEATHER, "It is 21.5 °C in Berlin."),
    (WEATHER, "Berlin is cloudy, Paris sunny."),
    (FIRM, "Revenue rose from 38.6 to 41.2 million euros in 2023."),
    (FIRM, "Revenue was 41.2 million euros in 2023."),
    (FIRM, "The dividend per share was 0.55 euros in 2023."),
    (WARDS, "The ward north has 40 beds, and the ward south 55."),
]


def _references(source: object) -> References:
    return References.of([source] if isinstance(source, Reference) else source)


@pytest.mark.parametrize(
    ("source", "statement", "expected"), OTHERS, ids=[case[1] for case in OTHERS]
)
def test_a_value_of_another_record_is_found(
    source: object, statement: str, expected: tuple[str, str, str]
) -> None:
    found = value_of_another_record(statement, _references(source))
    assert found is not None
    assert found[:3] == expected


@pytest.mark.parametrize(("source", "statement"), NONE, ids=[case[1] for case in NONE])
def test_what_may_follow_is_left_alone(source: object, statement: str) -> None:
    assert value_of_another_record(statement, _references(source)) is None


def test_text_beside_the_record_may_say_it() -> None:
    statement = "Order A17 costs 30 euros."
    assert value_of_another_record(statement, _references(ORDERS)) is not None
    both = References.of([ORDERS, Reference("mail", "With the voucher it is 30 euros.")])
    assert value_of_another_record(statement, both) is None


def test_a_value_that_is_prose_may_speak_of_any_record() -> None:
    pages = [
        Reference.of_json("a", {"title": "Ulm", "text": "It lies on the Danube.", "rank": 7}),
        Reference.of_json(
            "b", {"title": "Bonn", "text": "Ulm has 128,928 people, fewer than Bonn.", "rank": 500}
        ),
    ]
    assert value_of_another_record("Ulm has 128,928 people.", References.of(pages)) is None
    assert value_of_another_record("The rank of Ulm is 500.", References.of(pages)) is not None


def test_what_the_record_lacks_is_no_contradiction() -> None:
    shipped = value_of_another_record("Order A18 was shipped on 3 May 2024.", _references(ORDERS))
    assert shipped is not None
    assert shipped.contradicts  # its value is null
    gap = Reference.of_json("x", [{"id": "A17", "total": 30}, {"id": "A18", "status": "open"}])
    found = value_of_another_record("Order A18 costs 30.", _references(gap))
    assert found is not None
    assert not found.contradicts


def test_no_engine_entails_it_and_the_reason_names_whose_value_it_is() -> None:
    class Answer(Grounded):
        text: Annotated[str, Entailed()]

    judges = Judges(nli=ScriptedNLI(lambda _: ENTAILED))
    context = {"references": [ORDERS], "judges": judges}
    right, wrong = (
        audit(Answer, {"text": f"Order A17 costs {total} euros."}, context=context)
        for total in ("44.98", "30")
    )
    assert right.ok
    [verdict] = wrong.verdicts
    assert verdict.slug == "contradicted"
    assert verdict.reason == ("'30 euros' stands in the references under 'A18', not under 'A17'")


def test_the_bundled_model_does_not_entail_it_either() -> None:
    [own] = entail([ORDERS], "The total of order A18 is 30 EUR.")
    [other] = entail([ORDERS], "The total of order A17 is 30 EUR.")
    assert own.label is Label.ENTAILMENT
    assert other.label is not Label.ENTAILMENT
    assert other.scores.entailment == 0.0


def test_cited_sentences_are_judged_by_it() -> None:
    class Answer(Grounded):
        text: Annotated[str, Cited()]

    judges = Judges(nli=ScriptedNLI(lambda _: ENTAILED))
    context = {"references": [ORDERS], "judges": judges}
    [fault] = audit(Answer, {"text": "Order A17 costs 30 euros [1]."}, context=context).faults
    assert fault.slug == "citation_contradicted"


@pytest.mark.parametrize(
    "value",
    [
        {f"key {number}": number for number in range(5_000)},
        [{"id": f"A{number}", "total": number} for number in range(5_000)],
        {"a" * 10_000: [{"b": "c" * 100_000}, {"b": 5}]},
        [[["x", 1], ["y", 2]], [["x", 3]]],
        {"row 'x'": [{"|": 5}, {"|": 6}], "[0]": {'"]': 7}},
    ],
    ids=["wide", "long", "large", "nested", "odd keys"],
)
def test_odd_and_large_sources_are_read_in_bounded_time(value: object) -> None:
    references = _references(Reference.of_json("source", json.dumps(value)))
    for statement in ("A17 costs 17 euros.", "x " * 5_000 + "1 2 3", "key 5 is 17 | ' [0]", ""):
        assert value_of_another_record(statement, references) is None


def test_larger_references_are_not_compared() -> None:
    def of(count: int) -> References:
        rows = [{"id": f"A{number}", "total": number} for number in range(count)]
        return _references(Reference.of_json("source", rows))

    statement = "The total of A1700 is 1234."
    assert value_of_another_record(statement, of(2_000)) is not None
    assert value_of_another_record(statement, of(25_001)) is None


STAFF = (
    "| Name | Room | Phone |\n|---|---|---|\n"
    "| Ida Brandt | C12 | 4410 |\n| Omar Said | D03 | 4427 |\n| Max Meyer | E05 | 4499 |"
)


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("Brandt has phone number 4427.", "4427"),
        ("Mr Meyer works in room D03.", "D03"),
        ("Room D03 belongs to Meyer.", "D03"),
        ("Brandt works in room C12.", None),
        ("Meyer has phone number 4499.", None),
        ("The room of Brandt is C12, her phone 4410.", None),
        ("Neither Brandt nor Meyer works in room D03.", None),
    ],
)
def test_a_part_of_a_name_counts_beside_a_room(statement: str, value: str | None) -> None:
    found = value_of_another_record(statement, References.of(STAFF))
    assert (found and found.value) == value


def test_a_part_of_a_name_does_not_count_beside_an_id() -> None:
    rows = [{"id": "A17", "buyer": "Max Meyer"}, {"id": "A18", "buyer": "Ina Roth"}]
    references = References.of([Reference.of_json("orders", rows)])
    assert value_of_another_record("A17 went out in a Roth box.", references) is None
