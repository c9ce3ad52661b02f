"""The examples run as they are."""

import subprocess

import pytest

from tests.cookbook.running import run_with_instructor, run_with_python
from tests.scripted_openai import Say, ScriptedOpenAI

TRUE = "The Eiffel Tower was finished in March 1889"
FALSE = "The Eiffel Tower was opened in March 1889"


def answer(quote: str) -> Say:
    return Say({"findings": [{"statement": "It was finished in 1889.", "quote": quote}]})


def run(example: str, server: ScriptedOpenAI) -> "subprocess.CompletedProcess[str]":
    runs = run_with_python if example == "pydantic_ai_quotes.py" else run_with_instructor
    return runs(example, "--base-url", server.base_url)


@pytest.mark.parametrize("example", ["instructor_quotes.py", "pydantic_ai_quotes.py"])
def test_an_example_ends_with_real_quotes(server: ScriptedOpenAI, example: str) -> None:
    server.script(answer(FALSE), answer(TRUE))
    done = run(example, server)
    assert done.returncode == 0, done.stderr
    assert f"quote      {TRUE}  [almanac, 0 to {len(TRUE)}]" in done.stdout
    assert TRUE in server.sent_back()


@pytest.mark.parametrize("example", ["instructor_quotes.py", "pydantic_ai_quotes.py"])
def test_an_example_without_real_quotes_says_so(server: ScriptedOpenAI, example: str) -> None:
    server.script(*[answer(FALSE)] * 3)
    done = run(example, server)
    assert done.returncode == 1
    assert "no answer" in done.stdout


def test_the_example_with_instructor_shows_what_was_sent_back(server: ScriptedOpenAI) -> None:
    server.script(answer(FALSE), answer(TRUE))
    assert (
        "sent back  findings.0.quote: quote_altered" in run("instructor_quotes.py", server).stdout
    )
    assert "[guide] The tower is 330 metres tall" in server.requests[0]["messages"][0]["content"]


def test_the_example_of_pairs_shows_what_to_prefer_and_why(server: ScriptedOpenAI) -> None:
    server.script(answer(FALSE), answer(TRUE))
    done = run("preference_pairs.py", server)
    assert done.returncode == 0, done.stderr
    assert "1 pairs" in done.stdout
    assert "because  quote_altered in findings.0.quote" in done.stdout
    rejected, chosen = (done.stdout.index(quote) for quote in (FALSE, TRUE))
    assert rejected < chosen


def test_the_example_of_the_last_attempt_shows_what_it_left_out(server: ScriptedOpenAI) -> None:
    findings = [{"statement": "s", "quote": quote} for quote in (FALSE, TRUE)]
    server.script(Say({"findings": findings}), Say({"findings": [], "motto": 5}))
    done = run("last_attempt.py", server)
    assert done.returncode == 0, done.stderr
    assert "attempt    2 was the best" in done.stdout
    assert "left out   motto (string_type): 5" in done.stdout

    server.script(Say({"findings": findings}), Say("no json"))
    done = run("last_attempt.py", server)
    assert "left out   findings.0 (quote_altered): {'statement': 's'" in done.stdout
    assert f"quote      {TRUE}" in done.stdout

    server.script(Say("no json"), Say("no json"))
    assert run("last_attempt.py", server).returncode == 1


def test_the_example_with_citation_markers_is_sent_back_what_is_wrong_with_them(
    server: ScriptedOpenAI,
) -> None:
    pytest.importorskip("onnxruntime")
    wrong = "The Eiffel Tower was finished in March 1889 [2]. It is 330 metres tall [3]."
    right = "The Eiffel Tower was finished in March 1889 [1]. The tower is 330 metres tall [2]."
    server.script(Say({"answer": wrong}), Say({"answer": right}))
    done = run("cited_answer.py", server)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "sent back  citation_unsupported: Reference [2] (guide) does not say" in done.stdout
    assert "sent back  citation_unknown: " in done.stdout
    assert "Cite [1] (almanac) for it." in server.sent_back()
    assert "answer     The Eiffel Tower was finished in March 1889 [" in done.stdout
    assert '](https://example.com/guide "guide")' in done.stdout
    assert "[1]        almanac: The Eiffel Tower was finished in March 1889." in done.stdout


def test_the_example_with_citation_markers_ends_without_an_answer(server: ScriptedOpenAI) -> None:
    pytest.importorskip("onnxruntime")
    server.script(*[Say({"answer": "The tower was sold in 1925."})] * 3)
    done = run("cited_answer.py", server)
    assert done.returncode == 1
    assert "sent back  citation_missing" in done.stdout
    assert "no answer" in done.stdout


def test_the_example_of_typed_fields_ends_with_the_values_of_the_invoice(
    server: ScriptedOpenAI,
) -> None:
    right = {
        "issued_quote": "Invoice date: 5 April 2024",
        "issued": "2024-04-05",
        "due_quote": "Payment due: 25 April 2024",
        "due": "2024-04-25",
        "total_quote": "Total due: EUR 19,635.00",
        "total": "19635.00",
        "vat_percent": 19,
    }
    wrong = right | {"issued": "2024-05-04", "total": "19.635", "vat_percent": 0.19}
    server.script(Say(wrong), Say(right))
    done = run("typed_fields.py", server)
    assert done.returncode == 0, done.stderr
    assert "issued     2024-04-05  Invoice date: 5 April 2024" in done.stdout
    assert "total      19635.00 EUR, with 19 % VAT" in done.stdout
    sent = server.sent_back()
    assert all(text in sent for text in ("write 2024-04-05", "write 19635", "write 19."))
