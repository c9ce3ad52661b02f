"""The metrics: verdicts, faults, re-asks, questions to engines, their time, hits of caches."""

from collections import Counter
from typing import Any

from groundtypes.integrations.telemetry.events import Judged


class Metrics:
    """The instruments of a meter. The values of all attributes are few: they are in the program."""

    def __init__(self, meter: Any) -> None:
        self._verdicts = meter.create_counter(
            "groundtypes.verdicts", unit="{verdict}", description="Verdicts of checks."
        )
        self._faults = meter.create_counter(
            "groundtypes.faults",
            unit="{fault}",
            description="Faults of answers, by field and slug.",
        )
        self._reasks = meter.create_counter(
            "groundtypes.reasks",
            unit="{reask}",
            description="Answers for which an LLM was asked again, because of faults.",
        )
        self._seconds = meter.create_histogram(
            "groundtypes.engine.duration", unit="s", description="Time of the calls of engines."
        )
        self._questions = meter.create_counter(
            "groundtypes.engine.questions",
            unit="{question}",
            description="Questions that were sent to engines.",
        )
        self._hits = meter.create_counter(
            "groundtypes.cache.hits",
            unit="{question}",
            description="Questions whose results were remembered.",
        )

    def count_verdicts(self, verdicts: list[Judged], model: str) -> None:
        """Count verdicts, and the faults among them."""
        outcomes = Counter((each.check, each.verdict.ok) for each in verdicts)
        for (check, ok), count in outcomes.items():
            label = "pass" if ok else "fail"
            attributes = {
                "gen_ai.evaluation.name": check,
                "gen_ai.evaluation.score.label": label,
                "gen_ai.evaluation.target": model,
            }
            self._verdicts.add(count, attributes)
        faults = Counter(
            (each.check, each.field, each.slug or "") for each in verdicts if not each.verdict.ok
        )
        for (check, field, slug), count in faults.items():
            attributes = {
                "gen_ai.evaluation.name": check,
                "gen_ai.evaluation.target": model,
                "groundtypes.field": field,
                "groundtypes.slug": slug,
            }
            self._faults.add(count, attributes)

    def count_reask(self, model: str) -> None:
        """Count one answer for which an LLM was asked again."""
        self._reasks.add(1, {"gen_ai.evaluation.target": model})

    def count_call(self, engine: str, questions: int, seconds: float, error: str | None) -> None:
        """Count one call of an engine."""
        attributes = {"groundtypes.engine": engine}
        self._questions.add(questions, attributes)
        if error is not None:
            attributes = {**attributes, "error.type": error}
        self._seconds.record(seconds, attributes)

    def count_hits(self, cache: str, count: int) -> None:
        """Count questions whose results a cache had."""
        self._hits.add(count, {"groundtypes.cache": cache})
