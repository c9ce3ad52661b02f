"""Pydantic types for LLM answers that must be grounded in reference texts.

Declare in a model what must be true of an answer: that a quote is real, that the references entail
a statement, that every claim is supported. A value that fails raises an ordinary Pydantic
validation error that says what to fix.

The public names are written in `__init__.pyi`, where type checkers read them. They are imported
when they are first used, so that `import groundtypes` is fast.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package whose names are in a stub.

    The stub `__init__.pyi` has one name a line, `from MODULE import NAME as NAME`, and may have
    lines `    "NAME",` for `__all__`; without any, all names are in it.
    """
    modules: dict[str, str] = {}
    listed: list[str] = []
    for line in (get_data(package, "__init__.pyi") or b"").decode().splitlines():
        words = line.split()
        if line.startswith("from "):
            modules[words[-1]] = words[1]
        elif line.startswith('    "'):
            listed.append(words[0].strip('",'))
    names = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        is_module = modules[name] == package
        module = import_module(f"{package}.{name}" if is_module else modules[name])
        value = names[name] = module if is_module else getattr(module, name)
        return value

    return get, lambda: sorted({*names, *modules}), listed or sorted(modules)


_get, __dir__, __all__ = lazy_names(__name__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        globals()[name] = _version()
        return globals()[name]
    return _get(name)


def _version() -> str:
    """Return the version of the installed distribution, or `0+unknown` in a bare source tree."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 # slow to import

    try:
        return version("groundtypes")
    except PackageNotFoundError:
        return "0+unknown"
