"""Repairs of a faulty answer, by the policy of a data set.

A repair never invents: `snap` puts the reference's own words in the place of a quote with typos,
`drop-items` leaves faulty items of lists out. The repaired answer is audited once more.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic_core import from_json

from groundtypes.quotes.search import find_quote
from groundtypes.references import References
from groundtypes.rounds.inputs import without_items
from groundtypes.verdicts import Loc, Verdict

Policy = Literal["reject", "drop-items", "snap"]


def repair_answer(
    policy: Policy,
    answer: Any,
    faults: Sequence[Verdict],
    context: Mapping[str, Any],
) -> Any | None:
    """Return the answer with its faults repaired as the policy allows, or `None`.

    An answer that was given as JSON text is returned as JSON text. Dropping leaves no list empty.
    """
    if policy == "reject" or (policy == "drop-items" and empties_list(answer, faults)):
        return None
    data = answer
    if isinstance(answer, str):
        try:
            data = from_json(answer)
        except (ValueError, TypeError):  # a lone surrogate is a TypeError
            return None
    if policy == "drop-items":
        paths = {_item_path(data, fault.loc) for fault in faults} - {()}
        repaired = without_items(data, paths) if paths else data
    else:
        repaired = data
        for fault in faults:
            if fault.check == "Quoted":
                repaired = _snap(repaired, fault.loc, References.from_context(context))
    if repaired is data:
        return None
    return json.dumps(repaired, ensure_ascii=False) if isinstance(answer, str) else repaired


def empties_list(answer: Any, faults: Iterable[Verdict]) -> bool:
    """Return whether dropping the faulty items would leave a list of the answer empty."""
    data = answer
    if isinstance(answer, str | bytes):
        try:
            data = from_json(answer)
        except (ValueError, TypeError):
            return False
    removed = {_item_path(data, fault.loc) for fault in faults} - {()}
    lists: dict[tuple[Any, ...], int] = Counter(path[:-1] for path in removed)
    for path, count in lists.items():
        is_removed = any(path[:length] in removed for length in range(1, len(path) + 1))
        if count == len(_at(data, path)) and not is_removed:
            return True
    return False


def _item_path(data: Any, loc: Loc) -> tuple[Any, ...]:
    """Return the path of the innermost list item that contains a location; `()` if none does."""
    path = _path(data, loc)
    while path and not isinstance(_at(data, path[:-1]), list):
        path.pop()
    return tuple(path)


def _at(data: Any, path: Iterable[Any]) -> Any:
    for step in path:
        data = data[step]
    return data


def _snap(data: Any, loc: Loc, references: References) -> Any:
    """Return the data with the reference's own words in the place of the quote at `loc`."""
    path = _path(data, loc)
    quote = _at(data, path)
    if not isinstance(quote, str):
        return data
    match = find_quote(quote, references, fuzzy=True)
    if match is None or match.text == quote:
        return data
    return _replaced(data, path, match.text)


def _path(data: Any, loc: Loc) -> list[Any]:
    """Return the steps of a loc that the data have; Pydantic adds others, such as tags."""
    path: list[Any] = []
    for step in loc:
        is_key = isinstance(data, dict) and step in data
        if is_key or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            path.append(step)
            data = data[step]
    return path


def _replaced(data: Any, path: list[Any], value: str) -> Any:
    if not path:
        return value
    copy = data.copy()
    copy[path[0]] = _replaced(data[path[0]], path[1:], value)
    return copy
