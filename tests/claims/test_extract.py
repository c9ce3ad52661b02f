"""The claims of a text, extracted by a scripted LLM."""

import pytest

from groundtypes.claims import ClaimTriplet, extract_claims
from tests.claims.scripted_claims import (
    BOTH,
    FINISHED,
    TALL,
    TOWER,
    scripted,
)


@pytest.mark.parametrize(
    ("number", "claim", "expected_sentence"),
    [
        (1, TALL, "It is 330 metres tall."),
        (2, FINISHED, "The tower was finished in 1889."),
        # What is partly in the sentence that the LLM names stays there.
        (
            1,
            ClaimTriplet("The tower", "was", "330 metres in 1889"),
            "The tower was finished in 1889.",
        ),
    ],
)
def test_a_claim_with_a_wrong_sentence_number_is_attributed_to_the_right_sentence(
    number: int, claim: ClaimTriplet, expected_sentence: str
) -> None:
    [result] = extract_claims(TOWER, llm=scripted([(number, claim)], {}))
    assert TOWER[result.start : result.end] == expected_sentence


def test_claims_have_the_span_of_their_sentence() -> None:
    llm = scripted([(2, TALL), (1, FINISHED)], {})
    result = extract_claims(BOTH, llm=llm)
    assert [BOTH[c.start : c.end].strip() for c in result] == [
        "The tower was finished in 1889.",
        "The tower is 330 metres tall.",
    ]


def test_claims_that_say_the_same_are_returned_once() -> None:
    again = ClaimTriplet("the tower", "was  finished in", "1889")
    assert extract_claims(BOTH, llm=scripted([(1, FINISHED), (2, again)], {})) == [FINISHED]


@pytest.mark.parametrize(
    "invented",
    [
        ClaimTriplet("The tower", "was finished in", "1898"),
        ClaimTriplet("Gustave Eiffel", "built", "the tower"),
        ClaimTriplet("The tower", "attracts", "many foreign visitors"),
        ClaimTriplet("The tower", "weighs 7300 tonnes and", "stands"),
    ],
    ids=["a number", "a subject", "an object", "a number in the predicate"],
)
def test_a_claim_that_the_text_does_not_make_is_dropped_and_listed(invented: ClaimTriplet) -> None:
    result = extract_claims(BOTH, llm=scripted([(1, FINISHED), (1, invented)], {}))
    assert result == [FINISHED]
    assert result.dropped == (invented,)


def test_a_subject_may_come_from_the_question() -> None:
    claim = ClaimTriplet("Andre Weiss at the University of Dijon", "stayed for", "11 years")
    question = "How many years was Andre Weiss at the University of Dijon?"
    assert extract_claims("For 11 years.", question, llm=scripted([(1, claim)], {})) == [claim]


def test_a_claim_with_a_sentence_number_that_does_not_exist_is_ignored() -> None:
    assert extract_claims(BOTH, llm=scripted([(0, FINISHED), (9, FINISHED)], {})) == []


@pytest.mark.parametrize("text", ["", "  \n\t ", "!!! ...", "🎉🎉"])
def test_a_text_without_words_asks_nothing(text: str) -> None:
    llm = scripted([], {})
    assert extract_claims(text, llm=llm) == []
    assert llm.calls == 0


def test_a_long_text_is_asked_about_in_several_questions_of_bounded_size() -> None:
    text = " ".join(f"The tower number {n} was finished in {1800 + n}." for n in range(100))
    llm = scripted([], {})
    extract_claims(text, llm=llm)
    assert len(llm.batches) == 1
    assert 1 < len(llm.batches[0]) <= 10
    assert max(len(q.content) for q in llm.batches[0]) < 6_000
