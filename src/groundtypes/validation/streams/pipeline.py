"""From chunks to judged text, in order: what the sync and the async guard have in common.

The source is read in one place (a thread, or a task of the event loop), which feeds the pipeline.
Units are judged in threads, several at the same time, so that a sentence does not wait for the one
before it; engines that can do only one thing at a time put their questions together
(`request_batching`). The consumer takes what is judged, in the order of the text. Nothing else
passes text on.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import Context
from typing import Final

from groundtypes.concurrency.threads import Cancellation, CancelledCall
from groundtypes.errors import ContextError, Mistake
from groundtypes.validation.streams.cutter import Cutter
from groundtypes.validation.streams.judge import PartJudge
from groundtypes.validation.streams.judged_parts import Part, as_one_claim, parts_of, wordless
from groundtypes.validation.streams.stream_audits import StreamAudit
from groundtypes.validation.streams.text_units import Unit
from groundtypes.validation.streams.writer import Writer
from groundtypes.verdicts import Verdict

#: How many judgements of one stream are under way at the same time.
_AT_ONCE: Final = 4
#: The most units that are judged together.
_MAX_BATCH: Final = 32
#: So many units, or characters, are read ahead of the consumer.
_MAX_UNITS: Final = 64
_MAX_CHARACTERS: Final = 100_000
#: So many characters without a word are judged as an answer without a word.
_MAX_WORDLESS: Final = 10_000


class EndOfStream(Exception):
    """There is no more text to take."""


class _Job:
    """The judgement of one unit; the lock of the pipeline guards it."""

    __slots__ = ("error", "is_done", "is_started", "parts", "unit", "verdicts")

    def __init__(self, unit: Unit, parts: list[Part]) -> None:
        self.unit = unit
        self.parts = parts
        self.verdicts: Sequence[tuple[Verdict, ...]] = ()
        self.error: BaseException | None = None
        self.is_started = False
        self.is_done = not parts  # nothing is visible in it


class Pipeline:
    """The state of one guarded stream, for the threads that share it."""

    def __init__(self, judge: PartJudge, writer: Writer, context: Context) -> None:
        self._judge = judge
        self._writer = writer
        #: The context variables of the caller, for all threads and tasks.
        self.context = context
        self._cutter = Cutter()
        self._lock = threading.RLock()
        self._jobs: deque[_Job] = deque()
        self._characters = 0
        self._has_claims = False
        self._has_words = False
        #: The units before the first word.
        self._wordless: list[Unit] = []
        self._under_way = 0
        self._cancellation = Cancellation()
        self._has_ended = False
        self._error: BaseException | None = None
        self._is_finished = False
        self._is_complete = False
        self.is_closed = False
        #: Called, from any thread, when there is something new to take, or room to feed.
        self.on_result: Callable[[], None] = _nothing
        self.on_room: Callable[[], None] = _nothing

    # --- from the source -----------------------------------------------------------------------

    def feed(self, chunk: object) -> Iterator[None]:
        """Take a chunk; it yields after each unit, when the feeder may wait for room.

        Raises:
            ContextError: The chunk is no text.
        """
        if not isinstance(chunk, str):
            raise ContextError(
                f"guard takes chunks of text, and the stream gave {_kind(chunk)}. Map the chunks "
                "of your client to text, such as `chunk.choices[0].delta.content or ''`."
            )
        for unit in self._cutter.feed(chunk):
            self._add(unit)
            yield

    def end(self, error: BaseException | None = None) -> None:
        """Say that the source has ended, or has raised; what is held back is judged as it is."""
        with self._lock:
            if self.is_closed or self._has_ended:
                return
        try:
            for unit in self._cutter.finish():
                self._add(unit)
            self._add_wordless(error)
        except BaseException as own:  # noqa: BLE001 # raised where the text is taken
            error = own if error is None else error
        with self._lock:
            self._has_ended, self._error = True, error
        self.on_result()

    @property
    def is_full(self) -> bool:
        """Whether enough is read ahead of the consumer."""
        return not self.is_closed and (
            len(self._jobs) >= _MAX_UNITS or self._characters >= _MAX_CHARACTERS
        )

    # --- judging -------------------------------------------------------------------------------

    def _add(self, unit: Unit) -> None:
        """Take a unit; those before the first word wait for it, as there may be none."""
        if not self._has_words and not _has_words(unit):
            self._wordless.append(unit)
            if sum(len(each.text) for each in self._wordless) >= _MAX_WORDLESS:
                self._add_wordless(None)
            return
        if not self._has_words:
            self._has_words = True
            for each in self._wordless:
                self._add_judged(each)
        self._add_judged(unit)

    def _add_wordless(self, error: BaseException | None) -> None:
        """Judge what came as one, if it is without a word; not if the source raised at once."""
        if self._has_words:
            return
        self._has_words = True
        text = "".join(each.text for each in self._wordless)
        if text.strip() or error is None:
            unit = Unit(0, text)
            self._append(_Job(unit, [wordless(unit)]))

    def _add_judged(self, unit: Unit) -> None:
        parts = parts_of(unit)
        self._has_claims = self._has_claims or any(part.claims for part in parts)
        if not self._has_claims and _has_words(unit):
            parts = [as_one_claim(parts, unit.text)]
            self._has_claims = True
        self._append(_Job(unit, parts))

    def _append(self, job: _Job) -> None:
        with self._lock:
            self._jobs.append(job)
            self._characters += len(job.unit.text)
        self._start()
        if job.is_done:
            self.on_result()

    def _start(self) -> None:
        """Start judging what waits, as far as there are threads for it."""
        while True:
            with self._lock:
                if self.is_closed or self._under_way >= _AT_ONCE:
                    return
                waiting = [job for job in self._jobs if not (job.is_started or job.is_done)]
                batch = waiting[:_MAX_BATCH]
                if not batch:
                    return
                for job in batch:
                    job.is_started = True
                self._under_way += 1
            self._run_in_thread(batch)

    def _run_in_thread(self, batch: list[_Job]) -> None:
        context = self.context.copy()
        self._cancellation.enter(context)
        threading.Thread(
            target=context.run, args=(self._run, batch), name="groundtypes-guard", daemon=True
        ).start()

    def _run(self, batch: list[_Job]) -> None:
        try:
            self._judge_batch(batch)
        except CancelledCall:
            pass
        finally:
            with self._lock:
                self._under_way -= 1
            self._start()
            self.on_result()

    def _judge_batch(self, batch: list[_Job]) -> None:
        try:
            parts = [part for job in batch for part in job.parts]
            verdicts = iter(self._judge.judge(parts))
            results = [[next(verdicts) for _ in job.parts] for job in batch]
        except CancelledCall:
            raise
        except BaseException as error:  # noqa: BLE001 # raised where the text is taken
            if isinstance(error, Mistake) and len(batch) > 1:
                # One of them may be the cause; what comes before it is to pass.
                for job in batch:
                    self._judge_batch([job])
                return
            with self._lock:
                for job in batch:
                    job.error, job.is_done = error, True
            return
        with self._lock:
            for job, result in zip(batch, results, strict=True):
                job.verdicts, job.is_done = result, True

    # --- to the consumer -----------------------------------------------------------------------

    def take(self) -> str | None:
        """Return the next text that may pass; `None` if it has to be waited for.

        Raises:
            EndOfStream: There is no more.
            ValidationError: A sentence failed, and stops the stream.
            BaseException: What the source or the judgement raised.
        """
        while True:
            with self._lock:
                if self._is_finished:
                    raise EndOfStream
                if self.is_closed:
                    self._is_finished = True
                    raise EndOfStream
                if self._writer.error is not None:
                    error: BaseException | None = self._writer.error
                elif self._jobs and self._jobs[0].is_done:
                    error = self._jobs[0].error
                elif self._jobs or not self._has_ended:
                    return None
                else:
                    return self._finish()
                job = None if error is not None else self._jobs.popleft()
                if job is not None:
                    self._characters -= len(job.unit.text)
            if error is not None:
                self._is_finished = True
                self.close()
                raise error
            assert job is not None  # noqa: S101 # there is no error
            if text := self._writer.write(job.unit, job.parts, job.verdicts):
                self.on_room()
                return text
            self.on_room()

    def _finish(self) -> str:
        """Return the white space at the end, once; then raise what the source has raised."""
        if text := self._writer.finish_once():
            return text
        self._is_finished = True
        self._is_complete = self._error is None
        error = EndOfStream() if self._error is None else self._error
        self.close()
        raise error

    def close(self) -> None:
        """Cancel what is under way; nothing passes any more."""
        with self._lock:
            if self.is_closed:
                return
            self.is_closed = True
            self._jobs.clear()
        self._cancellation.cancel()
        self.on_room()
        self.on_result()

    @property
    def audit(self) -> StreamAudit:
        """The audit of what has been passed on so far."""
        with self._lock:
            given = self._judge.context
            return self._writer.audit(
                given["references"], given["question"], complete=self._is_complete
            )


def _has_words(unit: Unit) -> bool:
    return any(map(str.isalnum, unit.text))


def _nothing() -> None:
    return None


def _kind(chunk: object) -> str:
    return "None" if chunk is None else f"an object of type {type(chunk).__name__}"
