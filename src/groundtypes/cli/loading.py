"""What a command line names in a module of the user's: a model, a prompt."""

import importlib
import sys
import traceback
from pathlib import Path
from typing import Any, get_origin

from groundtypes.errors import DatasetError, clip

__all__ = ["load", "load_model"]


def load_model(name: str) -> Any:
    """Return the model that `module:name` stands for; the working folder can be imported from.

    Raises:
        DatasetError: There is no such model, or its module cannot be imported.
    """
    found = load(name, "--model")
    if not isinstance(found, type) and get_origin(found) is None:
        raise DatasetError(f"{name} is no model but a {type(found).__name__}.")
    return found


def load(name: str, option: str) -> Any:
    """Return what `module:name` stands for, as the value of an option.

    Raises:
        DatasetError: There is nothing of this name, or its module cannot be imported.
    """
    module_name, colon, attributes = name.partition(":")
    if not (module_name and colon and attributes):
        raise DatasetError(f"{option} is {name!r}; it must read package.module:Name")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise DatasetError(f"Cannot import {module_name}: {_brief(error)}") from error
    for attribute in attributes.split("."):
        try:
            found = getattr(found, attribute)
        except AttributeError as error:
            raise DatasetError(f"Module {module_name} has no {attributes}.") from error
    return found


def _brief(error: BaseException) -> str:
    """Return the error and where it was raised, on one line."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "importlib" not in frame.filename
    ]
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    return f"{type(error).__name__}: {clip(str(error), 300)}{place}"
