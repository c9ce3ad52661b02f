"""Names of modules that have another value, from the moment that the module is imported.

A statement is added behind the last one that binds the name. So all that the module makes of the
name afterwards, and all modules that import it, have the new value.
"""

import ast
import re
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

__all__ = ["Replacement", "install", "read_replacement", "replaced"]

_FORM: Final = re.compile(r"([\w.]+):([\w.]+)=(.+)", re.DOTALL)


class Replacement(NamedTuple):
    """A module, a name in it, and the Python expression that gives its value.

    `Class.method` is a name, too. The expression may use the old value by its name.
    """

    module: str
    name: str
    expression: str

    def __str__(self) -> str:
        return f"{self.module}:{self.name}={self.expression}"


def read_replacement(text: str) -> Replacement:
    """Return what `module:name=expression` says; a module is named within `groundtypes`.

    Raises:
        ValueError: The text has another form.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not of the form module:name=expression: {text}")
    return Replacement(f"groundtypes.{match[1].removeprefix('groundtypes.')}", match[2], match[3])


def install(replacements: Iterable[Replacement]) -> None:
    """Have modules that are imported from now on changed.

    Raises:
        ValueError: A module is imported already.
    """
    by_module: dict[str, list[Replacement]] = {}
    for replacement in replacements:
        if replacement.module in sys.modules:
            raise ValueError(f"{replacement.module} is imported already")
        by_module.setdefault(replacement.module, []).append(replacement)
    sys.meta_path.insert(0, _Finder(by_module))


def replaced(tree: ast.Module, replacements: Iterable[Replacement]) -> ast.Module:
    """Return the module with a further assignment for each replacement.

    Raises:
        ValueError: A name is not bound at the top of the module or class.
    """
    for replacement in replacements:
        body = tree.body
        *classes, name = replacement.name.split(".")
        for class_name in classes:
            body = getattr(body[_last(body, class_name, replacement)], "body", [])
        [assignment] = ast.parse(f"{name} = ({replacement.expression})").body
        body.insert(_last(body, name, replacement) + 1, assignment)
    return ast.fix_missing_locations(tree)


def _last(body: Sequence[ast.stmt], name: str, replacement: Replacement) -> int:
    """Return the place of the last statement that binds a name."""
    places = [place for place, statement in enumerate(body) if name in _bound(statement)]
    if not places:
        raise ValueError(f"{replacement.module} does not bind {name} ({replacement})")
    return places[-1]


def _bound(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            names = [node for target in targets for node in ast.walk(target)]
            return {node.id for node in names if isinstance(node, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {alias.asname or alias.name for alias in names}
    return set()


class _Loader(SourceFileLoader):
    """Loads a module with replacements, past the cache of compiled modules."""

    def __init__(self, name: str, path: str, replacements: Sequence[Replacement]) -> None:
        super().__init__(name, path)
        self._replacements = replacements

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 # as the base class has it
        tree = ast.parse(self.get_data(self.path), self.path)
        return compile(replaced(tree, self._replacements), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, by_module: dict[str, list[Replacement]]) -> None:
        self._by_module = by_module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        spec: Any = PathFinder.find_spec(fullname, path, target)
        if fullname not in self._by_module or spec is None:
            return None
        spec.loader = _Loader(fullname, spec.origin, self._by_module[fullname])
        return spec  # type: ignore[no-any-return]
