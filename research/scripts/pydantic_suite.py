"""Pydantic's own tests, run with `BaseModel` and with `Grounded` in its place.

    python -m scripts.pydantic_suite [--version 2.14.3] [--modes swap rounds] [--workers 2]

The tests come with Pydantic's source distribution, which pip fetches into `build/`. They run three
times: as they are; with `Grounded` in the place of `BaseModel` (`swap`); and with every model
validated in rounds besides, as if it had checks (`rounds`). `research/scripts/pydantic_suite.toml`
lists the tests that may differ, each with its reason. The exit code is 1 if others fail that pass
with `BaseModel`, or if a listed one passes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KNOWN = Path(__file__).with_suffix(".toml")
#: Tests of Pydantic's documentation, which is not in the source distribution.
LEFT_OUT = frozenset({"conftest.py", "test_docs.py"})
CONFIGURATION = """[pytest]
filterwarnings =
    error
    ignore:path is deprecated.*:DeprecationWarning:
markers =
    skip_json_schema_validation: of Pydantic
    thread_unsafe: of Pydantic
    timeout: of Pydantic
"""


@dataclass(frozen=True)
class Outcome:
    """What a run of the tests ended with."""

    failed: frozenset[str]
    passed: frozenset[str]
    seconds: float


def fetch(wanted: str, folder: Path) -> Path:
    """Return the folder with Pydantic's tests, fetched unless it is there."""
    home = folder / f"pydantic-{wanted}"
    if not (home / "tests").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        options = ["--no-binary", "pydantic", "--dest", str(folder), f"pydantic=={wanted}"]
        subprocess.run([*pip, *options], check=True)
        with tarfile.open(folder / f"pydantic-{wanted}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        # Its own sources would be imported in the place of the installed package.
        shutil.rmtree(home / "pydantic")
    (home / "pyproject.toml").unlink(missing_ok=True)
    (home / "pytest.ini").write_text(CONFIGURATION, encoding="utf-8")
    return home


def files_with_models(home: Path) -> list[str]:
    """Return the files that use `BaseModel`."""
    files = (path for path in sorted((home / "tests").glob("*.py")) if path.name not in LEFT_OUT)
    uses = re.compile(r"\bBaseModel\b")
    return [f"tests/{path.name}" for path in files if uses.search(path.read_text("utf-8"))]


def run(home: Path, mode: str, workers: int) -> Outcome:
    """Run the tests in one mode."""
    report = home / f"{mode}.xml"
    report.unlink(missing_ok=True)
    plugins = ["pytest_mock", *(["xdist.plugin"] if workers > 1 else [])]
    plugins += [] if mode == "plain" else ["scripts.pydantic_swap"]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider"]
    command += [f"-p{name}" for name in plugins]
    command += ["-n", str(workers)] if workers > 1 else []
    environment = {
        **os.environ,
        "GROUNDTYPES_SWAP": mode,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # plugins with models of their own
        "PYTHONPATH": os.pathsep.join([str(home), str(ROOT / "src"), str(ROOT / "research")]),
    }
    started = time.monotonic()
    with (home / f"{mode}.log").open("w", encoding="utf-8") as log:
        subprocess.run(
            [*command, f"--junitxml={report}", *files_with_models(home)],
            cwd=home,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
    seconds = time.monotonic() - started
    if not report.is_file():
        raise SystemExit(f"the run ended without a report; see {home / f'{mode}.log'}")
    return Outcome(*read_report(report), seconds)


def read_report(report: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the tests that failed, and of those that passed."""
    failed, passed = set[str](), set[str]()
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 # our own file
        module, _, inner = case.get("classname", "").removeprefix("tests.").partition(".")
        name = "::".join(filter(None, [f"tests/{module}.py", inner, case.get("name")]))
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(name)
        elif case.find("skipped") is None:
            passed.add(name)
    return frozenset(failed), frozenset(passed - failed)


def known_differences(mode: str) -> dict[str, str]:
    """Return the tests that may fail in a mode, with their reasons."""
    tables = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    known: dict[str, str] = dict(tables["swap"])
    if mode == "rounds":
        known.update(tables["rounds"])
    return known


def compare(plain: Outcome, other: Outcome, known: dict[str, str]) -> list[str]:
    """Return what differs from the list, one line each. An entry stands for all its parameters."""
    more = other.failed - plain.failed
    functions = {name.partition("[")[0] for name in more}
    unlisted = sorted(name for name in more if name.partition("[")[0] not in known)
    lines = [f"fails, and is not listed: {name}" for name in unlisted]
    lines += [f"is listed, and passes: {name}" for name in sorted(known.keys() - functions)]
    ran = other.passed | other.failed
    # The name of a class is part of the names of some tests.
    lost = (name for name in plain.passed if not {name, _swapped(name)} & ran)
    return lines + [f"did not run: {name}" for name in sorted(lost)]


def _swapped(name: str) -> str:
    return name.replace("BaseModel", "Grounded")


def main() -> int:
    """Run the tests and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", default=version("pydantic"), help="default: %(default)s")
    parser.add_argument("--modes", nargs="+", choices=("swap", "rounds"), default=["swap"])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "pydantic-suite")
    options = parser.parse_args()
    if options.version != version("pydantic"):
        raise SystemExit(f"Pydantic {version('pydantic')} is installed, not {options.version}")
    home = fetch(options.version, options.folder)
    plain = run(home, "plain", options.workers)
    show("BaseModel", plain)
    differences = 0
    for mode in options.modes:
        outcome = run(home, mode, options.workers)
        show("Grounded" if mode == "swap" else "Grounded, in rounds", outcome)
        known = known_differences(mode)
        lines = compare(plain, outcome, known)
        print(f"  {len(outcome.failed - plain.failed)} more fail, {len(known)} are listed")
        for line in lines:
            print(f"  {line}")
        differences += len(lines)
    return 1 if differences else 0


def show(name: str, outcome: Outcome) -> None:
    """Print the counts of a run."""
    print(
        f"{name}: {len(outcome.passed)} passed, {len(outcome.failed)} failed, "
        f"{outcome.seconds:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
