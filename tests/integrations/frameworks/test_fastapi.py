"""FastAPI's bodies, responses and dependencies find the references of `grounded_in`."""

import sys
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from typing import Any

import anyio
import httpx
import pytest
from fastapi import Depends, FastAPI
from fastapi.responses import StreamingResponse

from groundtypes import Grounded, Quote, grounded_in
from groundtypes.errors import MissingReferencesError
from groundtypes.rounds.grounding import _blocks_of_generators
from tests.cookbook.running import COOKBOOK


class Answer(Grounded):
    """An answer."""

    quote: Quote


def send(app: Any, requests: list[tuple[str, str, Any]]) -> list[httpx.Response]:
    """Send requests to an application at the same time; return the responses in order."""
    responses: dict[int, httpx.Response] = {}

    async def main() -> None:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:

            async def ask(number: int, method: str, path: str, body: Any) -> None:
                responses[number] = await client.request(method, path, json=body)

            async with anyio.create_task_group() as group:
                for number, request in enumerate(requests):
                    group.start_soon(ask, number, *request)

    anyio.run(main)
    return [responses[number] for number in range(len(requests))]


def cookbook_app() -> Any:
    sys.path.insert(0, str(COOKBOOK))
    try:
        return import_module("fastapi_answers").app
    finally:
        sys.path.remove(str(COOKBOOK))


def test_the_example_of_the_cookbook() -> None:
    true, false = "finished in March 1889", "finished in March 1899"
    body = {"answer": "In 1889.", "quote": true}
    taken, rejected, elsewhere, unknown, sent, careless = send(
        cookbook_app(),
        [
            ("POST", "/tower/answers", body),
            ("POST", "/tower/answers", body | {"quote": false}),
            ("POST", "/bridge/answers", body),
            ("POST", "/moon/answers", body),
            ("GET", "/tower/answers", None),
            ("GET", "/tower/answers?careless=1", None),
        ],
    )
    assert taken.json() == {"reference": "almanac", "before": "The Eiffel Tower was "}
    assert rejected.status_code == elsewhere.status_code == 422
    [fault] = rejected.json()["detail"]
    assert fault["loc"] == ["body", "quote"]
    assert fault["msg"].startswith('WRONG: "1899" should be "1889".')
    assert elsewhere.json()["detail"][0]["type"] == "quote_not_found"
    assert unknown.status_code == 404
    assert sent.json()["quote"] == "The Eiffel Tower was finished in March 1889."
    assert (careless.status_code, careless.json()) == (502, {"detail": ["quote_altered"]})


def test_requests_at_the_same_time_have_their_own_references() -> None:
    app = FastAPI()

    async def references(number: int) -> AsyncIterator[None]:
        async with grounded_in([f"Sky {number} is blue."]):
            await anyio.sleep(0.001 * (number % 3))
            yield
            await anyio.sleep(0.0001)

    @app.post("/async/{number}", dependencies=[Depends(references)])
    async def run_in_loop(number: int, answer: Answer) -> str:
        await anyio.sleep(0.001)
        return Answer(quote=answer.quote).quote

    @app.post("/sync/{number}", dependencies=[Depends(references)], response_model=Answer)
    def run_in_thread(number: int, answer: Answer) -> Any:
        return answer

    requests: list[tuple[str, str, Any]] = [
        ("POST", f"/{way}/{number}", {"quote": f"Sky {number + number % 2} is blue."})
        for number in range(40)
        for way in ("async", "sync")
    ]
    statuses = [response.status_code for response in send(app, requests)]
    assert statuses == [200, 200, 422, 422] * 20
    assert not _blocks_of_generators


def test_what_has_no_references_is_a_mistake_and_no_422() -> None:
    app = FastAPI()

    def in_a_thread_of_its_own() -> Iterator[None]:
        with grounded_in(["Sky is blue."]):
            yield

    @app.post("/none")
    async def without(answer: Answer) -> None: ...

    @app.post("/sync", dependencies=[Depends(in_a_thread_of_its_own)])
    async def too_late(answer: Answer) -> None: ...

    for path in ("/none", "/sync"):
        with pytest.raises(BaseExceptionGroup) as caught:
            send(app, [("POST", path, {"quote": "Sky is blue."})])
        assert caught.group_contains(MissingReferencesError)


def test_an_endpoint_may_open_a_block_for_what_the_body_holds() -> None:
    app = FastAPI()

    @app.post("/check")
    async def check(body: dict[str, Any]) -> Any:
        with grounded_in(body["documents"]):
            return StreamingResponse(lines(body["documents"], body["quotes"]))

    def lines(documents: Any, quotes: list[str]) -> Iterator[str]:
        with grounded_in(documents):
            for quote in quotes:
                yield f"{Answer.model_validate({'quote': quote}).quote.span.reference}\n"

    documents = {"a": "Sky is blue.", "b": "Grass is green."}
    body = {"documents": documents, "quotes": ["Grass is", "Sky is blue", "is green"]}
    [response] = send(app, [("POST", "/check", body)])
    assert response.text == "b\na\nb\n"
    assert not _blocks_of_generators
