"""`CausalNLI`: NLI with a causal LLM, which reads whole texts and answers with one token.

`pip install 'groundtypes[judge]'`.
"""

from collections.abc import Hashable
from pathlib import Path
from typing import Any, Final, Self, Unpack

from groundtypes.backends.causal_model import (
    CausalModel,
    Network,
    default_dtype,
    load_network,
    load_tokenizer,
    norms_digest,
)
from groundtypes.backends.causal_prompts import JUDGE_TEMPLATE, PromptEncoder, Template
from groundtypes.backends.checkpoints import check_dtype, default_device, weights_digest
from groundtypes.backends.judge_files import judge_facts, judge_folder
from groundtypes.backends.languages import JUDGE_LANGUAGES
from groundtypes.backends.nli_engine import EngineSettings, NLIEngine
from groundtypes.errors import BackendError, ContextError

try:
    import torch
except ImportError as error:
    raise ImportError(
        "CausalNLI needs torch, transformers and peft: pip install 'groundtypes[judge]'"
    ) from error

__all__ = ["JUDGE_TEMPLATE", "CausalNLI", "Template"]

#: How many tokens of a question are read unless it is said: what the judge was trained with.
_WINDOW: Final = 2048
#: Tokens of one sequence. On a GPU more of them use it better, up to where the mask, which has the
#: square of this number, costs more than it saves.
_TOKENS_PER_BATCH: Final = {"cpu": 2048, "gpu": 8192}
#: How many questions are answered before others have their turn.
_QUESTIONS_AT_ONCE: Final = {"cpu": 64, "gpu": 1024}


class _Settings(EngineSettings, total=False):
    device: str | None
    dtype: str | None
    window: int | None
    threads: int | None


class CausalNLI(NLIEngine):
    """A causal LLM that says whether a text entails a claim, by the probability of its answers.

    It reads all references of an answer at once, and the sentences before the judged one. Claims
    on the same text are asked together, so that the text is computed once. No text is generated,
    and no code of a model is ever run: a model that needs `trust_remote_code` is refused.

    `CausalNLI.judge()` is the judge that groundtypes has trained.

    Examples:
        >>> from groundtypes import Judges
        >>> judges = Judges(nli=CausalNLI.judge())

    Raises:
        BackendError: At the first pair, or in `load`: there is no such model, a part of its weights
            is missing, its adapter belongs to another base, or an answer is not a single token.
    """

    def __init__(
        self,
        base: str | Path,
        adapter: str | Path | None = None,
        *,
        template: Template = JUDGE_TEMPLATE,
        device: str | None = None,
        dtype: str | None = None,
        window: int | None = None,
        threads: int | None = None,
        temperature: float = 1.0,
        **settings: Unpack[EngineSettings],
    ) -> None:
        """Store the settings; nothing is loaded yet.

        Args:
            base: A name on the hub, a folder, or a GGUF file, whose weights are unpacked.
            adapter: A LoRA in PEFT's format, as a folder or a name on the hub; its weights are
                added to those of the base.
            template: How the model is asked, and what it answers.
            device: Such as `cpu` or `cuda:1`; by default the GPU where there is one.
            dtype: `bfloat16`, `float16` or `float32`; by default `bfloat16` where the processor
                computes with it.
            window: How many tokens of a question are read; by default 2,048. References that are
                longer are represented by their best passages.
            threads: How many threads compute, in all of PyTorch in this process; by default as
                PyTorch decides.
            temperature: What the logits of the answers are divided by.
            **settings: `calibrate`, `cache`, `progress`, `languages`, `timeout`: see `NLIEngine`.

        Raises:
            BackendError: PyTorch has no such type.
            ContextError: The window, the threads or the temperature are not positive.
        """
        super().__init__(**settings)
        for name, number in (("window", window), ("threads", threads)):
            if number is not None and number < 1:
                raise ContextError(f"{name} is {number}; it must be positive")
        if not temperature > 0:
            raise ContextError(f"temperature is {temperature}; it must be positive")
        self._base = str(base)
        self._adapter = None if adapter is None else str(adapter)
        self._template = template
        self._device = device or default_device(torch)
        self._dtype = check_dtype(torch, dtype or default_dtype(self._device))
        #: How many tokens of a question are read.
        self.window = window or _WINDOW
        self._threads = threads
        self._temperature = temperature
        #: The hash of the base model's normalisation weights, where the adapter names one.
        self._base_digest: str | None = None
        self._weights: dict[str, Any] | None = None
        kind = "cpu" if self._device == "cpu" else "gpu"
        self._tokens_per_batch = _TOKENS_PER_BATCH[kind]
        self._questions = _QUESTIONS_AT_ONCE[kind]

    @classmethod
    def judge(cls, base: str | Path | None = None, **settings: Unpack[_Settings]) -> Self:
        """Return the judge that groundtypes has trained: a LoRA on a public LLM of 1.5B parameters.

        The LoRA is a package of its own: `pip install groundtypes-judge`.

        Args:
            base: The base model, as a folder or a GGUF file; by default its name on the hub.
            **settings: `device`, `dtype`, `window`, `threads`, and those of every `NLIEngine`.

        Raises:
            MissingJudgeError: The package is not installed.
            BackendError: At the first pair, or in `load`: this is not the base model of the LoRA.
        """
        folder, facts = judge_folder(), judge_facts()
        if settings.get("languages") is None:
            settings["languages"] = JUDGE_LANGUAGES
        engine = cls(
            facts["base"] if base is None else base,
            folder,
            temperature=facts["temperature"],
            **settings,
        )
        engine._base_digest = facts["norms_sha256"]
        engine._weights = facts["weights"]
        return engine

    @property
    def _settings(self) -> Hashable:
        return (
            self._base,
            self._adapter,
            self._template,
            self._device,
            self._dtype,
            self.window,
            self._temperature,
            self._base_digest,
        )

    @property
    def questions_at_once(self) -> int:
        """How many pairs are scored before others have their turn."""
        return self._questions

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has; of a very long one at least as many as are read.

        Raises:
            BackendError: The model cannot be loaded.
        """
        return self._causal_model().encoder.count_tokens(text)

    @property
    def tokens_read(self) -> int:
        """How many tokens the model has read in this process, for all engines that share it.

        Raises:
            BackendError: The model cannot be loaded.
        """
        return self._causal_model().network.tokens_read

    def _causal_model(self) -> CausalModel:
        model = self._model()
        assert isinstance(model, CausalModel)  # noqa: S101 # what `_load` returns
        return model

    def _load(self) -> CausalModel:
        if self._threads is not None:
            torch.set_num_threads(self._threads)
        tokenizer = load_tokenizer(self._base)
        encoder = PromptEncoder(tokenizer, self._template, self.window)
        network = load_network(self._base, self._adapter, self._device, self._dtype)
        readable = _readable_tokens(network.config)
        if readable < self.window:
            raise BackendError(
                f"{self._base} reads {readable} tokens, and window is {self.window}: pass a "
                "smaller window."
            )
        if self._base_digest is not None and norms_digest(network) != self._base_digest:
            raise BackendError(
                f"{self._base} is not the base model that the judge was trained on. Leave out "
                "`base` to load it from the hub, or name a folder or a GGUF file with it."
            )
        weights = getattr(network.config, "_commit_hash", None) or weights_digest(Path(self._base))
        # Not what lies beside it: how scores are read does not change them.
        adapter = self._adapter and (
            weights_digest(Path(self._adapter), "adapter_*") or self._adapter
        )
        settings = (self._base, weights, adapter, self._dtype, self.window, self._template)
        return CausalModel(
            identity=repr(settings),
            temperature=self._temperature,
            evidence_weights=self._weights,
            encoder=encoder,
            network=Network(network, encoder, self._device),
        )

    def __repr__(self) -> str:
        adapter = "" if self._adapter is None else f", {self._adapter!r}"
        return f"CausalNLI({self._base!r}{adapter}, device={self._device!r}, dtype={self._dtype!r})"


def _readable_tokens(config: Any) -> int:
    """Return how many tokens a model can read at once, as far as its configuration says it."""
    text = getattr(config, "get_text_config", lambda: config)()
    limits = [getattr(text, "max_position_embeddings", None)]
    if getattr(text, "use_sliding_window", True):
        limits.append(getattr(text, "sliding_window", None))
    known = [limit for limit in limits if isinstance(limit, int) and limit > 0]
    return min(known, default=2**31)
