"""How often checks are right about JSON values, tool results and tables.

    python -m benchmarks.structured_sources [--split test] [--wrong] [--model FOLDER]

Each case is a value, whether it holds, and its source. A `quote` is validated with `Quoted()`, a
`figure` with `Figures()`, and a `sentence` with `Entailed()` and `Figures()`, as users declare
them. The cases were written by hand, by somebody who knew neither the code nor its documentation.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import create_model

from benchmarks import machine
from groundtypes import Audit, Entailed, Figures, Grounded, Judges, Quoted, Reference, audit_many
from groundtypes.backends.nli_onnx import OnnxNLI

__all__ = ["TEST", "TUNE", "Case", "audit_cases", "load_cases", "table"]

_DATA: Final = Path(__file__).parent / "data"
TUNE: Final = _DATA / "structured_tune.jsonl"
TEST: Final = _DATA / "structured_test.jsonl"
_MODELS: Final[dict[str, type[Grounded]]] = {
    "quote": create_model("QuoteOnly", __base__=Grounded, value=Annotated[str, Quoted()]),
    "figure": create_model("FigureOnly", __base__=Grounded, value=Annotated[str, Figures()]),
    "sentence": create_model(
        "Sentence", __base__=Grounded, value=Annotated[str, Entailed(), Figures()]
    ),
}


@dataclass(frozen=True)
class Case:
    """One line of the file.

    Attributes:
        id: Its name.
        domain: What the source is about.
        format: What the source is.
        source: A JSON value, or the text of a table.
        kind: What is validated.
        value: What an answer says.
        holds: Whether the source says so.
        place: The path or cell that decides, or `None`.
        why: The reason, for people.
    """

    id: str
    domain: str
    format: Literal["json", "markdown", "csv"]
    source: Any
    kind: Literal["quote", "figure", "sentence"]
    value: str
    holds: bool
    place: str | None
    why: str

    @property
    def reference(self) -> Reference:
        """The source as a reference."""
        if self.format == "json":
            return Reference.of_json("source", self.source)
        return Reference.of_table("source", self.source)


def load_cases(path: Path = TUNE) -> list[Case]:
    """Return the cases of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Case(**json.loads(line)) for line in lines]


def audit_cases(
    cases: Sequence[Case], judges: Judges | None = None
) -> Iterator[tuple[Case, Audit[Grounded]]]:
    """Yield each case with what the checks find."""
    for kind, model in _MODELS.items():
        of_kind = [case for case in cases if case.kind == kind]
        context: list[dict[str, Any]] = [{"references": [case.reference]} for case in of_kind]
        if judges is not None:
            context = [{**part, "judges": judges} for part in context]
        audits = audit_many(model, [{"value": case.value} for case in of_kind], context=context)
        yield from zip(of_kind, audits, strict=True)


def table(results: Sequence[tuple[Case, Audit[Grounded]]]) -> str:
    """Return how many cases are right, by kind and format, as a Markdown table."""
    right: Counter[tuple[str, str, bool]] = Counter()
    count: Counter[tuple[str, str, bool]] = Counter()
    for case, audit in results:
        for form in (case.format, "all"):
            key = (case.kind, form, case.holds)
            count[key] += 1
            right[key] += audit.ok == case.holds
    lines = ["| kind | format | true accepted | false refused | right |", "|---|---|---|---|---|"]
    for kind in _MODELS:
        for form in ("json", "markdown", "csv", "all"):
            accepted, refused = (kind, form, True), (kind, form, False)
            both = count[accepted] + count[refused]
            if both:
                share = (right[accepted] + right[refused]) / both
                lines.append(
                    f"| {kind} | {form} | {right[accepted]} of {count[accepted]} "
                    f"| {right[refused]} of {count[refused]} | {share:.1%} |"
                )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument(
        "--wrong", action="store_true", help="print what is wrong of the cases at hand"
    )
    parser.add_argument(
        "--model", help="a folder with an exported model, instead of the bundled one"
    )
    args = parser.parse_args(argv)
    print(machine.show(machine.describe(["onnxruntime", "tokenizers"])))
    # Some sources have keys in other languages, which the engine is not made for.
    judges = Judges(nli=OnnxNLI(args.model) if args.model else OnnxNLI(), languages="any")
    results = list(audit_cases(load_cases(TEST if args.split == "test" else TUNE), judges))
    print(table(results))
    if args.wrong and args.split == "tune":
        for case, audit in results:
            if audit.ok != case.holds:
                print(f"\n{case.id} {case.kind} {case.format} holds={case.holds}: {case.value}")
                print(f"  {case.place}: {case.why}")
                for verdict in audit.verdicts:
                    print(f"  {verdict.check} ok={verdict.ok} {verdict.label} {verdict.score}")
                    print(f"    {verdict.message or verdict.span}")


if __name__ == "__main__":
    main()
