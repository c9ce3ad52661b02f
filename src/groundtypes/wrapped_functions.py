"""Functions that run in a block of `grounded_in`, whatever thread or process calls them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import WRAPPER_UPDATES, partial, update_wrapper
from types import CodeType, FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["WrappedFunction", "code_of"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class WrappedFunction(Generic[_P, _T]):
    """A function that runs in a block; a class, so that it can be pickled."""

    def __init__(
        self, grounding: AbstractContextManager[object], function: Callable[_P, _T]
    ) -> None:
        self._grounding = grounding
        self._function = function
        # Only functions have attributes that are meant for who reads the wrapper.
        updated = WRAPPER_UPDATES if isinstance(function, FunctionType) else ()
        update_wrapper(self, function, updated=updated)

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call the function in a block."""
        with self._grounding:
            return self._function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> "WrappedFunction[..., _T]":
        """Return the wrapped method of an instance, as a function in a class does."""
        bind = getattr(type(self._function), "__get__", None)
        if bind is None:
            return self
        return WrappedFunction(self._grounding, bind(self._function, instance, owner))

    def __reduce__(self) -> "tuple[type[WrappedFunction[..., Any]], tuple[Any, ...]]":
        return WrappedFunction, (self._grounding, self._function)

    def __repr__(self) -> str:
        return f"<{self._function!r} in {self._grounding!r}>"


def code_of(function: Callable[..., Any]) -> CodeType | None:
    """Return the code that a call runs, if it is written in Python."""
    while isinstance(function, partial):
        function = function.func
    if not (isinstance(function, type) or hasattr(function, "__code__")):
        function = getattr(type(function), "__call__", function)  # noqa: B004 # an instance's method
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None
