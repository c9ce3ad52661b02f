"""The examples that need no language model run as they are, and show what they promise."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from groundtypes.evaluation import EvaluationRow
from tests.cookbook.running import COOKBOOK, run_offline

SHOWN = {
    "feedback_on_runs.py": [
        "run 1: Figures 1 holds",
        "run 2: Figures 0 value_wrong_scale",
        "  amount: 3.2 has the wrong scale.",
    ],
    "audit_stored_answers.py": [
        "findings.0.quote: normalised in leaflet",
        "findings.0.quote: quote_altered.",
        "findings.0.quote: quote_in_other_reference.",
        "findings: too_short.",
        "1 of 5 answers hold.",
    ],
    "batch_audit.py": [
        "answers hold",
        "  quote_altered ",
        "paris negation left out, citations.0.quote: WRONG:",
    ],
    "traced_answers.py": [
        "event  Quoted pass of chatcmpl-1:",
        "groundtypes.slug: quote_altered",
        "span   audit Reply (figure_unsupported, quote_altered)",
        "metric groundtypes.faults: 2",
    ],
    "own_check.py": [
        "sentences.0: holds",
        "sentences.1: not_backed",
        "300 verdicts on 100 answers",
        "1 call of the engine",
    ],
    "plain_function.py": [
        "In 1889. [almanac]",
        'rejected: WRONG: "303" should be "330".',
        "The same in threads: True",
        "shortened: finished in March",
        "quote_altered at (0,)\nquote_altered at ()",
    ],
    "langchain_documents.py": [
        "(exact): Bridges of the region, page 17",
        "(normalised): Bridges of the region, page 17",
        "(exact): Local chronicle, page 4",
        "('quotes', 0) quote_altered:",
    ],
    "citations_with_pages.py": [
        '{"text":"opened on 3 June 1932","reference":"report","start":38,"end":59}',
        '[1] report.pdf, p. 17: "opened on 3 June 1932"',
        '[2] chronicle.pdf, p. 4: "lifted in 1988"',
    ],
    "provider_citations.py": [
        "[1] holds: The warranty covers the pump and the motor.",
        "[4] at fault: Damage by limescale is covered, too.",
        "citation_span_wrong: Citation 3 points to characters 90 to 113 of reference 0",
        "citation_quote_not_found: Citation 4",
        'figure_unsupported: "2.5 litres" does not stand in the cited passages.',
        "cites nothing: Most customers find the machine easy to clean.",
    ],
    "tool_results.py": [
        "orders[0] | id: A17 | status: shipped | total: 128.4 | weight_kg: 3.5",
        "Order A17 weighs 3,500 grams. [orders[0].status]",
        "Revenue was 41.2 million euros in 2023. [row 'North']",
        "findings.0.value: quote_",
        "findings.0.statement: figure_unsupported",
        "findings.1.value: quote_",
        "findings.1.statement: figure_unsupported",
    ],
    "figures.py": [
        "answer 1: holds",
        'answer 2: "$2.3 million" does not stand in the field quote.',
        'answer 3: "4 June 2019" does not stand in the field quote.',
        "Same values: 1,200 km = 1.2 thousand kilometres = 1200000 m",
    ],
    "entailed_answer.py": [
        "holds: The machine comes with a warranty of two years.",
        "at fault: The tank holds 2.5 litres.",
        "Figures: figure_unsupported",
        "at fault: Customers like the machine very much.",
    ],
    "why_not_entailed.py": [
        (
            "because 'cannot' stands in the passage and not in the sentence\n"
            "  leaflet: Opened software and gift cards cannot be returned."
        ),
        "because '8' stands nowhere in the references",
        "because conflict: a passage of reference website contradicts it",
        "because 'Lisbon' stands nowhere in the references",
    ],
    "other_languages.py": [
        "supported: The ticket costs 4 euros.",
        "for people: Hunde sind im Turm erlaubt. (OnnxNLI reads English, and this statement seems",
        "to be in Japanese",
    ],
    "statement_and_quote.py": [
        "facts.0.statement: Entailed: entailment",
        "facts.1.statement: Entailed: contradicted",
        '"March 1923" does not stand in the field quote.',
    ],
    "logs_to_fine_tuning.py": ["repaired 2", "openai/train.jsonl", "assistant"],
    "compare_two_runs.py": [
        "answer entailed by its context: ",
        "answers that refuse or abstain: ",
        "The least supported sentence",
    ],
    "audit_to_report.py": [
        "273 answers are ok, 18 faulty",
        "citations.*.quote: 18 faults in",
        "Open it in a browser: file://",
    ],
    "estimate_a_run.py": [
        "FiguresAnswer: 150 rows\n  calls: 0 (0 to 0)",
        "OneCall: 150 rows\n  calls: 1",
        "TwoCalls: 150 rows\n  calls: 2",
    ],
    "calibrate_an_engine.py": [
        "13 supported and 13 unsupported texts",
        "chosen by balanced accuracy",
        "expected precision: ",
        "at the threshold 0.",
    ],
    "fastapi_nonblocking.py": [
        "the server answered others meanwhile",
        "200 added: It is 330 metres tall.",
        "422 body.statement: ",
    ],
    "fastapi_stream.py": [
        "client: The Eiffel Tower was finished in March 1889.",
        "client: [A statement was left out here: the sources do not support it.]",
        "client: It is repainted every seven years.",
        "server: 3 sentences, faults: ['contradicted']",
    ],
    "guarded_stream.py": [
        "It was sold to a dealer in scrap metal. [not supported by the sources]",
        "- The tower is repainted every seven years.\n",
        "- The tower is 350 metres tall. [not supported by the sources]",
        "Here is what a visitor should know:\n\n- The tower is repainted every seven years.\n- The",
        "The Eiffel Tower was finished in March 1889. [stopped: contradicted]",
    ],
    "score_citations.py": [
        "leave, three faults: 1 of 4 statements supported, 1 of 3 citations relevant\n",
        "  citation_superfluous: Reference [2] (timetable)",
        "citation_recall: 0.74 (",
    ],
    "clean_a_data_set.py": ["rows are clean,", "quote_altered, such as", "line 1: "],
}


def with_fewer_rows(example: Path, folder: Path) -> Path:
    """Return a copy of the example beside the first rows of its two runs.

    The NLI model takes half a minute for all of them; `make demo` judges them all.
    """
    (folder / "data").mkdir()
    for name in ("run_one.jsonl", "run_two.jsonl"):
        lines = (COOKBOOK / "data" / name).read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        for row in rows:
            EvaluationRow(row["question"], row["context"], row["answer"], row["ground_truth"])
        assert len({row["id"] for row in rows}) == len(rows) == 16
        (folder / "data" / name).write_text("\n".join(lines[:3]), encoding="utf-8")
    return Path(shutil.copy(example, folder / example.name))


@pytest.mark.parametrize("example", SHOWN)
def test_an_example_runs_and_shows_what_it_promises(example: str, tmp_path: Path) -> None:
    path = COOKBOOK / example
    if example == "compare_two_runs.py":
        path = with_fewer_rows(path, tmp_path)
    done = run_offline(path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    for text in SHOWN[example]:
        assert text in done.stdout


def test_every_example_is_run_by_a_test() -> None:
    with_a_server = {
        "cited_answer.py",
        "claims_of_an_answer.py",
        "dspy_feedback.py",
        "fastapi_answers.py",
        "haystack_loop.py",
        "instructor_quotes.py",
        "judge_with_own_rule.py",
        "langchain_parsers.py",
        "last_attempt.py",
        "litellm_answers.py",
        "llamaindex_answers.py",
        "mlflow_scorer.py",
        "openai_parse.py",
        "preference_pairs.py",
        "pydantic_ai_quotes.py",
        "typed_fields.py",
    }
    with_pytest = {"grounded_tests.py"}
    with_the_judge = {"answers_in_german.py"}  # tests/backends/test_judge.py
    with_agents = {f"agents_{name}.py" for name in ("adk", "crewai", "langchain", "openai")}
    examples = {path.name for path in COOKBOOK.glob("*.py")}
    assert examples == (SHOWN.keys() | with_a_server | with_pytest | with_the_judge | with_agents)


def test_the_example_of_tests_shows_what_the_document_says() -> None:
    options = ["-q", "-p", "groundtypes.pytest_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", str(COOKBOOK / "grounded_tests.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "- 28 days of paid leave" in done.stdout
    assert "+ 30 days of paid leave" in done.stdout


def test_a_data_set_is_cleaned_into_the_folder_that_is_named(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    citation = '{"statement": "So it is.", "quote": "%s"}'
    row = '{"references": "It is tall and old.", "answer": {"answer": "-", "citations": [%s]}}\n'
    quotes = ("tall and old", "tall and new")
    rows.write_text("".join(row % (citation % quote) for quote in quotes))
    done = run_offline(COOKBOOK / "clean_a_data_set.py", str(rows), str(tmp_path / "out"))
    assert done.stdout.startswith("1 rows are clean, 1 rejected\n"), done.stderr
    assert (tmp_path / "out" / "clean.jsonl").read_text().count("\n") == 1
    assert '"line": 2' in (tmp_path / "out" / "rejected.jsonl").read_text()


def test_a_data_set_that_is_not_there_ends_with_the_exit_code_of_a_mistake(tmp_path: Path) -> None:
    done = run_offline(COOKBOOK / "clean_a_data_set.py", str(tmp_path / "none.jsonl"))
    assert done.returncode == 2
    assert "none.jsonl" in done.stderr


def test_a_page_is_written_where_the_argument_says(tmp_path: Path) -> None:
    rows = COOKBOOK / "data" / "answers.jsonl"
    done = run_offline(COOKBOOK / "audit_to_report.py", str(rows), str(tmp_path / "page.html"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
