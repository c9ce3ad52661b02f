"""`NLIEngine`: what all NLI engines share, which is everything but the model itself.

An engine object holds only settings. Its model is loaded when it is first needed, once for each
process and setting; a pickled engine loads its model where it is unpickled.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypedDict, TypeVar

from groundtypes.backends.batching import run_in_batches
from groundtypes.backends.label_adapters import (
    LabelAdapter,
    Probabilities,
    probabilities,
    without_entailment,
)
from groundtypes.backends.languages import Languages, language_codes
from groundtypes.backends.logs import Log
from groundtypes.backends.observing import current_observer
from groundtypes.backends.score_cache import MemoryScoreCache, ScoreCache, score_key
from groundtypes.backends.text_templates import TemplateTokenizer
from groundtypes.backends.tokenization import PairTokenizer, TokenizedPair
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.concurrency.threads import check_cancelled
from groundtypes.errors import BackendError, ContextError, Mistake
from groundtypes.scoring import NLIScores, Pair

_LOG: Final = Log(__name__)
_Model = TypeVar("_Model")
#: Called with how many pairs are done, and how many there are.
Progress = Callable[[int, int], None]
#: Returns the final scores of a pair, given those of the model.
Calibrate = Callable[[Pair, NLIScores], NLIScores]

#: At most this many pairs are tokenized and sorted together, which bounds the memory of tokens.
_PAIRS_TOKENIZED_AT_ONCE: Final = 8192
#: At least so many pairs are scored in one turn. With the bundled model it takes a second.
_PAIRS_AT_ONCE: Final = 256
_TOKENS_OF_SHORT_PAIR: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel(ABC):
    """A loaded model: which one it is, and how it scores pairs."""

    #: Identifies the weights and every setting that changes the logits.
    identity: str
    #: What logits are divided by.
    temperature: float = 1.0
    #: Calibrates the scores, where the model's configuration says how.
    calibrate: Calibrate | None = None
    #: The weights for the scores of a statement, where the model's configuration has them.
    evidence_weights: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The model with all that changes its probabilities, by which they are cached."""
        return f"{self.identity} {self.temperature!r}"

    @abstractmethod
    def score(
        self, pairs: Sequence[Pair], tokens_per_batch: int, at_once: int
    ) -> Iterator[tuple[list[int], list[Probabilities]]]:
        """Yield the positions of the pairs of a batch and their probabilities, when it is done.

        A batch has at most `tokens_per_batch` tokens, padding included; `at_once` run together.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoder(LoadedModel):
    """A model that reads premise and hypothesis together, each pair by itself."""

    tokenizer: PairTokenizer | TemplateTokenizer
    adapter: LabelAdapter
    #: Returns the logits of each pair of a batch.
    run: Callable[[Sequence[TokenizedPair]], Sequence[Sequence[float]]]

    def score(
        self, pairs: Sequence[Pair], tokens_per_batch: int, at_once: int
    ) -> Iterator[tuple[list[int], list[Probabilities]]]:
        """Yield the probabilities of pairs of similar length together, the longest first."""
        tokenized = self.tokenizer.tokenize(pairs)

        def run(positions: Sequence[int]) -> list[Probabilities]:
            batch = [tokenized[position] for position in positions]
            rows = [probabilities(self.adapter, row, self.temperature) for row in self.run(batch)]
            # A model that returns too few rows is reported by `run_in_batches`.
            return [
                without_entailment(row) if pair.cut else row
                for pair, row in zip(batch, rows, strict=False)
            ]

        lengths = [len(pair.ids) for pair in tokenized]
        yield from run_in_batches(lengths, tokens_per_batch, run, at_once)


class LoadedModels(Generic[_Model]):
    """The models used last, each loaded once; a forked child loads models of its own."""

    def __init__(self, max_models: int = 4) -> None:
        self._max_models = max_models
        self._models = BoundedCache[Hashable, _Model](max_models)
        #: Models of the parent process. Their threads do not exist here, so that using or freeing
        #: one would wait for ever.
        self._inherited: list[BoundedCache[Hashable, _Model]] = []
        renew_in_child(self)

    def get(self, settings: Hashable, load: Callable[[], _Model]) -> _Model:
        """Return the model of these settings, loaded by `load` if need be."""

        def load_or_explain() -> _Model:
            started = time.perf_counter()
            try:
                model = load()
            except Mistake:
                raise
            except Exception as error:
                raise BackendError(
                    f"The model cannot be loaded: {type(error).__name__}: {error}"
                ) from error
            _LOG.info("A model was loaded in %.2f s", time.perf_counter() - started)
            return model

        return self._models.get_or_load(settings, load_or_explain)

    def renew(self) -> None:
        """Forget the models of the parent in a forked child, without freeing them."""
        self._inherited.append(self._models)
        self._models = BoundedCache(self._max_models)


LOADED_MODELS: Final = LoadedModels[LoadedModel]()


class EngineSettings(TypedDict, total=False):
    """The settings that all NLI engines have: see `NLIEngine`."""

    calibrate: Calibrate | None
    cache: ScoreCache | None
    progress: Progress | None
    languages: Languages
    timeout: float | None


class NLIEngine(ABC):
    """Scores pairs: duplicates once, known ones from the cache, the others in batches by length."""

    #: How many tokens a batch may have, padding included.
    _tokens_per_batch: int = 4096

    def __init__(
        self,
        *,
        calibrate: Calibrate | None = None,
        cache: ScoreCache | None = None,
        progress: Progress | None = None,
        languages: Languages = None,
        timeout: float | None = None,
    ) -> None:
        """Store the settings that all engines have.

        Args:
            calibrate: Returns the final scores of each pair, given those of the model, in place of
                the calibration in the model's configuration. A function of a module, so that the
                engine can be pickled.
            cache: Where scores are cached; by default in memory. `MemoryScoreCache(0)` stores none.
            progress: Called with how many pairs are done, and how many there are.
            languages: What the model reads, as ISO 639 codes; a text that is clearly in none of
                these is a `LanguageError`. By default English for the models of groundtypes, and
                the measured languages for the judge. Of another model it is not known, and nothing
                is checked; neither is it with "any".
            timeout: How many seconds the pairs of a check wait, at most, while the engine scores
                those of others; then there is a `BackendError`. By default as long as it takes.

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
    def _load(self) -> LoadedModel: ...

    @property
    def calls_at_once(self) -> int | None:
        """How many calls use the processors fully; `None` where progress is that of one caller."""
        return None if self._progress is not None else self._useful_calls

    @property
    def _useful_calls(self) -> int:
        return 1

    @property
    def _batches_at_once(self) -> int:
        return 1

    @property
    def questions_at_once(self) -> int:
        """How many pairs are scored before others have their turn: those of many batches."""
        return max(_PAIRS_AT_ONCE, self._tokens_per_batch // _TOKENS_OF_SHORT_PAIR)

    @property
    def identity(self) -> str:
        """The model and every setting that changes its scores; the model is loaded for it."""
        model = self._model()
        calibrate = self._calibrate or model.calibrate
        # The `repr` of a function has its address, which differs between processes.
        name = getattr(calibrate, "__qualname__", None)
        shown = repr(calibrate) if name is None else f"{calibrate.__module__}.{name}"
        return f"{model.name} {shown}"

    @property
    def evidence_weights(self) -> Mapping[str, Any] | None:
        """The weights of `entailment.evidence_model`, fitted to the model's own calibration."""
        return None if self._calibrate is not None else self._model().evidence_weights

    def load(self) -> None:
        """Load the model now, instead of with the first pair, or raise a `BackendError`."""
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
        keys = [score_key(model.name, pair) for pair in pairs]
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
        missing = iter([(key, pairs[at[0]]) for key, at in positions.items() if key not in rows])
        while group := list(islice(missing, _PAIRS_TOKENIZED_AT_ONCE)):
            batches = model.score(
                [pair for _, pair in group], self._tokens_per_batch, self._batches_at_once
            )
            for places, outputs in batches:
                new = {group[at][0]: row for at, row in zip(places, outputs, strict=True)}
                self._cache.put(new)
                check_cancelled()
                rows.update(new)
                done += sum(len(positions[key]) for key in new)
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
