"""Progress callbacks of a run."""

from groundtypes.row_files.counts import RunCounts


class Progress:
    """Callbacks of a run, which do nothing here; a subclass overrides those that it needs."""

    def started(self, total: int | None, offset: int) -> None:
        """Receive the size of the input, if it is known, and how much was read before, in bytes."""

    def advanced(self, offset: int, counts: RunCounts) -> None:
        """Receive the bytes read and the counts of all rows so far, after each batch."""

    def broken(self, number: int, reason: str) -> None:
        """Receive the number of a broken line (0 if it has none) and what is wrong with it."""

    def noted(self, text: str) -> None:
        """Receive a sentence about how the run goes, such as how many workers it has."""
