"""How many contradicted statements one re-ask corrects, by what the error message shows.

    python -m benchmarks.llm_reask_statements --base-url http://127.0.0.1:8115/v1 [--limit 40]

The statements are those of the tune domains of `research/training/claims` that their references
contradict and that the bundled model finds contradicted, on references of 40 to 90 words. The
language model sees the references, the question, the statement as its own answer, and the message,
as instructor would send it. The message shows either what it ships with, the sentences that decide,
cut around the difference, or the first 200 characters of the passage that holds them.

A reply counts as corrected if `Entailed` and `Figures` accept it. `--show` prints all replies, for
a person to judge. Every reply is stored in a file at once, so that an interrupted run is resumed.
"""

import argparse
import platform
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple
from unittest.mock import patch

from pydantic import Field, ValidationError

from benchmarks.llm_reask import AnswerStore, Endpoint
from corpora.written_claims import Claim, ClaimSet, claim_sets
from groundtypes import Entailed, Figures, Grounded
from groundtypes.entailment.evidence.statement_evidence import select_evidence
from groundtypes.references import References
from groundtypes.text import excerpts
from groundtypes.text.message_excerpts import excerpt

_WORDS: Final = range(40, 91)
_CUT: Final = 200
_MAX_REPLY: Final = 240
_TASK: Final = "Answer the question from the references, in one sentence of your own."


class Answer(Grounded):
    """The answer to the question; it is too short for a copy of all references."""

    text: Annotated[str, Field(max_length=_MAX_REPLY), Entailed(), Figures()]


class Judged(Grounded):
    """A statement of the data, which one check judges, so that messages differ in one place."""

    text: Annotated[str, Entailed()]


class Contradicted(NamedTuple):
    """A statement that its references contradict."""

    claim_set: ClaimSet
    claim: Claim

    @property
    def passage(self) -> str:
        """The passage most similar to the statement."""
        passage = select_evidence(References.of(self.claim_set.references), self.claim.text).passage
        return "" if passage is None else passage.text


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="local")
    parser.add_argument("--limit", type=int, default=40, help="how many statements")
    parser.add_argument("--show", action="store_true", help="print all replies")
    parser.add_argument("--kept", type=Path, default=Path("build/llm_reask_statements.jsonl"))
    options = parser.parse_args()
    endpoint = Endpoint(options.base_url, options.model, AnswerStore(options.kept))
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.platform()}, Python {platform.python_version()}, "
        f"groundtypes {version('groundtypes')}; model {options.model}"
    )
    start = time.monotonic()
    corrected = {True: 0, False: 0}
    hidden = {True: 0, False: 0}
    number = hidden_number = 0
    for row in contradicted(options.limit):
        number += 1
        is_hidden = not _shows_deciding(row)
        hidden_number += is_hidden
        if options.show:
            print(f"\n{row.claim_set.id}: {row.claim.text}\n  decides: {row.claim.decides}")
        for deciding in (True, False):
            reply = _reply(endpoint, row, deciding=deciding)
            holds = _faults(Answer, reply, row) is None
            corrected[deciding] += holds
            hidden[deciding] += holds and is_hidden
            if options.show:
                print(f"  {'deciding' if deciding else 'first 200'}, {holds}: {reply}", flush=True)
    print("\n| the message shows | corrected | of those whose cut passage lacks what decides |")
    print("|---|---|---|")
    for deciding, name in ((True, "the sentences that decide"), (False, "the first 200")):
        cells = f"{corrected[deciding]} of {number} | {hidden[deciding]} of {hidden_number}"
        print(f"| {name} | {cells} |")
    print(f"\n{time.monotonic() - start:.0f} s")


def contradicted(limit: int) -> Iterator[Contradicted]:
    """Yield statements that are contradicted, by turns from all domains."""
    by_domain: dict[str, list[Contradicted]] = {}
    for claim_set in claim_sets("tune"):
        if sum(len(text.split()) for text in claim_set.references) in _WORDS:
            for claim in claim_set.claims:
                if claim.form == "statement" and not claim.supported and claim.decides:
                    by_domain.setdefault(claim_set.domain, []).append(
                        Contradicted(claim_set, claim)
                    )
    rows = (
        row
        for at in range(max(map(len, by_domain.values())))
        for rows in by_domain.values()
        for row in rows[at : at + 1]
    )
    for row in rows:
        if limit and len(row.passage) > _CUT and _is_found_contradicted(row):
            limit -= 1
            yield row


def _is_found_contradicted(row: Contradicted) -> bool:
    error = _faults(Judged, Judged.model_construct(text=row.claim.text).model_dump_json(), row)
    return error is not None and error.errors()[0]["type"] == "contradicted"


def _shows_deciding(row: Contradicted) -> bool:
    """Return whether the first characters of the passage hold a sentence that decides."""
    shown = " ".join(row.passage.split())[:_CUT]
    return any(" ".join(sentence.split()) in shown for sentence in row.claim.decides)


def _reply(endpoint: Endpoint, row: Contradicted, *, deciding: bool) -> str:
    """Return what the model writes after the message."""
    answer = Judged.model_construct(text=row.claim.text).model_dump_json()
    if deciding:
        error = _faults(Judged, answer, row)
    else:
        cut = excerpt(row.passage, _CUT)
        with patch.object(excerpts, "deciding_excerpt", lambda *_: cut):
            error = _faults(Judged, answer, row)
    references = "\n\n".join(
        f"[{number}] {text}" for number, text in enumerate(row.claim_set.references)
    )
    messages: list[dict[str, Any]] = [
        {
            "role": "user",
            "content": f"{references}\n\nQuestion: {row.claim_set.question}\n\n{_TASK}",
        },
        {"role": "assistant", "content": answer},
        {
            "role": "user",
            "content": f"Correct your JSON ONLY RESPONSE, based on the following errors:\n{error}",
        },
    ]
    schema = {"name": "Answer", "schema": Answer.model_json_schema()}
    return endpoint.ask(
        f"{row.claim_set.id}/{row.claim.text}/{'deciding' if deciding else 'cut'}",
        messages,
        {"type": "json_schema", "json_schema": schema},
    )


def _faults(model: type[Grounded], text: str, row: Contradicted) -> ValidationError | None:
    try:
        model.model_validate_json(text, context={"references": list(row.claim_set.references)})
    except ValidationError as error:
        return error
    return None


if __name__ == "__main__":
    main()
