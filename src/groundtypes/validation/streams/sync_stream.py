"""`GuardedStream`: the guard over an iterator, which a thread reads."""

import threading
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Final, Self

from groundtypes.concurrency.threads import SECONDS_UNTIL_SIGNAL
from groundtypes.validation.streams.pipeline import EndOfStream, Pipeline
from groundtypes.validation.streams.stream_audits import StreamAudit

#: The most seconds for which `close` waits until the source has been closed.
_SECONDS_TO_CLOSE: Final = 1.0


class GuardedStream(Iterator[str]):
    """An iterator over the text that `guard` lets pass.

    The source is read in a thread of its own, so that a sentence which is judged passes while the
    source still waits for its next chunk. Use it in one thread; `close` may be called in any.
    """

    def __init__(self, source: Iterable[Any], pipeline: Pipeline) -> None:
        self._source = source
        self._pipeline = pipeline
        self._reader: threading.Thread | None = None
        self._news = threading.Event()
        pipeline.on_result = self._news.set

    @property
    def audit(self) -> StreamAudit:
        """The audit of what has been passed on; of the whole text when the stream has ended."""
        return self._pipeline.audit

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        self._start()
        try:
            while True:
                self._news.clear()
                text = self._pipeline.take()
                if text is not None:
                    return text
                # A signal that comes just before a wait begins does not end the wait.
                self._news.wait(SECONDS_UNTIL_SIGNAL)
        except EndOfStream:
            raise StopIteration from None
        except BaseException:
            self._pipeline.close()
            raise

    def close(self) -> None:
        """End the stream: judgements are cancelled, and the source is closed.

        A source that is waiting for its next chunk cannot be interrupted; it is closed as soon as
        it has it. `close` waits for that for at most a second.
        """
        self._pipeline.close()
        if self._reader is None:
            _close(self._source)
            self._reader = threading.current_thread()
        elif self._reader is not threading.current_thread():
            self._reader.join(_SECONDS_TO_CLOSE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        pipeline = getattr(self, "_pipeline", None)
        if pipeline is not None:
            pipeline.close()

    def _start(self) -> None:
        if self._reader is None:
            room = threading.Event()
            self._pipeline.on_room = room.set
            read = _reading(self._source, self._pipeline, room)
            self._reader = threading.Thread(
                target=self._pipeline.context.run,
                args=(read,),
                name="groundtypes-stream",
                daemon=True,
            )
            self._reader.start()


def _reading(
    source: Iterable[Any], pipeline: Pipeline, room: threading.Event
) -> Callable[[], None]:
    """Return the function that reads the source; it does not keep the guarded stream alive."""

    def read() -> None:
        error: BaseException | None = None
        try:
            for chunk in source:
                for _ in pipeline.feed(chunk):
                    while pipeline.is_full:
                        room.clear()
                        if pipeline.is_full:
                            room.wait()
                if pipeline.is_closed:
                    break
        except BaseException as raised:  # noqa: BLE001 # raised where the text is taken
            error = raised
        try:
            if pipeline.is_closed or error is not None:
                _close(source)
        except BaseException as raised:  # noqa: BLE001 # as above
            error = raised if error is None else error
        pipeline.end(error)

    return read


def _close(source: Any) -> None:
    close = getattr(source, "close", None)
    if callable(close):
        try:
            close()
        except Exception:  # noqa: BLE001 # nobody waits for it any more
            return
