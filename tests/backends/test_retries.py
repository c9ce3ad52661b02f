"""What may succeed later is retried, after the wait that the server asks for, and nothing else."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tenacity import wait_none

from groundtypes.backends import retries
from groundtypes.backends.retries import call_with_retries
from groundtypes.errors import BackendError, BudgetError, ContextError

Run = Callable[..., Any]


def run_to_end(call: Callable[[], Any], *, seconds: float = 1000.0, **options: Any) -> Any:
    async def awaitable() -> Any:
        return call()

    return asyncio.run(call_with_retries(awaitable, seconds=seconds, **options))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(retries, "_BACKOFF", wait_none())
    return run_to_end


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the list of waits, which take no time."""
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(retries, "_pause", pause)
    return waited


class Failing:
    """Raises the errors in turn, and then returns 7."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return 7


class ServerError(Exception):
    def __init__(self, status: int, retry_after: str | None = None) -> None:
        super().__init__("sk-secret")
        self.status_code = status
        headers = {} if retry_after is None else {"retry-after": retry_after}
        self.response = SimpleNamespace(headers=headers)


def test_a_call_is_retried_until_it_succeeds(run: Run) -> None:
    call = Failing(TimeoutError(), ServerError(503), ConnectionResetError())
    assert run(call, attempts=4, model="m") == 7
    assert call.calls == 4


def test_the_last_attempt_ends_in_a_mistake_without_the_words_of_the_server(run: Run) -> None:
    call = Failing(*[ServerError(503) for _ in range(9)])
    with pytest.raises(BackendError, match=r"m did not answer after 3 attempts.*503") as raised:
        run(call, attempts=3, model="m")
    assert call.calls == 3
    assert "sk-secret" not in str(raised.value)
    assert raised.value.__context__ is None
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_what_a_retry_cannot_fix_is_called_once(run: Run, status: int) -> None:
    call = Failing(ServerError(status))
    with pytest.raises(BackendError, match=f"after 1 attempt:.*{status}"):
        run(call, attempts=3, model="m")
    assert call.calls == 1


def test_a_mistake_is_never_retried(run: Run) -> None:
    call = Failing(TimeoutError(), BudgetError("spent"))
    with pytest.raises(BudgetError):
        run(call, attempts=5, model="m")
    assert call.calls == 2


def test_a_missing_model_is_a_mistake_of_the_caller(run: Run) -> None:
    call = Failing(TypeError("create() missing required argument: 'model'"))
    with pytest.raises(ContextError, match="model"):
        run(call, attempts=3, model=None)
    assert call.calls == 1


def test_an_interruption_is_never_retried() -> None:
    call = Failing(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run_to_end(call, attempts=3, model="m")
    assert call.calls == 1


def test_a_cancelled_call_ends_at_once() -> None:
    calls = 0

    async def hang() -> None:
        nonlocal calls
        calls += 1
        await asyncio.sleep(60)

    async def cancel() -> None:
        task = asyncio.create_task(call_with_retries(hang, attempts=3, seconds=60.0, model="m"))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert calls == 1


def test_the_time_is_for_all_attempts_together() -> None:
    calls = 0

    async def hang() -> None:
        nonlocal calls
        calls += 1
        await asyncio.sleep(60)

    with pytest.raises(BackendError, match="after 1 attempt: TimeoutError"):
        asyncio.run(call_with_retries(hang, attempts=3, seconds=0.05, model="m"))
    assert calls == 1


@pytest.mark.parametrize(
    ("value", "waited"),
    [
        ("7", 7.0),
        ("3600", 60.0),
        ("-3", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("nan", 0.0),
        ("inf", 0.0),
        ("-Infinity", 0.0),
        ("1e999", 0.0),
    ],
    ids=["seconds", "too long", "negative", "a date", "nan", "inf", "-inf", "overflow"],
)
def test_the_server_says_how_long_to_wait_within_bounds(
    run: Run, waits: list[float], value: str, waited: float
) -> None:
    run(Failing(ServerError(429, value)), attempts=2, model="m")
    assert waits == [waited]


def test_a_wait_that_the_server_asks_for_does_not_count(run: Run, waits: list[float]) -> None:
    assert run(Failing(ServerError(429, "60")), attempts=2, seconds=5.0, model="m") == 7


def test_without_a_word_of_the_server_waits_double_up_to_a_bound(waits: list[float]) -> None:
    run_to_end(Failing(*[ServerError(500) for _ in range(9)]), attempts=10, model="m")
    expected = [0.5, 1, 2, 4, 8, 16, 20, 20, 20]
    for wait, base in zip(waits, expected, strict=True):
        assert 0.7 * base <= wait <= 1.3 * base


def test_an_attempt_that_failed_is_logged_without_its_message(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "groundtypes")
    assert run(Failing(TimeoutError("canary"), TimeoutError()), attempts=3, model="small") == 7
    assert [record.getMessage() for record in caplog.records] == [
        f"The LLM small did not answer (attempt {number}: TimeoutError); it is asked again in 0.0 s"
        for number in (1, 2)
    ]
