"""`assert_grounded` passes what references prove, and shows the rest as pytest would."""

import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel
from pydantic.dataclasses import dataclass

from groundtypes import Entailed, Grounded, Judges, Quote, grounded_in, verify
from groundtypes.errors import ContextError, MissingReferencesError, Mistake
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI, assert_grounded

REFERENCES = {"guide": "The bridge was opened in 1932. It is painted every seven years."}
TRUE, FALSE = "The bridge was opened in 1932.", "The bridge was opened in 1933."


class Citation(BaseModel):
    statement: str
    quote: Quote


class Answer(Grounded):
    citations: list[Citation]


@dataclass
class Note:
    quote: Quote


class Statement(Grounded):
    text: Annotated[str, Entailed()]


def citation(quote: str, statement: str = "s") -> dict[str, Any]:
    return {"statement": statement, "quote": quote}


def message_of(*arguments: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_grounded(*arguments, **options)
    return str(caught.value)


def test_a_text_is_compared_with_the_closest_passage() -> None:
    assert_grounded(TRUE, REFERENCES, nli=ScriptedNLI())
    assert message_of(f"{TRUE} {FALSE}", REFERENCES, nli=ScriptedNLI()) == (
        f"assert '{TRUE} {FALSE}' is grounded in 1 reference\n"
        "\n"
        "  1 of 2 sentences is not entailed (-reference +answer)\n"
        "\n"
        "  sentence 2: contradiction, entailed with 0.02; the closest passage, in reference guide\n"
        "  - The bridge was opened in 1932.\n"
        "  ?                             ^\n"
        "  + The bridge was opened in 1933.\n"
        "  ?                             ^"
    )


@pytest.mark.parametrize(("answer", "references"), [("", ["It rains."]), ("It rains.", [])])
def test_nothing_is_not_grounded(answer: str, references: list[str]) -> None:
    message_of(answer, references, nli=ScriptedNLI())


def test_figures_of_a_text() -> None:
    everything = ScriptedNLI(lambda pair: ENTAILED)
    assert_grounded("Opened in 1999.", REFERENCES, nli=everything)
    assert_grounded("Opened in 1932.", REFERENCES, nli=everything, figures=True)
    message = message_of("Opened in 1999.", REFERENCES, nli=everything, figures=True)
    assert 'figure "1999" stands in no reference; nearest: "1932"' in message
    assert "1 figure stands in no reference\n" in message


@pytest.mark.parametrize("shape", ["data", "JSON"])
def test_a_model_is_judged_by_its_checks(shape: str) -> None:
    def shaped(data: Any) -> Any:
        return json.dumps(data) if shape == "JSON" else data

    good = {"citations": [citation(TRUE)]}
    assert_grounded(shaped(good), REFERENCES, Answer)
    bad = {"citations": [citation(TRUE), citation(FALSE)]}
    message = message_of(shaped(bad), REFERENCES, Answer)
    assert "1 of 2 verdicts is a fault (-reference +answer)" in message
    assert "  citations[1].quote: quote_altered: WRONG" in message
    assert f"  - {TRUE.rstrip('.')}" in message
    assert f"  + {FALSE}" in message


def test_instances_bring_their_model() -> None:
    answer = verify(Answer, {"citations": [citation(TRUE)]}, context={"references": REFERENCES})
    assert_grounded(answer, REFERENCES)
    message_of(answer, "Another text.")
    note = verify(Note, {"quote": TRUE}, context={"references": REFERENCES})
    assert_grounded(note, REFERENCES)
    assert "quote_not_found" in message_of(note, "Another text.")


def test_figures_of_a_model() -> None:
    data = {"citations": [citation(TRUE, "It is 90 years old.")]}
    assert_grounded(data, REFERENCES, Answer)
    message = message_of(data, REFERENCES, Answer, figures=True)
    assert 'citations[0].statement: figure "90 years" stands in no reference' in message


def test_a_model_in_which_nothing_was_judged_is_not_grounded() -> None:
    class Plain(BaseModel):
        text: str

    assert "nothing is proved" in message_of({"text": "t"}, REFERENCES, Plain)
    assert "nothing is proved" in message_of({"citations": []}, REFERENCES, Answer)


def test_faults_of_structure_are_shown() -> None:
    assert "citations: missing: Field required" in message_of({}, REFERENCES, Answer)
    assert "json_invalid" in message_of("no json", REFERENCES, Answer)


def test_engines_judge_the_model() -> None:
    assert_grounded({"text": TRUE}, REFERENCES, Statement, nli=ScriptedNLI())
    neutral = Judges(nli=ScriptedNLI(lambda pair: NEUTRAL))
    assert "not_entailed" in message_of({"text": TRUE}, REFERENCES, Statement, judges=neutral)
    assert "neutral" in message_of(TRUE, REFERENCES, judges=neutral)
    with pytest.raises(ContextError, match="instead of both"):
        assert_grounded({"text": TRUE}, REFERENCES, Statement, judges=neutral, nli=ScriptedNLI())
    with pytest.raises(ContextError, match="have their own"):
        assert_grounded({"text": TRUE}, REFERENCES, Statement, threshold=0.7)


@pytest.mark.parametrize("model", [None, Statement])
def test_what_cannot_score_is_no_engine(model: Any) -> None:
    with pytest.raises(ContextError, match=r"int, which has no method score\(pairs\)"):
        assert_grounded(TRUE, REFERENCES, model, nli=5)  # type: ignore[arg-type]


def test_references_come_from_the_block_around() -> None:
    with pytest.raises(MissingReferencesError, match=r"second argument.*grounded_references"):
        assert_grounded(TRUE)
    with grounded_in(REFERENCES, judges=Judges(nli=ScriptedNLI())):
        assert_grounded(TRUE)
        assert_grounded({"text": TRUE}, model=Statement)
        message_of(FALSE)
        assert_grounded(FALSE, FALSE)


def test_many_and_long_faults_are_cut() -> None:
    data = {"citations": [citation("x" * 5_000)] * 30}
    message = message_of(data, REFERENCES, Answer)
    assert "...and 20 more" in message
    assert len(message) < 15_000


def test_a_value_without_a_model_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="pass the model, too"):
        assert_grounded({"text": TRUE}, REFERENCES)


@pytest.mark.parametrize(
    ("options", "mistake"),
    [
        ({"threshold": 50}, "threshold must be greater than 0 and at most 1, not 50"),
        ({"threshold": 0}, "threshold must be greater than 0 and at most 1, not 0"),
        ({"threshold": float("nan")}, "at most 1, not nan"),
        ({"threshold": "0.5"}, "at most 1, not '0.5'"),
        ({"question": 5}, "the question is of type int"),
        ({"judges": 5}, "judges is of type int"),
    ],
)
def test_options_of_another_kind_are_mistakes(options: dict[str, Any], mistake: str) -> None:
    """A threshold of 0 would have let every text pass that nothing contradicts."""
    with pytest.raises(Mistake, match=mistake):
        assert_grounded(
            "It is red.", REFERENCES, **{"nli": ScriptedNLI(lambda _: NEUTRAL), **options}
        )
