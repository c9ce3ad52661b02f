"""`Entailed(claim=...)` on truth values and choices, with any engine, both ways.

    python -m benchmarks.field_claims [--judge NAME ...]

The cases (`research/benchmarks/data/claim_cases.jsonl`) were written before any engine had judged
them, and nothing is tuned on them. Each is a reference, the sentence that a value makes, and a
value that is right or wrong.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import create_model

from benchmarks.machine import describe, show
from groundtypes import Entailed, Grounded, Judges, audit

CASES: Final = Path(__file__).parent / "data" / "claim_cases.jsonl"


def is_accepted(case: dict[str, Any], judges: Judges) -> bool:
    """Return whether an engine lets the value of a case pass."""
    kind: Any = bool if case["kind"] == "bool" else Literal[tuple(case["values"])]
    annotation = Annotated[kind, Entailed(claim=case["claim"])]
    model = create_model("Row", __base__=Grounded, value=(annotation, ...))
    context = {"references": [case["reference"]], "judges": judges}
    return audit(model, {"value": case["value"]}, context=context).ok


def main() -> None:
    """Print how many right values are accepted, and how many wrong ones are refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", action="append")
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    for name in parser.parse_args().judge or ["bundled"]:
        judges = Judges(nli=name, languages="any")
        found = Counter((case["kind"], case["right"], is_accepted(case, judges)) for case in cases)
        for kind in ("bool", "literal"):
            right = found[kind, True, True], found[kind, True, False]
            wrong = found[kind, False, False], found[kind, False, True]
            print(
                f"{name.partition(':')[0]}, {kind}: {right[0]} of {sum(right)} right values "
                f"accepted, {wrong[0]} of {sum(wrong)} wrong ones refused"
            )
    print(show(describe(["onnxruntime", "torch"])))


if __name__ == "__main__":
    main()
