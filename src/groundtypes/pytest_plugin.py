"""The plugin of pytest: the fixture `grounded_references`.

pytest imports it wherever groundtypes is installed, so that it loads nothing before a test asks for
the fixture.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from groundtypes.judges import Judges
    from groundtypes.references import References

__all__ = ["GroundReferences", "grounded_references"]


class GroundReferences(Protocol):
    """What the fixture `grounded_references` is: a function that gives references to a test."""

    def __call__(
        self, references: Any, *, question: str | None = None, judges: "Judges | None" = None
    ) -> "References":
        """Give references to every validation until the test ends, and return them."""
        ...


@pytest.fixture
def grounded_references() -> Iterator[GroundReferences]:
    """Give references to the rest of a test: `grounded_references(references)`.

    Until the test ends, models find them without a `context=`, and `assert_grounded` without an
    argument. A later call in the same test goes before an earlier one. The arguments are those of
    `grounded_in`.
    """
    from groundtypes.rounds.grounding import grounded_in  # noqa: PLC0415 # only tests that use it load it

    with ExitStack() as blocks:

        def ground(
            references: Any, *, question: str | None = None, judges: "Judges | None" = None
        ) -> "References":
            block = grounded_in(references, question=question, judges=judges)
            blocks.enter_context(block)
            return block.references

        yield ground
