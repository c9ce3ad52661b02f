"""A causal LLM of transformers, with a LoRA or without: loading it, packing questions, running it.

Questions on the same texts are packed into one sequence, so that each text is computed once. A
sequence holds texts, and behind each text the claims on it. The mask lets a claim see its text and
itself, and nothing else; the positions of each claim go on where its text ends. So the scores are
those of each question alone, apart from rounding, and there is no padding.

All that is known here of the internals of transformers and PEFT: how a GGUF file is loaded, that a
mask of four dimensions is used as it is, and how a loading report looks.
"""

import ctypes
import hashlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from groundtypes.backends.batching import run_batch
from groundtypes.backends.causal_prompts import Prompt, PromptEncoder
from groundtypes.backends.checkpoints import check_loading_report
from groundtypes.backends.label_adapters import (
    Probabilities,
    ThreeLabels,
    probabilities,
    without_entailment,
)
from groundtypes.backends.nli_engine import LoadedModel
from groundtypes.errors import BackendError
from groundtypes.scoring import Pair

#: The claims on one text may exceed the budget up to so many times the length of the text: reading
#: it once more costs more than a longer sequence.
_CLAIMS_PER_TEXT: Final = 2


@dataclass(slots=True)
class Packed:
    """The tokens of several questions as one sequence.

    `positions` are those of each token in its own question, `texts` and `claims` the numbers of the
    text and the claim that it belongs to (claim 0: the text), `ends` the last token of each
    question.
    """

    ids: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    claims: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, ids: Sequence[int], first: int, text: int, claim: int) -> None:
        """Append tokens whose positions begin with `first`."""
        self.ids += ids
        self.positions += range(first, first + len(ids))
        self.texts += [text] * len(ids)
        self.claims += [claim] * len(ids)


def pack(prompts: Sequence[Prompt]) -> Packed:
    """Return the questions as one sequence; those on the same text stand behind it."""
    packed = Packed(ends=[0] * len(prompts))
    for number, (text, positions) in enumerate(_by_text(prompts).items()):
        packed.add(text, 0, number, 0)
        for claim, position in enumerate(positions, 1):
            packed.add(prompts[position].claim, len(text), number, claim)
            packed.ends[position] = len(packed.ids) - 1
    return packed


def plan_packs(prompts: Sequence[Prompt], budget: int) -> Iterator[list[int]]:
    """Yield the positions of the questions of each sequence, of about `budget` tokens.

    The longest come first, so that memory that does not suffice is noticed early. A question that
    exceeds the budget is a sequence of its own.
    """
    groups = sorted(_by_text(prompts).items(), key=lambda item: -len(item[0]))
    current: list[int] = []
    tokens = 0
    for text, positions in groups:
        limit = max(budget, _CLAIMS_PER_TEXT * len(text))
        is_new = True
        for position in positions:
            needed = len(prompts[position].claim) + (len(text) if is_new else 0)
            if current and tokens + needed > (budget if is_new else limit):
                yield current
                current, tokens, is_new = [], 0, True
                needed = len(prompts[position])
            current.append(position)
            tokens += needed
            is_new = False
    if current:
        yield current


def _by_text(prompts: Sequence[Prompt]) -> dict[tuple[int, ...], list[int]]:
    groups: dict[tuple[int, ...], list[int]] = {}
    for position, prompt in enumerate(prompts):
        groups.setdefault(prompt.text, []).append(position)
    return groups


try:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
except ImportError as error:
    raise ImportError(
        "CausalNLI needs torch, transformers and peft: pip install 'groundtypes[judge]'"
    ) from error

_LABELS: Final = ThreeLabels(entailment=0, neutral=1, contradiction=2)
#: By how much the log odds of a packed question may differ from those of the question alone. Those
#: of a network that mixes questions differ by whole units.
_ROUNDING: Final = 0.5
#: Two claims on one text and one on another; what the answers are does not matter.
_PROBES: Final = (
    Pair("The bridge was opened in 1932. It is 503 metres long.", "The bridge is 503 metres long."),
    Pair("The bridge was opened in 1932. It is 503 metres long.", "Nobody ever used the bridge."),
    Pair("A shop sells tea.", "The shop sells tea.", "There is a shop."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalModel(LoadedModel):
    """A loaded causal LLM that answers questions with the next token."""

    encoder: PromptEncoder
    network: "Network"

    def score(
        self, pairs: Sequence[Pair], tokens_per_batch: int, at_once: int
    ) -> Iterator[tuple[list[int], list[Probabilities]]]:
        """Yield the probabilities of pairs on the same texts together, the longest texts first."""
        del at_once  # one sequence uses all processors
        prompts = self.encoder.encode(pairs)
        lengths = [len(prompt) for prompt in prompts]

        def run(positions: Sequence[int]) -> list[Probabilities]:
            batch = [prompts[position] for position in positions]
            logits = self.network.run(batch)
            release_freed_memory()
            rows = (probabilities(_LABELS, row, self.temperature) for row in logits)
            return [
                without_entailment(row) if prompt.cut else row
                for prompt, row in zip(batch, rows, strict=True)
            ]

        for positions in plan_packs(prompts, tokens_per_batch):
            yield positions, run_batch(positions, lengths, run)


class Network:
    """A causal LLM that returns the logits of three answers to questions."""

    def __init__(self, network: Any, encoder: PromptEncoder, device: str) -> None:
        """Take the network; find out whether several questions can share one sequence."""
        self._network = network
        self._device = device
        #: How many tokens the network has read, in this process.
        self.tokens_read = 0
        self._answers = list(encoder.answers)
        parameters = inspect.signature(network.forward).parameters
        # Of most networks the logits of single positions can be asked for.
        self._keeps = "logits_to_keep" in parameters
        self._takes_positions = "position_ids" in parameters
        self._packs = True
        self._packs = self._packs_rightly(encoder.encode(_PROBES))

    def run(self, prompts: Sequence[Prompt]) -> list[list[float]]:
        """Return the logits of the three answers to each question."""
        if self._packs:
            return self._logits(pack(prompts))
        return [row for prompt in prompts for row in self._logits(pack([prompt]))]

    def _packs_rightly(self, prompts: Sequence[Prompt]) -> bool:
        """Whether questions in one sequence get the scores that they get alone."""
        if not self._takes_positions:
            return False
        try:
            together = self._logits(pack(prompts))
        except (RuntimeError, TypeError, ValueError):
            return False
        alone = [self._logits(pack([prompt]))[0] for prompt in prompts]
        return all(
            abs((row[at] - row[0]) - (other[at] - other[0])) < _ROUNDING
            for row, other in zip(together, alone, strict=True)
            for at in (1, 2)
        )

    def _logits(self, packed: Packed) -> list[list[float]]:
        inputs: dict[str, Any] = {
            "input_ids": torch.tensor([packed.ids], device=self._device),
            "use_cache": False,
        }
        if self._takes_positions:
            inputs["position_ids"] = torch.tensor([packed.positions], device=self._device)
        if len(packed.ends) > 1:
            inputs["attention_mask"] = self._mask(packed)
        ends = torch.tensor(packed.ends, device=self._device)
        if self._keeps:
            inputs["logits_to_keep"] = ends
        self.tokens_read += len(packed.ids)
        with torch.inference_mode():
            logits = self._network(**inputs).logits[0]
            rows = logits if self._keeps else logits[ends]
            chosen: list[list[float]] = rows[:, self._answers].float().cpu().tolist()
        return chosen

    def _mask(self, packed: Packed) -> Any:
        """Return what is added to the attention: 0 where a token is seen, else a low number."""
        texts = torch.tensor(packed.texts, device=self._device)
        claims = torch.tensor(packed.claims, device=self._device)
        seen = (texts[:, None] == texts) & ((claims == 0) | (claims[:, None] == claims))
        seen = seen.tril()
        dtype = self._network.dtype
        mask = torch.zeros(seen.shape, dtype=dtype, device=self._device)
        return mask.masked_fill(~seen, torch.finfo(dtype).min)[None, None]


def release_freed_memory() -> None:
    """Give memory that was freed back to the system, where the C library keeps it: on Linux.

    Sequences of many lengths leave holes of many sizes, which came to gigabytes in an hour.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:  # another C library than glibc has none
            trim(0)


def default_dtype(device: str) -> str:
    """Return `bfloat16` where the processor computes with it, else `float32`."""
    if device.startswith("cuda"):
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
    if device != "cpu":
        return "float32"
    # PyTorch says it by functions without a promise that they stay.
    has_bfloat16 = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return "bfloat16" if has_bfloat16 is not None and has_bfloat16() else "float32"


def load_tokenizer(base: str) -> Any:
    """Return the tokenizer of a base model: of a folder, a GGUF file, or a name on the hub."""
    folder, options = _source(base)
    return AutoTokenizer.from_pretrained(folder, **options)


def load_network(base: str, adapter: str | None, device: str, dtype: str) -> Any:
    """Return the network of a base model, with the weights of a LoRA added to its own."""
    folder, options = _source(base)
    if "gguf_file" in options:
        options |= _dequantized()
    network, report = AutoModelForCausalLM.from_pretrained(
        folder, dtype=getattr(torch, dtype), output_loading_info=True, **options
    )
    check_loading_report(report, base)
    if adapter is not None:
        network = _with_adapter(network, adapter, base)
    return network.to(device).eval()


def _source(base: str) -> tuple[str, dict[str, Any]]:
    """Return the folder or the name to load from, and the options for a GGUF file in it."""
    path = Path(base)
    if path.suffix.lower() != ".gguf":
        return base, {}
    if not path.is_file():
        raise BackendError(f"There is no file {base}.")
    return str(path.parent), {"gguf_file": path.name}


def _dequantized() -> dict[str, Any]:
    try:
        from transformers import GgufConfig  # noqa: PLC0415 # newer than the oldest release
    except ImportError:
        return {}
    return {"quantization_config": GgufConfig(dequantize=True)}


def _with_adapter(network: Any, adapter: str, base: str) -> Any:
    from peft import (  # noqa: PLC0415 # slow to load
        PeftModel,
        get_peft_model_state_dict,
        load_peft_weights,
    )

    try:
        adapted = PeftModel.from_pretrained(network, adapter)
    except RuntimeError as error:  # sizes that differ
        raise BackendError(
            f"The adapter {adapter} does not fit the base model {base}: {str(error)[:300]}"
        ) from error
    stored = set(load_peft_weights(adapter))
    expected = set(get_peft_model_state_dict(adapted, save_embedding_layers=False))
    if stored != expected:
        names = ", ".join(sorted(stored ^ expected)[:3])
        raise BackendError(
            f"The adapter {adapter} has other weights than the base model {base} takes, such as "
            f"{names}."
        )
    return adapted.merge_and_unload()


def norms_digest(network: Any) -> str:
    """Return a hash of the normalisation weights of a network, which tells its base model.

    They are the same numbers in a quantised file and in the original, and no LoRA changes them.
    """
    digest = hashlib.sha256()
    for name, weights in sorted(network.named_parameters()):
        if name.endswith("norm.weight"):
            numbers = weights.detach().to("cpu", torch.bfloat16).contiguous()
            digest.update(name.encode() + numbers.view(torch.int16).numpy().tobytes())
    return digest.hexdigest()
