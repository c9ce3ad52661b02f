"""Objects of the user's own modules that a command line names, such as a model or a prompt."""

import importlib
import sys
import traceback
from pathlib import Path
from typing import Any, get_origin

from groundtypes.errors import DatasetError, clip

__all__ = ["load", "load_model"]


def load_model(name: str) -> Any:
    """Return the model that `module:name` names; modules are also found in the working folder.

    Raises:
        DatasetError: There is no such model, or its module cannot be imported.
    """
    model = load(name, "--model")
    if not isinstance(model, type) and get_origin(model) is None:
        raise DatasetError(f"{name} is a {type(model).__name__}, not a model class.")
    return model


def load(name: str, option: str) -> Any:
    """Return the object that `module:name` names; `option` is the option that it is given to.

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
        value: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise DatasetError(f"Cannot import {module_name}: {_summary(error)}") from error
    for attribute in attributes.split("."):
        try:
            value = getattr(value, attribute)
        except AttributeError as error:
            raise DatasetError(f"Module {module_name} has no {attributes}.") from error
    return value


def _summary(error: BaseException) -> str:
    """Return the error and where it was raised, on one line."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "importlib" not in frame.filename
    ]
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    return f"{type(error).__name__}: {clip(str(error), 300)}{place}"
