"""Batches with little padding that are split in two when they do not fit in memory."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from groundtypes.errors import BackendError, Mistake

_Output = TypeVar("_Output")

#: How errors say that memory ran out; few engines raise a type of their own for it.
_OUT_OF_MEMORY: Final = (
    "out of memory",
    "failed to allocate",
    "can't allocate",
    "cannot allocate",
    "bad allocation",
    "bad_alloc",
    "alloc_failed",
)


def plan_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Return the positions in batches of at most `budget` tokens or one pair, the longest first."""
    batches: list[list[int]] = []
    free = 0
    for position in sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)):
        if free < 1:
            # The first pair of a batch is its longest, and so determines its width.
            free = max(1, budget // max(1, lengths[position]))
            batches.append([])
        batches[-1].append(position)
        free -= 1
    return batches


def run_in_batches(
    lengths: Sequence[int],
    budget: int,
    run: Callable[[Sequence[int]], Sequence[_Output]],
    at_once: int = 1,
) -> Generator[tuple[list[int], list[_Output]], None, None]:
    """Yield the positions and the outputs of each batch when it is done.

    `run` takes positions, and returns one output for each. At most `at_once` threads call it, which
    are gone when all is done or the caller stops reading. It raises a `BackendError` if the model
    failed, or a single pair does not fit in memory.
    """
    batches = plan_batches(lengths, budget)
    workers = min(at_once, len(batches))
    if workers <= 1:
        for batch in batches:
            yield batch, run_batch(batch, lengths, run)
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="groundtypes-batch")
    try:
        futures = [pool.submit(run_batch, batch, lengths, run) for batch in batches]
        for batch, future in zip(batches, futures, strict=True):
            yield batch, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def run_batch(
    batch: Sequence[int],
    lengths: Sequence[int],
    run: Callable[[Sequence[int]], Sequence[_Output]],
) -> list[_Output]:
    """Return the outputs of one batch, which is split in two if it does not fit in memory."""
    try:
        outputs = list(run(batch))
    except Mistake:
        raise
    except Exception as error:
        if not _is_out_of_memory(error):
            raise BackendError(f"The model failed: {type(error).__name__}: {error}") from error
        if len(batch) == 1:
            raise BackendError(
                f"A single pair of {lengths[batch[0]]} tokens does not fit in memory. "
                "Set a smaller max_length, or free memory."
            ) from error
    else:
        if len(outputs) != len(batch):
            raise BackendError(f"The model returned {len(outputs)} rows for {len(batch)} pairs.")
        return outputs
    # Outside the handler, so that the error, and the tensors that its frames hold, are freed.
    middle = len(batch) // 2
    return [
        *run_batch(batch[:middle], lengths, run),
        *run_batch(batch[middle:], lengths, run),
    ]


def _is_out_of_memory(error: Exception) -> bool:
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return any(words in str(error).lower() for words in _OUT_OF_MEMORY)
