"""The budget of an LLM engine, and the meter of what it has used."""

import threading
from dataclasses import dataclass, replace

from groundtypes.backends.observing import current_observer
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import BudgetError


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits over all requests of an engine; a request that would exceed one is not sent.

    What a request costs in tokens is known only afterwards. It is taken to cost as much as the
    costliest so far, and the first one is sent alone.
    """

    calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an engine has used, in calls and tokens.

    `calls` are the requests that were sent: retries, redirects and replies that were sent back for
    repair are among them. Tokens are as the LLM states them, or else estimated from the length of
    the texts. `cached` questions needed no call.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0


class UsageMeter:
    """Counts the usage of an engine; many threads use it at once.

    A request reserves its tokens before it leaves, under the call that it belongs to.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._usage = Usage()
        self._reserved: dict[object, int] = {}
        self._costliest = 0
        self._lock = threading.Lock()
        renew_in_child(self)

    @property
    def budget(self) -> Budget:
        """The limits."""
        return self._budget

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._usage

    def check(self) -> None:
        """Do nothing while the budget allows a request.

        Raises:
            BudgetError: The budget is spent.
        """
        with self._lock:
            self._check()

    def _check(self) -> None:
        for unit, spent, limit in (
            ("calls", self._usage.calls, self._budget.calls),
            ("tokens", self._spent_tokens, self._budget.tokens),
        ):
            if limit is not None and spent >= limit:
                raise BudgetError(f"The budget of {limit} {unit} is spent.")

    def count_request(self, call: object) -> bool:
        """Count a request of a call; `False` if others have reserved the tokens that are left.

        Raises:
            BudgetError: The request would exceed the budget.
        """
        with self._lock:
            self._check()
            if self._budget.tokens is not None and call not in self._reserved:
                left = self._budget.tokens - self._spent_tokens
                # Of the first request nothing is known: it reserves everything.
                needed = self._costliest or left
                if needed > left - sum(self._reserved.values()):
                    if self._reserved:
                        return False
                    raise BudgetError(
                        f"The budget of {self._budget.tokens} tokens is spent, but for {left}."
                    )
                self._reserved[call] = needed
            self._usage = replace(self._usage, calls=self._usage.calls + 1)
            return True

    def count_tokens(self, call: object, tokens_in: int, tokens_out: int) -> None:
        """Count the tokens that were read and written for a request of a call."""
        with self._lock:
            usage = self._usage
            self._usage = replace(
                usage,
                tokens_in=usage.tokens_in + tokens_in,
                tokens_out=usage.tokens_out + tokens_out,
            )
            self._costliest = max(self._costliest, tokens_in + tokens_out)
            self._reserved.pop(call, None)

    def release(self, call: object) -> None:
        """Give back what a call has reserved and not used."""
        with self._lock:
            self._reserved.pop(call, None)

    def count_cached(self, questions: int) -> None:
        """Count questions that were answered from a cache."""
        if questions and (observer := current_observer()) is not None:
            observer.cache_hits("replies", questions)
        with self._lock:
            self._usage = replace(self._usage, cached=self._usage.cached + questions)

    def renew(self) -> None:
        """Make a new lock in a forked child, where no call is under way."""
        self._lock = threading.Lock()
        self._reserved = {}

    @property
    def _spent_tokens(self) -> int:
        return self._usage.tokens_in + self._usage.tokens_out
