"""Whatever can be asked, as one kind of call: an instructor client, an OpenAI client, a name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import ContextError

__all__ = ["Call", "Client", "client_of", "tokens_of"]

#: Takes keyword arguments as `create_with_completion` does, and returns answer and completion.
Call = Callable[..., Any]
#: Providers whose clients take a time-out with each request.
_TIMED: Final = frozenset({"openai", "anthropic", "azure_openai", "openrouter", "together", "groq"})


@dataclass(frozen=True, slots=True)
class Client:
    """A call, whether it is a coroutine, who answers, and what closes connections of our own."""

    call: Call
    asynchronous: bool
    model: str | None
    timed: bool
    close: Callable[[], Any] | None = None


def client_of(
    client: Any, model: str | None, mode: Any, timeout: float, *, fresh: bool = False
) -> Client:
    """Return what is asked.

    Clients of OpenAI are copied with no retries of their own, because the engine retries; one that
    is asynchronous gets connections of its own, because those of a running event loop cannot be
    used in another. So does a `fresh` one, in a forked child, whose parent goes on using the old.

    Raises:
        ContextError: It is none of what can be asked, or there is no model.
        ImportError: instructor is not installed.
    """
    import instructor  # noqa: PLC0415 # an extra
    import openai  # noqa: PLC0415 # the same

    if isinstance(client, str):
        if "/" not in client:
            raise ContextError(
                f"{client!r} names no LLM: write provider/model, as openai/gpt-5-mini"
            )
        made = instructor.from_provider(client, **({} if mode is None else {"mode": mode}))
        return _of_instructor(made, model)
    if isinstance(client, openai.OpenAI | openai.AsyncOpenAI):
        if model is None:
            raise ContextError("an OpenAI client needs a model: Judges(llm=client, model='...')")
        own, close = _own(client, timeout, fresh=fresh)
        made = instructor.from_openai(own, **({} if mode is None else {"mode": mode}))
        return _of_instructor(made, model, close)
    if isinstance(client, instructor.Instructor | instructor.AsyncInstructor):
        close = None
        model = model or getattr(client, "default_model", None) or client.kwargs.get("model")
        inner = client.client
        if isinstance(inner, openai.AsyncOpenAI) or (fresh and isinstance(inner, openai.OpenAI)):
            own, close = _own(inner, timeout, fresh=fresh)
            copied = instructor.from_openai(own, mode=client.mode)
            copied.kwargs.update(client.kwargs)
            client = copied
        return _of_instructor(client, model, close)
    raise ContextError(
        f"a {type(client).__name__} is no LLM that can be asked: give an instructor client, an "
        "OpenAI client, 'provider/model', or an engine with a method answer(questions)"
    )


def _own(client: Any, timeout: float, *, fresh: bool) -> tuple[Any, Callable[[], Any] | None]:
    """Return a copy of an OpenAI client, and what closes it where its connections are its own."""
    import openai  # noqa: PLC0415 # an extra

    options: dict[str, Any] = {"max_retries": 0, "timeout": timeout}
    # Connections that the user configured stay; the default ones belong to one event loop.
    transport = type(getattr(client, "_client", None)).__name__
    makers: dict[str, Any] = {"AsyncHttpxClientWrapper": openai.DefaultAsyncHttpxClient}
    if fresh:
        makers["SyncHttpxClientWrapper"] = openai.DefaultHttpxClient
    if transport not in makers:
        return client.with_options(**options), None
    own = client.with_options(
        http_client=makers[transport](base_url=client.base_url, timeout=timeout), **options
    )
    return own, own.close


def _of_instructor(
    client: Any, model: str | None, close: Callable[[], Any] | None = None
) -> Client:
    import instructor  # noqa: PLC0415 # an extra

    provider = str(getattr(getattr(client, "provider", None), "value", ""))
    return Client(
        client.create_with_completion,
        isinstance(client, instructor.AsyncInstructor),
        model,
        provider in _TIMED,
        close,
    )


def tokens_of(completion: Any) -> tuple[int, int]:
    """Return the tokens read and written, by the names that providers give them; 0 if untold."""
    usage = getattr(completion, "usage", None) or getattr(completion, "usage_metadata", None)
    read = _first(usage, "prompt_tokens", "input_tokens", "prompt_token_count")
    written = _first(usage, "completion_tokens", "output_tokens", "candidates_token_count")
    return read, written


def _first(usage: Any, *names: str) -> int:
    for name in names:
        found = getattr(usage, name, None)
        if isinstance(found, int):
            return found
    return 0
