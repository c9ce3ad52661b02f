"""Damaged texts are repaired for a search where the option says so, and never otherwise."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from groundtypes import Quoted, audit, find_quote
from groundtypes.quotes import MatchKind
from groundtypes.quotes.damaged import repair

#: reference, quote
DAMAGED: dict[str, tuple[str, str]] = {
    "encoding": ("The tenant\u00e2\u20ac\u2122s deposit is safe.", "The tenant's deposit is safe"),
    "encoding of letters": ("Das GebÃ¤ude ist alt.", "Das Gebäude ist alt"),
    "split ligature": ("the \ufb01 eld of P\ufb01 zer was wide", "the field of Pfizer was wide"),
    "detached accent": ("the Universit\u00b4e of Geneva", "the Universit\u00e9 of Geneva"),
    "drop cap": ("T he tower was built by hand.", "The tower was built"),
    "drop cap on a line": ("I\nn the beginning was the word.", "In the beginning was"),
    "ruby": (
        "来週から<ruby>夏季<rp>(</rp><rt>かき</rt><rp>)</rp></ruby>休業です。",
        "来週から夏季休業です",
    ),
    "wiki note": (
        "It fell<ref name=a>Smith</ref> in 1901 to them.",
        "It fell in 1901 to them",
    ),
    "tags of Word": ("It <w:r>fell</w:r> in 1901<o:p></o:p> to them.", "It fell in 1901 to them"),
    "vowel signs": ("بِسْمِ اللَّهِ الرَّحْمَنِ", "بسم الله الرحمن"),
    "forms of alif": ("ذهب الولد إلى المدرسة صباحا", "ذهب الولد الى المدرسة"),
    "yo": ("Ребёнок приходит на урок.", "Ребенок приходит на урок"),
    "oe": ("Cette œuvre de sa sœur est belle.", "Cette oeuvre de sa soeur"),
    "place of the tone": ("Hàng hoá và đồ thuỷ tinh.", "Hàng hóa và đồ thủy tinh"),
    "escaped line break": ("first line\nsecond line here", "first line\\nsecond line"),
    "quoted-printable": ("das Wachs=\ntum der Stadt", "das Wachstum der Stadt"),
}


@pytest.mark.parametrize(("reference", "quote"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_text_is_found_with_the_option_alone(reference: str, quote: str) -> None:
    assert find_quote(quote, reference) is None
    match = find_quote(quote, reference, damaged=True)
    assert match is not None
    assert match.how is MatchKind.DAMAGED
    assert not match.cut
    assert reference[match.span.start : match.span.end] == match.text


@pytest.mark.parametrize(
    ("reference", "quote"),
    [
        ("The tenant\u00e2\u20ac\u2122s deposit is 5 euros.", "The tenant's deposit is 6 euros"),
        ("Ребёнок не приходит на урок.", "Ребенок приходит на урок"),
        ("Año nuevo en la ciudad.", "Ano nuevo en la ciudad"),
    ],
)
def test_what_changes_the_meaning_is_never_repaired(reference: str, quote: str) -> None:
    assert find_quote(quote, reference, damaged=True) is None


def test_a_text_that_is_whole_is_found_as_ever() -> None:
    match = find_quote("the tower", "See the tower.", damaged=True)
    assert match is not None
    assert match.how is MatchKind.EXACT


def test_a_validated_quote_says_that_its_text_was_repaired() -> None:
    class Note(BaseModel):
        quote: Annotated[str, Quoted(damaged=True)]

    context = {"references": "Cette œuvre est belle."}
    report = audit(Note, {"quote": "cette oeuvre"}, context=context)
    assert report.value is not None
    assert report.value.quote == "Cette œuvre"
    assert report.value.quote.how is MatchKind.DAMAGED  # type: ignore[attr-defined]


@given(st.text(alphabet="aeéoóuyœ`´ \nTh=<>refpt/ﬁâ€™ёنَا", max_size=40))
def test_each_repaired_character_has_a_place(text: str) -> None:
    repaired = repair(text)
    assert len(repaired.text) == len(repaired.starts) == len(repaired.ends)
    assert all(0 <= low < high <= len(text) for low, high in zip(*repaired[1:], strict=True))
    assert list(repaired.starts) == sorted(repaired.starts)
