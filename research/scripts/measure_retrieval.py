"""Print how often the reference that supports a claim is among the passages selected for it.

    python -m scripts.measure_retrieval wice_claims.jsonl.gz ...

Rows hold `context`, `response` and `label`. The contexts of all rows are the references; each
response with a row labelled `supported` is a claim, and the contexts of such rows support it.
"""

import gzip
import json
import sys
import time
from collections import defaultdict
from pathlib import Path

from groundtypes import References
from groundtypes.entailment.evidence.passage_index import select_passages
from groundtypes.entailment.evidence.premises import compose_premise


def main() -> None:
    """Print a line for each file."""
    for path in sys.argv[1:]:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row.get("context")]
        texts = list(dict.fromkeys(row["context"] for row in rows))
        ids = {text: str(number) for number, text in enumerate(texts)}
        supporting: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            if row["label"] == "supported":
                supporting[row["response"]].add(ids[row["context"]])
        references = References.of(texts)
        size = sum(map(len, texts))
        print(f"{Path(path).name}: {len(texts):,} references, {size:,} characters", end="; ")
        begun = time.perf_counter()
        select_passages(references, "")
        print(f"indexed in {time.perf_counter() - begun:.2f} s; {len(supporting):,} claims")
        begun = time.perf_counter()
        found = [
            [passage.span.reference for passage in select_passages(references, claim, 10)]
            for claim in supporting
        ]
        per_claim = (time.perf_counter() - begun) / len(supporting)
        for count in (1, 5, 10):
            hits = sum(
                bool(held & set(ids_[:count]))
                for ids_, held in zip(found, supporting.values(), strict=True)
            )
            print(f"  among the best {count:2}: {hits / len(supporting):.1%}")
        compose_premise(references, "")
        begun = time.perf_counter()
        hits = 0
        for claim, held in supporting.items():
            premise = compose_premise(references, claim)
            hits += premise is not None and any(span.reference in held for span in premise.spans)
        per_composed = (time.perf_counter() - begun) / len(supporting)
        print(f"  composed of sentences: {hits / len(supporting):.1%}")
        print(f"  {per_claim * 1e3:.2f} ms a claim; {per_composed * 1e3:.2f} ms composed")


if __name__ == "__main__":
    main()
