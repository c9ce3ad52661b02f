"""A FastAPI server that goes on answering while it judges bodies against their references.

    pip install 'groundtypes[async,nli]' fastapi uvicorn httpx
    python cookbook/fastapi_nonblocking.py

The program serves itself on loopback and asks it: two claims are judged by an engine that takes its
time, and meanwhile the server says how it is. Without the middleware, it could not.
"""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Annotated

import httpx
import uvicorn
from fastapi import FastAPI

from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair
from groundtypes.asgi import NonBlockingMiddleware
from groundtypes.testing import ScriptedNLI


class SlowNLI(ScriptedNLI):
    """Stands for a large model; leave `judges` out for the one that is bundled."""

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return the scores after a while."""
        time.sleep(0.5)
        return super().score(pairs)


class Claim(Grounded, judges=Judges(nli=SlowNLI())):
    """A statement and the passage that has to entail it."""

    passage: str
    statement: Annotated[str, Entailed(by="passage")]


app = FastAPI()
app.add_middleware(NonBlockingMiddleware)


@app.post("/claims")
async def add(claim: Claim) -> str:
    """Take a claim that holds; FastAPI answers others with status 422."""
    return f"added: {claim.statement}"


@app.get("/health")
async def health() -> str:
    """Say that the server answers."""
    return "well"


async def ask(url: str) -> None:
    """Post two claims, and ask for the health of the server while they are judged."""
    passage = "The tower was finished in 1889. It is 330 metres tall."
    async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
        posts = [
            asyncio.create_task(
                client.post("/claims", json={"passage": passage, "statement": statement})
            )
            for statement in ("It is 330 metres tall.", "It is 300 metres tall.")
        ]
        answered = 0
        while not all(post.done() for post in posts):
            answered += (await client.get("/health")).json() == "well"
            await asyncio.sleep(0.02)
        print("the server answered others meanwhile" if answered > 1 else "the server was blocked")
        for post in posts:
            response = await post
            print(response.status_code, _shown(response))


def _shown(response: httpx.Response) -> str:
    if response.status_code == 200:
        return str(response.json())
    [fault] = response.json()["detail"]
    return f"{'.'.join(fault['loc'])}: {fault['type']}"


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
