"""Frameworks validate synchronously, and the event loop runs on: real clients and servers."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import httpx
import openai
import pytest
import uvicorn
from fastapi import Depends, FastAPI
from fastapi.responses import StreamingResponse
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from groundtypes import Entailed, Grounded, Judges, nonblocking
from groundtypes.asgi import NonBlockingMiddleware
from tests.concurrency.answers import GOOD, Answer, LettingNLI, until, validate
from tests.integrations.instructor.clients import async_client
from tests.scripted_openai import Say, ScriptedOpenAI

BAD = {"text": "It is low."}


async def beside(nli: LettingNLI, coroutine: Any) -> Any:
    """Await a coroutine, and let its engine answer from the same event loop."""

    async def let() -> None:
        await until(nli.is_asked.is_set, asyncio.sleep)
        nli.may_answer.set()

    result, _ = await asyncio.gather(coroutine, let())
    return result


# --- clients ------------------------------------------------------------------------------------


def context_of(nli: LettingNLI) -> dict[str, Any]:
    return {"references": "The tower is tall.", "judges": Judges(nli=nli)}


@pytest.mark.parametrize("mode", ["TOOLS", "JSON_SCHEMA"])
def test_instructor_validates_and_asks_again(server: ScriptedOpenAI, mode: str) -> None:
    nli = LettingNLI()
    server.script(Say(BAD), Say(GOOD))

    async def main() -> Answer:
        async with async_client(server, mode) as client:
            request = client.create(
                model="scripted",
                response_model=Answer,
                messages=[{"role": "user", "content": "How tall is it?"}],
                context=context_of(nli),
                max_retries=2,
            )
            answer: Answer = await beside(nli, nonblocking(request))
            return answer

    assert asyncio.run(main()).text == GOOD["text"]
    assert len(nli.threads) == 2 and threading.main_thread() not in nli.threads
    assert "does_not_follow" in server.sent_back()


def test_partial_answers_of_instructor_are_validated_beside_the_loop(
    server: ScriptedOpenAI,
) -> None:
    nli = LettingNLI()
    server.script(Say(GOOD))

    async def main() -> list[Any]:
        async with async_client(server) as client:
            stream: Any = client.create_partial(
                model="scripted",
                response_model=Answer,
                messages=[{"role": "user", "content": "How tall is it?"}],
                context=context_of(nli),
            )

            async def collect() -> list[Any]:
                return [partial async for partial in nonblocking(stream)]

            partials: list[Any] = await beside(nli, collect())
            return partials

    assert asyncio.run(main())[-1].text == GOOD["text"]
    assert threading.main_thread() not in nli.threads


def test_an_agent_of_pydantic_ai_validates_in_its_own_tasks(server: ScriptedOpenAI) -> None:
    nli = LettingNLI()
    server.script(Say(BAD), Say(GOOD))

    async def main() -> Answer:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="-") as client:
            model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
            agent = Agent(model, output_type=Answer, validation_context=context_of(nli), retries=1)
            result = await beside(nli, nonblocking(agent.run("How tall is it?")))
            output: Answer = result.output
            return output

    assert asyncio.run(main()).text == GOOD["text"]
    assert len(nli.threads) == 2 and threading.main_thread() not in nli.threads
    assert "does_not_follow" in str(server.requests[-1]["messages"])


# --- servers ------------------------------------------------------------------------------------


def application(nli: LettingNLI) -> FastAPI:
    """Return an application that validates in every place, and one route that lets it go on."""

    class Claim(Grounded, judges=Judges(nli=nli)):
        proof: str
        text: Annotated[str, Entailed(by="proof")]

    app = FastAPI()
    app.add_middleware(NonBlockingMiddleware)

    def given(proof: str, text: str) -> Claim:
        return Claim(proof=proof, text=text)

    async def given_async(proof: str, text: str) -> Claim:
        return Claim.model_validate({"proof": proof, "text": text})

    @app.post("/body")
    async def body(claim: Claim) -> str:
        return claim.text

    @app.get("/dependency")
    async def dependency(claim: Annotated[Claim, Depends(given_async)]) -> str:
        return claim.text

    @app.get("/threaded")
    async def threaded(claim: Annotated[Claim, Depends(given)]) -> str:
        return claim.text

    @app.get("/response", response_model=Claim)
    async def response(proof: str, text: str) -> Any:
        return {"proof": proof, "text": text}

    @app.get("/stream")
    async def stream(proof: str, text: str) -> StreamingResponse:
        async def parts() -> AsyncIterator[str]:
            yield "["
            yield Claim.model_validate({"proof": proof, "text": text}).model_dump_json()
            yield "]"

        return StreamingResponse(parts())

    @app.get("/let")
    async def let() -> bool:
        nli.may_answer.set()
        return nli.is_asked.is_set()

    return app


@contextmanager
def served(app: Any, loop: str = "asyncio") -> Iterator[str]:
    """Serve an application on loopback; yield its URL."""
    config = uvicorn.Config(app, port=0, log_level="error", loop=loop)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            thread.join(0.01)
        [port] = [s.getsockname()[1] for listener in server.servers for s in listener.sockets]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


PROOF = "The tower is tall. It opened in 1889."
TRUE = {"proof": PROOF, "text": "It opened in 1889."}
FALSE = {"proof": PROOF, "text": "It opened in 1890."}


async def ask(client: httpx.AsyncClient, place: str, claim: dict[str, str]) -> httpx.Response:
    if place == "body":
        return await client.post("/body", json=claim)
    return await client.get(f"/{place}", params=claim)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("place", ["body", "dependency", "threaded", "response", "stream"])
def test_a_server_answers_others_while_it_validates(place: str, loop: str) -> None:
    nli = LettingNLI()

    async def main(url: str) -> httpx.Response:
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
            judged = asyncio.create_task(ask(client, place, TRUE))
            await until(nli.is_asked.is_set, asyncio.sleep)
            # A blocked server could not answer this, so that nobody would let the engine go on.
            assert (await client.get("/let")).json() is True
            return await judged

    with served(application(nli), loop) as url:
        response = asyncio.run(main(url))
    assert response.status_code == 200
    assert TRUE["text"] in response.text


def test_a_faulty_body_is_answered_with_its_faults() -> None:
    nli = LettingNLI()
    nli.may_answer.set()

    async def main(url: str) -> httpx.Response:
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
            return await ask(client, "body", FALSE)

    with served(application(nli)) as url:
        response = asyncio.run(main(url))
    assert response.status_code == 422
    [fault] = response.json()["detail"]
    assert (fault["type"], fault["loc"]) == ("contradicted", ["body", "text"])


def test_a_client_that_goes_away_cancels_the_validation_of_its_stream() -> None:
    nli = LettingNLI()
    ended: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            raise ConnectionError

        async def judge() -> None:
            try:
                validate(nli)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

        async with asyncio.TaskGroup() as group:
            group.create_task(gone())
            group.create_task(judge())

    async def main(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
            request = asyncio.create_task(client.get("/"))
            await until(nli.is_asked.is_set, asyncio.sleep)
            request.cancel()

    with served(NonBlockingMiddleware(app)) as url:
        asyncio.run(main(url))
        for _ in range(3000):
            if ended:
                break
            threading.Event().wait(0.01)
        nli.may_answer.set()
    nli.join()
    assert ended == ["cancelled"]
