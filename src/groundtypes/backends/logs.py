"""What the package logs, with the standard library's `logging`: nothing unless it is asked for.

The loggers are named like the modules, under `groundtypes`. Messages name engines, models, numbers
and kinds of errors: no answer, reference, question or key. All are of the levels DEBUG and INFO,
apart from telemetry that fails (WARNING).

`logging` takes longer to import than this whole package. A program that has not imported it has no
handler that could show a message, so it is not imported here.
"""

import sys
from typing import Any


class Log:
    """The logger of a module."""

    __slots__ = ("_logger", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._logger: Any = None

    def debug(self, message: str, *values: object) -> None:
        """Log what helps to find an error."""
        self._log(10, message, values)

    def info(self, message: str, *values: object) -> None:
        """Log what an operator may want to know."""
        self._log(20, message, values)

    def warning(self, message: str, *values: object) -> None:
        """Log what is wrong, although answers are judged all the same."""
        self._log(30, message, values)

    def _log(self, level: int, message: str, values: tuple[object, ...]) -> None:
        logger = self._logger
        if logger is None:
            logging: Any = sys.modules.get("logging")
            if not hasattr(logging, "getLogger"):  # not imported, or just being imported
                return
            root = logging.getLogger("groundtypes")
            if not root.handlers:
                # Without a handler, Python itself would print warnings.
                root.addHandler(logging.NullHandler())
            logger = self._logger = logging.getLogger(self._name)
        if logger.isEnabledFor(level):
            logger.log(level, message, *values)
