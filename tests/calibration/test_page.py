"""The page of a calibration is one file without a script, and texts in it are only texts."""

import base64
import hashlib
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes import Judges, calibrate
from tests.calibration.rows import engine, labelled, overlapping, separated
from tests.report.pages import Page
from tests.report.test_page import HOSTILE


def page(rows: Any, title: str = "Calibration") -> str:
    return calibrate(rows, judges=Judges(nli=engine())).to_html(title)


def surprising(text: str) -> dict[str, Any]:
    """Return a row that the page names: an unsupported text with a high score."""
    return {"text": text, "label": False, "score": 0.99}


def test_the_page_has_no_script_and_asks_for_nothing() -> None:
    text = page(overlapping())
    found = Page(text)
    assert "script" not in found.tags
    assert found.outside == []
    (style,) = found.elements["style"]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert found.policy == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert not re.findall(r"(?:https?:)?//[\w.]+\.\w+|@import|url\(", text)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_texts_are_inert(text: str) -> None:
    tame = Page(page([*separated(), surprising("tame")], "tame"))
    found = Page(page([*separated(), surprising(text)], text))
    assert found.tags == tame.tags
    assert found.outside == []
    assert found.elements["style"] == tame.elements["style"]


@settings(max_examples=20, deadline=None)
@given(st.text(st.characters(exclude_categories=())))
def test_any_title_can_be_written(title: str) -> None:
    assert page(separated(10), title).encode()


def test_the_page_says_what_was_found() -> None:
    result = calibrate(overlapping(), judges=Judges(nli=engine()), precision=0.8)
    text = result.to_html("Towers")
    for shown in (
        "<title>Towers</title>",
        f"{result.threshold:.3f}",
        f"{result.roc_auc:.3f}",
        "precision of at least 0.8",
        "100 supported, 100 unsupported",
        "ScriptedNLI",
        'role="img"',
        "Unsupported, and accepted",
    ):
        assert shown in text


def test_a_page_of_many_rows_stays_small() -> None:
    rows = [labelled((n % 997) / 997, n % 3 > 0, n) for n in range(4_000)]
    assert len(page(rows)) < 100_000
