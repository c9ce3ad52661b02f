"""An answer with a quote, its references, and clients that ask the scripted server for it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

import instructor
import openai

from groundtypes import Grounded, Quote
from tests.scripted_openai import ScriptedOpenAI

T = TypeVar("T")

TOWER = "The tower was finished in 1889. It is 330 metres tall. Millions climb it every year."
TEMPLATED = "A reference may hold {{ braces }} and {% signs %} of its own."
CONTEXT: dict[str, Any] = {"references": {"tower": TOWER, "other": TEMPLATED}}
MESSAGES: list[Any] = [{"role": "user", "content": "When was the tower finished?"}]

GOOD = {"year": 1889, "quote": "the tower was finished in 1889"}
BAD = {"year": 1889, "quote": "The tower was opened in 1889"}
FOUND = "The tower was finished in 1889"
MODES = ["TOOLS", "JSON_SCHEMA", "JSON", "MD_JSON"]


class Answer(Grounded):
    year: int
    quote: Quote


@contextmanager
def sync_client(
    server: ScriptedOpenAI, mode: str = "TOOLS", **options: Any
) -> Iterator[instructor.Instructor]:
    options = {"timeout": 10, "max_retries": 0} | options
    with openai.OpenAI(base_url=server.base_url, api_key="-", **options) as client:
        yield instructor.from_openai(client, mode=instructor.Mode[mode])


@asynccontextmanager
async def async_client(
    server: ScriptedOpenAI, mode: str = "TOOLS", **options: Any
) -> AsyncIterator[instructor.AsyncInstructor]:
    options = {"timeout": 10, "max_retries": 0} | options
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="-", **options) as client:
        yield instructor.from_openai(client, mode=instructor.Mode[mode])


def ask(
    server: ScriptedOpenAI,
    model: type[T],
    mode: str = "TOOLS",
    *,
    context: dict[str, Any] | None = CONTEXT,
    max_retries: int = 2,
    asynchronous: bool = False,
    messages: list[Any] = MESSAGES,
    **options: Any,
) -> T:
    """Return what instructor makes of the script."""
    request: dict[str, Any] = {
        "model": "scripted",
        "response_model": model,
        "messages": messages,
        "context": context,
        "max_retries": max_retries,
    }

    async def run() -> T:
        async with async_client(server, mode, **options) as client:
            answer: T = await client.create(**request)
            return answer

    if asynchronous:
        return asyncio.run(run())
    with sync_client(server, mode, **options) as client:
        answer: T = client.create(**request)
        return answer
