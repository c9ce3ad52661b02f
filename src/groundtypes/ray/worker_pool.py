"""How many workers run in a cluster, and what each of them reserves there."""

import logging
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import DatasetError
from groundtypes.text.message_excerpts import clip

try:
    import ray
except ImportError as error:
    raise ImportError("groundtypes.ray needs Ray: pip install 'groundtypes[ray]'") from error

__all__ = ["PoolOptions", "connect", "connected", "pool_options", "ray"]

#: The smallest share of a processor that a worker reserves is one of so many.
_MOST_PARTS: Final = 64


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How many workers there are, and how many processors and GPUs each of them reserves."""

    actors: int
    cpus: float = 1.0
    gpus: float = 0.0

    def __str__(self) -> str:
        each = [f"{self.cpus:g} processor{'s' if self.cpus > 1 else ''}"]
        if self.gpus:
            each.append(f"{self.gpus:g} GPU{'s' if self.gpus > 1 else ''}")
        workers = "1 worker with" if self.actors == 1 else f"{self.actors} workers, each with"
        return f"{workers} {' and '.join(each)}"


@contextmanager
def connected(address: str | None = None) -> Iterator[None]:
    """Hold a connection to a cluster: the one that is there, that of an address, or a new one.

    Without an address, and where the environment names no cluster (`RAY_ADDRESS`), Ray is started
    on this machine, and stopped at the end.
    """
    if ray.is_initialized():
        yield
        return
    connect(address)
    try:
        yield
    finally:
        ray.shutdown()


def connect(address: str | None = None) -> None:
    """Connect to a cluster, as `connected` does, until Ray is shut down or the program ends."""
    # What is started here is ours: it reports to nobody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # The future behaviour, which Ray warns about otherwise.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if not address:  # what Ray says about its start is of no use to those who did not ask for it
        logging.getLogger("ray").setLevel(logging.ERROR)
    new: dict[str, Any] = {} if address or os.environ.get("RAY_ADDRESS") else {"address": "local"}
    if new:
        new["include_dashboard"] = False
    terminate = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(**{"address": address, **new}, log_to_driver=False, logging_level="error")
    except Exception as error:
        where = f"connect to Ray at {address}" if address else "start Ray"
        raise DatasetError(f"Cannot {where}: {clip(str(error), 300)}") from error
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminate)  # Ray has set one of its own


def pool_options(
    actors: int | None = None, *, gpus: float = 0.0, reading: bool = False
) -> PoolOptions:
    """Return a pool that the connected cluster can start as a whole.

    By default there is a worker for each processor, or as many as there are GPUs for. More
    `actors` than processors get a share of a processor each. With `reading`, tasks that read the
    input are scheduled beside the workers, and one processor is left for them.
    """
    if (actors is not None and actors < 1) or gpus < 0:
        raise DatasetError("`actors` must be at least 1, and `gpus` at least 0")
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    processors = sorted((node.get("CPU", 0.0) for node in nodes), reverse=True)
    if reading and processors:
        processors[0] = max(0.0, processors[0] - 1)
    if gpus:
        most = sum(int(node.get("GPU", 0.0) / gpus) for node in nodes)
        if most < (actors or 1):
            raise DatasetError(
                f"The cluster has GPUs for {most} workers with {gpus:g} each, not for {actors or 1}"
            )
        actors = actors or most
    actors = actors or max(1, int(sum(map(int, processors))))
    return PoolOptions(actors, _processors_each(processors, actors), gpus)


def _processors_each(processors: Sequence[float], actors: int) -> float:
    """Return the largest share of a processor, at most a whole one, with which all fit."""
    for parts in range(1, _MOST_PARTS + 1):
        if sum(int(count * parts + 1e-9) for count in processors) >= actors:
            # Rounded down to what Ray counts in.
            return int(10_000 / parts) / 10_000
    return 0.0
