"""Judges of the hub that are no cross-encoders of pairs with three labels, each in its own form.

`pip install 'groundtypes[torch]'`. `hub_checker` makes the engine that a checkpoint needs.
"""

import tomllib
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from groundtypes.backends.label_adapters import TwoLabels
from groundtypes.backends.nli_torch import TransformersNLI
from groundtypes.backends.tokenization import TokenizedPair, encodable
from groundtypes.errors import BackendError, ContextError
from groundtypes.scoring import THRESHOLD, MarkedScores, NLIScores, Pair

try:
    import torch
    from transformers import (
        AutoConfig,
        AutoModelForSeq2SeqLM,
        AutoModelForTokenClassification,
        AutoTokenizer,
        T5ForTokenClassification,
    )
except ImportError as error:
    raise ImportError(
        "Checkers of the hub need torch and transformers: pip install 'groundtypes[torch]'"
    ) from error

__all__ = ["HHEM", "Seq2SeqNLI", "TokenClassifierNLI", "hub_checker", "hub_checkers"]

#: The checkpoints whose form is known.
_FILE: Final = Path(__file__).with_name("hub_checkers.toml")
_SUPPORTED_FIRST: Final = TwoLabels(entailment=0)


class Seq2SeqNLI(TransformersNLI):
    """A sequence-to-sequence model whose first token says whether the premise supports a claim.

    MiniCheck-Flan-T5 is one.

    Raises:
        BackendError: At the first pair, or in `load`: the checkpoint is none of this kind.
    """

    def __init__(
        self, name_or_path: str | Path, *args: Any, answers: tuple[int, int], **settings: Any
    ) -> None:
        """Store the settings; nothing is loaded yet.

        Args:
            name_or_path: A name on the hub, or a folder.
            *args: `device` and `dtype`: see `TransformersNLI`.
            answers: The ids of the tokens for supported and not supported.
            **settings: `template` and the others: see `TransformersNLI`.

        Raises:
            ContextError: The ids are not two, or negative.
        """
        super().__init__(name_or_path, *args, **{"adapter": _SUPPORTED_FIRST, **settings})
        if len({*answers}) != 2 or len(answers) != 2 or min(answers) < 0:
            raise ContextError(f"answers is {answers}; it must be the ids of two tokens")
        self._answers = answers

    @property
    def _settings(self) -> Hashable:
        return super()._settings, self._answers

    def _open_network(self) -> tuple[Any, dict[str, Any]]:
        return self._from_pretrained(AutoModelForSeq2SeqLM)

    def _read(self, network: Any, inputs: dict[str, Any], batch: Sequence[TokenizedPair]) -> Any:
        start = network.config.decoder_start_token_id
        begun = torch.full((len(batch), 1), start, device=inputs["input_ids"].device)
        logits = network(**inputs, decoder_input_ids=begun).logits[:, 0]
        if max(self._answers) >= logits.shape[-1]:
            raise BackendError(f"The model {self._name} has no tokens {self._answers}.")
        return logits[:, list(self._answers)]


class HHEM(TransformersNLI):
    """HHEM-2.1-Open: the head of a T5 encoder over its first token, loaded without remote code.

    Raises:
        BackendError: At the first pair, or in `load`: the checkpoint is none of this kind.
    """

    def __init__(
        self, name_or_path: str | Path, *args: Any, base: str | Path, **settings: Any
    ) -> None:
        """Store the settings; nothing is loaded yet.

        Args:
            name_or_path: A name on the hub, or a folder.
            *args: `device` and `dtype`: see `TransformersNLI`.
            base: The model that has the configuration and the tokenizer.
            **settings: `template` and the others: see `TransformersNLI`.
        """
        super().__init__(name_or_path, *args, **{"adapter": TwoLabels(entailment=1), **settings})
        self._base = str(base)

    @property
    def _settings(self) -> Hashable:
        return super()._settings, self._base

    def _open_tokenizer(self) -> Any:
        return AutoTokenizer.from_pretrained(self._base)

    def _open_network(self) -> tuple[Any, dict[str, Any]]:
        config = AutoConfig.from_pretrained(self._base, num_labels=2)
        return self._from_pretrained(
            T5ForTokenClassification, config=config, key_mapping={r"^t5\.": ""}
        )

    def _read(self, network: Any, inputs: dict[str, Any], batch: Sequence[TokenizedPair]) -> Any:
        return super()._read(network, inputs, batch)[:, 0]


class TokenClassifierNLI(TransformersNLI):
    """A token classifier that marks what is not supported: a claim is as bad as its worst token.

    LettuceDetect is one. The template must have `{hypothesis}` alone behind a `{sep}`.

    Raises:
        BackendError: At the first pair, or in `load`: the checkpoint is none of this kind.
        ContextError: The template does not say where the claim is.
    """

    def __init__(
        self, name_or_path: str | Path, *args: Any, template: str, fault: int = 1, **settings: Any
    ) -> None:
        """Store the settings; nothing is loaded yet.

        Args:
            name_or_path: A name on the hub, or a folder.
            *args: `device` and `dtype`: see `TransformersNLI`.
            template: The text into which both texts of a pair are written.
            fault: The label of tokens that are not supported.
            **settings: See `TransformersNLI`.
        """
        if "{sep}{hypothesis}" not in template or not template.endswith("{hypothesis}"):
            raise ContextError("The template of a token classifier ends with {sep}{hypothesis}.")
        settings = {"adapter": _SUPPORTED_FIRST, **settings}
        super().__init__(name_or_path, *args, template=template, **settings)
        self._fault = fault
        #: Returns the parts of claims that are not supported: see `MarkedScores`.
        self.marks = _Marks(self)

    @property
    def _settings(self) -> Hashable:
        return super()._settings, self._fault

    def _open_network(self) -> tuple[Any, dict[str, Any]]:
        network, info = self._from_pretrained(AutoModelForTokenClassification)
        # The head of a classifier of whole texts may have the same name and shape.
        trained = AutoConfig.from_pretrained(self._name).architectures or ()
        if not any(name.endswith("ForTokenClassification") for name in trained):
            raise BackendError(f"The checkpoint {self._name} is no token classifier.")
        return network, info

    def _shares(self, network: Any, inputs: dict[str, Any], batch: Sequence[TokenizedPair]) -> Any:
        """Return the probability of each token that it is not supported."""
        logits = super()._read(network, inputs, batch).float()
        if self._fault >= logits.shape[-1]:
            raise BackendError(f"The model {self._name} has no label {self._fault}.")
        return torch.softmax(logits, dim=-1)[..., self._fault].clamp(1e-6, 1 - 1e-6)

    def mark(self, pair: Pair) -> MarkedScores:
        """Return the parts of a claim whose tokens are rather unsupported, neighbours joined."""
        model: Any = self._model()
        [tokenized] = model.tokenizer.tokenize([pair])
        [shares] = model.run([tokenized], self._shares)
        offsets = model.run.tokenizer(
            encodable(pair.hypothesis),
            add_special_tokens=False,
            return_offsets_mapping=True,
            split_special_tokens=True,
        )["offset_mapping"]
        start, end = tokenized.span
        parts: list[tuple[int, int]] = []
        for share, (begin, stop) in zip(shares[start:end], offsets, strict=False):
            if share < THRESHOLD or begin == stop:
                continue
            if parts and not pair.hypothesis[parts[-1][1] : begin].strip():
                begin = parts.pop()[0]  # noqa: PLW2901 # it goes on
            parts.append((begin, stop))
        return MarkedScores(0.0, 1.0, 0.0, tuple(parts))

    def _read(self, network: Any, inputs: dict[str, Any], batch: Sequence[TokenizedPair]) -> Any:
        shares = self._shares(network, inputs, batch)
        worst = torch.stack(
            [
                row[start:end].max() if end > start else row.new_tensor(0.5)
                for row, (start, end) in zip(shares, (pair.span for pair in batch), strict=True)
            ]
        )
        return torch.stack([torch.log1p(-worst), torch.log(worst)], dim=-1)


class _Marks:
    """The second question to a token classifier: which parts of claims are not supported."""

    def __init__(self, engine: TokenClassifierNLI) -> None:
        self._engine = engine

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        """Return for each pair the parts of its hypothesis; the scores themselves say nothing."""
        return [self._engine.mark(pair) for pair in pairs]


_KINDS: Final[Mapping[str, type[TransformersNLI]]] = {
    "classifier": TransformersNLI,
    "seq2seq": Seq2SeqNLI,
    "hhem": HHEM,
    "tokens": TokenClassifierNLI,
}


@cache
def hub_checkers() -> Mapping[str, Mapping[str, Any]]:
    """Return the checkpoints whose form is known, by their names on the hub."""
    return tomllib.loads(_FILE.read_text("utf-8"))


def hub_checker(
    name: str, *, checkpoint: str | Path | None = None, **settings: Any
) -> TransformersNLI:
    """Return the engine for a model of the hub: in its own form where that is known.

    Args:
        name: The name on the hub.
        checkpoint: A folder with a copy of it, from which it is loaded.
        **settings: `device`, `dtype` and the settings of every engine.
    """
    known = dict(hub_checkers().get(name, {}))
    kind, window = _KINDS[known.pop("kind", "classifier")], known.pop("window", None)
    options: dict[str, Any] = {
        name: known.pop(name) for name in ("template", "base") if name in known
    }
    if "supported" in known:
        options["adapter"] = TwoLabels(entailment=known["supported"])
    if "answers" in known:
        options["answers"] = tuple(known["answers"])
    if window is not None:
        options["max_length"] = window
    engine = kind(checkpoint or name, **{**options, **settings})
    engine.window = window
    return engine
