"""Answers that hold, fail and cannot be judged, for the tests of all platforms."""

from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from groundtypes import Grounded, NLIScores, Pair, Quote


def needs(package: str) -> list[pytest.MarkDecorator]:
    """Return the marks of tests with a platform: they are skipped where it is not installed."""
    is_missing = find_spec(package) is None
    return [
        pytest.mark.platforms,
        pytest.mark.skipif(is_missing, reason="make test-platforms installs it"),
    ]


REFERENCES = ["The tower was finished in 1889. It is 12.5 metres wide at the top."]
RIGHT = "The tower was finished in 1889."
WRONG = "The tower was finished in 1898."


class Answer(Grounded):
    """A quote."""

    quote: Quote


class Broken:
    """An engine that fails."""

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        raise TimeoutError("down")
