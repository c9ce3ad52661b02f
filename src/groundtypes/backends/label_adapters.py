"""From the outputs of a model to the probabilities of the three labels.

A wrong order silently turns a contradiction into an entailment. So the order is read from the
model's own `id2label` or stated by an adapter, and never assumed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

from groundtypes.errors import BackendError
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip

#: Probabilities of entailment, neutral and contradiction.
Probabilities = tuple[float, float, float]


class LabelAdapter(Protocol):
    """How to read a model's outputs; adapters are frozen values, so that they can be pickled."""

    @property
    def outputs(self) -> int:
        """How many outputs the model has."""

    def __call__(self, logits: Sequence[float], /) -> Probabilities:
        """Return the probabilities of entailment, neutral and contradiction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeLabels:
    """The positions of the three labels among the outputs of a model."""

    entailment: int
    neutral: int
    contradiction: int
    #: How many outputs the model has.
    outputs: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if sorted((self.entailment, self.neutral, self.contradiction)) != [0, 1, 2]:
            raise BackendError(f"The positions of three labels are 0, 1 and 2, not {self}.")

    def __call__(self, logits: Sequence[float], /) -> Probabilities:
        """Return the softmax, in the order of the labels."""
        scores = _softmax(logits)
        return scores[self.entailment], scores[self.neutral], scores[self.contradiction]


@dataclass(frozen=True, slots=True)
class TwoLabels:
    """The position of "supported" in a model with the labels supported and unsupported.

    MiniCheck is such a model. What is unsupported counts as neutral, because the model cannot
    distinguish a premise that is silent from one that says the opposite.
    """

    entailment: int = 1
    #: How many outputs the model has.
    outputs: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.entailment not in {0, 1}:
            raise BackendError(f"The position of one of two labels is 0 or 1, not {self}.")

    def __call__(self, logits: Sequence[float], /) -> Probabilities:
        """Return the softmax, with the unsupported label as neutral."""
        scores = _softmax(logits)
        return scores[self.entailment], scores[1 - self.entailment], 0.0


@dataclass(frozen=True, slots=True)
class OneLabel:
    """A model with a single output, whose sigmoid is the probability of "supported".

    What is unsupported counts as neutral, as with `TwoLabels`.
    """

    #: How many outputs the model has.
    outputs: ClassVar[int] = 1

    def __call__(self, logits: Sequence[float], /) -> Probabilities:
        """Return the sigmoid as entailment, and the remainder as neutral."""
        neutral, entailment = _softmax((0.0, logits[0]))
        return entailment, neutral, 0.0


def adapter_of(config: Mapping[str, Any], model_name: str) -> ThreeLabels:
    """Return the order of the labels that a configuration states, or raise a `BackendError`."""
    id2label = config.get("id2label")
    names: dict[int, str] = {}
    if isinstance(id2label, Mapping):
        names = {int(key): str(name) for key, name in id2label.items() if str(key).isdecimal()}
    positions = {name.strip().lower(): position for position, name in names.items()}
    if sorted(positions) == sorted(Label) and sorted(positions.values()) == [0, 1, 2]:
        return ThreeLabels(**{field.name: positions[field.name] for field in fields(ThreeLabels)})
    stated = clip(", ".join(names[key] for key in sorted(names)), 120) or "none"
    if names and all(name.upper().startswith("LABEL_") for name in names.values()):
        hint = (
            "Its configuration does not say what its outputs mean. Look it up in the model's "
            "documentation, and pass adapter=ThreeLabels(entailment=..., neutral=..., "
            "contradiction=...)."
        )
    elif len(names) <= 2:
        hint = (
            "A model with the labels supported and unsupported needs "
            "adapter=TwoLabels(entailment=...)."
        )
    else:
        hint = "Use a model that was trained for natural language inference."
    raise BackendError(
        f"The labels of {model_name} are not entailment, neutral and contradiction, but: {stated}. "
        f"{hint}"
    )


def probabilities(
    adapter: LabelAdapter, logits: Sequence[float], temperature: float
) -> Probabilities:
    """Return what the adapter reads from the logits after division by the temperature."""
    if len(logits) != adapter.outputs:
        raise BackendError(f"The model has {len(logits)} outputs, and {adapter.outputs} are read.")
    if not all(map(math.isfinite, logits)):
        raise BackendError(
            "The model returned NaN or infinity. Its weights or its type are broken."
        )
    return adapter([logit / temperature for logit in logits])


def without_entailment(row: Probabilities) -> Probabilities:
    """Return the probabilities of a hypothesis of which a part was not read."""
    entailment, neutral, contradiction = row
    return 0.0, min(1.0, neutral + entailment), contradiction  # rounding may exceed 1


def _softmax(logits: Sequence[float]) -> list[float]:
    highest = max(logits)
    powers = [math.exp(logit - highest) for logit in logits]
    total = math.fsum(powers)
    return [power / total for power in powers]
