"""A claim is judged on sentences, on sentences from several places together, and on a passage."""

from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair, Span, audit
from groundtypes.entailment import entail
from groundtypes.scoring import Label
from tests.checks import ENTAILED, REFUTED, ScriptedNLI

NEUTRAL = NLIScores(entailment=0.1, neutral=0.8, contradiction=0.1)
BORN = "Anna Weber was born in Rome in 1912."
DIED = "Anna Weber died in Oslo after the war."
REFERENCES = {
    "early": f"{BORN} Her father was a baker.",
    "late": f"The lake froze over that winter. {DIED}",
}
CLAIM = "Anna Weber was born in Rome and died in Oslo."


class Answer(Grounded):
    text: Annotated[str, Entailed()]


def together(pair: Pair) -> NLIScores:
    """Return entailment if the premise mentions both Rome and Oslo, else neutral."""
    return ENTAILED if "Rome" in pair.premise and "Oslo" in pair.premise else NEUTRAL


def judged(engine: Any, references: Any = REFERENCES, text: str = CLAIM) -> Any:
    context = {"references": references, "judges": Judges(nli=engine)}
    (verdict,) = audit(Answer, {"text": text}, context=context).verdicts
    return verdict


def test_sentences_of_two_references_may_entail_a_claim_together() -> None:
    verdict = judged(ScriptedNLI(together))
    assert verdict.ok
    assert verdict.label == "entailment"
    assert verdict.span in {
        Span("early", 0, len(BORN)),
        Span("late", REFERENCES["late"].index(DIED), len(REFERENCES["late"])),
    }
    assert "early, late" in verdict.reason


def test_all_evidence_goes_out_in_one_batch() -> None:
    engine = ScriptedNLI(together)
    judged(engine)
    [batch] = engine.batches
    premises = [pair.premise for pair in batch]
    assert set(premises) == {BORN, DIED, f"{BORN} {DIED}", REFERENCES["early"]}
    assert len(premises) == 4


def test_one_short_sentence_is_one_pair() -> None:
    engine = ScriptedNLI(lambda _: ENTAILED)
    assert judged(engine, BORN).ok
    assert engine.batches == [[Pair(BORN, CLAIM)]]


def test_a_sentence_that_is_overlooked_among_others_entails_alone() -> None:
    text = f"{REFERENCES['early']} {REFERENCES['late']}"
    engine = ScriptedNLI(lambda pair: ENTAILED if pair.premise == BORN else NEUTRAL)
    verdict = judged(engine, text, "Anna Weber was born in Rome.")
    assert verdict.ok
    assert verdict.span == Span("0", 0, len(BORN))
    assert verdict.reason is None


def test_a_composed_premise_must_entail_with_a_higher_probability() -> None:
    unsure = NLIScores(entailment=0.6, neutral=0.3, contradiction=0.1)
    engine = ScriptedNLI(lambda pair: unsure if together(pair) is ENTAILED else NEUTRAL)
    verdict = judged(engine)
    assert verdict.slug == "not_entailed"
    assert verdict.score == NEUTRAL.entailment


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        pytest.param(NLIScores(0.75, 0.15, 0.1), 0.577, id="odds of 3 for, 2.2 times as many"),
        pytest.param(NLIScores(1.0, 0.0005, 0.0), 0.999, id="not quite 1 in all"),
    ],
)
def test_the_score_of_a_composed_premise_is_on_the_scale_of_the_others(
    scores: Any, expected: float
) -> None:
    engine = ScriptedNLI(lambda pair: scores if together(pair) is ENTAILED else NEUTRAL)
    verdict = judged(engine)
    assert verdict.ok
    assert verdict.score == pytest.approx(expected, abs=0.001)


def test_what_a_sentence_contradicts_no_composed_premise_entails() -> None:
    engine = ScriptedNLI(lambda pair: REFUTED if pair.premise == DIED else together(pair))
    verdict = judged(engine)
    assert verdict.slug == "contradicted"
    assert verdict.span.reference == "late"
    assert engine.calls == 1


def test_a_composed_premise_contradicts_nothing_and_is_no_closest_passage() -> None:
    engine = ScriptedNLI(
        lambda pair: REFUTED if "Rome" in pair.premise and "Oslo" in pair.premise else NEUTRAL
    )
    verdict = judged(engine)
    assert verdict.slug == "not_entailed"
    assert verdict.label == "neutral"
    assert verdict.score == NEUTRAL.entailment


@pytest.mark.parametrize(
    ("references", "text"),
    [
        pytest.param(BORN, CLAIM, id="the passage is that sentence"),
        pytest.param(REFERENCES, "Trains were late.", id="no common word"),
        pytest.param([], CLAIM, id="no reference"),
    ],
)
def test_what_is_not_entailed_costs_one_batch(references: Any, text: str) -> None:
    engine = ScriptedNLI(lambda _: NEUTRAL)
    assert judged(engine, references, text).slug == "not_entailed"
    assert engine.calls <= 1


def test_entail_returns_the_spans_of_all_sentences() -> None:
    [entailment] = entail(REFERENCES, CLAIM, nli=ScriptedNLI(together))
    assert entailment.label is Label.ENTAILMENT
    assert entailment.passage == f"{BORN} {DIED}"
    assert [span.reference for span in entailment.spans] == ["early", "late"]
