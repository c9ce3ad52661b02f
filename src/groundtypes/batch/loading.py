"""Objects of the user's own modules that are named by a text, such as a model or a prompt."""

import importlib
import os
import sys
import traceback
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, get_origin

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors, resolved
from groundtypes.text.message_excerpts import clip


def load_model(name: str, option: str = "--model") -> Any:
    """Return the model that `module:name` or `file.py:name` names, given to this option."""
    model = load(name, option)
    if not isinstance(model, type) and get_origin(model) is None:
        raise DatasetError(
            f"{name} is an object of type {type(model).__name__}, not a model class."
        )
    return model


def load(name: str, option: str) -> Any:
    """Return the object that `module:name` names.

    `option` is the option or argument that the name is given to. A module is also found in the
    working folder; `path/file.py:name` is one of any folder. Only then is the folder searched for
    modules: elsewhere a file beside the data must not pass for an installed package.
    """
    module_name, colon, attributes = name.rpartition(":")
    if not (module_name and colon and attributes):
        raise DatasetError(
            f"{option} is {name!r}; it must read package.module:Name or path/file.py:Name"
        )
    folder = file = None
    if module_name.endswith(".py") or "/" in module_name or os.sep in module_name:
        file = Path(module_name)
        with file_errors(f"read {file}"):
            if not file.is_file():
                raise DatasetError(f"{option} is {name!r}, but there is no file {file}.")
        folder, module_name = str(resolved(file).parent), file.stem
    elif (top := module_name.partition(".")[0]) not in sys.modules:
        with file_errors("read the working folder"):
            here = str(Path.cwd())
        folder = here if PathFinder.find_spec(top, [here]) else None
    if folder is not None and folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        value: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise DatasetError(f"Cannot import {module_name}: {_summary(error)}") from error
    if file is not None and not _is_from(value, file):
        raise DatasetError(f"{file} has the name of another module, {module_name}. Rename it.")
    for attribute in attributes.split("."):
        try:
            value = getattr(value, attribute)
        except AttributeError as error:
            raise DatasetError(f"Module {module_name} has no {attributes}.") from error
    return value


def _is_from(module: Any, file: Path) -> bool:
    try:
        return file.samefile(module.__file__)
    except (AttributeError, TypeError, OSError):  # a module that is built in has no file
        return False


def _summary(error: BaseException) -> str:
    """Return the error and where it was raised, on one line."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "importlib" not in frame.filename
    ]
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    return f"{type(error).__name__}: {clip(str(error), 300)}{place}"
