"""Whether an engine failed because it could not be reached, and not because of a question."""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.errors import BudgetError

#: How the errors of clients that are no `OSError` are named where a service cannot be reached.
_OUTAGE: Final = re.compile(
    "Timeout|Connect|Transport|Unavailable|RateLimit|ReadError|WriteError|InternalServer"
)
#: A key that is not valid, no money left, no such model or address, time-out, too many requests;
#: beside them those from 500 on.
_OUTAGE_STATUSES: Final = frozenset({401, 402, 404, 408, 429})
_MAX_CHAIN: Final = 20


def is_outage(error: BaseException) -> bool:
    """Return whether an error says that the engine, and no question in particular, is the cause."""
    for cause in _causes(error):
        if isinstance(cause, OSError | BudgetError) or _OUTAGE.search(type(cause).__name__):
            return True
        status = getattr(cause, "status_code", None)
        if isinstance(status, int) and (status in _OUTAGE_STATUSES or status >= 500):
            return True
    return False


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that it was raised from."""
    for _ in range(_MAX_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
