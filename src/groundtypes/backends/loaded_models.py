"""The models that are loaded in this process, which all engines of the same settings share."""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from groundtypes.backends.label_adapters import LabelAdapter
from groundtypes.backends.tokenization import PairTokenizer, TokenizedPair
from groundtypes.blocking import call_blocking
from groundtypes.bounded_cache import BoundedCache
from groundtypes.errors import BackendError, Mistake
from groundtypes.forking import renew_in_child
from groundtypes.logs import Log
from groundtypes.scoring import NLIScores, Pair

__all__ = ["LOADED_MODELS", "Calibrate", "LoadedModel", "LoadedModels"]

_LOG: Final = Log(__name__)
_Model = TypeVar("_Model")
#: Returns the final scores of a pair, given those of the model.
Calibrate = Callable[[Pair, NLIScores], NLIScores]


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A loaded model: which one it is, how it reads pairs, and how to run it."""

    #: Identifies the weights and every setting that changes scores.
    identity: str
    tokenizer: PairTokenizer
    adapter: LabelAdapter
    #: Returns the logits of each pair of a batch.
    run: Callable[[Sequence[TokenizedPair]], Sequence[Sequence[float]]]
    #: What logits are divided by.
    temperature: float = 1.0
    #: Calibrates the scores, where the model's configuration says how.
    calibrate: Calibrate | None = None
    #: The weights for several pieces of evidence, where the model's configuration has them.
    evidence_weights: Mapping[str, Any] | None = None


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
