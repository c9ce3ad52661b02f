"""What becomes of the mistakes of many answers: each is that of its row, or it ends the run.

A row that cannot be judged does not keep the others from being judged. But a missing engine is no
row's mistake, and an engine that fails for row after row would only fail once more.
"""

import traceback
from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

from groundtypes.errors import (
    BackendError,
    BudgetError,
    CalibrationError,
    CheckError,
    ContextError,
    DatasetError,
    LanguageError,
    MarkerError,
    MissingJudgeError,
    MissingReferencesError,
    MissingVerdictError,
    Mistake,
    RecordingError,
    ReferencesError,
)
from groundtypes.text.message_excerpts import clip

_Row = TypeVar("_Row")
_Result = TypeVar("_Result")

#: What is done with a row that cannot be judged: its mistake is raised, or kept as the row's.
OnMistake: TypeAlias = Literal["raise", "keep"]

#: Mistakes of the program, its environment or its budget, which every row would make.
_OF_ALL_ROWS: Final = (
    *(BudgetError, CalibrationError, DatasetError, MarkerError, MissingJudgeError, RecordingError),
    MemoryError,
)
#: Mistakes that the texts of a row cause, or the model with these texts, however many rows do so.
_OF_ONE_ROW: Final = (
    *(CheckError, LanguageError, MissingReferencesError, MissingVerdictError, ReferencesError),
)
#: For so many rows, one after the other, an engine may fail: by an outage, and otherwise.
_MOST_OUTAGES: Final = 3
_MOST_FAILURES: Final = 50


class RowMistakes:
    """Keeps the mistakes of the rows of a run, and ends the run if they are not those of rows."""

    def __init__(self) -> None:
        self._failures = 0
        self._any_judged = False

    @staticmethod
    def when(on_mistake: OnMistake) -> "RowMistakes | None":
        """Return where mistakes are kept; `None` if they are raised."""
        check_on_mistake(on_mistake)
        return RowMistakes() if on_mistake == "keep" else None

    @staticmethod
    def of_row(error: Exception) -> Mistake:
        """Return the mistake of one row, not of all; another error becomes a `CheckError`."""
        if isinstance(error, _OF_ALL_ROWS):
            raise error
        if isinstance(error, Mistake):
            return error
        mistake = CheckError(failure_reason(error))
        mistake.__cause__ = error
        return mistake

    def apart(
        self, rows: Sequence[_Row], judge: Callable[[Sequence[_Row]], Sequence[_Result]]
    ) -> list[_Result | Mistake]:
        """Return what `judge` returns for each row, or the mistake of the row.

        If it fails, the rows are judged one by one until that succeeds, and then the halves of the
        others. So a few calls find the row that cannot be judged, or that none can be.
        """
        try:
            results: list[_Result | Mistake] = [*judge(rows)]
        except Exception as error:  # noqa: BLE001 # a model of the user's may raise anything
            mistake = self.of_row(error)
            if len(rows) == 1:
                self._count_failure(mistake)
                return [mistake]
        else:
            self._failures = 0
            return results
        results = []
        for number in range(len(rows)):
            results += self.apart(rows[number : number + 1], judge)
            if not isinstance(results[-1], Mistake):
                break
        others = rows[len(results) :]
        middle = (len(others) + 1) // 2
        for part in (others[:middle], others[middle:]):
            results += self.apart(part, judge) if part else []
        return results

    def _count_failure(self, mistake: Mistake) -> None:
        if not isinstance(mistake, BackendError):
            return
        self._failures += 1
        most = _MOST_OUTAGES if mistake.is_outage else _MOST_FAILURES
        if self._failures >= most:
            raise BackendError(
                f"The run was stopped, because the engine failed for {self._failures} rows, one "
                f"after the other. The last time: {mistake}"
            ) from mistake

    def end_batch(self, mistakes: Sequence[Mistake | None]) -> None:
        """Note the mistake of each row of a batch; raise one if nothing was judged in this run."""
        kept = [mistake for mistake in mistakes if mistake is not None]
        self._any_judged = self._any_judged or len(kept) < len(mistakes)
        if kept and not self._any_judged:
            others = [mistake for mistake in kept if not isinstance(mistake, _OF_ONE_ROW)]
            if len(others) == len(kept):
                raise others[0]


def check_on_mistake(on_mistake: object) -> None:
    """Raise a `ContextError` if a value of an argument `on_mistake` is none."""
    if on_mistake not in ("raise", "keep"):
        raise ContextError(
            f'on_mistake is {clip(repr(on_mistake), 60)}; it must be "raise" or "keep"'
        )


def failure_reason(error: Exception) -> str:
    """Return in one sentence what failed, and where a model of the user's raised."""
    if isinstance(error, Mistake):
        return clip(str(error), 500)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"the model raised {type(error).__name__}: {clip(str(error), 300)}{place}"
