"""Where a row of a table or an object of a JSON value is among the others: its path and pattern.

A path says which one it is, a pattern only of which kind: `orders[2].items[0]` is one of all
`orders[*].items[*]`. Two rows whose patterns are the same, or begin alike, are about different
records if their paths part.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from groundtypes.references.structure import Row

#: The elements of a path, from the outside in.
Path = tuple[str, ...]
_ELEMENT: Final = re.compile(r'\[\d+\]|\["(?:[^"\\]|\\.)*"?\]?|[^.\[\]]+')
_TABLE_ROW: Final = re.compile(r"(?:table (\d+), )?row (?:\d+|'.*')", re.DOTALL)
#: What stands in a pattern for an element that tells one record from another.
_ANY: Final = "*"
#: The element of a table begins with this, as no key does.
TABLE: Final = "|"
#: So many references are compared with each other: those of one shape hold records of one kind.
_MOST_SHAPES: Final = 100
#: So many values of a reference say what its shape is.
_SHAPE_VALUES: Final = 400


def row_paths(number: int, rows: Sequence[Row]) -> list[Path]:
    """Return the path of each row of the reference with this number."""
    paths: list[Path] = []
    for at, row in enumerate(rows):
        table = _TABLE_ROW.fullmatch(row.place)
        if table is not None:
            paths.append((str(number), f"{TABLE}{table[1] or ''}", f"[{at}]"))
        else:
            paths.append((str(number), *_ELEMENT.findall(row.place)))
    return paths


def patterns(
    paths: Mapping[int, Sequence[Path]], rows: Mapping[int, Sequence[Row]]
) -> dict[int, list[Path]]:
    """Return the pattern of each path, by the number of its reference.

    Positions in lists, rows of tables, the keys of objects of one shape, and references of one
    shape tell one record from another.
    """
    found: dict[int, list[Path]] = {}
    shapes: list[frozenset[tuple[Path, str]]] = []
    for number, own in paths.items():
        similar = _similar_keys(own, rows[number])
        bodies = [_body(path, similar) for path in own]
        shape = _shape(bodies, rows[number])
        known = enumerate(shapes[:_MOST_SHAPES])
        same = next((at for at, other in known if _alike(shape, other)), len(shapes))
        if same == len(shapes):
            shapes.append(shape)
        found[number] = [(f"{_ANY}{same}", *body) for body in bodies]
    return found


def key_of_record(path: Path, pattern: Path) -> str | None:
    """Return the key that names the record at a path, if a key tells it from others."""
    if len(path) < 2 or pattern[-1] != _ANY or _is_position(path[-1]):
        return None
    return path[-1].removeprefix('["').removesuffix('"]')


def begins(one: Path, other: Path) -> bool:
    """Whether one path or pattern is the beginning of the other, or the same."""
    size = min(len(one), len(other))
    return one[:size] == other[:size]


def _similar_keys(paths: Sequence[Path], rows: Sequence[Row]) -> set[Path]:
    """Return the paths whose last element is one of several keys of objects of one shape."""
    by_parent: dict[Path, dict[Path, frozenset[str]]] = {}
    for path, row in zip(paths, rows, strict=True):
        if len(path) > 1 and not _is_position(path[-1]):
            names = frozenset(cell.name for cell in row.cells)
            by_parent.setdefault(path[:-1], {})[path] = names
    similar: set[Path] = set()
    for children in by_parent.values():
        names, *others = children.values()
        if others and all(_alike(names, other) for other in others):
            similar.update(children)
    return similar


def _body(path: Path, similar: AbstractSet[Path]) -> Path:
    """Return the pattern of a path without its first element, the number of its reference."""
    return tuple(
        _ANY if _is_position(path[at]) or path[: at + 1] in similar else path[at]
        for at in range(1, len(path))
    )


def _is_position(element: str) -> bool:
    return element.startswith("[") and not element.startswith('["')


def _shape(bodies: Sequence[Path], rows: Sequence[Row]) -> frozenset[tuple[Path, str]]:
    pairs: set[tuple[Path, str]] = set()
    for body, row in zip(bodies, rows, strict=True):
        pairs.update((body, cell.name) for cell in row.cells)
        if len(pairs) > _SHAPE_VALUES:
            break
    return frozenset(pairs)


def _alike(one: AbstractSet[object], other: AbstractSet[object]) -> bool:
    """Whether two sets of names have more than half in common."""
    return len(one & other) * 2 > max(len(one), len(other))
