"""The judge that is shipped, on its real base model: `make test-judge`."""

import json
import os
import runpy
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from groundtypes import Judges, Pair, audit
from groundtypes.entailment import entail

pytestmark = [
    pytest.mark.judge,
    # Libraries that are not ours warn of their own future.
    pytest.mark.filterwarnings("default"),
]

COOKBOOK = Path(__file__).parents[2] / "cookbook"
EXPECTED = Path(__file__).parent / "data" / "judge_expected.jsonl"
LEAFLET = (
    "Common side effects of ibuprofen are stomach pain, nausea and heartburn. Tell your doctor if "
    "you notice black stools. Do not take it together with other medicines of its kind."
)


@pytest.fixture(scope="module")
def judge() -> Any:
    from groundtypes.backends.nli_causal import CausalNLI  # noqa: PLC0415 # needs torch

    base = os.environ.get("GROUNDTYPES_JUDGE_BASE")
    if not base:
        pytest.fail("GROUNDTYPES_JUDGE_BASE names no base model: run make test-judge")
    return CausalNLI.judge(base, device="cpu")


def test_its_probabilities_are_those_of_its_training(judge: Any) -> None:
    rows = [json.loads(line) for line in EXPECTED.read_text(encoding="utf-8").splitlines()]
    # The temperature of the shipped engine changes probabilities; those here are the network's.
    temperature = judge._temperature
    pairs = [Pair(row["text"], row["claim"], row["before"] or "") for row in rows]
    gaps = []
    for score, row in zip(judge.score(pairs), rows, strict=True):
        powers = [
            value**temperature for value in (score.entailment, score.neutral, score.contradiction)
        ]
        for power, expected in zip(powers, row["yes_unknown_no"], strict=True):
            gaps.append(abs(power / sum(powers) - expected))
    assert fmean(gaps) < 0.02
    assert max(gaps) < 0.15


def test_the_real_tokenizer_recognises_no_special_token_in_any_field(judge: Any) -> None:
    encoder = judge._model().encoder
    words = encoder._tokenizer
    added = {token.content for token in words.added_tokens_decoder.values()}
    ids = set(words.added_tokens_decoder)

    def special(pair: Pair) -> list[int]:
        [prompt] = encoder.encode([pair])
        return [at for at in (*prompt.text, *prompt.claim) if at in ids]

    plain = special(Pair("Text.", "Claim.", "Before."))
    assert len(plain) == 5
    for token in added:
        for pair in (
            Pair(f"Text{token}.", "Claim.", "Before."),
            Pair("Text.", f"{token}Claim{token}", "Before."),
            Pair("Text.", "Claim.", f"Before {token}"),
        ):
            assert special(pair) == plain, token


def test_it_knows_what_a_text_does_not_say(judge: Any) -> None:
    right, wrong = entail(
        LEAFLET,
        "Ibuprofen can cause nausea and heartburn in some people. "
        "Ibuprofen was discovered by British chemists in the 1960s.",
        nli=judge,
    )
    assert right.label.value == "entailment"
    assert wrong.label.value != "entailment"


def test_german_answers_stand_on_english_documents(judge: Any) -> None:
    """The example of the cookbook, with the engine of the other tests."""
    example = runpy.run_path(str(COOKBOOK / "answers_in_german.py"))
    context = {"references": example["REFERENCES"], "judges": Judges(nli=judge)}
    right, closed, price = (
        audit(example["Antwort"], {"text": answer}, context=context)
        for answer in example["ANSWERS"]
    )
    assert right.ok
    [fault] = [verdict for verdict in closed.verdicts if not verdict.ok]
    assert fault.slug in {"not_entailed", "contradicted"}
    assert fault.span is not None
    assert fault.span.reference == "hours"
    assert "figure_unsupported" in {verdict.slug for verdict in price.verdicts}
