"""How often a value of another record passes for that of the record that a sentence names.

    python -m benchmarks.structured_swaps [--split test] [--wrong]

The sentences are made from the sources of `benchmarks.structured_sources`, with three templates:
of each record that has a name, a sentence with its own value, which holds, and the same sentence
with the value that another record has in that place, which does not. Each is validated with
`Entailed()` and `Figures()`. Sources of at most 12 records are used, with at most four sentences
for each record.
"""

import argparse
import csv
import io
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from pydantic import create_model

from benchmarks import machine
from benchmarks.structured_sources import TEST, TUNE, Case, load_cases
from groundtypes import Entailed, Figures, Grounded, Judges, audit_many
from groundtypes.backends.nli_onnx import OnnxNLI

__all__ = ["Swap", "swaps"]

_TEMPLATES: Final = (
    "The {column} of {name} is {value}.",
    "{name} has a {column} of {value}.",
    "For {name}, the {column} given is {value}.",
)
_MOST_RECORDS: Final = 12
_MOST_SENTENCES: Final = 4
_NAMES: Final = ("name", "title", "id", "code", "sku", "number", "order_id", "city")
_Sentence: Final[type[Grounded]] = create_model(
    "Sentence", __base__=Grounded, value=Annotated[str, Entailed(), Figures()]
)


class Swap(NamedTuple):
    """A sentence, its source, and whether it holds."""

    source: Case
    text: str
    holds: bool


def swaps(cases: Sequence[Case]) -> Iterator[Swap]:
    """Yield the sentences about each source, those that hold and those that do not by turns."""
    chance = random.Random(7)
    seen: set[str] = set()
    for case in cases:
        if str(case.source) in seen:
            continue
        seen.add(str(case.source))
        for records in _tables(case.source):
            yield from _about(case, records[:_MOST_RECORDS], chance)


def _about(
    case: Case, records: Sequence[Mapping[str, Any]], chance: random.Random
) -> Iterator[Swap]:
    key = next((key for key in (*_NAMES, *records[0]) if _is_name(records, key)), None)
    if key is None:
        return
    for record in records:
        columns = [column for column in record if column != key]
        chance.shuffle(columns)
        pairs = [
            (column, other)
            for column in columns
            if _is_value(record[column])
            for other in chance.sample(list(records), len(records))
            if _is_value(other.get(column)) and _differs(other[column], record)
        ]
        for column, other in list(dict(pairs).items())[:_MOST_SENTENCES]:
            template = chance.choice(_TEMPLATES)
            words = re.sub(r"[_.]|(?<=[a-z])(?=[A-Z])", " ", column).split(" (")[0].lower()
            for value, holds in ((record[column], True), (other[column], False)):
                yield Swap(
                    case,
                    template.format(column=words, name=record[key], value=value),
                    holds,
                )


def _is_name(records: Sequence[Mapping[str, Any]], key: str) -> bool:
    values = [record.get(key) for record in records]
    return len(set(map(str, values))) == len(values) and all(
        isinstance(value, str) and re.search("[^\\W\\d]", value) and len(value) < 60
        for value in values
    )


def _is_value(value: object) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    return isinstance(value, int | float) or (isinstance(value, str) and 0 < len(value) < 40)


def _differs(value: object, record: Mapping[str, Any]) -> bool:
    return all(str(value).lower() not in str(other).lower() for other in record.values())


def _tables(source: Any) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Yield each list of records in a source."""
    if isinstance(source, str):
        yield from filter(lambda records: len(records) > 1, [_rows(source)])
    elif isinstance(source, Mapping):
        for value in source.values():
            yield from _tables(value)
    elif isinstance(source, list):
        records = [dict(_flat(item)) for item in source if isinstance(item, Mapping)]
        if len(records) > 1:
            yield records
        for item in source:
            yield from _tables(item)


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key} ")
        else:
            yield prefix + key, value


def _rows(text: str) -> list[Mapping[str, Any]]:
    if text.lstrip().startswith("|"):
        lines = [
            [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]
            for line in text.splitlines()
            if line.strip().startswith("|") and not re.fullmatch(r"[|\s:-]+", line)
        ]
    else:
        delimiter = max(",;\t", key=text.splitlines()[0].count)
        lines = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    header = lines[0] if lines else []
    return [dict(zip(header, line, strict=True)) for line in lines[1:] if len(line) == len(header)]


def main(argv: Sequence[str] | None = None) -> None:
    """Print how many sentences are judged right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--wrong", action="store_true", help="print false sentences that pass")
    args = parser.parse_args(argv)
    print(machine.show(machine.describe(["onnxruntime", "tokenizers"])))
    sentences = list(swaps(load_cases(TEST if args.split == "test" else TUNE)))
    judges = Judges(nli=OnnxNLI(), languages="any")
    audits = audit_many(
        _Sentence,
        [{"value": swap.text} for swap in sentences],
        context=[{"references": [swap.source.reference], "judges": judges} for swap in sentences],
    )
    passed = {True: 0, False: 0}
    count = {True: 0, False: 0}
    for swap, audit in zip(sentences, audits, strict=True):
        count[swap.holds] += 1
        passed[swap.holds] += audit.ok
        if args.wrong and args.split == "tune" and audit.ok != swap.holds:
            faults = [fault.slug for fault in audit.faults]
            print(f"{swap.source.id} holds={swap.holds} {swap.text} {faults}")
    print(f"own value accepted: {passed[True]} of {count[True]}")
    print(f"value of another record refused: {count[False] - passed[False]} of {count[False]}")


if __name__ == "__main__":
    main()
