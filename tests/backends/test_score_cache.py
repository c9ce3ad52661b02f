"""Caches hold numbers by content, within bounds, for threads and processes."""

import pickle
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundtypes import Pair
from groundtypes.backends.score_cache import DiskScoreCache, MemoryScoreCache, ScoreCache, score_key
from groundtypes.errors import BackendError

ROW = (0.5, 0.25, 0.25)


def keys(count: int, start: int = 0) -> list[bytes]:
    return [score_key("m", Pair("p", str(number))) for number in range(start, start + count)]


@pytest.fixture(params=["memory", "disk"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[int], ScoreCache]]:
    made: list[DiskScoreCache] = []

    def build(rows: int) -> ScoreCache:
        if request.param == "memory":
            return MemoryScoreCache(rows)
        made.append(DiskScoreCache(tmp_path / "deep" / "scores.sqlite", max_entries=rows))
        return made[-1]

    yield build
    for cache in made:
        cache.close()


def test_a_key_depends_on_the_model_and_on_both_texts() -> None:
    pairs = [Pair("a", "bc"), Pair("ab", "c"), Pair("abc", ""), Pair("", "abc"), Pair("\ud800", "")]
    different_keys = {score_key(identity, pair) for identity in ("m", "n") for pair in pairs}
    assert len(different_keys) == 10
    assert {len(key) for key in different_keys} == {16}


def test_what_was_put_is_got_and_nothing_else(make: Callable[[int], ScoreCache]) -> None:
    cache = make(5_000)
    known = keys(2_500)
    cache.put(dict.fromkeys(known, ROW))
    assert cache.get([*known, *keys(5, start=9_000)]) == dict.fromkeys(known, ROW)
    cache.put({known[0]: (1.0, 0.0, 0.0)})
    assert cache.get(known[:1]) == {known[0]: (1.0, 0.0, 0.0)}
    assert cache.get([]) == {}
    cache.put({})


def test_a_cache_is_bounded_and_keeps_the_newest(make: Callable[[int], ScoreCache]) -> None:
    cache = make(100)
    known = keys(400)
    for key in known:
        cache.put({key: ROW})
    held = cache.get(known)
    assert known[-1] in held
    assert 50 <= len(held) <= 101


def test_a_cache_without_room_stores_nothing(make: Callable[[int], ScoreCache]) -> None:
    cache = make(0)
    cache.put(dict.fromkeys(keys(3), ROW))
    assert cache.get(keys(3)) == {}


def test_a_memory_keeps_what_is_used() -> None:
    cache = MemoryScoreCache(2)
    first, second, third = keys(3)
    cache.put({first: ROW, second: ROW})
    cache.get([first])
    cache.put({third: ROW})
    assert set(cache.get([first, second, third])) == {first, third}


def test_threads_share_a_cache(make: Callable[[int], ScoreCache]) -> None:
    cache = make(10_000)

    def work(number: int) -> None:
        mine = keys(50, start=number * 50)
        for key in mine:
            cache.put({key: ROW})
            missing.extend(key for key in [key] if key not in cache.get([key]))

    missing: list[bytes] = []
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not missing
    assert len(cache.get(keys(400))) == 400


def test_a_pickled_memory_is_empty_and_as_large() -> None:
    cache = MemoryScoreCache(3)
    cache.put(dict.fromkeys(keys(3), ROW))
    other = pickle.loads(pickle.dumps(cache))  # noqa: S301 # our own
    assert (len(cache), len(other)) == (3, 0)
    other.put(dict.fromkeys(keys(9), ROW))
    assert len(other) == 3


def test_a_file_is_shared_by_caches_and_outlives_them(tmp_path: Path) -> None:
    cache = DiskScoreCache(tmp_path / "scores")
    cache.put(dict.fromkeys(keys(3), ROW))
    other = pickle.loads(pickle.dumps(cache))  # noqa: S301 # our own
    assert len(other.get(keys(3))) == 3
    cache.close()
    other.close()
    assert len(cache.get(keys(3))) == 3
    cache.close()


def test_no_text_is_in_the_file(tmp_path: Path) -> None:
    cache = DiskScoreCache(tmp_path / "scores")
    cache.put({score_key("m", Pair("a secret premise", "a secret")): ROW})
    cache.close()
    assert all(b"secret" not in path.read_bytes() for path in tmp_path.iterdir())


def test_a_file_that_is_no_cache_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 100, encoding="utf-8")
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE scores (x)")
    other.close()
    for path in (tmp_path / "text", tmp_path / "other", tmp_path):
        cache = DiskScoreCache(path)
        with pytest.raises(BackendError, match="cannot be used"):
            cache.get(keys(1))
        cache.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_child_uses_caches_whose_locks_were_held(tmp_path: Path) -> None:
    program = f"""
import os, threading
from groundtypes.backends.score_cache import DiskScoreCache, MemoryScoreCache
caches = memory, disk = MemoryScoreCache(), DiskScoreCache({str(tmp_path / "scores")!r})
for cache, locked in [(memory, memory._entries), (disk, disk)]:
    cache.put({{b"k": (1.0, 0.0, 0.0)}})
    threading.Thread(target=locked._lock.acquire).start()  # held for ever
child = os.fork()
if child == 0:
    print(*(len(cache.get([b"k"])) for cache in caches), flush=True)
    os._exit(0)
os.waitpid(child, 0)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["1", "1"]
