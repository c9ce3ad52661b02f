"""Passages of Wikipedia, which the benchmarks search; `wikipedia.md` names their origin."""

import gzip
from pathlib import Path
from typing import Final

__all__ = ["PATH", "wikipedia_passages"]

PATH: Final = Path(__file__).with_name("wikipedia.txt.gz")


def wikipedia_passages() -> list[str]:
    """Return the 961 passages, each a line of text and each once."""
    return gzip.decompress(PATH.read_bytes()).decode().split("\n")
