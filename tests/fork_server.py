"""A process that has imported what a program needs and forks itself for each run of the program.

Starting Python and importing the command takes a second, forking a few milliseconds. Each run is
still a process of its own: with its own id, working directory, environment and standard streams,
and it can be killed. The module is started as a script, and `ForkServer` talks to it.

One request is a line of JSON (`_Request`), sent together with the descriptors of the three standard
streams. The answers are two lines: the id of the new process, and its exit status as `waitpid`
gives it.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, TypedDict

__all__ = ["ForkServer"]


class _Request(TypedDict):
    """A run: of the script at the path `program`, or of the command where that is empty.

    No file may grow beyond `file_size` bytes, where that is a number.
    """

    program: str
    arguments: list[str]
    cwd: str
    environment: dict[str, str]
    file_size: int | None


class ForkServer:
    """Runs programs in forks, one at a time; the process that forks starts with the first run.

    Where the platform cannot fork, each run is a new Python process.
    """

    def __init__(self, environment: Mapping[str, str], *modules: str) -> None:
        """Take the environment, and the modules that are imported beside those of groundtypes."""
        self._environment = environment
        self._modules = modules
        self._lock = threading.Lock()

    def run(
        self,
        arguments: Sequence[object],
        *,
        environment: Mapping[str, str],
        program: Path | None = None,
        cwd: Path | None = None,
        stdin: bytes = b"",
        file_size: int | None = None,
        timeout: float = 120,
        started: Callable[[int], object] = lambda pid: None,
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run a script, or else the command, to its end; `started` is called with the process id.

        Raises:
            subprocess.TimeoutExpired: The process did not end in time; it was killed.
        """
        if sys.platform == "win32":
            command = [str(program)] if program else ["-m", "groundtypes"]
            return subprocess.run(
                [sys.executable, *command, *map(str, arguments)],
                input=stdin,
                cwd=cwd,
                env=environment,
                timeout=timeout,
                capture_output=True,
                check=False,
            )
        request: _Request = {
            "program": str(program or ""),
            "arguments": [str(argument) for argument in arguments],
            "cwd": str(cwd or Path.cwd()),
            "environment": dict(environment),
            "file_size": file_size,
        }
        with self._lock, contextlib.ExitStack() as stack:
            ours, theirs = _pipes(stack)
            answers = self._send(request, theirs)
            pid = int(answers.readline())
            started(pid)
            watchdog = threading.Timer(timeout, os.kill, (pid, signal.SIGKILL))
            watchdog.start()
            try:
                output, errors = _communicate(ours, stdin)
                status = int(answers.readline())
            finally:
                timed_out = not watchdog.is_alive()
                watchdog.cancel()
        if timed_out:
            raise subprocess.TimeoutExpired(request["arguments"], timeout, output, errors)
        return subprocess.CompletedProcess(
            request["arguments"], os.waitstatus_to_exitcode(status), output, errors
        )

    def _send(self, request: _Request, streams: list[IO[bytes]]) -> IO[bytes]:
        """Send a request with the standard streams of the new process, and close them here."""
        connection, answers = self._connection
        content = json.dumps(request).encode() + b"\n"
        # The first byte carries the descriptors.
        socket.send_fds(connection, [content[:1]], [stream.fileno() for stream in streams])
        connection.sendall(content[1:])
        for stream in streams:
            stream.close()
        return answers

    @cached_property
    def _connection(self) -> tuple[socket.socket, IO[bytes]]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno()), *self._modules],
                pass_fds=[theirs.fileno()],
                env=self._environment,
                stdin=subprocess.DEVNULL,
            )
        answers = ours.makefile("rb")

        def end_server() -> None:
            answers.close()
            ours.close()
            process.wait(30)

        atexit.register(end_server)
        return ours, answers


def _pipes(stack: contextlib.ExitStack) -> tuple[list[IO[bytes]], list[IO[bytes]]]:
    """Return the ends of three pipes, for standard input, output and errors: ours and theirs."""
    ours: list[IO[bytes]] = []
    theirs: list[IO[bytes]] = []
    for number in range(3):
        reading, writing = os.pipe()
        reader: IO[bytes] = stack.enter_context(os.fdopen(reading, "rb"))
        writer: IO[bytes] = stack.enter_context(os.fdopen(writing, "wb"))
        ours.append(reader if number else writer)
        theirs.append(writer if number else reader)
    return ours, theirs


def _communicate(streams: list[IO[bytes]], stdin: bytes) -> tuple[bytes, bytes]:
    """Write standard input, and return what comes by standard output and errors."""
    writer, *readers = streams
    received = [b"", b""]

    def read(number: int) -> None:
        received[number] = readers[number].read()

    threads = [threading.Thread(target=read, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    with contextlib.suppress(BrokenPipeError):
        writer.write(stdin)
        writer.flush()
    with contextlib.suppress(BrokenPipeError):
        writer.close()
    for thread in threads:
        thread.join()
    return received[0], received[1]


def _serve(connection: socket.socket) -> _Request:
    """Fork for each request and return it in the fork; the server ends with the last request."""
    while True:
        content, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
        if not content:
            raise SystemExit
        while not content.endswith(b"\n"):
            content += connection.recv(2**16)
        pid = os.fork()
        if pid == 0:
            connection.close()
            request: _Request = json.loads(content)
            _become(request, descriptors)
            return request
        for descriptor in descriptors:
            os.close(descriptor)
        connection.sendall(b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        connection.sendall(b"%d\n" % status)


def _become(request: _Request, descriptors: list[int]) -> None:
    """Give this process what a process that was started anew would have."""
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    # Those of the server were made for its own streams, which were none to write to.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [request["program"] or "groundtypes", *request["arguments"]]
    sys.path.insert(
        0, str(Path(request["program"]).parent) if request["program"] else request["cwd"]
    )
    # A suite that a shell started in the background ignores Ctrl-C, and so would its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("PYTHONWARNINGS") == "error":
        warnings.simplefilter("error")
    if request["file_size"] is not None:
        import resource  # noqa: PLC0415 # only on Unix, as forks are

        resource.setrlimit(resource.RLIMIT_FSIZE, (request["file_size"],) * 2)


def _modules() -> Iterator[str]:
    """Yield the modules of groundtypes, without those that load the package of an engine."""
    package = importlib.import_module("groundtypes")
    backends = ("nli_", "llm", "causal_")
    engines = (
        *(f"groundtypes.backends.{name}" for name in backends),
        "groundtypes.integrations.mcp",
        "groundtypes.ray.",
    )
    for module in pkgutil.walk_packages(package.__path__, "groundtypes."):
        if not module.name.startswith(engines):
            yield module.name


def _main() -> None:
    descriptor, *others = sys.argv[1:]
    for module in (*_modules(), *others):
        # What needs an extra that is not installed fails in the run that asks for it.
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    gc.freeze()
    request = _serve(socket.socket(fileno=int(descriptor)))
    if request["program"]:
        runpy.run_path(request["program"], run_name="__main__")
    else:
        importlib.import_module("groundtypes.__main__").main()


if __name__ == "__main__":
    _main()
