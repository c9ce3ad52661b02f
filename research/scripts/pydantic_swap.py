"""A plugin for pytest that puts `Grounded` in the place of Pydantic's `BaseModel`.

`research/scripts/pydantic_suite.py` runs Pydantic's own tests with it. They import `BaseModel`
after the plugin, and so get `Grounded`. Where the variable `GROUNDTYPES_SWAP` is `rounds`, every
model is built as if it had checks, so that all of them are validated in rounds.
"""

import os
from typing import Any

import pydantic

from groundtypes import Grounded
from groundtypes.validation import grounded


def _has_check(*_: Any) -> tuple[bool, list[type]]:
    return True, []


setattr(pydantic, "BaseModel", Grounded)  # noqa: B010 # not what type checkers read
if os.environ.get("GROUNDTYPES_SWAP") == "rounds":
    setattr(grounded, "survey", _has_check)  # noqa: B010 # the same
