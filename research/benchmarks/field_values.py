"""`Figures` on typed fields, beside groundgate, on the written field cases of the tests.

    pip install groundgate   # 0.11; left out if it is not there
    python -m benchmarks.field_values

Each case is a reference, a quote and a value that is right or wrong. groundgate decides on numbers
alone, and has no option for what a value is a value of (keys and field quotes are cited by the
extractor): so the second lines leave out dates, and the third ones what `of=` or a name decides.
The evidence that it gets is the quote. "for review" is neither accepted nor refused.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.validators.test_typed_figures import CASES, outcome

_KINDS: Final = {"int": "integer", "float": "number", "Decimal": "number"}


def figures(case: Mapping[str, Any]) -> str:
    """Return what `Figures` decides on a case."""
    return "accepted" if outcome(case) == "holds" else "refused"


def groundgate(module: Any, case: Mapping[str, Any]) -> str:
    """Return what groundgate decides on a case."""
    unit = case["options"].get("unit")
    unit = case.get("siblings", {}).get(unit, unit)
    field: dict[str, Any] = {"type": _KINDS[case["type"]]}
    quote = case["quote"] if isinstance(case["quote"], str) else case["reference"]
    candidate: dict[str, Any] = {
        "field": case["field"],
        "value": str(case["value"]),
        "evidence": [{"text": quote}],
    }
    if unit:
        field["unit"] = candidate["unit"] = unit
    schema = {"fields": {case["field"]: field}}
    decision = module.admit(case["reference"], schema, [candidate]).decisions[0]
    known = {"admitted": "accepted", "rejected": "refused"}
    return known.get(str(decision.outcome), "for review")


def report(
    name: str, decide: Callable[[Mapping[str, Any]], str], cases: list[dict[str, Any]]
) -> None:
    """Print how many right and wrong values are accepted, refused and left for review."""
    found = Counter((case["wanted"] == "holds", decide(case)) for case in cases)
    for is_right, label in ((True, "right"), (False, "wrong")):
        total = sum(count for (right, _), count in found.items() if right is is_right)
        shown = ", ".join(
            f"{found[is_right, verdict]} {verdict}"
            for verdict in ("accepted", "refused", "for review")
            if found[is_right, verdict]
        )
        print(f"{name:<28} {label} values ({total}): {shown}")


def main() -> None:
    """Decide on all cases with both."""
    numbers = [case for case in CASES if case["type"] in _KINDS]
    alone = [
        case
        for case in numbers
        if "of" not in case["options"]
        and case["wanted"] not in ("value_of_other", "value_ambiguous")
    ]
    report("Figures", figures, CASES)
    report("Figures, numbers", figures, numbers)
    report("Figures, without of=", figures, alone)
    try:
        module = importlib.import_module("groundgate")
    except ImportError:
        return
    report("groundgate, numbers", lambda case: groundgate(module, case), numbers)
    report("groundgate, without of=", lambda case: groundgate(module, case), alone)


if __name__ == "__main__":
    main()
