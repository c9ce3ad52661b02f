"""A claim that was merged from several passages or references is judged on them together."""

from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair, Span, audit
from groundtypes.entailment import entail
from groundtypes.scoring import Label
from tests.checks import CONTRADICTED, ENTAILED, ScriptedNLI

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
    """Only who reads of Rome and of Oslo finds the claim entailed."""
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


def test_what_no_passage_entails_is_asked_once_more_in_a_second_batch() -> None:
    engine = ScriptedNLI(together)
    judged(engine)
    first, second = engine.batches
    assert {pair.premise for pair in first} == set(REFERENCES.values())
    assert [pair.premise for pair in second] == [f"{BORN} {DIED}"]


def test_what_a_passage_entails_is_not_asked_again() -> None:
    engine = ScriptedNLI(lambda _: ENTAILED)
    assert judged(engine).ok
    assert engine.calls == 1


def test_a_sentence_that_is_overlooked_among_others_is_found_alone() -> None:
    text = f"{REFERENCES['early']} {REFERENCES['late']}"
    engine = ScriptedNLI(lambda pair: ENTAILED if pair.premise == BORN else NEUTRAL)
    verdict = judged(engine, text, "Anna Weber was born in Rome.")
    assert verdict.ok
    assert verdict.span == Span("0", 0, len(BORN))
    assert verdict.reason is None


def test_what_was_picked_for_its_words_must_entail_more_surely() -> None:
    unsure = NLIScores(entailment=0.6, neutral=0.3, contradiction=0.1)
    engine = ScriptedNLI(lambda pair: unsure if together(pair) is ENTAILED else NEUTRAL)
    verdict = judged(engine)
    assert verdict.slug == "not_entailed"
    assert verdict.score == NEUTRAL.entailment


@pytest.mark.parametrize(
    ("said", "score"),
    [
        pytest.param(NLIScores(0.75, 0.15, 0.1), 0.577, id="odds of 3 for, 2.2 times as many"),
        pytest.param(NLIScores(1.0, 0.0005, 0.0), 0.999, id="not quite 1 in all"),
    ],
)
def test_the_score_of_what_was_picked_is_comparable_to_others(said: Any, score: float) -> None:
    engine = ScriptedNLI(lambda pair: said if together(pair) is ENTAILED else NEUTRAL)
    verdict = judged(engine)
    assert verdict.ok
    assert verdict.score == pytest.approx(score, abs=0.001)


def test_what_a_passage_contradicts_no_merged_passage_rescues() -> None:
    engine = ScriptedNLI(
        lambda pair: CONTRADICTED if pair.premise == REFERENCES["late"] else together(pair)
    )
    verdict = judged(engine)
    assert verdict.slug == "contradicted"
    assert verdict.span.reference == "late"
    assert engine.calls == 1


def test_merged_sentences_contradict_nothing_and_are_no_closest_passage() -> None:
    engine = ScriptedNLI(
        lambda pair: CONTRADICTED if "Rome" in pair.premise and "Oslo" in pair.premise else NEUTRAL
    )
    verdict = judged(engine)
    assert verdict.slug == "not_entailed"
    assert verdict.label == "neutral"
    assert verdict.score == NEUTRAL.entailment


@pytest.mark.parametrize(
    ("references", "text"),
    [
        pytest.param(BORN, CLAIM, id="the passage is that sentence"),
        pytest.param(REFERENCES, "Trains were late.", id="no word stands anywhere"),
        pytest.param([], CLAIM, id="no reference"),
    ],
)
def test_where_there_is_nothing_closer_nothing_is_asked_again(references: Any, text: str) -> None:
    engine = ScriptedNLI(lambda _: NEUTRAL)
    assert judged(engine, references, text).slug == "not_entailed"
    assert engine.calls <= 1


def test_the_plain_function_returns_all_places() -> None:
    [found] = entail(REFERENCES, CLAIM, nli=ScriptedNLI(together))
    assert found.label is Label.ENTAILMENT
    assert found.passage == f"{BORN} {DIED}"
    assert [span.reference for span in found.spans] == ["early", "late"]
