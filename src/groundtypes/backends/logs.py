"""What the package logs, with the standard library's `logging`: nothing unless it is asked for.

Messages name engines, models, numbers and kinds of errors: no answer, reference, question or key.
`logging` is slow to import, and without it there is no handler, so it is not imported here.
"""

import sys
from functools import partial
from typing import Any


class Log:
    """The logger of a module, by the module's name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._logger: Any = None
        self.debug = partial(self._log, 10)
        self.info = partial(self._log, 20)
        self.warning = partial(self._log, 30)

    def _log(self, level: int, message: str, *values: object) -> None:
        if self._logger is None:
            logging: Any = sys.modules.get("logging")
            if not hasattr(logging, "getLogger"):  # not imported, or just being imported
                return
            root = logging.getLogger("groundtypes")
            if not root.handlers:
                # Without a handler, Python itself would print warnings.
                root.addHandler(logging.NullHandler())
            self._logger = logging.getLogger(self._name)
        if self._logger.isEnabledFor(level):
            self._logger.log(level, message, *values)
