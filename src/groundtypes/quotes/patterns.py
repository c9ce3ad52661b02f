"""Patterns that are compiled when they are first needed: most searches never need them."""

import re
from functools import cache


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern."""
    return re.compile(pattern)
