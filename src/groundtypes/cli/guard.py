"""How every command ends: with an exit code, and at most one line about what went wrong."""

import inspect
import re
import signal
import threading
import traceback
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

import typer

from groundtypes.errors import Mistake

#: Control, format (such as bidi overrides), surrogate, private, unassigned, and the separators of
#: lines and paragraphs.
_ESCAPED_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def printable(text: object, limit: int = 400) -> str:
    """Return the text on one line, with every character escaped that a terminal could obey."""
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char) in _ESCAPED_CATEGORIES
        else char
        for char in str(text)[:limit]
    )


_FINISHED: Final = 0
_MISTAKE: Final = 2
_BUG: Final = 1
_INTERRUPTED: Final = 130
_TERMINATED: Final = 143
_LONGEST_MESSAGE: Final = 2_000

#: Arguments of the library whose options have other names.
_RENAMED: Final = {
    "baseline": "--compare",
    "row_id": "--id",
    "summary": "--json",
    "formats": "--format",
}
#: An argument that a message of the library names: `overwrite=True` or `policy`, in backticks.
_ARGUMENT: Final = re.compile(r"`(\w+)(?:=True)?`")
#: Judges that a message advises to pass in a context, which a command line cannot do.
_JUDGES_IN_CONTEXT: Final = re.compile(r"context=\{'judges': (Judges\([^()]*\))\}")


def guarded(command: Callable[..., int]) -> Callable[..., None]:
    """Return the command so that Typer can run it: the exit code that it returns is raised.

    A mistake, or an error of the file system, becomes one line on standard error and exit code 2, a
    run to be continued that has finished one line and 0, Ctrl-C one line and 130, SIGTERM
    one line and 143. Any other error is raised. Nothing that is printed holds a key.
    """
    options = _options_of(command)

    @wraps(command)
    def run(**arguments: Any) -> None:
        terminated = threading.Event()
        try:
            with _terminable(terminated):
                code = command(**arguments)
        except Mistake as mistake:
            from groundtypes.row_files.run_files import FinishedRunError

            print_error(with_option_names(str(mistake), options))
            code = _FINISHED if isinstance(mistake, FinishedRunError) else _MISTAKE
        except OSError as error:  # such as a name that is too long for the file system
            where = f" {error.filename}" if error.filename else ""
            print_error(f"Cannot use the file{where}: {error.strerror or type(error).__name__}.")
            code = _MISTAKE
        except KeyboardInterrupt as interrupt:
            print_error(f"Interrupted. {interrupt}".rstrip())
            code = _TERMINATED if terminated.is_set() else _INTERRUPTED
        except Exception as error:
            shown = _traceback_with_key(error)
            if shown is None:
                raise
            typer.echo(shown, err=True)
            code = _BUG
        raise typer.Exit(code)

    return run


@contextmanager
def _terminable(terminated: threading.Event) -> Iterator[None]:
    """End like Ctrl-C when the process is told to terminate: what runs is broken off in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(*_: object) -> None:
        terminated.set()
        raise KeyboardInterrupt

    earlier = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, earlier)


@contextmanager
def resumable(*, possible: bool) -> Iterator[None]:
    """Say after Ctrl-C how the run is continued, where that is possible."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if not possible:
            raise
        raise KeyboardInterrupt("Continue with the same command and --resume.") from interrupt


def with_option_names(message: str, options: Mapping[str, str]) -> str:
    """Return a message of the library with options in place of Python arguments.

    `options` maps an argument to its option; other words in backticks stay as they are. Judges are
    named in the model's own class, where the library would name them in the context.
    """
    message = _ARGUMENT.sub(lambda match: options.get(match[1], match[0]), message)
    return _JUDGES_IN_CONTEXT.sub(r"class Answer(Grounded, judges=\1)", message)


def _options_of(command: Callable[..., Any]) -> dict[str, str]:
    """Return the option of each argument that the library and the command share."""
    names = inspect.signature(command).parameters
    options = {name: f"--{name.replace('_', '-')}" for name in names}
    return options | _RENAMED


def _traceback_with_key(error: Exception) -> str | None:
    """Return the traceback of an error without the key in it; `None` if there is no key in it."""
    from groundtypes.backends.redaction import redact, redacted_cause

    if redacted_cause(error) is error:
        return None
    return redact("".join(traceback.format_exception(error)))


def print_error(message: str) -> None:
    """Print one line on standard error, without any key that is in it."""
    from groundtypes.backends.redaction import redact

    typer.echo(printable(redact(f"groundtypes: {message}"), _LONGEST_MESSAGE), err=True)
