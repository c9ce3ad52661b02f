"""A cache in memory that forgets the entries that were used longest ago."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from groundtypes.concurrency.blocking import call_blocking
from groundtypes.concurrency.forking import renew_in_child

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class BoundedCache(Generic[_K, _V]):
    """The entries used last, bounded in number and in weight; threads and forked children share it.

    `max_weight` bounds the sum of what `weigh` returns for each entry, such as its characters; an
    entry that is heavier is not stored at all. A bound of `None` does not apply.
    """

    def __init__(
        self,
        max_entries: int | None = None,
        *,
        max_weight: int | None = None,
        weigh: Callable[[_K, _V], int] = lambda _key, _value: 1,
    ) -> None:
        self._max_entries = max_entries
        self._max_weight = max_weight
        self._weigh = weigh
        self._weight = 0
        self._entries: OrderedDict[_K, tuple[_V, int]] = OrderedDict()
        self._lock = threading.Lock()
        renew_in_child(self)

    def get(self, key: _K, default: _V | None = None) -> _V | None:
        """Return the value of a key, or `default`."""
        with self._lock:
            return self._get(key, default)

    def get_many(self, keys: Iterable[_K]) -> dict[_K, _V]:
        """Return the values of those keys that have one."""
        with self._lock:
            return {key: self._get(key, None) for key in keys if key in self._entries}  # type: ignore[misc] # a stored value

    def put(self, key: _K, value: _V) -> None:
        """Store a value under a key."""
        self.put_many({key: value})

    def put_many(self, values: Mapping[_K, _V]) -> None:
        """Store each value under its key."""
        with self._lock:
            for key, value in values.items():
                self._put(key, value)

    def get_or_create(self, key: _K, create: Callable[[], _V]) -> _V:
        """Return the value of a key; if there is none, `create` makes it while others wait."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key][0]
            value = create()
            self._put(key, value)
            return value

    def get_or_load(self, key: _K, load: Callable[[], _V]) -> _V:
        """Return the value of a key; if there is none, load it by a call that may take long."""
        if self._lock.acquire(blocking=False):
            try:
                known = self._get(key, None)
            finally:
                self._lock.release()
            if known is not None:
                return known
        return call_blocking(lambda: self.get_or_create(key, load))

    def values(self) -> list[_V]:
        """Return all values, the one used longest ago first."""
        with self._lock:
            return [value for value, _ in self._entries.values()]

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.clear()
            self._weight = 0

    def renew(self) -> None:
        """Repair the cache in a forked child: another thread may have been writing to it."""
        self._lock = threading.Lock()
        # Read as a plain dictionary, because the order of use may be half written.
        self._entries = OrderedDict(dict.items(self._entries))
        self._weight = sum(weight for _, weight in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def _get(self, key: _K, default: _V | None) -> _V | None:
        entry = self._entries.get(key)
        if entry is None:
            return default
        self._entries.move_to_end(key)
        return entry[0]

    def _put(self, key: _K, value: _V) -> None:
        weight = self._weigh(key, value)
        _, old_weight = self._entries.pop(key, (None, 0))
        self._weight -= old_weight
        if self._max_weight is not None and weight > self._max_weight:
            return
        self._entries[key] = value, weight
        self._weight += weight
        while self._is_full():
            _, (_, freed) = self._entries.popitem(last=False)
            self._weight -= freed

    def _is_full(self) -> bool:
        return (self._max_entries is not None and len(self._entries) > self._max_entries) or (
            self._max_weight is not None and self._weight > self._max_weight
        )
