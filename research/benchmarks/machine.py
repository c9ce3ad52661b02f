"""The machine, the date and the versions that a benchmark ran with."""

import os
import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["describe", "show"]


def describe(packages: Iterable[str] = ()) -> dict[str, str]:
    """Return date, machine, Python and the version of each package that is installed."""
    found = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {_memory()}",
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }
    for name in ("groundtypes", "pydantic", "rapidfuzz", *packages):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "from the source tree" if name == "groundtypes" else "not installed"
    return found


def show(described: Mapping[str, str]) -> str:
    """Return the description as one paragraph of Markdown."""
    date, machine, system, python, *rest = described.items()
    head = "; ".join(value for _, value in (date, machine, system, python))
    return f"{head}; " + ", ".join(f"{name} {value}" for name, value in rest) + "."


def _processor() -> str:
    """Return the name that the kernel gives, else what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "memory unknown"
    return f"{size / 2**30:.0f} GiB"
