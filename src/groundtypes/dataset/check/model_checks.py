"""What a model checks: another model must not go on with the run of this one."""

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from math import isfinite
from typing import Any, Final

from pydantic import TypeAdapter

from groundtypes.backends.operating_point import read_calibration
from groundtypes.judges import Judges
from groundtypes.row_files.json_lines import content_id
from groundtypes.scoring import THRESHOLD
from groundtypes.text.message_excerpts import clip
from groundtypes.validators.check import Check, checks_of_validator
from groundtypes.validators.check_group import CheckGroup
from groundtypes.validators.entailed import Entailed

#: Where an object is in the memory of a process, in its `repr`.
_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")


def schema_id(adapter: TypeAdapter[Any]) -> str | None:
    """Return a hash of the model's JSON schema, if it has one."""
    try:
        return content_id(adapter.json_schema())
    except Exception:  # noqa: BLE001 # a user's own type may raise anything
        return None


def checks_of(adapter: TypeAdapter[Any], judges: Judges) -> list[dict[str, Any]]:
    """Return every check of a model: its field, its name, and its options with the thresholds.

    Where `Entailed` names no threshold, it is that of the judges.
    """
    entries: dict[str, dict[str, Any]] = {}
    for check, place in _checks(adapter.core_schema):
        options = {
            option.name: _plain(getattr(check, option.name)) for option in dataclasses.fields(check)
        }
        if isinstance(check, Entailed) and check.threshold is None:
            options |= _operating_point(judges)
        entry = {"field": place, "check": check.name, "options": options}
        entries.setdefault(json.dumps(entry, sort_keys=True), entry)
    return [entries[key] for key in sorted(entries)]


def _operating_point(judges: Judges) -> dict[str, Any]:
    """Return the threshold and the review band of the judges, without loading their engine."""
    if judges.calibration is None:
        return {"threshold": THRESHOLD}
    found = read_calibration(judges.calibration)
    band = {} if found.band is None else {"band": dataclasses.asdict(found.band)}
    return {"threshold": found.threshold, **band}


def _checks(schema: Any) -> Iterator[tuple[Check, str]]:
    """Yield the checks in a core schema with their fields, as `Class.field`."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            waiting.extend(part.values())
        elif isinstance(part, list | tuple):
            waiting.extend(part)
        else:
            field = part.field.label if isinstance(part, CheckGroup) else ""
            yield from ((check, field) for check in checks_of_validator(part))


def _plain(option: Any) -> Any:
    if isinstance(option, float) and not isfinite(option):  # for which JSON has no form
        return str(option)
    if option is None or isinstance(option, bool | int | float | str):
        return option
    if isinstance(option, list | tuple):
        return [_plain(item) for item in option]
    if isinstance(option, AbstractSet):  # another process has another order
        return sorted(map(str, map(_plain, option)))
    return clip(_ADDRESS.sub("", repr(option)), 200)
