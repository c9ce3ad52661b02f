"""NLI engines by name, for command lines, configurations and workers in other processes.

A name is a kind of engine, such as `bundled`; some kinds have an argument after a colon, such as
`hub:NAME`. Kinds are the entries of one table. An engine's module is imported when its name is
first used, and by its full name only: nothing is added to `sys.path`.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundtypes.errors import ContextError, MissingJudgeError
from groundtypes.text.message_excerpts import clip

if TYPE_CHECKING:  # the help of the command line imports this module, and nothing slow
    from groundtypes.scoring import NLIScorer


def _bundled(_: str | None, options: dict[str, Any]) -> "NLIScorer":
    from groundtypes.backends.bundled import BUNDLED_NLI  # noqa: PLC0415 # needs an extra
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # the same

    return OnnxNLI(**options) if options else BUNDLED_NLI


def _large(_: str | None, options: dict[str, Any]) -> "NLIScorer":
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # needs an extra

    return OnnxNLI.large(**options)


def _onnx(path: str | None, options: dict[str, Any]) -> "NLIScorer":
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # needs an extra

    return OnnxNLI(path, **options)


def _judge(base: str | None, options: dict[str, Any]) -> "NLIScorer":
    module = import_module("groundtypes.backends.nli_causal")  # needs an extra
    engine: NLIScorer = module.CausalNLI.judge(base=base, **options)
    return engine


def _hub(name: str | None, options: dict[str, Any]) -> "NLIScorer":
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415 # needs an extra

    return TransformersNLI(str(name), **options)


class _Kind(NamedTuple):
    """A kind of engine.

    `make` takes what stands after the colon and the options of the engine. `extra` is what must be
    installed. `argument` says what stands after the colon, if anything does: a `PATH` is made
    absolute, so that the name means the same in a worker with another working folder.
    """

    make: Callable[[str | None, dict[str, Any]], "NLIScorer"]
    extra: str
    argument: str | None = None
    is_optional: bool = False


_KINDS: Final = {
    "bundled": _Kind(_bundled, "nli"),
    "large": _Kind(_large, "nli"),
    "judge": _Kind(_judge, "judge", "PATH", is_optional=True),
    "hub": _Kind(_hub, "torch", "NAME"),
    "onnx": _Kind(_onnx, "nli", "PATH"),
}


def _forms() -> str:
    """Return every form that a name can have, for people."""
    forms: list[str] = []
    for name, kind in _KINDS.items():
        if kind.argument is None or kind.is_optional:
            forms.append(name)
        if kind.argument is not None:
            forms.append(f"{name}:{kind.argument}")
    return ", ".join(forms)


#: The forms of all names, as messages and help texts show them.
NLI_NAMES: Final = _forms()


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
    """Return the name of an NLI engine with the path in it, if there is one, made absolute.

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
    try:
        return _KINDS[kind].make(argument or None, options)
    except ImportError as error:
        raise MissingJudgeError(
            f"The NLI engine {clip(name, 60)!r} needs what is not installed: "
            f"pip install 'groundtypes[{_KINDS[kind].extra}]'."
        ) from error
