"""Models on ONNX Runtime: the session that computes, and the tokenizer beside it.

It needs no PyTorch and no network: `pip install 'groundtypes[nli]'`.
"""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from groundtypes.backends.model_folder import ModelFolder
from groundtypes.backends.tokenization import TokenizedPair, padded
from groundtypes.errors import BackendError

_NEEDED: Final = (
    "Models on ONNX Runtime need onnxruntime, tokenizers and numpy: pip install 'groundtypes[nli]'"
)

try:
    import numpy as np
    from tokenizers import Tokenizer
except ImportError as error:
    raise ImportError(_NEEDED) from error

# ONNX Runtime itself is imported with the first model: it starts threads, after which forked
# children can exit only by `os._exit`, as those of multiprocessing do.
if find_spec("onnxruntime") is None:
    raise ImportError(_NEEDED)

__all__ = ["Session", "Tokenizer", "load_tokenizer", "processors"]

#: The inputs that a model may have.
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_TYPES: Final = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class Session:
    """A session that returns the logits of tokenized pairs; many threads use it at once."""

    def __init__(self, folder: ModelFolder, threads: int | None, padding: int) -> None:
        """Load the model of a folder; `padding` is the id of the token that fills a batch."""
        import onnxruntime as ort  # noqa: PLC0415 # it starts threads

        options = ort.SessionOptions()
        options.intra_op_num_threads = threads or processors()
        options.log_severity_level = 3
        # Lengths differ between batches, so that no memory plan would be used again.
        options.enable_mem_pattern = False
        # Threads do not spin while they wait: others need the processors between two batches.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Processors without VNNI saturate when they add products of 8-bit numbers; on them, this
        # makes ONNX Runtime compute in the slower, exact way.
        options.add_session_config_entry("session.x64quantprecision", "1")
        try:
            self._session = ort.InferenceSession(
                folder.model(), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            if isinstance(error, BackendError):
                raise
            raise BackendError(
                f"The model file of {folder.name} cannot be loaded: {type(error).__name__}. It was "
                "cut off, or it is not an ONNX model."
            ) from error
        self._padding = padding
        inputs = self._session.get_inputs()
        self._types = {field.name: _TYPES.get(field.type) for field in inputs}
        if not self._types.keys() <= _INPUTS or None in self._types.values():
            listed = ", ".join(f"{field.name}: {field.type}" for field in inputs)
            raise BackendError(
                f"The model of {folder.name} has inputs that are not known: {listed}"
            )

    def run(self, batch: Sequence[TokenizedPair]) -> Sequence[Sequence[float]]:
        """Return the logits of each pair."""
        inputs = padded(batch, self._padding)
        feed = {name: np.array(inputs[name], kind) for name, kind in self._types.items()}
        logits = np.asarray(self._session.run(None, feed)[0])
        if logits.ndim != 2:
            raise BackendError(f"The model returns an array of shape {logits.shape}, not of rows.")
        rows: list[list[float]] = logits.astype(np.float64).tolist()
        return rows


def load_tokenizer(folder: ModelFolder) -> Tokenizer:
    """Return the tokenizer of a model; it neither truncates nor pads."""
    data = folder.tokenizer()
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except Exception as error:
        raise BackendError(f"tokenizer.json of {folder.name} cannot be read.") from error
    # Truncation and padding are done here. A text that spells a special token is plain text.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
