"""The cache is bounded in number and weight, and threads and forked children share it."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.concurrency.bounded_cache import BoundedCache


def by_length(_key: str, value: str) -> int:
    return len(value)


@given(
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.text(max_size=6)), max_size=60)
)
def test_it_never_exceeds_its_bounds_and_returns_what_was_stored_last(
    steps: list[tuple[bool, int, str]],
) -> None:
    cache = BoundedCache[int, str](4, max_weight=10, weigh=lambda _, value: len(value))
    stored: dict[int, str] = {}
    for is_put, key, value in steps:
        if is_put:
            cache.put(key, value)
            stored[key] = value
        assert cache.get(key) in {None, stored.get(key)}
        assert len(cache) <= 4
        assert sum(map(len, cache.values())) == cache._weight <= 10


def test_the_entry_that_was_used_longest_ago_is_removed_first() -> None:
    cache = BoundedCache[str, int](2)
    cache.put_many({"a": 1, "b": 2})
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.get_many("abc") == {"a": 1, "c": 3}
    assert cache.get_many("ca") == {"c": 3, "a": 1}
    cache.put("d", 4)
    assert cache.values() == [1, 4]


def test_a_value_that_is_too_heavy_is_not_stored_and_removes_no_other() -> None:
    cache = BoundedCache[str, str](max_weight=5, weigh=by_length)
    cache.put_many({"a": "xx", "b": "xx"})
    cache.put("c", "xxxxxx")
    assert cache.get_many("abc") == {"a": "xx", "b": "xx"}
    cache.put("a", "xxxxxx")
    assert cache.get_many("abc") == {"b": "xx"}


def test_without_room_nothing_is_stored() -> None:
    cache = BoundedCache[str, int](0)
    assert cache.get_or_create("a", lambda: 1) == 1
    assert (len(cache), cache.get("a", 7)) == (0, 7)


def test_clearing_makes_room() -> None:
    cache = BoundedCache[str, str](max_weight=5, weigh=by_length)
    cache.put("a", "xxxxx")
    cache.clear()
    cache.put("b", "xxxxx")
    assert cache.values() == ["xxxxx"]


def test_threads_create_a_value_once() -> None:
    cache, created = BoundedCache[str, object](2), []

    def create() -> object:
        time.sleep(0.05)
        created.append(object())
        return created[-1]

    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda _: cache.get_or_create("a", create), range(4)))
    assert values == created * 4


def test_an_error_of_the_creator_leaves_the_cache_usable() -> None:
    cache = BoundedCache[str, float](2)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_create("a", lambda: 1 / 0)
    assert cache.get_or_create("a", lambda: 1.0) == 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_child_uses_a_cache_whose_lock_was_held() -> None:
    # In a process of its own: forking a process with threads is what is tested.
    program = """
import os, threading
from groundtypes.concurrency.bounded_cache import BoundedCache
cache = BoundedCache(max_weight=3)
cache.put("a", 1)
threading.Thread(target=cache._lock.acquire).start()  # held for ever
child = os.fork()
if child == 0:
    cache.put_many({"b": 2, "c": 3, "d": 4})
    print(*cache.values(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["2", "3", "4"]
