"""How far a run has come, in a small file, so that an interrupted one can go on."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from groundtypes.dataset.io.files import mistake_of, replace_file
from groundtypes.dataset.io.lines import json_bytes
from groundtypes.errors import DatasetError

__all__ = ["State"]

_FORMAT: Final = 1


@dataclass(slots=True, kw_only=True)
class State:
    """A run up to a whole batch.

    `identity` says which run it is: input, its size, model, keys and outputs. `offset`, `number`
    and `digest` are the bytes and lines read and the hash of those bytes, `lengths` the bytes
    written to each output. `finished` is set when all is read and only the renaming is left.
    """

    identity: dict[str, Any]
    offset: int = 0
    number: int = 0
    digest: str = ""
    lengths: dict[str, int] = field(default_factory=dict)
    tally: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    finished: bool = False

    def save(self, path: Path) -> None:
        """Write the state; the file is the old one or the new one at any time."""
        replace_file(path, json_bytes({"format": _FORMAT, **asdict(self)}))

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Return the state of an interrupted run, if there is one.

        Raises:
            DatasetError: The file cannot be read as a state.
        """
        try:
            data = json.loads(path.read_bytes())
            if data.pop("format") != _FORMAT:
                raise DatasetError(f"{path} was written by another version of groundtypes.")
            return cls(**data)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise mistake_of(error, f"read {path}") from error
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DatasetError(
                f"{path} is damaged. Start again with --overwrite instead of --resume."
            ) from error

    def check_identity(self, now: Mapping[str, Any]) -> None:
        """Refuse to continue a run with another input, model or option.

        Raises:
            DatasetError: It names each difference.
        """
        differences = [
            f"{name} was {self.identity.get(name)!r} and is {now.get(name)!r}"
            for name in sorted(self.identity.keys() | now.keys())
            if self.identity.get(name) != now.get(name)
        ]
        if differences:
            raise DatasetError(
                f"The interrupted run is another one: {'; '.join(differences)}. Give what it was "
                "given, or start again with --overwrite instead of --resume."
            )
