"""NLI engines by name, for command lines, configurations and workers in other processes.

An engine's module is imported when its name is first used, by its full name only.
"""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundtypes.errors import BackendError, ContextError, MissingJudgeError, Mistake
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


def _served(module: Any, address: str | None, options: dict[str, Any]) -> Any:
    url, _, model = (address or "").partition("#")
    named = {"model": model} if model else {}
    return module.ServedNLI.judge(url, **named, **options)


def _cascade(module: Any, names: str | None, options: dict[str, Any]) -> Any:
    first, _, then = (names or "").partition(",")
    return module.Cascade(first, then, **options)


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
        "nli_checkers", "torch", lambda made, name, more: made.hub_checker(name, **more), "NAME"
    ),
    "served": _Kind("nli_served", "instructor", _served, "URL"),
    "cascade": _Kind("cascade", "nli", _cascade, "NAME,NAME"),
    "onnx": _Kind("nli_onnx", "nli", lambda made, path, more: made.OnnxNLI(path, **more), "PATH"),
}


def _forms() -> Iterator[str]:
    for name, kind in _KINDS.items():
        if kind.argument is None or kind.is_optional:
            yield name
        if kind.argument is not None:
            yield f"{name}:{kind.argument}"


#: The group of entry points by which another package brings an engine: a function of what stands
#: behind the colon of the engine's name, or `None`, and of options.
ENTRY_POINTS: Final = "groundtypes.engines"
_ADDRESSES: Final = ("http://", "https://")
#: The forms of all names, as messages and help texts show them.
NLI_NAMES: Final = ", ".join(_forms())


@cache
def _engines_of_others() -> dict[str, EntryPoint]:
    """Return what other packages make engines with, by the first part of their names."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def is_nli_name(name: str) -> bool:
    """Whether a text has the form of the name of an NLI engine."""
    kind, colon, argument = name.partition(":")
    known = _KINDS.get(kind)
    if known is None:
        return kind in _engines_of_others()
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
    if colon and kind in _KINDS and _KINDS[kind].argument == "PATH":
        return f"{kind}:{Path(argument).expanduser().absolute()}"
    if kind == "cascade":
        first, _, then = argument.partition(",")
        if not (first and then):
            raise ContextError(
                "cascade:NAME,NAME takes the names of two engines, such as cascade:bundled,judge; "
                "only the second may be a cascade again."
            )
        return f"cascade:{checked_nli_name(first)},{checked_nli_name(then)}"
    if kind == "served" and not _is_address(argument):
        # The message does not repeat what may hold a key.
        raise ContextError(
            "served:URL takes the address of a server, such as served:http://localhost:8000/v1, "
            "and nothing secret: a key is read from OPENAI_API_KEY."
        )
    return name


def _is_address(url: str) -> bool:
    """Whether a text is the address of a server, without a key."""
    from groundtypes.backends.redaction import secrets_in_url  # noqa: PLC0415 # not for help texts

    return url.startswith(_ADDRESSES) and not secrets_in_url(url)


def nli_by_name(name: str, **options: Any) -> "NLIScorer":
    """Return a new NLI engine of this name, or the one that every check shares for `bundled`.

    Args:
        name: `bundled`, the default engine; `large`, the larger model of the package
            groundtypes-nli-large; `judge`, a language model trained to judge, or `judge:PATH` with
            its base model in this folder or GGUF file; `hub:NAME`, a model of the Hugging Face hub;
            `onnx:PATH`, a folder with an exported model; `served:URL`, the judge on a server, where
            `#MODEL` behind the address names it, if not `groundtypes-judge`; `cascade:NAME,NAME`,
            the second for what the first leaves open; or the name of an engine that another
            package brings by an entry point of the group `groundtypes.engines`.
        **options: What the class of the engine takes in addition, such as `threads=2`.

    Examples:
        >>> nli_by_name("bundled") is nli_by_name("bundled")
        True

    Raises:
        ContextError: There is no engine of this name.
        MissingJudgeError: What the engine needs is not installed.
        BackendError: The engine of another package cannot be made.
    """
    kind, _, argument = checked_nli_name(name).partition(":")
    if kind not in _KINDS:
        return _made_by_others(_engines_of_others()[kind], argument or None, options)
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


def _made_by_others(
    point: EntryPoint, argument: str | None, options: dict[str, Any]
) -> "NLIScorer":
    """Return what an entry point makes; another package may do anything."""
    engine = f"The NLI engine {point.name!r} (entry point {point.value})"
    try:
        made: NLIScorer = point.load()(argument, **options)
    except Mistake:
        raise
    except ImportError as error:
        raise MissingJudgeError(f"{engine} needs what is not installed: {error}.") from error
    except Exception as error:
        raise BackendError(f"{engine} cannot be made: {type(error).__name__}") from error
    if not callable(getattr(made, "score", None)):
        raise BackendError(f"{engine} is a {type(made).__name__}, which has no score(pairs).")
    return made
