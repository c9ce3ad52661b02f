"""The models that are loaded in this process, which all engines of the same settings share."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from groundtypes.backends.batching import run_in_batches
from groundtypes.backends.label_adapters import (
    LabelAdapter,
    Probabilities,
    probabilities,
    without_entailment,
)
from groundtypes.backends.logs import Log
from groundtypes.backends.tokenization import PairTokenizer, TokenizedPair
from groundtypes.concurrency.blocking import call_blocking
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import BackendError, Mistake
from groundtypes.scoring import NLIScores, Pair

_LOG: Final = Log(__name__)
_Model = TypeVar("_Model")
#: Returns the final scores of a pair, given those of the model.
Calibrate = Callable[[Pair, NLIScores], NLIScores]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel(ABC):
    """A loaded model: which one it is, and how it scores pairs."""

    #: Identifies the weights and every setting that changes scores.
    identity: str
    #: What logits are divided by.
    temperature: float = 1.0
    #: Calibrates the scores, where the model's configuration says how.
    calibrate: Calibrate | None = None
    #: The weights for the scores of a statement, where the model's configuration has them.
    evidence_weights: Mapping[str, Any] | None = None

    @abstractmethod
    def score(
        self, pairs: Sequence[Pair], tokens_per_batch: int, at_once: int
    ) -> Iterator[tuple[list[int], list[Probabilities]]]:
        """Yield the positions of the pairs of a batch and their probabilities, when it is done.

        Args:
            pairs: What is scored.
            tokens_per_batch: How many tokens a batch may have, padding included.
            at_once: How many batches may run at the same time.

        Raises:
            BackendError: The model failed, or a single pair does not fit in memory.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoder(LoadedModel):
    """A model that reads premise and hypothesis together, each pair by itself."""

    tokenizer: PairTokenizer
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
        """Return the model of these settings, loaded by `load` if need be.

        Raises:
            BackendError: The model cannot be loaded.
        """

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

        model = self._models.get_unless_busy(settings)
        if model is not None:
            return model
        return call_blocking(lambda: self._models.get_or_create(settings, load_or_explain))

    def renew(self) -> None:
        """Forget the models of the parent in a forked child, without freeing them."""
        self._inherited.append(self._models)
        self._models = BoundedCache(self._max_models)


#: The loaded models of this process.
LOADED_MODELS: Final = LoadedModels[LoadedModel]()
