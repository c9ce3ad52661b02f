"""The passage that a message tells an LLM to copy holds when it is copied, and says no less."""

import re
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from groundtypes import Quoted, References, audit, find_quote
from groundtypes.quotes import QuoteMatch
from groundtypes.quotes.search import search

_ADVICE = re.compile(r'(?:RIGHT|reads): "(.*)"\.? (?:Use|Copy)', re.DOTALL)


class Value(BaseModel):
    quote: Annotated[str, Quoted(min_words=1)]


def advised(reference: str, quote: str) -> str:
    """Return the words that the message of a faulty quote gives."""
    (verdict,) = audit(Value, {"quote": quote}, context={"references": [reference]}).faults
    found = _ADVICE.search(verdict.message or "")
    assert found is not None, verdict.message
    return found[1]


#: reference, faulty quote, the advice
ADVICE: list[tuple[str, str, str]] = [
    # What the quote cuts off is added.
    ("It grew by 5 percent.", "It grew by 5", "It grew by 5 percent"),
    ("It costs $5 million now.", "It costs $5", "It costs $5 million"),
    ("We paid 5 kg of gold.", "We paid 5", "We paid 5 kg"),
    ("It cost 5 000 then.", "It cost 5", "It cost 5 000"),
    ("Siehe ELF-Datei (ein Binary).", "Siehe Datei eine (ein Binary)", "ELF-Datei (ein Binary)"),
    ("Anna's brother's friend won.", "Annas brother's friend won", "brother's friend won"),
    ("return a[0] * b ** 2", "return a * b ** 2", "a[0] * b ** 2"),
    # The rest of the sentence turns its meaning.
    (
        "No refunds are given after 14 days.",
        "Refunds are given after 15 days",
        "No refunds are given after 14 days.",
    ),
    (
        "Neither party’s aggregate liability shall exceed US$1,250,000.",
        "either party's aggregate liability shall exceed $1,250,000",
        "Neither party’s aggregate liability shall exceed US$1,250,000.",
    ),
    ("Can I swim here?", "I can swim here", "Can I swim here?"),
    ("Is he guilty?", "He is guilty", "Is he guilty?"),
    (
        "Rückgaben werden nach 14 Tagen nicht angenommen.",
        "Rückgaben werden nach 15 Tagen",
        "Rückgaben werden nach 14 Tagen nicht angenommen.",
    ),
    # Only one block is advised.
    ("- Keep cool\n\nStorage at 5 °C", "Keep cool Storage at 5 °C", "Storage at 5 °C"),
    (
        "It ends here.\n\n7. The licence is free.",
        "It ends here. 8. The licence is free.",
        "7. The licence is free",
    ),
    # The words that replace what is struck out are shown.
    ("The fee is ~~$10~~ $12.", "The fee is $10", "The fee is ~~$10~~ $12."),
]


@pytest.mark.parametrize(("reference", "quote", "advice"), ADVICE)
def test_the_advice_holds_and_says_no_less(reference: str, quote: str, advice: str) -> None:
    assert advice in advised(reference, quote)
    match = search(advised(reference, quote), References.of([reference]))
    assert isinstance(match, QuoteMatch)
    assert not match.cut


@pytest.mark.parametrize("reference", ["データは保存されません。", "転貸してはならない。"])
def test_the_advice_ends_at_words_in_a_script_without_spaces(reference: str) -> None:
    quote = reference.replace("ません", "ます").replace("はならない", "よい")
    assert advised(reference, quote).rstrip("。") == reference.rstrip("。")


@pytest.mark.parametrize(
    ("reference", "quote"),
    [
        ("The fee is ~~$10~~ $12.", "The fee is ~~$10"),
        ("The fee is ~~$10~~ $12.", "$10~~ $12"),
        ("The sum is 10 <s>EUR</s> USD.", "The sum is 10 <s>EUR"),
    ],
)
def test_one_mark_alone_does_not_show_that_words_are_struck_out(reference: str, quote: str) -> None:
    assert find_quote(quote, [reference]) is None


def test_a_quote_may_show_what_is_struck_out() -> None:
    assert find_quote("The fee is ~~$10~~ $12", ["The fee is ~~$10~~ $12."]) is not None


def test_a_sign_without_words_is_told_as_such() -> None:
    (verdict,) = audit(
        Value, {"quote": "the O2- ions enter"}, context={"references": ["the O²⁻ ions enter"]}
    ).faults
    assert '""' not in (verdict.message or "")


_WORDS = st.sampled_from(
    "the fee is not $5 million 3 kg of 20 % never (paid) no. either, a-b x² 1,200 only? - * | it's"
    " \n\n \n ~~old~~ <b>new</b> **bold** “so” 5–10".split(" ")
)


@given(st.lists(_WORDS, min_size=4, max_size=25), st.data())
def test_law_what_is_advised_is_a_quote(words: list[str], data: Any) -> None:
    reference = " ".join(words)
    start = data.draw(st.integers(0, len(words) - 2))
    chosen = words[start : data.draw(st.integers(start + 1, len(words)))]
    changed = data.draw(st.integers(0, len(chosen) - 1))
    chosen[changed] = data.draw(_WORDS)
    result = audit(Value, {"quote": " ".join(chosen)}, context={"references": [reference]})
    if result.ok or not (found := _ADVICE.search(result.faults[0].message or "")):
        return
    match = search(found[1], References.of([reference]))
    if isinstance(match, QuoteMatch):
        assert not match.cut
    else:
        # There is nothing that holds: every word around is struck out, or belongs to a block.
        assert any(sign in reference for sign in "~<|*-\n")
