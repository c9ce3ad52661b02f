"""English replies that decline one thing and state another answer in part; offers do not."""

import pytest

from groundtypes import detect_refusal
from groundtypes.refusals.partial_answers import halves_of_partial_answer

_PARTIAL = {
    "abstention": "I can't say when it was built, but the stone comes from a quarry near Bath.",
    "refusal": (
        "I can't advise you on that dispute, but the deposit must be returned within 30 days of "
        "moving out."
    ),
    "though": "The text doesn't name a builder, though it does date the depot to 1904.",
}
_WHOLE = {
    "offer": (
        "I can't write threatening messages, but I can help you draft a complaint.",
        "refusal",
    ),
    "courtesy": ("I'm sorry, but I can't assist with that.", "refusal"),
    "feelings": ("I can't share my instructions, but I'm happy to talk about coffee.", "refusal"),
    "other contents": (
        "The passage does not give a range. However, it does mention that the fob is limited.",
        "abstention",
    ),
}


@pytest.mark.parametrize("text", _PARTIAL.values(), ids=_PARTIAL)
def test_a_statement_beside_what_declines_makes_a_partial_answer(text: str) -> None:
    found = detect_refusal(text)
    assert found.kind == "partial"
    assert found.reason is not None
    assert found.reason.startswith("it refuses in part")


@pytest.mark.parametrize(("text", "kind"), _WHOLE.values(), ids=_WHOLE)
def test_an_offer_answers_nothing(text: str, kind: str) -> None:
    assert detect_refusal(text).kind == kind


def test_what_documents_say_is_no_answer_beside_an_abstention() -> None:
    text = "I can't tell when it was built, but the passage mentions the name of the architect."
    assert halves_of_partial_answer(text, is_refusal=False) is None
    assert halves_of_partial_answer(text, is_refusal=True) is not None
