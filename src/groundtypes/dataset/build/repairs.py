"""What may be done to a faulty answer before it is thrown away.

A repair never invents: `snap` puts the reference's own words in the place of a quote with slips
of the pen, `drop-items` leaves faulty items of lists out. What comes out is judged once more.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic_core import from_json

from groundtypes.quotes.search import find_quote
from groundtypes.references import References
from groundtypes.rounds.inputs import remove_items
from groundtypes.verdicts import Loc, Verdict

__all__ = ["Policy", "repaired"]

Policy = Literal["reject", "drop-items", "snap"]


def repaired(
    policy: Policy, answer: Any, faults: Iterable[Verdict], context: Mapping[str, Any]
) -> Any | None:
    """Return the answer with its faults repaired as the policy allows, or `None`.

    An answer that was given as JSON text comes back as such.
    """
    if policy == "reject":
        return None
    data = answer
    if isinstance(answer, str):
        try:
            data = from_json(answer)
        except ValueError:
            return None
    if policy == "drop-items":
        new = remove_items(data, [fault.loc for fault in faults])
    else:
        new = data
        for fault in faults:
            if fault.check == "Quoted":
                new = _snapped(new, fault.loc, References.from_context(context))
    if new is data:
        return None
    return json.dumps(new, ensure_ascii=False) if isinstance(answer, str) else new


def _snapped(data: Any, loc: Loc, references: References) -> Any:
    path = _path(data, loc)
    value = data
    for step in path:
        value = value[step]
    if not isinstance(value, str):
        return data
    match = find_quote(value, references, fuzzy=True)
    if match is None or match.text == value:
        return data
    return _replaced(data, path, match.text)


def _path(data: Any, loc: Loc) -> list[Any]:
    """Return the steps of a loc that stand in the data; Pydantic adds others, such as tags."""
    path: list[Any] = []
    for step in loc:
        inside = isinstance(data, dict) and step in data
        if inside or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            path.append(step)
            data = data[step]
    return path


def _replaced(data: Any, path: list[Any], value: str) -> Any:
    if not path:
        return value
    copy = data.copy()
    copy[path[0]] = _replaced(data[path[0]], path[1:], value)
    return copy
