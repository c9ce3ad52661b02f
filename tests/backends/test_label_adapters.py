"""The order of labels is read or stated, and never assumed."""

from typing import Any

import pytest

from groundtypes.backends.label_adapters import (
    LabelAdapter,
    OneLabel,
    ThreeLabels,
    TwoLabels,
    adapter_of,
    probabilities,
)
from groundtypes.errors import BackendError


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["entailment", "neutral", "contradiction"], (0, 1, 2)),
        (["contradiction", "entailment", "neutral"], (1, 2, 0)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], (2, 1, 0)),
    ],
    ids=["ours", "cross-encoders", "upper case"],
)
def test_the_order_is_read_from_the_configuration(
    names: list[str], order: tuple[int, int, int]
) -> None:
    for keys in ([0, 1, 2], ["0", "1", "2"]):
        adapter = adapter_of({"id2label": dict(zip(keys, names, strict=True))}, "m")
        assert (adapter.entailment, adapter.neutral, adapter.contradiction) == order


@pytest.mark.parametrize(
    ("id2label", "hint"),
    [
        ({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, r"adapter=ThreeLabels\("),
        ({"0": "LABEL_0", "1": "LABEL_1"}, "does not say what its outputs mean"),
        ({"0": "unsupported", "1": "supported"}, r"adapter=TwoLabels\("),
        ({"0": "positive", "1": "neutral", "2": "negative"}, "trained for natural language"),
        ({"0": "entailment", "1": "neutral", "2": "neutral"}, "trained for natural language"),
        ({"0": "entailment", "1": "neutral", "7": "contradiction"}, "natural language"),
        (None, "none"),
        ({"x": "entailment"}, "none"),
    ],
    ids=["nameless", "nameless two", "two", "sentiment", "twice", "gap", "nothing", "no numbers"],
)
def test_other_labels_are_refused_with_what_to_do(id2label: Any, hint: str) -> None:
    with pytest.raises(BackendError, match=hint):
        adapter_of({"id2label": id2label}, "m")


def test_adapters_give_probabilities_that_add_up_to_one() -> None:
    adapters: list[tuple[LabelAdapter, tuple[float, ...]]] = [
        (ThreeLabels(entailment=2, neutral=0, contradiction=1), (0.0, -5.0, 5.0)),
        (TwoLabels(entailment=1), (-3.0, 3.0)),
        (TwoLabels(entailment=0), (3.0, -3.0)),
        (OneLabel(), (3.0,)),
    ]
    for adapter, logits in adapters:
        row = adapter(logits)
        assert sum(row) == pytest.approx(1)
        assert row[0] == max(row) > 0.9
        assert adapter([1000 * logit for logit in logits])[0] == pytest.approx(1)


def test_a_two_label_model_never_says_contradiction() -> None:
    _, neutral, contradiction = TwoLabels(entailment=1)((9.0, -9.0))
    assert neutral > 0.99
    assert contradiction == 0


def test_a_temperature_softens() -> None:
    adapter = ThreeLabels(entailment=0, neutral=1, contradiction=2)
    sharp, soft = (probabilities(adapter, (2.0, 0.0, 0.0), heat) for heat in (1.0, 3.0))
    assert sharp[0] > soft[0] > 1 / 3


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_is_a_mistake(bad: float) -> None:
    adapter = ThreeLabels(entailment=0, neutral=1, contradiction=2)
    with pytest.raises(BackendError, match="NaN or infinity"):
        probabilities(adapter, (0.0, bad, 0.0), 1.0)


def test_more_or_fewer_outputs_than_are_read_are_a_mistake() -> None:
    with pytest.raises(BackendError, match="3 outputs, and 2 are read"):
        probabilities(TwoLabels(), (0.0, 0.0, 0.0), 1.0)


@pytest.mark.parametrize("places", [(0, 1, 1), (1, 2, 3)])
def test_impossible_positions_are_refused(places: tuple[int, int, int]) -> None:
    with pytest.raises(BackendError):
        ThreeLabels(entailment=places[0], neutral=places[1], contradiction=places[2])
    with pytest.raises(BackendError):
        TwoLabels(entailment=2)
