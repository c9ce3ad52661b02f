"""The files of the judge that groundtypes has trained: a package of its own, without code."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import MissingJudgeError

_PACKAGE: Final = "groundtypes_judge"


def judge_folder() -> Path:
    """Return the folder with the LoRA of the judge, or raise a `MissingJudgeError`."""
    try:
        folder: Path = import_module(_PACKAGE).FOLDER
    except ModuleNotFoundError as error:
        if error.name != _PACKAGE:
            raise
        raise MissingJudgeError(
            "The judge needs its weights, which are a package of their own: "
            "pip install groundtypes-judge"
        ) from error
    return folder


def judge_facts() -> dict[str, Any]:
    """Return what the LoRA belongs to, and how its scores are read."""
    facts: dict[str, Any] = json.loads((judge_folder() / "judge.json").read_text("utf-8"))
    return facts
