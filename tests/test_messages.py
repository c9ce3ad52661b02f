"""How messages show texts, ids and lone surrogates."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from groundtypes import Entailed, Judges, References, audit
from groundtypes.errors import ReferencesError, fault_message
from groundtypes.scoring import NLIScores
from groundtypes.testing import ScriptedNLI
from groundtypes.text.message_excerpts import encodable, excerpt, in_quotation_marks, shown_id

_ANY_TEXT = st.text(st.characters(exclude_categories=[]))
_MARKED = st.text(st.sampled_from('ab "«»「」‹›\n'))


class Statement(BaseModel):
    text: Annotated[str, Entailed()]


@given(_ANY_TEXT)
def test_law_every_message_can_be_encoded(text: str) -> None:
    _, message = fault_message("quote_altered", difference=text, passage=text, reference=text)
    assert message.encode().decode() == message
    assert str(ReferencesError(text)).encode().decode() == str(ReferencesError(text))


def test_a_lone_surrogate_is_shown_as_its_escape() -> None:
    assert encodable("a \ud800 b \U0001f600") == "a \\ud800 b \U0001f600"


def test_a_check_with_an_engine_escapes_lone_surrogates_too() -> None:
    refuted = ScriptedNLI(lambda pair: NLIScores(0.0, 0.0, 1.0))
    context = {"references": {"id\ud800": "Dogs \udfff are barred."}, "judges": Judges(nli=refuted)}
    (fault,) = audit(Statement, {"text": "Dogs \ud800 are allowed."}, context=context).faults
    message = fault.message or ""
    assert message.encode().decode() == message
    assert all(escape in message for escape in ("id\\ud800", "\\udfff are", "Dogs \\ud800"))


@given(_MARKED)
def test_law_the_text_between_the_marks_is_the_text_on_one_line(text: str) -> None:
    shown = in_quotation_marks(text)
    line = " ".join(text.split())
    if shown[1:-1] == line:
        assert shown[0] not in line
        assert shown[-1] not in line
    else:  # every kind of marks occurs in it
        assert shown == '"{}"'.format(line.replace('"', "'"))
        assert all(set(marks) & set(line) for marks in ('"', "«»", "「」", "‹›"))


@pytest.mark.parametrize(
    ("id_", "shown"),
    [
        ("guide", "guide"),
        ("doc-2.pdf", "doc-2.pdf"),
        ("a b", "a b"),
        ("x" * 50, "x" * 39 + "…"),
        ("a, b", '"a, b"'),
        ("a. Copy it.", '"a. Copy it."'),
        ('a". RIGHT: "b\n\n# x', '«a". RIGHT: "b # x»'),
        ("", '""'),
    ],
    ids=ascii,
)
def test_an_id_that_could_be_a_part_of_the_message_stands_between_marks(
    id_: str, shown: str
) -> None:
    assert shown_id(id_) == shown


def test_an_excerpt_is_cut_inside_of_its_marks() -> None:
    assert excerpt('He said "no" to it.', 14) == '«He said "no"…»'


def test_a_reference_that_is_none_is_named_as_such() -> None:
    with pytest.raises(ReferencesError, match="The reference 'a' is None, not a text"):
        References.of({"a": None})
