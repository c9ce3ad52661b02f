"""The budget of an LLM engine, and the meter of what it has used."""

import threading
from dataclasses import dataclass, replace

from groundtypes.errors import BudgetError
from groundtypes.forking import renew_in_child

__all__ = ["Budget", "Usage", "UsageMeter"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits over all calls of an engine; no call starts once one of them is reached."""

    calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an engine has used, in calls and tokens.

    `calls` are attempts; a repair within an attempt is not counted. `cached` questions needed no
    call.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0


class UsageMeter:
    """Counts the usage of an engine; many threads use it at once."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._usage = Usage()
        self._lock = threading.Lock()
        renew_in_child(self)

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._usage

    def count_call(self) -> None:
        """Count a call that is about to be made.

        Raises:
            BudgetError: The budget is spent.
        """
        with self._lock:
            usage = self._usage
            for unit, spent, limit in (
                ("calls", usage.calls, self._budget.calls),
                ("tokens", usage.tokens_in + usage.tokens_out, self._budget.tokens),
            ):
                if limit is not None and spent >= limit:
                    raise BudgetError(f"The budget of {limit} {unit} is spent.")
            self._usage = replace(usage, calls=usage.calls + 1)

    def count_tokens(self, tokens_in: int, tokens_out: int) -> None:
        """Count the tokens that were read and written for a call."""
        with self._lock:
            usage = self._usage
            self._usage = replace(
                usage,
                tokens_in=usage.tokens_in + tokens_in,
                tokens_out=usage.tokens_out + tokens_out,
            )

    def count_cached(self, questions: int) -> None:
        """Count questions that were answered from a cache."""
        with self._lock:
            self._usage = replace(self._usage, cached=self._usage.cached + questions)

    def renew(self) -> None:
        """Make a new lock in a forked child."""
        self._lock = threading.Lock()
