"""Public names of a package, written once, in its stub, and imported when they are first used.

Type checkers read the stub `__init__.pyi`. It has one name a line:
`from MODULE import NAME as NAME`.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(
    package: str,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package with a stub."""
    stub = (get_data(package, "__init__.pyi") or b"").decode()
    lines = [line.split() for line in stub.splitlines() if line.startswith("from ")]
    modules = {words[-1]: words[1] for words in lines}
    names = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = names[name] = getattr(import_module(modules[name]), name)
        return value

    return get, lambda: sorted({*names, *modules}), sorted(modules)
