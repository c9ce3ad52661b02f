"""Batches that waste little, and that are halved when memory does not hold them.

A batch is as wide as its longest text, so that a mixture of lengths is mostly padding. Texts are
therefore batched by length, and a batch holds as many as fit a number of tokens, padding included.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from groundtypes.errors import BackendError, Mistake

__all__ = ["in_batches", "plan", "run_batch"]

_Answer = TypeVar("_Answer")

#: What the errors of engines say when memory runs out; few have a type of their own for it.
_OUT_OF_MEMORY: Final = (
    "out of memory",
    "failed to allocate",
    "can't allocate",
    "cannot allocate",
    "bad allocation",
    "bad_alloc",
    "alloc_failed",
)


def plan(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Return the positions in batches of at most `budget` tokens, longest first.

    A text that is over the budget on its own is a batch of its own.
    """
    batches: list[list[int]] = []
    room = 0
    for place in sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)):
        if room < 1:
            # The first of a batch is its longest, and so its width.
            room = max(1, budget // max(1, lengths[place]))
            batches.append([])
        batches[-1].append(place)
        room -= 1
    return batches


def in_batches(
    lengths: Sequence[int],
    budget: int,
    run: Callable[[Sequence[int]], Sequence[_Answer]],
) -> Iterator[tuple[list[int], list[_Answer]]]:
    """Run all texts in batches; yield the positions and answers of each batch as it is done.

    Raises:
        BackendError: The engine failed, or memory does not hold a single text.
    """
    for batch in plan(lengths, budget):
        yield batch, run_batch(batch, lengths, run)


def run_batch(
    batch: Sequence[int],
    lengths: Sequence[int],
    run: Callable[[Sequence[int]], Sequence[_Answer]],
) -> list[_Answer]:
    """Run one batch, in halves where memory does not hold it; return the answers in its order."""
    try:
        answers = list(run(batch))
    except Mistake:
        raise
    except Exception as error:
        if not _is_out_of_memory(error):
            raise BackendError(f"The model failed: {type(error).__name__}: {error}") from error
        if len(batch) == 1:
            raise BackendError(
                f"Memory does not hold a single pair of {lengths[batch[0]]} tokens. "
                "Set a smaller max_length, or free memory."
            ) from error
    else:
        if len(answers) != len(batch):
            raise BackendError(f"The model returned {len(answers)} rows to {len(batch)} pairs.")
        return answers
    # Outside of the handler, so that the error, and the tensors its frames hold, are gone.
    middle = len(batch) // 2
    return [
        *run_batch(batch[:middle], lengths, run),
        *run_batch(batch[middle:], lengths, run),
    ]


def _is_out_of_memory(error: Exception) -> bool:
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return any(words in str(error).lower() for words in _OUT_OF_MEMORY)
