"""Functions that never raise: telemetry that fails must not make an answer fail."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

from groundtypes.backends.logs import Log

_P = ParamSpec("_P")
_LOG: Final = Log("groundtypes.integrations.telemetry")
#: The functions whose failure has been logged as a warning.
_warned: Final[set[str]] = set()


def guarded(function: Callable[_P, object]) -> Callable[_P, None]:
    """Return a function that does the same, but raises no `Exception`.

    The first failure is logged as a warning, others for debugging. The message has the kind of the
    error alone, because its text may have been made from an attribute.
    """

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 # providers, processors and exporters may raise anything
            name = function.__qualname__
            log = _LOG.debug if name in _warned else _LOG.warning
            _warned.add(name)
            log("Telemetry failed in %s: %s", name, type(error).__name__)

    return call
