"""Claims that are extracted and labelled in one call to a scripted LLM."""

from typing import Any

import pytest

from groundtypes import Judges, Label, audit
from groundtypes.claims import check_claims
from groundtypes.errors import ContextError
from groundtypes.prompts.response_models import (
    LabelWord,
    StatementLabel,
    Statements,
)
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM, ScriptedNLI
from tests.claims.scripted_claims import (
    BOTH,
    FINISHED,
    FIRST,
    SECOND,
    TOWER,
    Answer,
    context,
    labels_and_reasons,
    scripted,
    stating,
)


def test_one_call_extracts_and_labels() -> None:
    llm = stating([(1, FIRST, "supported"), (2, SECOND, "contradicted")])
    result = audit(Answer, {"text": BOTH}, context=context(llm))
    assert [(v.label, v.slug) for v in result.verdicts] == [
        ("entailment", None),
        ("contradiction", "claim_contradicted"),
    ]
    assert result.verdicts[0].span is not None
    assert result.verdicts[0].span.reference == "tower"
    assert (llm.calls, sum(v.tokens or 0 for v in result.verdicts)) == (1, 15)


def test_a_sentence_that_the_first_call_passes_over_is_asked_about_in_a_second() -> None:
    llm = stating([(1, FIRST, "supported")], {"330": Label.CONTRADICTION})
    assert labels_and_reasons(llm) == [(FIRST, "entailment"), (SECOND, "contradiction")]
    assert llm.calls == 2


def test_a_sentence_that_its_statements_hardly_cover_is_asked_about_too() -> None:
    text = "The tower was finished in 1889 and painted green by Spanish sailors in 1911."
    llm = stating([(1, FIRST, "supported")], {"1911": Label.NEUTRAL})
    assert labels_and_reasons(llm, text) == [(FIRST, "entailment"), (text, "neutral")]


def test_a_sentence_that_failed_is_not_asked_about_again() -> None:
    text = "The tower was finished in 1889 and painted green by Spanish sailors in 1911."
    llm = stating([(1, FIRST, "contradicted")])
    assert labels_and_reasons(llm, text) == [(FIRST, "contradiction")]
    assert llm.calls == 1


def test_a_sentence_of_one_fact_is_labelled_as_a_whole() -> None:
    llm = stating([(1, None, "supported"), (2, " ", "contradicted")])
    assert labels_and_reasons(llm) == [(FIRST, "entailment"), (SECOND, "contradiction")]
    assert llm.calls == 1


def test_a_long_sentence_may_be_copied_whole() -> None:
    steps = " and ".join(f"{number} steps of stone" for number in range(100, 120))
    text = f"The tower has {steps}."
    assert 400 < len(text) <= 500
    llm = stating([(1, text, "supported")])
    [(shown, label)] = labels_and_reasons(llm, text)
    assert (shown[:60], label, llm.calls) == (text[:60], "entailment", 1)


def test_a_sentence_with_two_labels_is_asked_about_alone() -> None:
    llm = stating([(1, None, "supported"), (1, None, "not stated")], {"1889": Label.CONTRADICTION})
    assert labels_and_reasons(llm, FIRST) == [(FIRST, "contradiction")]


def test_a_sentence_and_one_of_its_statements_are_both_judged() -> None:
    text = "The tower was finished in 1889 and is 330 metres tall."
    llm = stating([(1, None, "supported"), (1, SECOND, "contradicted")])
    assert labels_and_reasons(llm, text) == [(text, "entailment"), (SECOND, "contradiction")]


@pytest.mark.parametrize("passage", [None, 0, 9])
def test_a_supported_statement_without_a_passage_is_asked_about_alone(passage: int | None) -> None:
    plain = scripted([], {"1889": Label.NEUTRAL})

    def rule(question: Question) -> Any:
        if question.response_model is not Statements:
            return plain.rule(question)
        statement = StatementLabel(sentence=1, statement=FIRST, label="supported", passage=passage)
        return Statements(labels=[statement])

    llm = ScriptedLLM(rule)
    result = audit(Answer, {"text": FIRST}, context=context(llm))
    assert [v.label for v in result.verdicts] == ["neutral"]
    assert sum(v.tokens or 0 for v in result.verdicts) == 30


def test_a_statement_with_two_labels_is_asked_about_alone() -> None:
    twice: list[tuple[int, str, LabelWord]] = [(1, FIRST, "supported"), (1, FIRST, "not stated")]
    llm = stating(twice, {"1889": Label.CONTRADICTION})
    assert labels_and_reasons(llm, FIRST) == [(FIRST, "contradiction")]


@pytest.mark.parametrize(
    "foreign",
    ["The moon orbits the earth.", "The tower orbits in 1889.", "It was finished in 1888."],
    ids=["of a passage", "a word of a passage", "a number of nobody"],
)
def test_a_statement_that_the_text_does_not_make_is_ignored(foreign: str) -> None:
    llm = stating([(1, foreign, "supported")], {"1889": Label.NEUTRAL})
    assert labels_and_reasons(llm, FIRST) == [(FIRST, "neutral")]


@pytest.mark.parametrize(
    "foreign_statement",
    [(9, FIRST), (0, FIRST), (1, "The moon orbits the earth."), (1, "It is 7 years old.")],
)
def test_a_reply_with_a_statement_that_the_text_does_not_make_is_ignored_as_a_whole(
    foreign_statement: tuple[int, str],
) -> None:
    number, words = foreign_statement
    llm = stating(
        [(1, FIRST, "supported"), (2, SECOND, "supported"), (number, words, "supported")],
        {"1889": Label.CONTRADICTION, "330": Label.NEUTRAL},
    )
    assert [label for _, label in labels_and_reasons(llm)] == ["contradiction", "neutral"]
    assert llm.calls == 2


def test_every_sentence_of_an_ignored_reply_is_asked_about_again() -> None:
    text = f"{FIRST} The tower is painted."
    llm = stating([(1, FIRST, "supported"), (9, FIRST, "supported")], {"1889": Label.ENTAILMENT})
    assert [label for _, label in labels_and_reasons(llm, text)] == ["entailment", "neutral"]


def test_a_statement_with_a_wrong_sentence_number_is_attributed_to_the_right_sentence() -> None:
    llm = stating([(1, FIRST, "supported"), (1, SECOND, "supported")])
    assert labels_and_reasons(llm) == [(FIRST, "entailment"), (SECOND, "entailment")]
    assert llm.calls == 1


def test_without_references_the_llm_is_not_asked() -> None:
    llm = stating([(1, FIRST, "supported")])
    asked = {"references": [], "judges": Judges(llm=llm)}
    result = audit(Answer, {"text": BOTH}, context=asked)
    assert [v.slug for v in result.faults] == ["claim_unsupported"] * 2
    assert llm.calls == 0


def test_a_checker_labels_what_the_one_call_would_have_labelled() -> None:
    llm, nli = scripted([(1, FINISHED)], {}), ScriptedNLI()
    result = audit(Answer, {"text": FIRST}, context=context(llm, checker=nli))
    assert (result.ok, llm.calls) == (True, 1)


def test_a_long_text_takes_several_calls_of_bounded_size() -> None:
    text = " ".join(f"The tower number {n} was finished in {1800 + n}." for n in range(100))
    llm = stating([], {"": Label.ENTAILMENT})
    audit(Answer, {"text": text}, context=context(llm))
    assert 1 < len(llm.batches[0]) <= 10
    assert max(len(q.content) for batch in llm.batches for q in batch) < 24_000


@pytest.mark.parametrize("empty", ["", " ", "\n\u00a0"])
def test_an_empty_statement_that_is_supported_leaves_its_sentence_unlabelled(empty: str) -> None:
    llm = stating([(1, FIRST, "supported"), (2, empty, "supported")], {"330": Label.CONTRADICTION})
    assert labels_and_reasons(llm) == [(FIRST, "entailment"), (SECOND, "contradiction")]
    assert llm.calls == 2


def test_a_sentence_that_is_labelled_itself_needs_no_second_call_for_an_empty_statement() -> None:
    llm = stating([(1, None, "supported"), (1, "", "supported")])
    assert labels_and_reasons(llm, FIRST) == [(FIRST, "entailment")]
    assert llm.calls == 1


@pytest.mark.parametrize("claims", [FIRST, FINISHED])
def test_a_single_claim_is_no_list_of_claims(claims: Any) -> None:
    with pytest.raises(ContextError, match="pass a list"):
        check_claims(claims, TOWER, checker=ScriptedNLI())
