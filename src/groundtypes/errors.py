"""Every exception, and the messages of faults.

Two kinds of failure are kept apart. A *fault* is in the answer: it becomes a line of a
`pydantic.ValidationError` with a stable slug, and its message tells the LLM what to fix. A
*mistake* is in the program or its environment (no references, a dead endpoint): it is an exception
that Pydantic does not turn into a validation error, so that no LLM is asked to repair an outage.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from groundtypes.text.fault_messages import FAULTS, SLUGS
from groundtypes.text.message_excerpts import clip, encodable

__all__ = [
    "FAULTS",
    "SLUGS",
    "BackendError",
    "BudgetError",
    "CalibrationError",
    "CheckError",
    "CitationsError",
    "ContextError",
    "DatasetError",
    "LanguageError",
    "MarkerError",
    "MissingJudgeError",
    "MissingReferencesError",
    "MissingVerdictError",
    "Mistake",
    "RecordingError",
    "ReferencesError",
    "fault_message",
]


class Mistake(Exception):
    """Base of all groundtypes exceptions that are not the answer's fault; none causes a re-ask.

    It means an error in the configuration, in the environment or in an engine. It is deliberately
    neither a `ValueError` nor an `AssertionError`, because Pydantic turns those into validation
    errors. `is_outage` says that an engine could not be reached, whatever it was asked.
    """

    is_outage: bool = False

    def __str__(self) -> str:
        """Return the message, which can be encoded as UTF-8 whatever text it shows."""
        return encodable(super().__str__())


class MissingReferencesError(Mistake):
    """The validation context has no references."""

    def __init__(self, keys: Iterable[object] | None = None, *, message: str | None = None) -> None:
        """Take the keys of the context, `None` without one; or what is said in place of them."""
        self._message = message
        names = None if keys is None else sorted(clip(str(key), 40) for key in keys)[:10]
        self._names = names
        holds = "There is no context."
        if names is not None:
            holds = f"The context holds {names or 'nothing'}."
        super().__init__(
            message
            or f"The validation context has no 'references'. {holds} "
            "Pass context={'references': ...}: a text, a list of texts, a mapping from id to "
            "text, or documents. An empty list says that there are none. Where no context can be "
            "passed, validate inside of `with grounded_in(references):`."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the keys; the message is made of them again."""
        return partial(type(self), message=self._message), (self._names,)


class ReferencesError(Mistake):
    """The references cannot be read, because of their shape, an id or a text."""


class ContextError(Mistake):
    """The validation context, apart from its references, or another argument is invalid."""


class MissingJudgeError(Mistake):
    """A check needs an engine that is not configured or not installed."""


class LanguageError(Mistake):
    """A text is clearly in none of the languages that an engine reads, so it cannot be judged."""


class BackendError(Mistake):
    """An engine failed or returned something invalid; its own error is the `__cause__`."""


class BudgetError(Mistake):
    """The budget of an engine is used up."""


class CheckError(Mistake):
    """A check raised an unexpected exception, which is the `__cause__`: a bug in the check."""


class CitationsError(Mistake):
    """No answer with citations can be read from an object, which has the shape of no provider."""


class MissingVerdictError(Mistake):
    """A value of an answer has a check that has not judged it."""


class CalibrationError(Mistake):
    """Rows allow no calibration, or a calibration is invalid or belongs to another engine."""


class DatasetError(Mistake):
    """A data set cannot be read, checked or written with these files, options or model."""


class RecordingError(Mistake):
    """The calls of an LLM client cannot be recorded, or a recording cannot be written or read."""


class MarkerError(Mistake, TypeError):
    """A marker is on a type that it cannot judge, names a missing field, or has invalid options."""


_MAX_MESSAGE: Final = 700


def fault_message(template: str, /, **values: object) -> tuple[str, str]:
    """Return the slug and the message of a template in `FAULTS`, at most 700 characters of UTF-8.

    `values` are those of its placeholders, which are never read as templates themselves; `because`
    may be left out.
    """
    message = encodable(FAULTS[template].format(**{"because": "", **values}))
    return SLUGS[template], clip(message, _MAX_MESSAGE)
