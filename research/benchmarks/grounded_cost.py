"""What `Grounded` costs in the place of `BaseModel`, for models without checks and with them.

    python -m benchmarks.grounded_cost [--rounds 60] [--json FILE]

The same models are built on both bases, and instances are validated and dumped. Both sides take
turns, and their processor time is taken, so that a busy machine changes little. A ratio is the
median of the ratios of neighbouring measurements.
"""

# The models are built on a base that is passed.
# mypy: allow-subclassing-any

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field

from benchmarks import machine
from groundtypes import Grounded, Quote

#: How often an action is repeated in one measurement: building a class takes a millisecond.
_REPEATS = {"build": 10}
_CONTEXT = {"references": "The tower is tall and grey."}


class Case(NamedTuple):
    """The actions that are compared, made from a base."""

    name: str
    actions: Callable[[Any], dict[str, Callable[[], object]]]


def plain_models(base: Any) -> Any:
    """Return a model of usual size without checks, built anew."""

    class Item(base):
        name: str
        count: int = 0
        tags: tuple[str, ...] = ()
        price: float | None = None

    class Order(base):
        number: int
        items: list[Item]
        note: Annotated[str, Field(max_length=200)] | None = Field(None, description="A remark.")
        kind: Literal["new", "old"] = "new"

    return Order


def checked_models(base: Any) -> Any:
    """Return a model with quotes, built anew."""

    class Fact(base):
        statement: str
        quote: Quote

    class Answer(base):
        answer: str
        facts: list[Fact]

    return Answer


def plain_actions(base: Any) -> dict[str, Callable[[], object]]:
    """Return what is done with the model without checks."""
    model = plain_models(base)
    item = {"name": "screw", "count": 3, "tags": ["small", "steel"], "price": 0.2}
    data = {"number": 7, "items": [item] * 10, "note": "soon"}
    text, order = json.dumps(data), model.model_validate(data)
    return {
        "build": lambda: plain_models(base),
        "validate": lambda: model.model_validate(data),
        "validate JSON": lambda: model.model_validate_json(text),
        "dump": order.model_dump,
        "dump JSON": order.model_dump_json,
    }


def checked_actions(base: Any) -> dict[str, Callable[[], object]]:
    """Return what is done with the model with quotes."""
    model = checked_models(base)
    fact = {"statement": "It is tall.", "quote": "The tower is tall"}
    data = {"answer": "It is tall.", "facts": [fact] * 10}
    answer = model.model_validate(data, context=_CONTEXT)
    return {
        "build": lambda: checked_models(base),
        "validate": lambda: model.model_validate(data, context=_CONTEXT),
        "dump": answer.model_dump,
        "dump JSON": answer.model_dump_json,
    }


CASES = (Case("without checks", plain_actions), Case("with ten quotes", checked_actions))


def microseconds(action: Callable[[], object], repeats: int) -> float:
    """Return the processor time of one call."""
    started = time.process_time()
    for _ in range(repeats):
        action()
    return (time.process_time() - started) / repeats * 1e6


def measure(case: Case, rounds: int) -> dict[str, dict[str, float]]:
    """Return for each action the medians of both bases in microseconds, and their ratio."""
    plain, grounded = case.actions(BaseModel), case.actions(Grounded)
    measured: dict[str, dict[str, float]] = {}
    for name in plain:
        repeats = _REPEATS.get(name, 200)
        pairs = [
            (microseconds(plain[name], repeats), microseconds(grounded[name], repeats))
            for _ in range(rounds)
        ]
        measured[name] = {
            "BaseModel": statistics.median(one for one, _ in pairs),
            "Grounded": statistics.median(other for _, other in pairs),
            "ratio": statistics.median(other / one for one, other in pairs),
        }
    return measured


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe()
    print(machine.show(described))
    print("\n| model | action | BaseModel, µs | Grounded, µs | ratio |\n|---|---|---|---|---|")
    results = {}
    for case in CASES:
        results[case.name] = measure(case, options.rounds)
        for action, row in results[case.name].items():
            numbers = f"{row['BaseModel']:.1f} | {row['Grounded']:.1f} | {row['ratio']:.2f}"
            print(f"| {case.name} | {action} | {numbers} |", flush=True)
    if options.json:
        report = {"machine": described, "microseconds": results}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
