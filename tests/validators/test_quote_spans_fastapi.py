"""FastAPI's responses and bodies have the spans of quotes where a model asks for them."""

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from groundtypes import Grounded, Quote, Quoted, grounded_in, verify

fastapi = pytest.importorskip("fastapi")
testclient = pytest.importorskip("fastapi.testclient")

CONTEXT = {"references": {"guide": "It is tall. It is grey. It is tall."}}
STORED = {"text": "It is tall", "reference": "guide", "start": 24, "end": 34}


class Answer(Grounded):
    """A quote with its span, one without, and several."""

    quote: Annotated[str, Quoted(spans=True)]
    plain: Quote
    several: list[Annotated[str, Quoted(spans=True)]] = []


DATA = {"quote": STORED, "plain": "It is grey", "several": ["It is grey"]}
WRITTEN = {
    "quote": STORED,
    "plain": "It is grey",
    "several": [{"text": "It is grey", "reference": "guide", "start": 12, "end": 22}],
}


def _answer() -> Answer:
    return verify(Answer, DATA, context=CONTEXT)


def _answers() -> list[Answer]:
    return [_answer()]


def _check(data: dict[str, Any]) -> Answer:
    with grounded_in(CONTEXT["references"]):
        return Answer.model_validate(data)


def _take(data: Answer) -> Answer:
    return data


def _application() -> Any:
    application = fastapi.FastAPI()
    application.add_api_route("/answer", _answer)
    application.add_api_route("/answers", _answers)
    application.add_api_route("/answer", _check, methods=["POST"])
    application.add_api_route("/taken", _take, methods=["POST"])
    return application


def test_a_response_has_the_spans() -> None:
    with testclient.TestClient(_application()) as client:
        assert client.get("/answer").json() == WRITTEN
        assert client.get("/answers").json() == [WRITTEN]


def test_a_body_with_spans_is_read_back() -> None:
    with testclient.TestClient(_application()) as client:
        assert client.post("/answer", json=WRITTEN).json() == WRITTEN


def test_the_documentation_shows_text_for_bodies_and_objects_for_responses() -> None:
    schemas: Mapping[str, Any] = _application().openapi()["components"]["schemas"]
    given, written = (schemas[f"Answer-{way}"]["properties"] for way in ("Input", "Output"))
    assert given["quote"]["type"] == "string"
    assert written["quote"]["type"] == "object"
    assert given["plain"]["type"] == written["plain"]["type"] == "string"
    assert given["several"]["items"]["type"] == "string"
    assert written["several"]["items"]["type"] == "object"
