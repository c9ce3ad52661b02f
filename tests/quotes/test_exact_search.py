"""A quote that stands in a text exactly is found by scanning, with the same result as by index."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import References, find_quote
from groundtypes.quotes import MatchKind
from groundtypes.quotes.candidates import CandidateSearch
from groundtypes.quotes.exact_search import first_whole_place, is_scanned
from groundtypes.quotes.matches import places_by_scanning
from groundtypes.quotes.word_index import WordIndex

_TEXT = " ".join(
    f"Tower number{number} was built in {number} by the river." for number in range(40)
)
_LONG_TEXT = _TEXT + " The tower was built of stone." * 2_500
_PIECES = st.sampled_from(["tower", "Tower", " was ", "built ", " 5", "-", ".", " ", "5", "the "])
#: Made once: an example of its own may take no longer than Hypothesis allows.
_INDEX = WordIndex(["Another text without it.", _LONG_TEXT])


@given(st.lists(_PIECES, max_size=30), st.data())
def test_a_slice_is_found_at_its_first_whole_place(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    if not quote.strip():
        return
    place = first_whole_place(quote, [text], places_by_scanning(quote, [text], range(1)))
    match = find_quote(quote, [text])
    if place is not None:
        assert match is not None
        assert (match.span.start, match.how, match.cut) == (place[1], MatchKind.EXACT, False)
    elif match is not None and match.how is MatchKind.EXACT:
        assert match.cut


@given(st.integers(0, len(_TEXT)), st.integers(1, 200))
def test_the_index_and_the_scan_find_the_same_place(start: int, size: int) -> None:
    quote = _TEXT[start : start + size]
    if not quote:
        return
    by_index = CandidateSearch(_INDEX, quote).exact_matches()
    by_scanning = places_by_scanning(quote, _INDEX.texts, range(2))
    assert set(by_index) == set(by_scanning)


def test_texts_that_are_too_long_or_too_many_are_not_scanned() -> None:
    assert is_scanned(["x" * 15_625] * 64, has_index=False)
    assert not is_scanned(["x" * 1_000_001], has_index=False)
    assert not is_scanned(["Tower "] * 65, has_index=False)
    assert find_quote("Tower", References.of(["Tower "] * 65)) is not None


def test_an_exact_quote_loads_none_of_the_tolerant_search() -> None:
    program = (
        "import sys; from groundtypes import find_quote; "
        "assert find_quote('was built', 'The tower was built in 1889.'); "
        "print('groundtypes.quotes.tolerant_search' in sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    assert printed.strip() == "False"


@pytest.mark.parametrize(
    ("word", "typo"), [("assessment", "assesment"), ("municipality", "municpality")]
)
def test_a_typo_in_the_first_or_last_word_is_found(word: str, typo: str) -> None:
    sentence = "assessment by a committee came before the one by the municipality"
    match = find_quote(sentence.replace(word, typo), f"An {sentence}.", fuzzy=True)
    assert match is not None
    assert (match.text, match.how) == (sentence, MatchKind.FUZZY)


def test_a_full_width_stop_at_the_end_is_no_typo() -> None:
    quote = "Ｔｈｅ　ｔｏｗｅｒ　ｗａｓ　ｂｕｉｌｔ　ｔｈｅｎ．"
    match = find_quote(quote, "The tower was built then. It is tall.", fuzzy=True)
    assert match is not None
    assert match.how is MatchKind.NORMALISED
