"""Entailment by an engine that reads whole texts."""

from typing import Annotated, Any, ClassVar

import pytest
from pydantic import ValidationError

from groundtypes import Entailed, Grounded, Judges, Label, NLIScores, Pair, verify
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.entailment import entail
from groundtypes.entailment.evidence.whole_texts import premises_for_reader
from groundtypes.errors import BackendError
from groundtypes.references import References
from groundtypes.testing import ENTAILED, NEUTRAL, REFUTED, ScriptedNLI, contained

REFERENCES = {
    "bridge": "The bridge was opened in 1932. It is 503 metres long.",
    "ferry": "The ferry runs every hour. It carries cars.",
}
WHOLE = "\n\n".join(REFERENCES.values())
#: A text of 400 sentences of some ten tokens each.
LONG = " ".join(f"Room {number} has {number + 3} chairs and one table." for number in range(400))


class Answer(Grounded):
    text: Annotated[str, Entailed()]


def reader(rule: object = contained, window: int = 2048) -> ScriptedNLI:
    return ScriptedNLI(rule, window=window)  # type: ignore[arg-type] # any rule of a test


def test_each_sentence_is_one_question_on_all_references_with_the_sentences_before_it() -> None:
    nli = reader(lambda _: ENTAILED)
    first, second, third, fourth = (
        "The bridge is rather long for its age.",
        "It was opened in the year 1932.",
        "It is old and it is long.",
        "The ferry carries cars every single hour.",
    )
    text = f"{first} {second} {third} {fourth}"
    assert [each.label for each in entail(REFERENCES, text, nli=nli)] == [Label.ENTAILMENT] * 4
    [batch] = nli.batches
    assert batch == [
        Pair(WHOLE, first),
        Pair(WHOLE, second, first),
        Pair(WHOLE, third, f"{first} {second}"),
        Pair(WHOLE, fourth, f"{second} {third}"),
    ]


def test_a_short_answer_has_the_question_before_it() -> None:
    nli = reader(lambda _: ENTAILED)
    entail(REFERENCES, "503 metres.", question="How long is the bridge?", nli=nli)
    assert nli.batches == [[Pair(WHOLE, "503 metres.", "How long is the bridge?")]]


def test_a_sentence_that_fails_shows_the_sentence_of_the_references_that_decides() -> None:
    def rule(pair: Pair) -> NLIScores:
        return REFUTED if "1932" in pair.premise else NEUTRAL

    nli = reader(rule)
    [found] = entail(REFERENCES, "The bridge was opened in 1931, and it is long.", nli=nli)
    assert found.label is Label.CONTRADICTION
    assert found.passage == "The bridge was opened in 1932."
    assert found.span is not None
    assert found.span.reference == "bridge"
    first, second = nli.batches
    assert len(first) == 1
    assert {pair.premise for pair in second} > {"The bridge was opened in 1932."}


def test_what_holds_is_asked_once_and_shows_the_closest_sentence() -> None:
    nli = reader()
    [found] = entail(REFERENCES, "It carries cars.", nli=nli)
    assert nli.calls == 1
    assert found.span is not None
    assert found.span.reference == "ferry"


def test_no_rule_of_the_small_models_decides_beside_the_engine() -> None:
    # The bundled model has a rule for a denial; an engine that reads is believed.
    [found] = entail(
        "The bridge is open.", "The bridge is not open.", nli=reader(lambda _: ENTAILED)
    )
    assert found.label is Label.ENTAILMENT


def test_a_sentence_is_contradicted_only_if_that_is_most_probable() -> None:
    for scores, label in (
        (NLIScores(0.4, 0.25, 0.35), Label.NEUTRAL),
        (NLIScores(0.3, 0.25, 0.45), Label.CONTRADICTION),
    ):
        [found] = entail(REFERENCES, "It is wide.", nli=reader(lambda _, given=scores: given))
        assert found.label is label


def test_one_round_of_questions_serves_all_faults_of_an_answer() -> None:
    nli = reader(lambda pair: ENTAILED if "1932" in pair.hypothesis else NEUTRAL)
    with pytest.raises(ValidationError) as caught:
        verify(
            Answer,
            {"text": "The bridge was opened in 1932. It is blue. It is wide."},
            context={"references": REFERENCES, "judges": Judges(nli=nli)},
        )
    assert [error["type"] for error in caught.value.errors()] == ["not_entailed"]
    assert nli.calls == 2


def test_references_over_the_window_become_their_best_passages_in_order() -> None:
    nli = reader(lambda _: ENTAILED, window=600)
    entail(LONG, "Room 300 has 303 chairs. Room 17 has one table.", nli=nli)
    [[first, second]] = nli.batches
    assert first.premise == second.premise
    assert first.premise.index("Room 17 ") < first.premise.index("Room 300 ")
    assert len(first.premise.encode()) <= 3 * 600


def test_sentences_whose_passages_do_not_fit_together_have_premises_of_their_own() -> None:
    sentences = [f"Room {number} has a table." for number in range(0, 400, 40)]
    premises = premises_for_reader(
        References.of(LONG), [(sentence, "") for sentence in sentences], reader(window=500)
    )
    assert 1 < len(set(premises)) < len(sentences)
    for sentence, premise in zip(sentences, premises, strict=True):
        assert sentence.removesuffix(" has a table.") + " " in premise


def test_passages_that_follow_each_other_are_joined_as_they_stand() -> None:
    [premise] = premises_for_reader(
        References.of(LONG), [("Room 7 Room 20 Room 30", "")], reader(window=1200)
    )
    start = LONG.index(premise.split("\n\n")[0][:40])
    first = premise.split("\n\n")[0]
    assert LONG[start : start + len(first)] == first


def test_an_engine_that_counts_tokens_is_asked_for_them() -> None:
    class Counting(ScriptedNLI):
        def count_tokens(self, text: str) -> int:
            return len(text.split())

    statements = [("Room 7 has chairs.", "")]
    estimated = premises_for_reader(References.of(LONG), statements, reader(window=3500))
    counted = premises_for_reader(References.of(LONG), statements, Counting(window=3500))
    assert len(estimated[0]) < len(LONG)
    assert counted == [LONG]


class Weighted(ScriptedNLI):
    """An engine with weights: a text holds from 0.3 on; else its sentences need more than alone."""

    evidence_weights: ClassVar[dict[str, list[float]]] = {
        "statement": [1.0, 0.0],
        "text": [1.0, 0.847],
        "sentence": [1.0, -3.0],
    }


FERRY, BRIDGE = "The ferry carries many cars.", "The bridge is rather long."


def weighted(scores: dict[str, float]) -> Weighted:
    """Return an engine with these probabilities of entailment."""

    def score(pair: Pair) -> NLIScores:
        entailment = scores[pair.hypothesis]
        return NLIScores(entailment=entailment, neutral=1 - entailment, contradiction=0.0)

    return Weighted(score, window=2048)


def test_a_sentence_that_stands_alone_has_weights_of_its_own() -> None:
    nli = weighted({FERRY: 0.4})
    [alone] = entail(REFERENCES, FERRY, nli=nli)
    assert alone.label is Label.NEUTRAL
    assert alone.scores.entailment == pytest.approx(0.4)
    assert nli.batches[0] == [Pair(WHOLE, FERRY)]


def test_a_text_holds_with_its_least_entailed_sentence() -> None:
    nli = weighted({FERRY: 0.4, BRIDGE: 0.9})
    first, second = entail(REFERENCES, f"{FERRY} {BRIDGE}", nli=nli)
    assert first.label is second.label is Label.ENTAILMENT
    assert first.scores.entailment == pytest.approx(0.609, abs=0.001)
    assert nli.batches == [[Pair(WHOLE, FERRY), Pair(WHOLE, BRIDGE, FERRY)]]


def test_the_sentences_of_a_text_that_fails_need_more() -> None:
    first, second = entail(REFERENCES, f"{FERRY} {BRIDGE}", nli=weighted({FERRY: 0.1, BRIDGE: 0.9}))
    assert first.label is second.label is Label.NEUTRAL
    assert first.scores.entailment == pytest.approx(0.206, abs=0.001)
    assert second.scores.entailment == pytest.approx(0.309, abs=0.001)
    clear = entail(REFERENCES, f"{FERRY} {BRIDGE}", nli=weighted({FERRY: 0.1, BRIDGE: 0.99}))
    assert [each.label for each in clear] == [Label.NEUTRAL, Label.ENTAILMENT]


def test_weights_of_another_kind_of_engine_are_a_mistake() -> None:
    class Wrong(ScriptedNLI):
        evidence_weights: ClassVar[Any] = OnnxNLI().evidence_weights

    with pytest.raises(BackendError):
        entail(REFERENCES, "It carries cars.", nli=Wrong(window=2048))


@pytest.mark.parametrize("references", ["", [], ["", " "]])
def test_nothing_is_asked_on_references_without_text(references: object) -> None:
    nli = reader(lambda _: ENTAILED)
    [found] = entail(references, "It carries cars.", nli=nli)
    assert found.label is Label.NEUTRAL
    assert nli.batches in ([], [[]])
