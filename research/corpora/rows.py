"""Reads the files in which the public data sets are kept."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["read_rows"]


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a gzipped JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
