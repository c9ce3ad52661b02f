"""Every shard processed by one worker, and kept: a run that stops can go on.

Workers write what becomes of a shard to files in the folder of the run, under names that no other
attempt has. When a shard is done, its record is written: which files belong to it, and their
hashes. A shard without a record is done again; files that no record names are removed.
"""

import itertools
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import DatasetError
from groundtypes.ray.shard_records import Store
from groundtypes.ray.shards import Shard
from groundtypes.ray.worker import Failure, ShardRecord, ShardWork, Worker
from groundtypes.ray.worker_pool import PoolOptions, ray
from groundtypes.text.message_excerpts import clip

#: A shard that ends its worker so often ends the run.
_DEATHS: Final = 5
#: So many workers in a row may die while they start.
_FAILED_STARTS: Final = 3
#: So many seconds it waits for a worker before it looks at what else there is to do.
_SECONDS: Final = 1.0
#: After so many seconds without a worker it says why, and then again and again.
_PATIENCE: Final = 15.0
_SAY_EVERY: Final = 60.0


def _ignore(_: object) -> None:
    """Do nothing."""


def run_shards(
    shards: Iterable[Shard],
    work: ShardWork,
    folder: Path,
    pool: PoolOptions,
    *,
    identity: Mapping[str, Any],
    finished: Callable[[ShardRecord], object] = _ignore,
    waiting: Callable[[str], object] = _ignore,
) -> list[ShardRecord]:
    """Have every shard processed, and return their records in order.

    The cluster must be connected. Every node must see `folder`; a run with the same `identity` that
    was interrupted there is continued. A shard whose worker or node dies is done again by another;
    one that ends its workers again and again is a mistake.

    `identity` is what the outputs depend on, as plain data. `finished` receives the record of each
    shard when it is done, those of earlier runs first, and `waiting` why nothing runs yet.
    """
    shards = list(shards)
    with Store.opened(folder, identity) as store:
        records = store.load(shards)
        for record in records.values():
            finished(record)
        left = [shard for shard in shards if shard.number not in records]
        if left:
            run = _Run(store, work, pool, finished, waiting)
            records |= run.process(left)
    return [records[shard.number] for shard in shards]


@dataclass(slots=True, eq=False)
class _Actor:
    """A worker as the driver sees it; `slot` is its place among those of its node."""

    handle: Any
    node: str | None = None
    slot: int = 0
    is_ready: bool = False
    shard: Shard | None = None


class _Run:
    """The workers of a run, and the shards that they have not finished."""

    def __init__(
        self,
        store: Store,
        work: ShardWork,
        pool: PoolOptions,
        finished: Callable[[ShardRecord], object],
        waiting: Callable[[str], object],
    ) -> None:
        self._store = store
        self._pool = pool
        self._finished = finished
        self._waiting = waiting
        self._token = store.token
        try:
            pickled = ray.cloudpickle.dumps(work)
        except Exception as error:
            raise DatasetError(
                f"What is to be done cannot be sent to workers: {type(error).__name__}: {error}"
            ) from error
        paths = [str(Path(path).resolve()) for path in sys.path]
        arguments = (pickled, store.folder, self._token, paths)
        actor = ray.remote(Worker).options(
            num_cpus=pool.cpus,
            num_gpus=pool.gpus,
            max_restarts=0,
            scheduling_strategy="SPREAD",
        )
        self._new_actor: Callable[[], Any] = lambda: actor.remote(*arguments)
        self._queue: deque[Shard] = deque()
        self._tasks: dict[Any, _Actor] = {}
        self._idle: list[_Actor] = []
        self._deaths: Counter[Shard] = Counter()
        self._failed_starts = 0
        self._attempts = itertools.count()
        self._records: dict[int, ShardRecord] = {}

    def process(self, shards: Sequence[Shard]) -> dict[int, ShardRecord]:
        """Process the shards, and return a record of each by its number."""
        self._queue.extend(shards)
        try:
            for _ in range(min(self._pool.actors, len(shards))):
                self._start_actor()
            self._loop(len(shards))
        finally:
            for actor in (*self._tasks.values(), *self._idle):
                ray.kill(actor.handle)
        return self._records

    def _loop(self, count: int) -> None:
        nothing_since, said = time.monotonic(), -_SAY_EVERY
        while len(self._records) < count:
            done, _ = ray.wait(list(self._tasks), num_returns=1, timeout=_SECONDS)
            for task in done:
                self._handle(task, self._tasks.pop(task))
                nothing_since = time.monotonic()
            self._dispatch()
            now = time.monotonic()
            has_started = any(actor.is_ready for actor in self._tasks.values())
            if not has_started and now > nothing_since + _PATIENCE and now > said + _SAY_EVERY:
                said = now
                self._say_why_waiting()

    # --- workers ----------------------------------------------------------------------------

    def _start_actor(self) -> None:
        actor = _Actor(self._new_actor())
        self._tasks[actor.handle.place.remote()] = actor

    def _handle(self, task: Any, actor: _Actor) -> None:
        try:
            result = ray.get(task)
        except ray.exceptions.RayTaskError as error:
            raise DatasetError(f"A worker failed: {error}") from error
        except ray.exceptions.RayError as error:
            self._lost(actor, error)
            return
        if isinstance(result, Failure):
            raise DatasetError(result.reason)
        if actor.node is None:
            self._place(actor, str(result))
        elif not actor.is_ready:
            actor.is_ready = True
            self._idle.append(actor)
        else:
            actor.shard = None
            self._failed_starts = 0
            self._store.save(result)
            self._records[result.shard.number] = result
            self._finished(result)
            self._idle.append(actor)

    def _place(self, actor: _Actor, node: str) -> None:
        """Give a worker a place among those of its node, and have it start."""
        others = {
            other.slot for other in (*self._tasks.values(), *self._idle) if other.node == node
        }
        actor.node = node
        actor.slot = next(slot for slot in itertools.count() if slot not in others)
        cpus = self._pool.cpus
        self._tasks[actor.handle.start.remote(actor.slot * cpus, cpus)] = actor

    def _dispatch(self) -> None:
        while self._queue and self._idle:
            actor = self._idle.pop()
            actor.shard = self._queue.popleft()
            self._tasks[actor.handle.run.remote(actor.shard, next(self._attempts))] = actor

    def _lost(self, actor: _Actor, error: Exception) -> None:
        """Replace a worker that died, and do its shard again."""
        ray.kill(actor.handle)  # one that cannot be reached may still run
        shard, actor.shard = actor.shard, None
        if shard is not None and actor.is_ready:
            self._queue.append(shard)  # after all others, which are done even if this one never is
            self._deaths[shard] += actor.node in _nodes_alive()  # else it had no part in it
            if self._deaths[shard] >= _DEATHS:
                raise DatasetError(
                    f"{shard} has ended its worker {_DEATHS} times: {clip(str(error), 300)}. Leave "
                    "out the row that does, or give the workers more memory."
                ) from error
        else:
            self._failed_starts += 1
            if self._failed_starts >= _FAILED_STARTS:
                raise DatasetError(
                    f"{self._failed_starts} workers in a row died before they were ready: "
                    f"{clip(str(error), 1000)}"
                ) from error
        self._start_actor()

    def _say_why_waiting(self) -> None:
        has = ray.available_resources()
        free = f"{has.get('CPU', 0):g} processors and {has.get('GPU', 0):g} GPUs are free"
        self._waiting(f"No worker has started yet: the run wants {self._pool}; {free}.")


def _nodes_alive() -> set[str]:
    return {node["NodeID"] for node in ray.nodes() if node["Alive"]}
