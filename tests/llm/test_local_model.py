"""A real language model: what is accepted is true, however clever the model is.

The questions are those of the benchmark `research/benchmarks/llm_reask.py`.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import instructor
import openai
import pytest
from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException
from pydantic import BaseModel, Field, ValidationError

from groundtypes import Grounded, Quote, audit, errors
from groundtypes.errors import MissingReferencesError

BASE_URL = os.environ.get("GROUNDTYPES_LLM_BASE_URL")
MODEL = os.environ.get("GROUNDTYPES_LLM_MODEL", "local")
QUESTIONS = Path(__file__).parents[2] / "research" / "benchmarks" / "data" / "llm_questions.jsonl"
ROWS = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()][:6]
PROMPT = """\
{% for one in references %}[{{ one.id }}] {{ one.title }}
{{ one.text }}

{% endfor %}Question: {{ question }}

Answer from the references. Each finding has a quote of at most 20 words that proves it."""

pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(
        not BASE_URL, reason="GROUNDTYPES_LLM_BASE_URL is not set; make test-all sets it"
    ),
]


class Finding(BaseModel):
    statement: Annotated[str, Field(max_length=200)]
    quote: Annotated[Quote, Field(max_length=400)]


class Answer(Grounded):
    findings: Annotated[list[Finding], Field(min_length=1, max_length=2)]


@pytest.fixture(scope="module")
def client() -> Iterator[instructor.Instructor]:
    with openai.OpenAI(base_url=BASE_URL, api_key="-", timeout=300, max_retries=0) as endpoint:
        yield instructor.from_openai(endpoint, mode=instructor.Mode.JSON_SCHEMA)


def ask(client: instructor.Instructor, row: dict[str, Any], context: dict[str, Any]) -> Answer:
    answer: Answer = client.create(
        model=MODEL,
        response_model=Answer,
        messages=[{"role": "user", "content": PROMPT}],
        context=context,
        max_retries=1,
        temperature=0,
        max_tokens=400,
    )
    return answer


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_accepted_quotes_are_verbatim_and_the_rest_ends_with_known_faults(
    client: instructor.Instructor, row: dict[str, Any]
) -> None:
    references = row["references"]
    texts = {one["id"]: one["text"] for one in references}
    try:
        answer = ask(client, row, {"references": references, "question": row["question"]})
    except IncompleteOutputException:
        return  # cut off by max_tokens: nothing was accepted
    except InstructorRetryException as error:
        attempts = error.failed_attempts or []
        assert len(attempts) == 2
        for attempt in attempts:
            assert isinstance(attempt.exception, ValidationError)
            for fault in attempt.exception.errors():
                ours = fault["type"] in errors.FAULTS and fault["msg"]
                assert ours or fault["type"] in {"json_invalid", "string_too_long"}
        return
    assert 1 <= len(answer.findings) <= 2
    for finding in answer.findings:
        span = finding.quote.span
        assert texts[span.reference][span.start : span.end] == finding.quote
    # What was accepted once is accepted again, as data and as JSON.
    assert audit(Answer, answer.model_dump(), context={"references": references}).ok
    assert audit(Answer, answer.model_dump_json(), context={"references": references}).ok


def test_missing_references_are_a_mistake_and_cost_one_request(
    client: instructor.Instructor,
) -> None:
    row = ROWS[0]
    template: dict[str, Any] = {"text_of": "nothing", "question": row["question"]}
    with pytest.raises(InstructorRetryException) as raised:
        ask(client, row, template)
    assert isinstance(raised.value.__cause__, MissingReferencesError)
    assert raised.value.n_attempts == 1
