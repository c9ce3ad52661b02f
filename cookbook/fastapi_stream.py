"""A FastAPI server that streams answers, and lets no sentence through that is not judged.

    pip install 'groundtypes[nli]' fastapi uvicorn httpx
    python cookbook/fastapi_stream.py

The program serves itself on loopback and asks it. The client sees each sentence as soon as it is
judged; the server answers others meanwhile. What failed is logged from the audit.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator

import httpx
import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from groundtypes import guard

REFERENCES = {
    "almanac": "The Eiffel Tower was finished in March 1889, after two years of work.",
    "guide": "The tower is 330 metres tall. It is repainted every seven years, by hand.",
}
ANSWER = (
    "The Eiffel Tower was finished in March 1889. It was sold to a dealer in scrap metal. "
    "It is repainted every seven years. "
)

app = FastAPI()


async def tokens(question: str) -> AsyncIterator[str]:
    """Yield an answer as a model writes it; `question` would be sent to the model."""
    assert question
    for start in range(0, len(ANSWER), 4):
        await asyncio.sleep(0.01)
        yield ANSWER[start : start + 4]


@app.get("/answers")
async def answer(question: str) -> StreamingResponse:
    """Stream the answer to a question."""
    stream = guard(tokens(question), REFERENCES, question=question, on_fault="note")

    async def passed() -> AsyncIterator[str]:
        # Closed also when the client goes away, so that the model is not asked for more.
        async with stream:
            async for text in stream:
                yield text
        faults = [fault.slug for fault in stream.audit.faults]
        print(f"server: {len(stream.audit.sentences)} sentences, faults: {faults}")

    return StreamingResponse(passed(), media_type="text/plain; charset=utf-8")


async def ask(url: str) -> None:
    """Ask, and show the pieces of the answer as they come."""
    parameters = {"question": "What happened to the Eiffel Tower?"}
    async with (
        httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client,
        client.stream("GET", "/answers", params=parameters) as response,
    ):
        async for text in response.aiter_text():
            print(f"client: {text.strip()}")


def main() -> None:
    """Serve, ask, and stop."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    [listener] = server.servers[0].sockets
    try:
        asyncio.run(ask(f"http://127.0.0.1:{listener.getsockname()[1]}"))
    finally:
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
