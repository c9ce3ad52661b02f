"""NLI engines by name, for command lines, configurations and workers in other processes.

An engine's module is imported when its name is first used, by its full name only.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundtypes.errors import ContextError, MissingJudgeError
from groundtypes.text.message_excerpts import clip

if TYPE_CHECKING:  # the help of the command line imports this module, and nothing slow
    from groundtypes.scoring import NLIScorer


class _Kind(NamedTuple):
    """A kind of engine: how it is made of its module, and what must be installed.

    `argument` is what stands after the colon, if anything does: a `PATH` is made absolute, so that
    the name means the same in another working folder.
    """

    module: str
    make: Callable[[Any, str | None, dict[str, Any]], Any]
    extra: str
    argument: str | None = None
    is_optional: bool = False


def _bundled(module: Any, _: str | None, options: dict[str, Any]) -> Any:
    return module.BUNDLED_NLI if not options else module.OnnxNLI(**options)


_KINDS: Final = {
    "bundled": _Kind("bundled", _bundled, "nli"),
    "large": _Kind("nli_onnx", lambda module, _, more: module.OnnxNLI.large(**more), "nli"),
    "judge": _Kind(
        "nli_causal",
        lambda module, base, more: module.CausalNLI.judge(base=base, **more),
        "judge",
        "PATH",
        is_optional=True,
    ),
    "hub": _Kind(
        "nli_torch",
        lambda module, name, more: module.TransformersNLI(name, **more),
        "torch",
        "NAME",
    ),
    "onnx": _Kind(
        "nli_onnx", lambda module, path, more: module.OnnxNLI(path, **more), "nli", "PATH"
    ),
}


def _forms() -> Iterator[str]:
    for name, kind in _KINDS.items():
        if kind.argument is None or kind.is_optional:
            yield name
        if kind.argument is not None:
            yield f"{name}:{kind.argument}"


#: The forms of all names, as messages and help texts show them.
NLI_NAMES: Final = ", ".join(_forms())


def is_nli_name(name: str) -> bool:
    """Whether a text has the form of the name of an NLI engine."""
    kind, colon, argument = name.partition(":")
    known = _KINDS.get(kind)
    if known is None:
        return False
    if known.argument is None:
        return not colon
    return bool(argument) or (known.is_optional and not colon)


def checked_nli_name(name: str) -> str:
    """Return the name of an NLI engine, with an absolute path in place of a relative one.

    Raises:
        ContextError: No engine has a name of this form; the message lists the names.
    """
    if not is_nli_name(name):
        raise ContextError(
            f"There is no NLI engine of the name {clip(name, 60)!r}. The names are {NLI_NAMES}."
        )
    kind, colon, argument = name.partition(":")
    if colon and _KINDS[kind].argument == "PATH":
        return f"{kind}:{Path(argument).expanduser().absolute()}"
    return name


def nli_by_name(name: str, **options: Any) -> "NLIScorer":
    """Return a new NLI engine of this name, or the one that every check shares for `bundled`.

    Args:
        name: `bundled`, the default engine; `large`, the larger model of the package
            groundtypes-nli-large; `judge`, a language model trained to judge, or `judge:PATH` with
            its base model in this folder or GGUF file; `hub:NAME`, a model of the Hugging Face hub;
            `onnx:PATH`, a folder with an exported model.
        **options: What the class of the engine takes in addition, such as `threads=2`.

    Examples:
        >>> nli_by_name("bundled") is nli_by_name("bundled")
        True

    Raises:
        ContextError: There is no engine of this name.
        MissingJudgeError: What the engine needs is not installed.
    """
    kind, _, argument = checked_nli_name(name).partition(":")
    known = _KINDS[kind]
    try:
        module = import_module(f"groundtypes.backends.{known.module}")
        engine: NLIScorer = known.make(module, argument or None, options)
    except ImportError as error:
        raise MissingJudgeError(
            f"The NLI engine {clip(name, 60)!r} needs what is not installed: "
            f"pip install 'groundtypes[{known.extra}]'."
        ) from error
    return engine
