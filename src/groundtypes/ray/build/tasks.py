"""The tasks of a stage, performed by the connected cluster."""

from collections.abc import Sequence
from typing import Any, Final

from groundtypes.errors import DatasetError
from groundtypes.ray.build.stages import Call, perform
from groundtypes.ray.pool import ray
from groundtypes.shown_text import clip

__all__ = ["run_on_cluster"]

#: A task whose worker or node dies is done again so often.
_RETRIES: Final = 3
#: Tasks in flight per processor.
_IN_FLIGHT: Final = 2


def run_on_cluster(calls: Sequence[Call]) -> list[Any]:
    """Perform calls on all processors of the cluster, and return what they return, in order.

    Raises:
        DatasetError: A file cannot be read or written, or a task ended its process each time.
    """
    processors = [node["Resources"].get("CPU", 0.0) for node in ray.nodes() if node["Alive"]]
    # A node may have less than a whole processor.
    task = ray.remote(_performed).options(
        num_cpus=min(1.0, max(processors)), max_retries=_RETRIES, scheduling_strategy="SPREAD"
    )
    # After a mistake, tasks that run are left to end by themselves: a task that is cancelled while
    # it ends can abort the driver (Ray 2.60). So there are few of them.
    most = max(1, _IN_FLIGHT * int(sum(processors)))
    waiting = list(reversed(list(enumerate(calls))))
    running: dict[Any, int] = {}
    results: list[Any] = [None] * len(calls)
    while waiting or running:
        while waiting and len(running) < most:
            number, call = waiting.pop()
            running[task.remote(call)] = number
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            number = running.pop(reference)
            results[number] = _result(reference, calls[number])
    return results


def _performed(call: Call) -> tuple[str | None, Any]:
    """Return the mistake of a call, if there is one, and what it returns."""
    try:
        return None, perform(call)
    except Exception as error:  # noqa: BLE001 # not every exception can be sent
        kind = "" if isinstance(error, DatasetError) else f"{type(error).__name__}: "
        return f"{kind}{clip(str(error), 500)}", None


def _result(reference: Any, call: Call) -> Any:
    try:
        mistake, result = ray.get(reference)
    except ray.exceptions.RayError as error:
        raise DatasetError(
            f"The task that makes {call.folder} died {_RETRIES + 1} times: {clip(str(error), 500)}"
        ) from error
    if mistake is not None:
        raise DatasetError(mistake)
    return result
