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
    """How an engine is made of its module, what must be installed, and what follows the colon."""

    module: str
    extra: str
    make: Callable[[Any, str | None, dict[str, Any]], Any]
    #: A `PATH` is made absolute, so that the name means the same in another working folder.
    argument: str | None = None
    is_optional: bool = False


_KINDS: Final = {
    "bundled": _Kind(
        "bundled", "nli", lambda made, _, more: made.OnnxNLI(**more) if more else made.BUNDLED_NLI
    ),
    "large": _Kind("nli_onnx", "nli", lambda made, _, more: made.OnnxNLI.large(**more)),
    "judge": _Kind(
        "nli_causal",
        "judge",
        lambda made, base, more: made.CausalNLI.judge(base=base, **more),
        "PATH",
        is_optional=True,
    ),
    "hub": _Kind(
        "nli_torch", "torch", lambda made, name, more: made.TransformersNLI(name, **more), "NAME"
    ),
    "onnx": _Kind("nli_onnx", "nli", lambda made, path, more: made.OnnxNLI(path, **more), "PATH"),
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
