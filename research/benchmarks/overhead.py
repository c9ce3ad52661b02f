"""What `verify` of an answer with 50 quotes costs beyond plain Pydantic and the searches.

    python -m benchmarks.overhead [--quotes 50] [--size 50k] [--rounds 300] [--json FILE]

Both sides read the same answer and search for the same quotes in the same references, which were
searched before; what searches remember is forgotten before each round. Rounds of both take
turns, and their processor time is taken, so that a busy machine changes little; medians are shown.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks import machine
from benchmarks.texts import SIZES, quotes_of, text_of
from groundtypes import References, find_quote, verify
from groundtypes.models import CitedAnswer


class PlainCitation(BaseModel):
    """The fields of a citation, unchecked."""

    statement: str
    quote: str
    reference: str | None = None


class PlainAnswer(BaseModel):
    """The fields of `groundtypes.models.CitedAnswer`, unchecked."""

    answer: str
    citations: list[PlainCitation]


def answer_of(size: int, count: int) -> dict[str, Any]:
    """Return an answer as a language model gives it: half of its quotes in other typography."""
    exact, changed = (quotes_of(kind, size, count) for kind in ("exact", "typographic"))
    quotes = [pair[number % 2] for number, pair in enumerate(zip(exact, changed, strict=True))]
    if len(quotes) < count:
        raise SystemExit(f"a text of {size} characters holds only {len(quotes)} quotes")
    citations = [
        {"statement": f"Statement {number}.", "quote": quote} for number, quote in enumerate(quotes)
    ]
    return {"answer": "An answer.", "citations": citations}


def _milliseconds(call: Callable[[References], object], text: str) -> float:
    # New each time, so that nothing is there that was computed from them before.
    references = References(("0",), (text,))
    started = time.process_time()
    call(references)
    return (time.process_time() - started) * 1e3


def measure(size: int, count: int, rounds: int) -> dict[str, float]:
    """Return medians in milliseconds."""
    text = text_of(size)
    answer = answer_of(size, count)
    quotes = [citation["quote"] for citation in answer["citations"]]

    def plain(references: References) -> None:
        PlainAnswer.model_validate(answer)
        for quote in quotes:
            assert find_quote(quote, references)

    def checked(references: References) -> None:
        verify(CitedAnswer, answer, context={"references": references})

    times: dict[str, list[float]] = {"plain": [], "verify": [], "read": []}
    for _ in range(rounds):
        times["plain"].append(_milliseconds(plain, text))
        times["verify"].append(_milliseconds(checked, text))
        times["read"].append(_milliseconds(lambda _: PlainAnswer.model_validate(answer), text))
    extra = [one - other for one, other in zip(times["verify"], times["plain"], strict=True)]
    medians = {name: statistics.median(found) for name, found in times.items()}
    return {**medians, "extra": statistics.median(extra)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quotes", type=int, default=50)
    parser.add_argument("--size", choices=list(SIZES), default="50k")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe()
    print(machine.show(described))
    found = measure(SIZES[options.size], options.quotes, options.rounds)
    print(f"\n{options.quotes} quotes in {options.size}, medians of {options.rounds} rounds:\n")
    print("| what | ms |\n|---|---|")
    print(f"| plain Pydantic | {found['read']:.2f} |")
    print(f"| plain Pydantic and {options.quotes} `find_quote` | {found['plain']:.2f} |")
    print(f"| `verify` | {found['verify']:.2f} |")
    print(f"| extra | {found['extra']:.2f} |")
    if options.json:
        report = {"machine": described, "milliseconds": found}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
