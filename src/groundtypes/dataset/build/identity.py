"""Which run a work folder belongs to: its options, noted when it starts."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundtypes.dataset.io.files import mistake_of
from groundtypes.dataset.io.lines import json_bytes
from groundtypes.errors import DatasetError

__all__ = ["check_same", "name_of", "read_json"]


def name_of(thing: Any) -> str:
    """Return where a class or function is found; of anything else what it says of itself."""
    module, name = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
    if module and name:
        return f"{module}:{name}"
    return f"{type(thing).__name__} {hashlib.sha256(repr(thing).encode()).hexdigest()[:12]}"


def read_json(path: Path) -> dict[str, Any]:
    """Return what a file of ours holds.

    Raises:
        DatasetError: It cannot be read.
    """
    try:
        read: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise mistake_of(error, f"read {path}") from error
    except ValueError as error:
        raise DatasetError(f"{path} is damaged. Start again with --overwrite.") from error
    return read


def check_same(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to continue a run with other options.

    Raises:
        DatasetError: It names each difference.
    """
    now = json.loads(json_bytes(now))
    differing = [
        name for name in sorted(earlier.keys() | now.keys()) if earlier.get(name) != now.get(name)
    ]
    if differing:
        told = "; ".join(
            f"{name} was {earlier.get(name)!r} and is {now.get(name)!r}" for name in differing
        )
        raise DatasetError(
            f"The interrupted run is another one: {told[:600]}. Give what it was given, or start "
            "again with --overwrite instead of --resume."
        )
