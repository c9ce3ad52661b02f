"""The arguments of `estimate`, checked before anything is read."""

import os
from typing import Any

from groundtypes.backends.by_name import NLI_NAMES, is_nli_name
from groundtypes.dataset.build.asking import AskOptions
from groundtypes.errors import DatasetError
from groundtypes.judges import Judges
from groundtypes.row_files.progress import Progress
from groundtypes.row_files.rows import Keys

__all__ = ["check_arguments"]


def check_arguments(source: object, **given: Any) -> None:
    """Raise unless the arguments of `estimate` are what their types say.

    Raises:
        DatasetError: One is not; the message names it.
    """
    _check_path("source", source)
    if str(source) == "-":
        raise DatasetError(
            "An estimate reads rows from places all over a file, and standard input has none: "
            "write the rows to a file first."
        )
    if given["journal"] is not None:
        _check_path("journal", given["journal"])
    for name in ("batch", "workers"):
        if not _is_whole(given[name]) or given[name] < 1:
            raise DatasetError(
                f"`{name}` must be a whole number of at least 1, not {given[name]!r}"
            )
    if not _is_whole(given["seed"]):
        raise DatasetError(f"`seed` must be a whole number, not {given['seed']!r}")
    if given["call_seconds"] is not None:
        _check_seconds("call_seconds", given["call_seconds"])
    _check_seconds("budget", given["budget"])
    _check_type("keys", given["keys"], Keys)
    _check_type("progress", given["progress"], Progress)
    if isinstance(given["judges"], str) and not is_nli_name(given["judges"]):
        raise DatasetError(
            f"`judges` must be of the type Judges or one of {NLI_NAMES}, not {given['judges']!r}"
        )
    if given["judges"] is not None and not isinstance(given["judges"], str):
        _check_type("judges", given["judges"], Judges)
    if given["ask"] is not None:
        _check_type("ask", given["ask"], AskOptions)
    for name in ("prompt", "reply"):
        if given[name] is not None and not callable(given[name]):
            raise DatasetError(f"`{name}` must be a function, not {given[name]!r}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_path(name: str, value: object) -> None:
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise DatasetError(f"`{name}` must be the path of a file, not {value!r}")


def _check_seconds(name: str, value: Any) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value < float("inf"):
        raise DatasetError(f"`{name}` must be a number of seconds, 0 or more, not {value!r}")


def _check_type(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise DatasetError(
            f"`{name}` must be of the type {kind.__name__}, not {type(value).__name__}"
        )
