"""Batches are processed as the run would, and measured; also in worker processes.

`MeasuringFactory` wraps what makes the processor of a run, and can be sent to a worker like it. The
measurement of a batch comes back as a line of an output of its own.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Final

from pydantic import BaseModel

from groundtypes.dataset.check.processing import LineResult, ProcessorFactory, RowProcessor
from groundtypes.dataset.estimation.metering import Meter
from groundtypes.dataset.estimation.modelled_replies import EXPECTED, FEWEST, MOST, ReplyModel
from groundtypes.errors import Mistake
from groundtypes.ledger import SettledCache, engines_replaced
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.json_lines import Line, json_line
from groundtypes.scoring import Question

__all__ = ["MEASUREMENTS", "MeasuringFactory"]

#: The output that has the measurement of each batch, on the last of its lines.
MEASUREMENTS: Final = "measurements"
#: With how many rows a processor is warmed up.
_WARM_UP: Final = 4


@dataclass(frozen=True, slots=True)
class MeasuringFactory:
    """Makes processors that measure what another one does with each batch.

    `reply` returns the reply of an LLM to a question; without it, replies are modelled.
    """

    factory: ProcessorFactory
    reply: Callable[[Question], BaseModel] | None = None

    @property
    def identity(self) -> Mapping[str, Any]:
        """That of the run."""
        return self.factory.identity

    def processor(self, outputs: Collection[str], *, first: bool = True) -> "_MeasuringProcessor":
        """Return a processor that adds a measurement to the last line of a batch."""
        began = time.perf_counter()
        own = [output for output in outputs if output != MEASUREMENTS]
        processor = self.factory.processor(own, first=first)
        warm_up = self.factory.processor(own, first=False)
        return _MeasuringProcessor(self, processor, warm_up, time.perf_counter() - began)


class _MeasuringProcessor:
    """Processes batches, and measures them."""

    def __init__(
        self,
        factory: MeasuringFactory,
        processor: RowProcessor,
        warm_up: RowProcessor,
        seconds: float,
    ) -> None:
        self._factory = factory
        self._processor = processor
        self._warm_up_processor: RowProcessor | None = warm_up
        self._start_seconds = seconds

    def process(self, lines: Iterable[Line]) -> Iterator[LineResult]:
        """Yield what became of each line; the last one has the measurement.

        Raises:
            Mistake: As the processor of the run.
        """
        lines = list(lines)
        self._warm_up(lines)
        meter, began = self._meter(EXPECTED), time.perf_counter()
        results = _process(self._processor, lines, meter)
        seconds = time.perf_counter() - began - meter.seconds_aside
        measured = {
            **_counts(meter),
            "rows": len(results),
            "broken": sum(result.audit is None for result in results),
            "bytes": sum(line.length for line in lines),
            "seconds": seconds,
            "nli seconds": meter.nli_seconds,
            "start seconds": self._start_seconds,
            "pairs": sorted(meter.pairs),
            "questions": sorted(meter.questions),
            "waits": meter.waits,
            "concurrency": meter.concurrency,
            "budget": meter.budget,
            "untimed": sorted(meter.untimed),
        }
        if meter.questions and self._factory.reply is None:
            for name, model in (("fewest", FEWEST), ("most", MOST)):
                bound = self._meter(model, scores=False)
                _process(self._processor, lines, bound)
                measured[name] = _counts(bound)
        self._start_seconds = 0.0
        yield from results[:-1]
        outputs = {**results[-1].outputs, MEASUREMENTS: json_line(measured)}
        yield replace(results[-1], outputs=outputs)

    def _meter(self, model: ReplyModel, *, scores: bool = True) -> Meter:
        return Meter(self._factory.reply or model.reply, scores=scores)

    def _warm_up(self, lines: Sequence[Line]) -> None:
        """Process a few rows, so that the models are loaded before anything is measured."""
        if self._warm_up_processor is None:
            return
        began = time.perf_counter()
        # A mistake is raised when the whole batch is processed.
        with suppress(Mistake):
            few = list(islice(lines, _WARM_UP))
            _process(self._warm_up_processor, few, self._meter(EXPECTED))
        self._warm_up_processor = None
        self._start_seconds += time.perf_counter() - began


def _process(processor: RowProcessor, lines: Sequence[Line], meter: Meter) -> list[LineResult]:
    """Return what became of each line, and count it as the run does, which takes time too."""
    counts = RunCounts()
    results = []
    with engines_replaced(partial(Meter.ask, meter), SettledCache()):
        for result in processor.process(lines):
            if result.audit is not None:
                counts.add(result.audit, repaired=result.repaired)
            results.append(result)
    return results


def _counts(meter: Meter) -> dict[str, Any]:
    return {
        "pair count": len(meter.pairs),
        "question count": len(meter.questions),
        "calls": dict(meter.calls),
        "bytes in": meter.bytes_in,
        "bytes out": meter.bytes_out,
    }
