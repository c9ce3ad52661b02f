"""An abstention is right unless the references say what it denies; talk claims nothing."""

from typing import Annotated

import pytest
from pydantic import BaseModel

from groundtypes import Entailed, Judges, audit, guard
from groundtypes.entailment import entail
from groundtypes.refusals.denials import denied_by
from groundtypes.scoring import Label, NLIScores, Pair
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI
from tests.whole_texts import WholeTextNLI

CONTRACT = "The contract was signed on 3 May. The fee is paid monthly."
WRONG = "The documents do not say when the contract was signed."
RIGHT = "The documents do not mention an architect."


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        (WRONG, "when the contract was signed"),
        (RIGHT, "an architect"),
        ("There is no information on risk factors in the text.", "on risk factors"),
        ("I could not find anything about who is alerted.", "who is alerted"),
        ("The text does not mention the answer to the riddle.", "the answer to the riddle"),
        ("The passages cannot answer how much the director embezzled.", "director embezzled"),
        ("Welche Dosis sinnvoll wäre, steht in den Unterlagen nicht.", "Dosis sinnvoll"),
    ],
)
def test_what_an_abstention_denies_is_found(sentence: str, denied: str) -> None:
    found = denied_by(sentence)
    assert found is not None
    assert denied in found


@pytest.mark.parametrize(
    "sentence",
    [
        "The contract does not expire.",
        "The contract was signed in May, but the text does not say where.",
        "The text does not give the magnitude of the quake, which was put at eight.",
        "Nobody was hurt.",
        "The fee is waived. Let me know!",
        "The fee is paid monthly.",
    ],
)
def test_a_sentence_that_says_more_is_no_mere_abstention(sentence: str) -> None:
    assert denied_by(sentence) is None


def _says_when(pair: Pair) -> NLIScores:
    asks = "when the contract was signed" in pair.hypothesis
    return ENTAILED if asks and "3 May" in pair.premise else NEUTRAL


@pytest.mark.parametrize("engine", [ScriptedNLI, WholeTextNLI])
def test_a_right_abstention_holds_and_a_wrong_one_does_not(engine: type[ScriptedNLI]) -> None:
    nli = engine(_says_when)
    [right] = entail(CONTRACT, RIGHT, nli=nli)
    [wrong] = entail(CONTRACT, WRONG, nli=nli)
    assert (right.label, wrong.label) == (Label.ENTAILMENT, Label.CONTRADICTION)
    assert wrong.passage is not None
    assert "3 May" in wrong.passage


@pytest.mark.parametrize(
    "sentence",
    [
        "Unable to answer based on the given passages.",
        "I cannot answer this question with the documents provided.",
        "It is not possible to answer this.",
    ],
)
@pytest.mark.parametrize("engine", [ScriptedNLI, WholeTextNLI])
def test_a_denied_answer_is_nothing_that_a_text_could_say(
    engine: type[ScriptedNLI], sentence: str
) -> None:
    asked: list[str] = []

    def entails(pair: Pair) -> NLIScores:
        asked.append(pair.hypothesis)
        return ENTAILED

    both = entail(CONTRACT, f"The fee is paid monthly. {sentence}", nli=engine(entails))
    assert {found.label for found in both} == {Label.ENTAILMENT}
    assert set(asked) == {"The fee is paid monthly."}


def test_without_any_text_an_abstention_holds() -> None:
    [found] = entail([], RIGHT, nli=ScriptedNLI(_says_when))
    assert found.label is Label.ENTAILMENT


class Answer(BaseModel):
    text: Annotated[str, Entailed()]


def test_talk_is_no_fault_and_a_claim_beside_it_is() -> None:
    context = {"references": CONTRACT, "judges": Judges(nli=ScriptedNLI(lambda pair: NEUTRAL))}
    talk = audit(Answer, {"text": "Hello! I hope this helps."}, context=context)
    both = audit(Answer, {"text": "I hope this helps. The fee is waived."}, context=context)
    assert talk.ok
    assert [fault.slug for fault in both.faults] == ["not_entailed"]


def test_guard_lets_talk_pass() -> None:
    judges = Judges(nli=ScriptedNLI(lambda pair: NEUTRAL))
    stream = ["Sure! Here is what I found. ", "The fee is waived for all members of the club. "]
    stream.append("Let me know if it helps!")
    passed = "".join(guard(stream, CONTRACT, judges=judges))
    assert passed.startswith("Sure! Here is what I found.")
    assert passed.endswith("Let me know if it helps!")
    assert "members of the club. [not supported by the sources]" in passed
