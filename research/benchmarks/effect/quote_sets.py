"""The sets of quotes: `find_quote`, and whether the match is cut."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from benchmarks.effect.outcomes import Outcome, Rows, RowSet, table_of_tests
from benchmarks.quote_quality import DATA
from corpora.written_claims import claim_sets
from groundtypes import find_quote

__all__ = ["SETS"]


def _outcome(id_: str, wanted: bool, quote: str, references: Any, fuzzy: bool) -> Outcome:  # noqa: FBT001 # private
    match = find_quote(quote, references, fuzzy=fuzzy)
    accepted = match is not None and not match.cut
    said = "accepted" if accepted else "cut" if match is not None else "not found"
    return Outcome.of(id_, said, quote, wanted=wanted, passes=accepted)


def _battery(part: str, rows: Rows) -> Iterator[Outcome]:
    for row in rows.of(DATA / f"battery_{part}.jsonl.gz"):
        fuzzy = row["expect"] == "accept_fuzzy"
        name = f"{row['id']} ({row['kind']})"
        yield _outcome(name, row["expect"] != "reject", row["quote"], row["references"], fuzzy)


def _readers(rows: Rows) -> Iterator[Outcome]:
    for row in rows.of(table_of_tests("quote_cases.jsonl")):
        name = f"{row['id']} ({row['kind']})"
        wanted = row["expect"] == "accept"
        yield _outcome(name, wanted, row["quote"], row["reference"], row["fuzzy"])


def _cases(rows: Rows) -> Iterator[Outcome]:
    assert rows.cases is not None
    for row in rows.of(rows.cases / "quotes.jsonl"):
        wanted = row["label"] == "accept"
        yield _outcome(row["id"], wanted, row["quote"], row["reference"], row["fuzzy"])


def _decisive(_: Rows) -> Iterator[Outcome]:
    """Sentences of references that decide claims, copied by people without a thought of quotes."""
    for claims in claim_sets("test"):
        quotes = dict.fromkeys(quote for claim in claims.claims for quote in claim.decides)
        for number, quote in enumerate(quotes):
            yield _outcome(f"{claims.id}-{number}", True, quote, claims.references, False)


def _quotesum(rows: Rows) -> Iterator[Outcome]:
    assert rows.data is not None
    for row in rows.of(rows.data / "citation/quotesum_dev.jsonl.gz"):
        texts = [source["text"] for source in row["sources"]]
        for number, quote in enumerate(row["quotes"]):
            if quote["verbatim_in_source"] and quote["text"] in texts[quote["source"] - 1]:
                yield _outcome(f"{row['id']}-{number}", True, quote["text"], texts, False)


SETS: Final = (
    RowSet("battery, test", "battery", partial(_battery, "test")),
    RowSet("battery, tune", "battery", partial(_battery, "tune")),
    RowSet("cases of readers", "tests", _readers),
    RowSet("deciding sentences", "written", _decisive),
    RowSet("case file", "cases", _cases, "cases"),
    RowSet("QuoteSum", "public", _quotesum, "data"),
)
