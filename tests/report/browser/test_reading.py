"""A person reads a page: with the mouse, with the keyboard, on paper, in a notebook."""

from typing import Any

import pytest

from groundtypes.report import Report
from tests.report.browser.answers import ALTERED, ANSWERS, MENDED, OPINION, many
from tests.report.browser.conftest import Opened
from tests.report.pages import row, verdict

pytestmark = pytest.mark.browser


def _choose(page: Any, number: int) -> None:
    page.locator(f"#line-{number}").click()


def _in_view(page: Any, selector: str) -> bool:
    """Whether an element lies within the box that scrolls it."""
    seen = page.locator(selector).evaluate(
        "(one) => { const box = one.closest('.column, .list').getBoundingClientRect();"
        " const at = one.getBoundingClientRect();"
        " return at.top >= box.top - 1 && at.bottom <= box.bottom + 1; }"
    )
    return bool(seen)


def test_the_page_opens_with_the_summary_and_the_list(open_page: Opened) -> None:
    page = open_page(ANSWERS, title="Towers")
    assert page.title() == "Towers"
    assert page.locator("#summary").is_visible()
    assert page.locator("#found").inner_text() == "6 answers"
    assert page.locator("[role=option]").count() == 6
    assert "quote_altered" in page.locator("#line-1").inner_text()
    assert "faulty" in page.locator("#line-1").inner_text()


def test_a_click_on_an_answer_shows_it_beside_its_references(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    _choose(page, 0)
    assert page.locator("#summary").is_hidden()
    assert "Answer 1 opinion" in page.locator("#answer-title").inner_text()
    assert "Nobody in the whole city likes it." in page.locator(".column.answer").inner_text()
    assert "Millions climb it" in page.locator(".column.references").inner_text()
    page.locator("#to-summary").click()
    assert page.locator("#summary").is_visible()
    assert page.locator("#answer").is_hidden()


def test_a_click_on_a_sentence_scrolls_to_its_evidence_and_marks_it(open_page: Opened) -> None:
    filler = "Nothing to see. " * 600
    text = filler + "Millions climb it every year." + filler
    start = text.index("Millions")
    evidence = {"reference": "long", "start": start, "end": start + 29}
    verdicts = [{**one, "span": evidence} for one in OPINION["verdicts"]]
    page = open_page([{**OPINION, "verdicts": verdicts, "references": {"long": text}}, ALTERED])
    _choose(page, 0)
    assert not _in_view(page, ".references .evidence")
    page.get_by_role("link", name="Nobody in the whole city likes it.").click()
    page.wait_for_function(
        "() => { const box = document.querySelector('.references').getBoundingClientRect();"
        " const at = document.querySelector('.evidence').getBoundingClientRect();"
        " return at.top >= box.top && at.bottom <= box.bottom; }"
    )
    active = page.locator(".references .evidence.active")
    assert active.inner_text() == "Millions climb it every year."
    assert active.evaluate("(one) => document.activeElement === one")
    assert page.locator(".claim.active").inner_text() == "Nobody in the whole city likes it."


def test_the_way_to_the_evidence_and_back_needs_no_mouse(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    page.locator("#order").select_option("file")
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    assert "Answer 1" in page.locator("#answer-title").inner_text()
    page.keyboard.press("ArrowDown")
    assert "Answer 2" in page.locator("#answer-title").inner_text()
    page.keyboard.press("Enter")
    assert page.locator("#answer-title").evaluate("(one) => document.activeElement === one")
    page.keyboard.press("Tab")  # the column, which scrolls
    page.keyboard.press("Tab")
    assert page.locator("a.claim").evaluate("(one) => document.activeElement === one")
    page.keyboard.press("Enter")
    assert page.locator(".evidence.active").evaluate("(one) => document.activeElement === one")
    page.keyboard.press("Escape")
    assert page.locator("a.claim").evaluate("(one) => document.activeElement === one")
    page.keyboard.press("Escape")
    assert page.locator("#list").evaluate("(one) => document.activeElement === one")
    page.keyboard.press("End")
    assert "Answer 6" in page.locator("#answer-title").inner_text()
    page.keyboard.press("Home")
    assert "Answer 1" in page.locator("#answer-title").inner_text()
    assert page.locator("#list").get_attribute("aria-activedescendant") == "line-0"


def test_a_fault_shows_the_claim_the_passage_and_the_message_for_the_llm(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    _choose(page, 1)
    box = page.locator(".verdict.faulty")
    assert box.locator("del").all_inner_texts() == ["1899"]
    assert box.locator("ins").all_inner_texts() == ["1889"]
    assert box.locator(".message dd").inner_text() == "Mend this: quote_altered."
    assert "quote_altered" in box.locator(".head").inner_text()


def test_broken_rows_and_rows_without_verdicts_are_shown(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    page.locator("#order").select_option("file")
    _choose(page, 4)
    assert "not JSON" in page.locator("#answer .error").inner_text()
    assert "{oops" in page.locator(".column.answer").inner_text()
    _choose(page, 5)
    assert "A tower." in page.locator(".column.answer").inner_text()


@pytest.mark.parametrize(
    ("box", "value", "left"),
    [
        ("state", "faulty", ["opinion", "altered"]),
        ("state", "ok", ["mended", "dropped"]),
        ("state", "unjudged", ["clean"]),
        ("state", "broken", ["line 9"]),
        ("check", "Entailed", ["opinion"]),
        ("label", "exact", ["mended", "dropped"]),
        ("slug", "quote_not_found", ["dropped"]),
        ("place", "facts.*.quote", ["altered"]),
    ],
)
def test_a_filter_leaves_the_answers_that_meet_it(
    open_page: Opened, box: str, value: str, left: list[str]
) -> None:
    page = open_page(ANSWERS)
    page.locator(f"#filter-{box}").select_option(value)
    assert page.locator("#found").inner_text() == f"{len(left)} of 6 answers"
    for number, id_ in enumerate(left):
        _choose(page, number)
        assert id_ in page.locator("#answer-title").inner_text()
    page.locator("#clear").click()
    page.wait_for_function("() => document.getElementById('found').textContent === '6 answers'")


def test_conditions_are_met_by_one_and_the_same_verdict(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    page.locator("#filter-slug").select_option("quote_not_found")
    page.locator("#filter-label").select_option("exact")
    assert page.locator("#found").inner_text() == "0 of 6 answers"


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("whole CITY", 1),
        ("Mend this", 3),
        ("how old is it", 1),
        ("Nothing of the kind", 5),
        (".*", 0),
        ("words that stand nowhere", 0),
    ],
    ids=["answer", "message", "question", "reference", "no pattern", "nothing"],
)
def test_the_search_reads_answers_questions_messages_and_references(
    open_page: Opened, words: str, count: int
) -> None:
    page = open_page(ANSWERS)
    page.locator("#filter-text").fill(words)
    page.wait_for_function(
        "(count) => document.getElementById('found').textContent.startsWith(count + ' of')",
        arg=count,
    )


def test_a_click_on_a_number_of_the_summary_filters_the_list(open_page: Opened) -> None:
    page = open_page(ANSWERS)
    page.get_by_role("button", name="contradicted").click()
    assert page.locator("#found").inner_text() == "1 of 6 answers"
    assert page.locator("#list").evaluate("(one) => document.activeElement === one")
    page.get_by_role("button", name="facts.*.quote").click()
    assert page.locator("#found").inner_text() == "1 of 6 answers"
    assert page.locator("#filter-slug").input_value() == ""


def test_of_thousands_of_answers_only_the_lines_that_are_seen_are_made(open_page: Opened) -> None:
    page = open_page(many(5_000))
    assert page.locator("#found").inner_text() == "5,000 answers"
    assert page.locator("[role=option]").count() < 60
    page.locator("#list").focus()
    page.keyboard.press("End")
    assert "Answer 5000" in page.locator("#answer-title").inner_text()
    assert _in_view(page, "#line-4999")
    assert page.locator("[role=option]").count() < 60
    assert page.locator("#line-4999").get_attribute("aria-posinset") == "5000"
    page.locator("#list").evaluate("(one) => { one.scrollTop = one.scrollHeight / 2; }")
    page.locator("#line-2500").wait_for()
    assert page.locator("[role=option]").count() < 60
    page.locator("#filter-slug").select_option("quote_altered")
    assert page.locator("#found").inner_text() == "500 of 5,000 answers"
    page.locator("#filter-text").fill("number 4993.")
    page.locator("#line-1").wait_for(state="detached")
    _choose(page, 0)
    assert "Answer 4994" in page.locator("#answer-title").inner_text()


def test_the_theme_follows_the_system_until_one_is_chosen(open_page: Opened) -> None:
    page = open_page(ANSWERS, color_scheme="dark")

    def paper() -> Any:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    dark = paper()
    page.locator("#theme").click()
    assert page.locator("#theme").inner_text() == "Theme: light"
    light = paper()
    assert light == "rgb(255, 255, 255)" != dark
    page.locator("#theme").click()
    assert (page.locator("#theme").inner_text(), paper()) == ("Theme: dark", dark)
    page.reload()
    assert page.locator("#theme").inner_text() == "Theme: dark"


def test_on_paper_stand_the_summary_and_every_answer_with_its_references(
    open_page: Opened,
) -> None:
    page = open_page(ANSWERS)
    page.locator("#filter-state").select_option("faulty")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator("#print")
    assert printed.locator("article").count() == 2
    assert page.locator("#summary").is_visible()
    assert page.locator("#side").is_hidden()
    for text in (
        "Nobody in the whole city likes it.",
        "1899",
        "Mend this: contradicted.",
        "Millions climb it",
    ):
        assert text in printed.inner_text()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert printed.locator("article").count() == 0


def test_a_page_of_one_answer_shows_it_at_once(open_page: Opened) -> None:
    page = open_page([MENDED])
    assert page.locator("#side").is_hidden()
    assert page.locator("#summary").is_hidden()
    assert "mended" in page.locator("#answer-title").inner_text()


def test_a_page_without_answers_says_so(open_page: Opened) -> None:
    page = open_page([])
    assert "no answers" in page.locator(".counts").inner_text()


def test_without_its_script_a_page_still_shows_the_summary(open_page: Opened) -> None:
    page = open_page(ANSWERS, java_script_enabled=False)
    assert "contradicted" in page.locator("#summary").inner_text()
    assert page.locator("noscript").is_visible()


def test_on_a_narrow_screen_everything_is_in_one_column(open_page: Opened) -> None:
    page = open_page(ANSWERS, viewport={"width": 390, "height": 800})
    _choose(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("a.claim").click()
    assert page.locator(".evidence.active").is_visible()


def test_in_a_notebook_the_page_works_within_its_frame(open_page: Opened) -> None:
    shown = Report(ANSWERS, title="Towers")._repr_html_()
    page = open_page([], html=f"<!doctype html><title>n</title><body>{shown}</body>")
    frame = page.frame_locator("iframe")
    frame.locator("#line-1").click()
    assert "Answer 2" in frame.locator("#answer-title").inner_text()
    assert frame.locator("body").evaluate("() => origin") == "null"
    assert "2 ok, 2 faulty, 1 unjudged, 1 broken" in page.locator("p").first.inner_text()


def test_faulty_answers_come_first_unless_the_order_of_the_file_is_chosen(
    open_page: Opened,
) -> None:
    page = open_page([MENDED, OPINION])
    assert page.locator("#line-0 b").inner_text().strip() == "2"
    page.locator("#order").select_option("file")
    assert page.locator("#line-0 b").inner_text().strip() == "1"


def test_on_a_phone_a_tap_in_the_list_scrolls_to_the_fault(open_page: Opened) -> None:
    page = open_page(ANSWERS, viewport={"width": 390, "height": 700})
    page.locator("#line-0").click()
    claim = page.locator(".column.answer .claim.faulty").first
    box = claim.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 700


def test_references_are_numbered_as_markers_are_unless_ids_are_numbers(open_page: Opened) -> None:
    found = [verdict(("a",), "Entailed", label="entailment")]
    named = row({"a": "It is tall."}, found, references={"tower": "Tall.", "city": "Big."})
    numbered = row({"a": "It is tall."}, found, references={"7": "Tall."})
    page = open_page([named, numbered])
    page.locator("#line-0").click()
    heads = page.locator(".reference h4")
    assert [head.split()[:2] for head in heads.all_inner_texts()] == [
        ["[1]", "tower"],
        ["[2]", "city"],
    ]
    page.locator("#line-1").click()
    assert heads.first.inner_text().split()[0] == "7"
