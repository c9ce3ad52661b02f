"""Pydantic types for LLM answers that must be grounded in reference texts.

Declare in a model what must be true of an answer: that a quote is real, that the references entail
a statement, that every claim is supported. A value that fails raises an ordinary Pydantic
validation error that says what to fix.

The public names are written in `__init__.pyi`, where type checkers read them. They are imported
when they are first used, so that `import groundtypes` is fast.
"""

from importlib import import_module
from pkgutil import get_data
from typing import Any, Final


def _read_stub() -> tuple[dict[str, str], list[str]]:
    """Return the module of each name of the stub, and the names in its `__all__`.

    The stub has one name a line: `from MODULE import NAME as NAME`, or `    "NAME",`.
    """
    modules: dict[str, str] = {}
    listed: list[str] = []
    for line in (get_data(__name__, "__init__.pyi") or b"").decode().splitlines():
        words = line.split()
        if line.startswith("from "):
            modules[words[-1]] = words[1]
        elif line.startswith('    "'):
            listed.append(words[0].strip('",'))
    return modules, listed


_MODULES: Final[dict[str, str]]
_MODULES, __all__ = _read_stub()  # written in the stub


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name not in _MODULES:
        raise AttributeError(f"module 'groundtypes' has no attribute {name!r}")
    elif _MODULES[name] == __name__:
        value = import_module(f"groundtypes.{name}")
    else:
        value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


def _version() -> str:
    """Return the version of the installed distribution, or `0+unknown` in a bare source tree."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 # slow to import

    try:
        return version("groundtypes")
    except PackageNotFoundError:
        return "0+unknown"
