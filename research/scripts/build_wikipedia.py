"""Build `research/corpora/wikipedia.txt.gz`, the text of the speed benchmarks: one passage a line.

    python -m scripts.build_wikipedia --data FOLDER

FOLDER holds the public data sets under the names used below. `research/corpora/wikipedia.md` names
the origin and licence of each.
"""

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

from corpora.rows import read_rows
from corpora.wikipedia import PATH

#: A mark that the makers of one set left in its texts.
_MARK = "####SPECIAL####SEPARATOR####"


def _texts(data: Path) -> Iterator[str]:
    for row in read_rows(data / "grounded" / "factscore_contexts.jsonl.gz"):
        yield row["text"].replace(_MARK, " ")
    for row in read_rows(data / "refusal" / "clapnq_dev.jsonl.gz"):
        yield row["context"]
    for row in read_rows(data / "citation" / "quotesum_dev.jsonl.gz"):
        for source in row["sources"]:
            yield source["text"]


def main() -> None:
    """Write the passages, each once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    data: Path = parser.parse_args().data
    passages = dict.fromkeys(" ".join(text.split()) for text in _texts(data))
    # No time stamp inside, so that the same texts give the same bytes.
    PATH.write_bytes(gzip.compress("\n".join(passages).encode(), mtime=0))
    print(f"{len(passages)} passages, {sum(map(len, passages)):,} characters")


if __name__ == "__main__":
    main()
