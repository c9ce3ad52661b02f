"""A person marks verdicts as right or wrong; the labels that are saved are read by `calibrate`."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Judges, calibrate
from groundtypes.report import Report
from tests.calibration.rows import engine
from tests.report.browser.answers import ANSWERS, MENDED, OPINION
from tests.report.browser.conftest import Opened
from tests.report.browser.test_accessible import _violations
from tests.report.pages import REFERENCES, TOWER, fault, row, span, verdict
from tests.report.test_page import HOSTILE

pytestmark = pytest.mark.browser


def _review(page: Any, number: int = 0) -> None:
    page.locator("#order").select_option("file")
    page.locator("#review").click()
    page.locator(f"#line-{number}").click()


def _saved(page: Any, folder: Path) -> list[dict[str, Any]]:
    """Return the rows of the file that the page saves."""
    with page.expect_download() as waiting:
        page.locator("#review-save").click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "labels.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _status(page: Any) -> str:
    return str(page.locator("#review-status").inner_text())


def _mark(page: Any, at: int, word: str) -> None:
    page.locator(f'.marking[data-verdict="{at}"]').get_by_role("button", name=word).click()


def test_marks_are_offered_only_in_the_review_mode(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    page.locator("#line-0").click()
    assert page.locator(".marking").count() == 0
    assert page.locator("#review-bar").is_hidden()
    page.locator("#review").click()
    assert page.locator(".marking").count() == 2
    assert page.locator("#review-save").is_disabled()
    page.locator("#review").click()
    assert page.locator(".marking").count() == 0


def test_a_click_marks_and_the_saved_row_says_what_the_person_thinks(
    open_page: Opened, tmp_path: Path
) -> None:
    page = open_page(ANSWERS)
    _review(page)
    _mark(page, 0, "Right")
    _mark(page, 1, "Wrong")
    assert _status(page) == "2 verdicts marked"
    first, second = _saved(page, tmp_path)
    assert first["statement"] == "The tower is 330 metres tall."
    assert (first["label"], first["right"], first["score"]) == ("supported", True, 0.97)
    assert second["statement"] == "Nobody in the whole city likes it."
    assert (second["label"], second["right"]) == ("supported", False)
    assert second["verdict"]["label"] == "contradiction"
    for one in (first, second):
        assert one["references"] == REFERENCES
        assert one["question"] == "Do people like the tower?"
        assert one["field"] == "answer"
    assert first["id"] != second["id"]
    assert _status(page) == "2 verdicts marked. Saved as labels.jsonl."


@pytest.mark.parametrize(
    ("label", "ok", "mark", "expected"),
    [
        ("entailment", True, "Right", "supported"),
        ("entailment", True, "Wrong", "unsupported"),
        ("neutral", False, "Right", "unsupported"),
        ("contradiction", False, "Wrong", "supported"),
        ("neutral", True, "Right", "unsupported"),
    ],
)
def test_a_mark_on_a_verdict_is_a_label_of_its_sentence(
    open_page: Opened, tmp_path: Path, label: str, ok: bool, mark: str, expected: str
) -> None:
    found = {**verdict(("a",), "Entailed", label=label, score=0.4, threshold=0.5), "ok": ok}
    page = open_page([row({"a": "It is tall."}, [found]), OPINION])
    _review(page)
    _mark(page, 0, mark)
    (saved,) = _saved(page, tmp_path)
    assert saved["label"] == expected


def test_the_same_mark_again_takes_it_away_and_the_other_one_replaces_it(
    open_page: Opened,
) -> None:
    page = open_page(ANSWERS)
    _review(page)
    for word, pressed in (
        ("Right", ["true", "false"]),
        ("Wrong", ["false", "true"]),
        ("Wrong", ["false", "false"]),
    ):
        _mark(page, 0, word)
        buttons = page.locator('.marking[data-verdict="0"] button').all()
        assert [button.get_attribute("aria-pressed") for button in buttons] == pressed
    assert _status(page) == "0 verdicts marked"


def test_keys_mark_and_move_on_through_the_list(open_page: Opened, tmp_path: Path) -> None:
    page = open_page(ANSWERS)
    page.locator("#review").click()
    page.keyboard.press("n")
    assert "Answer 1" in page.locator("#answer-title").inner_text()
    for key in ("r", "w"):
        page.keyboard.press(key)
    assert "Answer 2" in page.locator("#answer-title").inner_text()
    page.keyboard.press("W")
    page.keyboard.press("u")  # the next one has the focus, and no mark to take away
    page.keyboard.press("n")
    assert _status(page).startswith("3 verdicts marked")
    for _ in range(10):
        page.keyboard.press("r")
    assert _status(page).endswith("No verdict is left in the list.")
    saved = _saved(page, tmp_path)
    assert len(saved) == 6
    assert [one["right"] for one in saved[:3]] == [True, False, False]


def test_the_verdict_whose_evidence_is_looked_at_is_marked(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    _review(page)
    page.locator("a.claim").nth(1).click()
    page.locator(".references .evidence.active").wait_for()
    page.keyboard.press("w")
    assert page.locator('.marking[data-verdict="1"] [aria-pressed="true"]').inner_text() == "Wrong"
    assert page.locator('.marking[data-verdict="0"] [aria-pressed="true"]').count() == 0


def test_letters_that_are_typed_into_a_filter_mark_nothing(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    _review(page)
    page.locator("#filter-text").press_sequentially("wrun")
    assert _status(page) == "0 verdicts marked"
    page.locator("#clear").click()
    page.locator("#review").click()
    page.locator("#list").focus()
    page.keyboard.press("r")
    page.locator("#review").click()
    assert _status(page) == "0 verdicts marked"


def test_what_is_saved_can_be_calibrated(open_page: Opened, tmp_path: Path) -> None:
    rows = []
    for n in range(24):
        score = 0.9 if n % 2 else 0.1
        text = f"The tower scores {score} here."
        label = "entailment" if n % 2 else "neutral"
        make = (
            verdict
            if n % 2
            else lambda loc, check, **more: fault(loc, "not_entailed", check, **more)
        )
        rows.append(
            row(
                {"text": text},
                [make(("text",), "Entailed", label=label, score=score, span=span("It is 330"))],
                references={**REFERENCES, "n": str(n)},
            )
        )
    rows.append(row({"quote": "1889"}, [verdict(("quote",), label="exact")]))
    page = open_page(rows)
    page.locator("#review").click()
    page.keyboard.press("n")
    for _ in range(25):
        page.keyboard.press("r")
    _saved(page, tmp_path)
    nli = engine()
    result = calibrate(tmp_path / "labels.jsonl", judges=Judges(nli=nli))
    assert nli.calls  # the sentences are judged anew, with their references
    assert (result.counts.recorded, result.counts.other_checks) == (0, 1)
    assert (result.calibration.supported, result.calibration.unsupported) == (12, 12)
    assert result.chosen.balanced_accuracy == 1.0


_INCOMPLETE: dict[str, Any] = {
    "a reference that is cut": row(
        {"a": "It is tall."},
        [verdict(("a",), "Entailed", label="entailment", score=0.7, span=span("It is 330"))],
        references={"tower": TOWER + " And so on." * 9_000},
    ),
    "evidence in a sibling field": row(
        {"quote": "It is 330 metres tall.", "a": "It is tall."},
        [
            verdict(
                ("a",),
                "Entailed",
                label="entailment",
                score=0.7,
                span={"reference": "quote", "start": 0, "end": 5},
            )
        ],
    ),
    "a sentence that is not known": row(
        {"a": "It is tall."},
        [
            verdict(("a",), "Entailed", label="entailment", score=0.7, span=span("It is 330"))
            for _ in range(3)
        ],
    ),
}


@pytest.mark.parametrize("answer", _INCOMPLETE.values(), ids=_INCOMPLETE.keys())
def test_what_cannot_be_judged_anew_is_saved_with_its_score_alone(
    open_page: Opened, tmp_path: Path, answer: dict[str, Any]
) -> None:
    page = open_page([answer, MENDED])
    _review(page)
    _mark(page, 0, "Right")
    (saved,) = _saved(page, tmp_path)
    assert "references" not in saved
    assert saved["score"] == 0.7


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_texts_are_saved_as_they_are(open_page: Opened, tmp_path: Path, text: str) -> None:
    found = verdict(("a",), text, label=text, score=0.5)
    page = open_page([row({"a": text}, [found], id=text, references={text: text}), OPINION])
    _review(page)
    _mark(page, 0, "Right")
    (saved,) = _saved(page, tmp_path)
    assert saved["statement"] == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert page.locator("script").count() == 3


def test_a_reference_named_like_a_property_of_objects_is_saved_too(
    open_page: Opened, tmp_path: Path
) -> None:
    place = {"reference": "__proto__", "start": 0, "end": 5}
    found = verdict(("a",), "Entailed", label="entailment", score=0.7, span=place)
    page = open_page([row({"a": "It is tall."}, [found], references={"__proto__": TOWER}), MENDED])
    _review(page)
    _mark(page, 0, "Right")
    (saved,) = _saved(page, tmp_path)
    assert saved["references"] == {"__proto__": TOWER}


def test_labels_can_be_copied_from_the_page(open_page: Opened) -> None:
    page = open_page(ANSWERS, permissions=["clipboard-read", "clipboard-write"])
    _review(page)
    _mark(page, 0, "Right")
    page.locator("#review-copy").click()
    shown = page.locator("#review-text").input_value()
    assert json.loads(shown)["label"] == "supported"
    page.get_by_text("1 verdict marked. Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == shown


def test_in_a_notebook_labels_are_shown_for_copying(open_page: Opened) -> None:
    shown = Report(ANSWERS, title="Towers")._repr_html_()
    page = open_page([], html=f"<!doctype html><title>n</title><body>{shown}</body>")
    frame = page.frame_locator("iframe")
    frame.locator("#review").click()
    frame.locator("#line-0").click()
    frame.locator('.marking[data-verdict="0"] button').first.click()
    assert frame.locator("#review-save").is_hidden()
    frame.locator("#review-copy").click()
    assert json.loads(frame.locator("#review-text").input_value())["right"] is True


def test_a_page_of_one_answer_can_be_reviewed(open_page: Opened, tmp_path: Path) -> None:
    page = open_page([OPINION])
    page.locator("#review").click()
    for key in ("r", "r", "r"):
        page.keyboard.press(key)
    assert len(_saved(page, tmp_path)) == 2


def test_a_page_without_verdicts_offers_no_review(open_page: Opened) -> None:
    page = open_page([{"value": {"a": "x"}, "verdicts": []}])
    assert page.locator("#review").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_review_mode_breaks_no_rule_of_axe(open_page: Opened, scheme: str, width: int) -> None:
    page = open_page(ANSWERS, color_scheme=scheme, viewport={"width": width, "height": 900})
    _review(page)
    assert _violations(page) == []
    _mark(page, 0, "Wrong")
    page.locator("#review-copy").click()
    assert _violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_keys_mark_no_verdict_of_an_answer_that_the_filters_hide(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    _review(page)
    page.locator("#filter-text").fill("no such words at all")
    page.locator("#line-0").wait_for(state="detached")
    page.locator("#answer-title").focus()
    for key in "rwr":
        page.keyboard.press(key)
    assert _status(page).startswith("0 verdicts marked")
