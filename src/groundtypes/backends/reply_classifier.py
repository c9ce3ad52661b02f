"""The bundled transformer that reads the opening of a reply and says what the reply does.

A single thread computes: a text takes milliseconds, and replies are read in many threads at once.
"""

from typing import Final

from groundtypes.backends.model_folder import ModelFolder
from groundtypes.backends.nli_engine import LoadedModels
from groundtypes.backends.onnx_session import Session, Tokenizer, load_tokenizer
from groundtypes.backends.tokenization import TokenizedPair, encodable, window_of
from groundtypes.errors import BackendError
from groundtypes_nli import REFUSALS

_NAME: Final = "the bundled refusal model"
#: Answer, refusal, abstention, partial answer.
_OUTPUTS: Final = 4
#: So many characters are read, at most.
_MAX_CHARACTERS: Final = 1_000


class ReplyClassifier:
    """A loaded model; many threads use it at once."""

    def __init__(self, folder: ModelFolder) -> None:
        config = folder.config()
        self._window = window_of(config)
        self._tokenizer: Tokenizer = load_tokenizer(folder)
        self._session = Session(folder, 1, int(config.get("pad_token_id") or 0))

    def outputs(self, opening: str) -> list[float]:
        """Return the outputs before the softmax: answer, refusal, abstention, partial answer."""
        try:
            ids = self._tokenizer.encode(encodable(opening[:_MAX_CHARACTERS])).ids
            if len(ids) > self._window:
                ids = [*ids[: self._window - 1], ids[-1]]
            [outputs] = self._session.run([TokenizedPair(ids, [0] * len(ids), cut=False)])
        except Exception as error:
            raise BackendError(f"The refusal model failed: {type(error).__name__}.") from error
        if len(outputs) != _OUTPUTS:
            raise BackendError(f"The refusal model has {len(outputs)} outputs, not {_OUTPUTS}.")
        return list(outputs)


_LOADED: Final = LoadedModels[ReplyClassifier](1)


def reply_classifier() -> ReplyClassifier:
    """Return the bundled model, which is loaded once in each process."""
    return _LOADED.get(_NAME, lambda: ReplyClassifier(ModelFolder(REFUSALS, _NAME)))
