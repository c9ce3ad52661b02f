"""Build `benchmarks/data/wikipedia.txt.gz`, the text of the speed benchmarks: a passage a line.

    python benchmarks/build_text.py --data FOLDER

FOLDER holds the public data sets under the names used below. `benchmarks/data/wikipedia.md` tells
the origin and licence of each.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent / "data" / "wikipedia.txt.gz"
#: A mark that the makers of one set left in its texts.
_MARK = "####SPECIAL####SEPARATOR####"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _texts(data: Path) -> Iterator[str]:
    for row in _rows(data / "grounded" / "factscore_contexts.jsonl.gz"):
        yield row["text"].replace(_MARK, " ")
    for row in _rows(data / "refusal" / "clapnq_dev.jsonl.gz"):
        yield row["context"]
    for row in _rows(data / "citation" / "quotesum_dev.jsonl.gz"):
        for source in row["sources"]:
            yield source["text"]


def main() -> None:
    """Write the passages, each once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    data: Path = parser.parse_args().data
    passages = dict.fromkeys(" ".join(text.split()) for text in _texts(data))
    # No time stamp inside, so that the same texts give the same bytes.
    OUT.write_bytes(gzip.compress("\n".join(passages).encode(), mtime=0))
    print(f"{len(passages)} passages, {sum(map(len, passages)):,} characters")


if __name__ == "__main__":
    main()
