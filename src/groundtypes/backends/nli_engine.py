"""What all engines for pairs of texts share: everything but the model itself.

An engine is its settings. The model behind it is loaded when it is first needed, once for each
process and setting, and never travels: a pickled engine loads its model where it arrives.
"""

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from groundtypes.backends.batching import in_batches
from groundtypes.backends.forks import renew_in_child
from groundtypes.backends.label_adapters import LabelAdapter, Probabilities, probabilities
from groundtypes.backends.score_cache import MemoryScoreCache, ScoreCache, score_key
from groundtypes.backends.tokenization import PairTokenizer, Tokens
from groundtypes.errors import BackendError, Mistake
from groundtypes.scoring import NLIScores, Pair

__all__ = ["Calibrate", "Model", "NLIEngine", "Progress"]

#: Called with how many pairs are done, and how many there are.
Progress = Callable[[int, int], None]
#: Makes the final scores of a pair from those of the model.
Calibrate = Callable[[Pair, NLIScores], NLIScores]

#: So many pairs are tokenised and sorted at a time, which bounds the memory for their tokens.
_WINDOW: Final = 8192
#: So many loaded models are kept in a process.
_MODELS: Final = 4


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded model: which one it is, how it reads pairs, and how to run it."""

    #: Stands for the weights and for every setting that changes scores.
    identity: str
    tokens: PairTokenizer
    adapter: LabelAdapter
    #: The logits of each text of a batch.
    run: Callable[[Sequence[Tokens]], Sequence[Sequence[float]]]
    temperature: float = 1.0
    #: What makes final scores of the model's, where its configuration says so.
    calibrate: Calibrate | None = None


class NLIEngine(ABC):
    """Scores pairs: duplicates once, known ones from the cache, the others batched by length."""

    #: How many tokens a batch may have, padding included.
    _budget: int = 4096

    def __init__(
        self,
        *,
        cache: ScoreCache | None,
        progress: Progress | None,
        calibrate: Calibrate | None = None,
    ) -> None:
        """Take what all engines have; without a cache, scores are kept in memory."""
        self._cache: ScoreCache = MemoryScoreCache() if cache is None else cache
        self._progress = progress
        self._calibrate = calibrate

    @property
    @abstractmethod
    def _settings(self) -> Hashable:
        """What tells the loaded models of a process apart."""

    @abstractmethod
    def _load(self) -> Model:
        """Load the model."""

    def load(self) -> None:
        """Load the model now, which otherwise happens at the first pair.

        Raises:
            BackendError: There is no such model, or it cannot be used.
        """
        self._model()

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        """Return one row of scores for each pair, in their order.

        A premise that does not fit the model's window loses its end. Of a hypothesis that does
        not fit, the end is not read either; what was not read is not entailed, so that its
        probability of entailment goes to neutral.

        Raises:
            BackendError: The model cannot be loaded, failed, or returned what are no scores.
        """
        if not pairs:
            return []
        model = self._model()
        keys = [score_key(model.identity, pair) for pair in pairs]
        places: dict[bytes, list[int]] = {}
        for place, key in enumerate(keys):
            places.setdefault(key, []).append(place)
        rows = dict(self._cache.get(list(places)))
        done = sum(len(places[key]) for key in rows)
        self._report(done, len(pairs))
        missing = [key for key in places if key not in rows]
        for some in self._scored(model, [(key, pairs[places[key][0]]) for key in missing]):
            self._cache.put(some)
            rows.update(some)
            done += sum(len(places[key]) for key in some)
            self._report(done, len(pairs))
        final = self._calibrate or model.calibrate
        scores = [NLIScores(*rows[key]) for key in keys]
        if final is None:
            return scores
        return [final(pair, score) for pair, score in zip(pairs, scores, strict=True)]

    def _scored(
        self, model: Model, questions: Sequence[tuple[bytes, Pair]]
    ) -> Iterator[dict[bytes, Probabilities]]:
        """Yield the rows of the questions, a batch at a time."""
        waiting = iter(questions)
        while window := list(islice(waiting, _WINDOW)):
            tokens = model.tokens.of([pair for _, pair in window])

            def run(places: Sequence[int], tokens: list[Tokens] = tokens) -> list[Probabilities]:
                logits = model.run([tokens[place] for place in places])
                rows = [probabilities(model.adapter, row, model.temperature) for row in logits]
                return [
                    _unread(row) if tokens[place].cut else row
                    for place, row in zip(places, rows, strict=False)
                ]

            for places, rows in in_batches([len(one.ids) for one in tokens], self._budget, run):
                yield {window[place][0]: row for place, row in zip(places, rows, strict=True)}

    def _report(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)

    def _model(self) -> Model:
        return _loaded.get((type(self), self._settings), self._load)

    def __getstate__(self) -> dict[str, Any]:
        # Progress is shown where the engine was made; a worker has nobody to show it to.
        return {**self.__dict__, "_progress": None}


class _Loaded:
    """The models of this process, those used last; each is loaded by one thread only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: OrderedDict[Hashable, Model] = OrderedDict()
        #: Models of the parent process. Their threads do not exist here, so that to use one, or
        #: to throw it away, would be to wait for ever.
        self._inherited: list[Model] = []
        renew_in_child(self)

    def get(self, key: Hashable, load: Callable[[], Model]) -> Model:
        with self._lock:
            if key not in self._models:
                try:
                    self._models[key] = load()
                except Mistake:
                    raise
                except Exception as error:
                    raise BackendError(
                        f"The model cannot be loaded: {type(error).__name__}: {error}"
                    ) from error
                while len(self._models) > _MODELS:
                    self._models.popitem(last=False)
            self._models.move_to_end(key)
            return self._models[key]

    def renew(self) -> None:
        """Load anew in a forked child."""
        self._lock = threading.Lock()
        self._inherited.extend(self._models.values())
        self._models = OrderedDict()


_loaded: Final = _Loaded()


def _unread(row: Probabilities) -> Probabilities:
    entailment, neutral, contradiction = row
    return 0.0, min(1.0, neutral + entailment), contradiction  # which rounding may exceed
