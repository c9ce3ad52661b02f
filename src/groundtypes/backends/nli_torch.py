"""`TransformersNLI`: NLI on PyTorch, with any cross-encoder that transformers can load.

`pip install 'groundtypes[torch]'`.
"""

import inspect
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any, Final, Unpack

from groundtypes.backends.checkpoints import (
    check_dtype,
    check_loading_report,
    default_device,
    weights_digest,
)
from groundtypes.backends.label_adapters import LabelAdapter, adapter_of
from groundtypes.backends.nli_engine import CrossEncoder, EngineSettings, NLIEngine
from groundtypes.backends.tokenization import PairTokenizer, TokenizedPair, padded, window_of

try:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
except ImportError as error:
    raise ImportError(
        "TransformersNLI needs torch and transformers: pip install 'groundtypes[torch]'"
    ) from error

#: Tokens of a batch, padding included. Measured on the CPU; a GPU needs more to be used fully.
_TOKENS_PER_BATCH: Final = {"cpu": 2048, "cuda": 65_536}


class TransformersNLI(NLIEngine):
    """An NLI cross-encoder on PyTorch, by its name on the hub or the folder it is saved in.

    No code of a model is ever run: a model that needs `trust_remote_code` is refused.

    Examples:
        >>> from groundtypes import Judges
        >>> judges = Judges(nli=TransformersNLI("cross-encoder/nli-deberta-v3-base"))

    Raises:
        BackendError: At the first pair, or in `load`: there is no such model, it was not trained to
            classify, so that weights of its head are missing, or its labels are not the three of
            NLI and no adapter says how to read them.
    """

    def __init__(
        self,
        name_or_path: str | Path,
        device: str | None = None,
        dtype: str | None = None,
        *,
        adapter: LabelAdapter | None = None,
        max_length: int | None = None,
        **settings: Unpack[EngineSettings],
    ) -> None:
        """Store the settings; nothing is loaded yet.

        Args:
            name_or_path: A name on the hub, or a folder.
            device: Such as `cpu` or `cuda:1`; by default the GPU where there is one.
            dtype: `float32` (the default), `bfloat16` or `float16`.
            adapter: How to read the model's outputs, where its configuration does not say it:
                `TwoLabels(entailment=1)` for models such as MiniCheck.
            max_length: How many tokens a pair may have; by default the model's own window.
            **settings: `calibrate`, `cache`, `progress`, `languages`, `timeout`: see `NLIEngine`.
        """
        super().__init__(**settings)
        self._name = str(name_or_path)
        self._device = device or default_device(torch)
        self._dtype = check_dtype(torch, dtype or "float32")
        self._adapter = adapter
        self._max_length = max_length
        self._tokens_per_batch = _TOKENS_PER_BATCH["cpu" if self._device == "cpu" else "cuda"]

    @property
    def _settings(self) -> Hashable:
        return self._name, self._device, self._dtype, self._adapter, self._max_length

    @property
    def _useful_calls(self) -> int:
        # Pairs are tokenized on the CPU while the GPU computes others.
        return 1 if self._device == "cpu" else 2

    def _load(self) -> CrossEncoder:
        tokenizer: Any = AutoTokenizer.from_pretrained(self._name)
        network: Any
        network, info = AutoModelForSequenceClassification.from_pretrained(
            self._name, dtype=getattr(torch, self._dtype), output_loading_info=True
        )
        check_loading_report(info, self._name)
        config = network.config
        adapter = self._adapter or adapter_of(config.to_dict(), self._name)
        # `max_length` in the configuration of transformers limits generated text.
        limits = {**config.to_dict(), "max_length": None}
        window = self._max_length or window_of(limits, tokenizer.model_max_length)
        network = network.to(self._device).eval()
        weights = getattr(config, "_commit_hash", None) or weights_digest(Path(self._name))
        return CrossEncoder(
            identity=repr((self._name, weights, self._dtype, window, adapter)),
            tokenizer=_pair_tokenizer(tokenizer, window),
            adapter=adapter,
            run=_Network(network, tokenizer, self._device).run,
        )

    def __repr__(self) -> str:
        return f"TransformersNLI({self._name!r}, {self._device!r}, {self._dtype!r})"


class _Network:
    """A network that returns the logits of tokenized pairs."""

    def __init__(self, network: Any, tokenizer: Any, device: str) -> None:
        self._network = network
        self._device = device
        self._padding = tokenizer.pad_token_id or 0
        # A generic tokenizer class does not know whether its model reads types; the network does.
        parameters = inspect.signature(network.forward).parameters
        types = getattr(network.config, "type_vocab_size", 0)
        self._reads_types = "token_type_ids" in parameters and isinstance(types, int) and types > 1

    def run(self, batch: Sequence[TokenizedPair]) -> Sequence[Sequence[float]]:
        """Return the logits of each pair."""
        inputs = padded(batch, self._padding)
        if not self._reads_types:
            del inputs["token_type_ids"]
        tensors = {name: torch.tensor(rows).to(self._device) for name, rows in inputs.items()}
        with torch.inference_mode():
            logits = self._network(**tensors).logits
        rows: list[list[float]] = logits.float().cpu().tolist()
        return rows


def _pair_tokenizer(tokenizer: Any, window: int) -> PairTokenizer:
    def encode(texts: Sequence[str]) -> list[list[int]]:
        encoding = tokenizer(
            list(texts),
            add_special_tokens=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            # A text that spells a special token is plain text.
            split_special_tokens=True,
            verbose=False,
        )
        ids: list[list[int]] = encoding["input_ids"]
        return ids

    def encode_pair(first: str, second: str) -> tuple[list[int], list[int]]:
        encoding = tokenizer(first, second, return_token_type_ids=True)
        ids = encoding["input_ids"]
        return ids, encoding.get("token_type_ids") or [0] * len(ids)

    return PairTokenizer(encode, encode_pair, window)
