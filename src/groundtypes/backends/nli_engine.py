"""`NLIEngine`: what all NLI engines share, which is everything but the model itself.

An engine object holds only settings. Its model is loaded when it is first needed, once for each
process and setting, and never leaves the process: a pickled engine loads its model where it is
unpickled.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from groundtypes.backends.label_adapters import Probabilities
from groundtypes.backends.languages import Languages, language_codes
from groundtypes.backends.loaded_models import LOADED_MODELS, Calibrate, LoadedModel
from groundtypes.backends.observing import current_observer
from groundtypes.backends.score_cache import MemoryScoreCache, ScoreCache, score_key
from groundtypes.concurrency.threads import check_cancelled
from groundtypes.errors import ContextError
from groundtypes.scoring import NLIScores, Pair

#: Called with how many pairs are done, and how many there are.
Progress = Callable[[int, int], None]

#: At most this many pairs are tokenized and sorted together, which bounds the memory of tokens.
_PAIRS_TOKENIZED_AT_ONCE: Final = 8192
#: At least so many pairs are scored in one turn. With the bundled model it takes a second.
_PAIRS_AT_ONCE: Final = 256
_TOKENS_OF_SHORT_PAIR: Final = 8


class NLIEngine(ABC):
    """Scores pairs: duplicates once, known ones from the cache, the others in batches by length."""

    #: How many tokens a batch may have, padding included.
    _tokens_per_batch: int = 4096

    def __init__(
        self,
        *,
        cache: ScoreCache | None,
        progress: Progress | None,
        calibrate: Calibrate | None = None,
        languages: Languages = None,
        timeout: float | None = None,
    ) -> None:
        """Store what all engines have; without a cache, scores are cached in memory.

        Raises:
            ContextError: The time-out is not positive.
        """
        if timeout is not None and not timeout > 0:
            raise ContextError(f"timeout is {timeout}; it must be a positive number of seconds")
        #: How many seconds pairs wait while the engine scores those of others.
        self.queue_timeout = timeout
        #: The codes of the languages that the model reads; `None` if that is not known.
        self.languages = language_codes(languages)
        self._cache: ScoreCache = MemoryScoreCache() if cache is None else cache
        self._progress = progress
        self._calibrate = calibrate

    @property
    @abstractmethod
    def _settings(self) -> Hashable:
        """The settings that distinguish the loaded models of a process."""

    @abstractmethod
    def _load(self) -> LoadedModel:
        """Load the model."""

    @property
    def calls_at_once(self) -> int | None:
        """How many calls of the model use the processors fully; pairs of others wait meanwhile.

        It is `None`, and nothing waits, where progress is reported: a call is then one caller's.
        """
        return None if self._progress is not None else self._useful_calls

    @property
    def _useful_calls(self) -> int:
        return 1

    @property
    def _batches_at_once(self) -> int:
        """How many batches of one call are run at the same time."""
        return 1

    @property
    def questions_at_once(self) -> int:
        """How many pairs are scored before others have their turn: those of many batches."""
        return max(_PAIRS_AT_ONCE, self._tokens_per_batch // _TOKENS_OF_SHORT_PAIR)

    @property
    def identity(self) -> str:
        """The model and every setting that changes its scores; the model is loaded for it.

        Raises:
            BackendError: There is no such model, or it cannot be used.
        """
        model = self._model()
        calibrate = self._calibrate or model.calibrate
        # The `repr` of a function has its address, which differs between processes.
        name = getattr(calibrate, "__qualname__", None)
        shown = repr(calibrate) if name is None else f"{calibrate.__module__}.{name}"
        return f"{model.identity} {model.temperature!r} {shown}"

    @property
    def evidence_weights(self) -> Mapping[str, Any] | None:
        """The weights of `groundtypes.entailment.evidence_model`, if the model has them.

        They were fitted to the model's own calibration, so that an engine with another has none.

        Raises:
            BackendError: There is no such model, or it cannot be used.
        """
        return None if self._calibrate is not None else self._model().evidence_weights

    def load(self) -> None:
        """Load the model now, instead of with the first pair.

        Raises:
            BackendError: There is no such model, or it cannot be used.
        """
        self._model()

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        """Return the scores of each pair, in their order.

        A premise that is too long is truncated. If the hypothesis is truncated, its entailment
        probability is moved to neutral, because the rest was not read.

        Raises:
            BackendError: The model cannot be loaded, failed, or returned no valid scores.
        """
        if not pairs:
            return []
        model = self._model()
        keys = [score_key(model.identity, pair) for pair in pairs]
        rows = self._rows(model, keys, pairs)
        scores = [NLIScores(*rows[key]) for key in keys]
        calibrate = self._calibrate or model.calibrate
        if calibrate is None:
            return scores
        return [calibrate(pair, score) for pair, score in zip(pairs, scores, strict=True)]

    def _rows(
        self, model: LoadedModel, keys: Sequence[bytes], pairs: Sequence[Pair]
    ) -> dict[bytes, Probabilities]:
        """Return the probabilities under each key, cached or computed."""
        positions: dict[bytes, list[int]] = {}
        for position, key in enumerate(keys):
            positions.setdefault(key, []).append(position)
        rows = dict(self._cache.get(list(positions)))
        if rows and (observer := current_observer()) is not None:
            observer.cache_hits("scores", len(rows))
        done = sum(len(positions[key]) for key in rows)
        self._report(done, len(pairs))
        missing = [(key, pairs[at[0]]) for key, at in positions.items() if key not in rows]
        at_once = self._batches_at_once
        for new_rows in _compute(model, missing, self._tokens_per_batch, at_once):
            self._cache.put(new_rows)
            check_cancelled()
            rows.update(new_rows)
            done += sum(len(positions[key]) for key in new_rows)
            self._report(done, len(pairs))
        return rows

    def _report(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)

    def _model(self) -> LoadedModel:
        return LOADED_MODELS.get((type(self), self._settings), self._load)

    def __getstate__(self) -> dict[str, Any]:
        # Progress is displayed where the engine was created; a worker process cannot display it.
        return {**self.__dict__, "_progress": None}


def _compute(
    model: LoadedModel,
    keyed_pairs: Sequence[tuple[bytes, Pair]],
    tokens_per_batch: int,
    at_once: int,
) -> Iterator[dict[bytes, Probabilities]]:
    """Yield the probabilities of the pairs under their keys, a batch at a time."""
    remaining = iter(keyed_pairs)
    while group := list(islice(remaining, _PAIRS_TOKENIZED_AT_ONCE)):
        pairs = [pair for _, pair in group]
        for positions, rows in model.score(pairs, tokens_per_batch, at_once):
            yield {group[position][0]: row for position, row in zip(positions, rows, strict=True)}
