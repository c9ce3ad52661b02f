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
from groundtypes.backends.text_templates import TemplateTokenizer, check_template
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

    #: How many tokens of a whole text are read; `None` for a judge of single passages.
    window: int | None = None

    def __init__(
        self,
        name_or_path: str | Path,
        device: str | None = None,
        dtype: str | None = None,
        *,
        adapter: LabelAdapter | None = None,
        template: str | None = None,
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
            template: The text into which both texts of a pair are written, for a model that was
                trained on one text: with `{premise}` and `{hypothesis}`, and `{sep}` for the token
                that separates texts. By default they are given as a pair.
            max_length: How many tokens a pair may have; by default the model's own window.
            **settings: `calibrate`, `cache`, `progress`, `languages`, `timeout`: see `NLIEngine`.

        Raises:
            ContextError: A placeholder of the template is missing.
        """
        super().__init__(**settings)
        if template is not None:
            check_template(template)
        self._template = template
        self._name = str(name_or_path)
        self._device = device or default_device(torch)
        self._dtype = check_dtype(torch, dtype or "float32")
        self._adapter = adapter
        self._max_length = max_length
        self._tokens_per_batch = _TOKENS_PER_BATCH["cpu" if self._device == "cpu" else "cuda"]

    @property
    def _settings(self) -> Hashable:
        read = (self._adapter, self._template, self._max_length)
        return (self._name, self._device, self._dtype, *read)

    @property
    def _useful_calls(self) -> int:
        # Pairs are tokenized on the CPU while the GPU computes others.
        return 1 if self._device == "cpu" else 2

    def _load(self) -> CrossEncoder:
        tokenizer = self._open_tokenizer()
        network, info = self._open_network()
        check_loading_report(info, self._name)
        config = network.config
        adapter = self._adapter or adapter_of(config.to_dict(), self._name)
        # `max_length` in the configuration of transformers limits generated text.
        limits = {**config.to_dict(), "max_length": None}
        window = self._max_length or window_of(limits, tokenizer.model_max_length)
        network = network.to(self._device).eval()
        weights = getattr(config, "_commit_hash", None) or weights_digest(Path(self._name))
        template = () if self._template is None else (self._template,)
        return CrossEncoder(
            identity=repr((self._name, weights, self._dtype, window, adapter, *template)),
            tokenizer=_tokenizer_of_pairs(tokenizer, window, self._template),
            adapter=adapter,
            run=Network(network, tokenizer, self._device, self._read),
        )

    def _open_tokenizer(self) -> Any:
        return AutoTokenizer.from_pretrained(self._name)

    def _open_network(self) -> tuple[Any, dict[str, Any]]:
        """Return the network, and the report of what was loaded."""
        return self._from_pretrained(AutoModelForSequenceClassification)

    def _from_pretrained(self, kind: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        network, info = kind.from_pretrained(
            self._name, dtype=getattr(torch, self._dtype), output_loading_info=True, **options
        )
        return network, info

    def _read(self, network: Any, inputs: dict[str, Any], batch: Sequence[TokenizedPair]) -> Any:  # noqa: ARG002 # some kinds read the pairs
        """Return the logits of each pair as a tensor."""
        return network(**inputs).logits

    def __repr__(self) -> str:
        return f"TransformersNLI({self._name!r}, {self._device!r}, {self._dtype!r})"


class Network:
    """A network that returns the logits of tokenized pairs."""

    def __init__(self, network: Any, tokenizer: Any, device: str, read: Any) -> None:
        self.tokenizer = tokenizer
        self._network = network
        self._read = read
        self._device = device
        self._padding = tokenizer.pad_token_id or 0
        # A generic tokenizer class does not know whether its model reads types; the network does.
        parameters = inspect.signature(network.forward).parameters
        types = getattr(network.config, "type_vocab_size", 0)
        self._reads_types = "token_type_ids" in parameters and isinstance(types, int) and types > 1

    def __call__(
        self, batch: Sequence[TokenizedPair], read: Any = None
    ) -> Sequence[Sequence[float]]:
        """Return the logits of each pair, or what `read` makes of the network and its inputs."""
        inputs = padded(batch, self._padding)
        if not self._reads_types:
            del inputs["token_type_ids"]
        tensors = {name: torch.tensor(rows).to(self._device) for name, rows in inputs.items()}
        with torch.inference_mode():
            logits = (read or self._read)(self._network, tensors, batch)
        rows: list[list[float]] = logits.float().cpu().tolist()
        return rows


def _tokenizer_of_pairs(
    tokenizer: Any, window: int, template: str | None
) -> PairTokenizer | TemplateTokenizer:
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

    if template is None:
        return PairTokenizer(encode, encode_pair, window)
    separator = tokenizer.sep_token_id
    tokens = {
        "sep": tokenizer.eos_token_id if separator is None else separator,
        "pad": tokenizer.pad_token_id,
    }
    return TemplateTokenizer(
        encode, lambda text: tokenizer(text)["input_ids"], tokens, template, window
    )
