"""One call interface for instructor clients, OpenAI clients and "provider/model"."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import ContextError, MissingJudgeError

try:
    import instructor
    import openai
    from instructor.core.exceptions import ConfigurationError
except ImportError as error:
    raise ImportError(
        "InstructorLLM needs instructor and openai: pip install 'groundtypes[instructor]'"
    ) from error

__all__ = ["LLMClient", "client_of", "tokens_of"]

#: Providers whose clients take a time-out with each request.
_TAKE_TIMEOUT: Final = frozenset(
    {"openai", "anthropic", "azure_openai", "openrouter", "together", "groq"}
)


@dataclass(frozen=True, slots=True)
class LLMClient:
    """How an LLM is called.

    `call` takes the arguments of instructor's `create_with_completion` and returns the answer and
    the completion, or an awaitable of both if the client is `asynchronous`. `close` closes
    connections of the engine's own.
    """

    call: Callable[..., Any]
    asynchronous: bool
    model: str | None
    takes_timeout: bool
    close: Callable[[], Any] | None = None


def client_of(
    client: Any, model: str | None, mode: Any, timeout: float, *, fresh: bool = False
) -> LLMClient:
    """Return how the LLM behind a client is called.

    Clients of OpenAI are copied without retries of their own, because the engine retries. The copy
    of an asynchronous one has connections of its own, because those of a running event loop cannot
    be used in another. So has a `fresh` one, in a forked child, whose parent goes on using its
    connections.

    Raises:
        ContextError: The client is of no known kind, or there is no model.
        MissingJudgeError: The provider's own package is not installed.
    """
    options = {} if mode is None else {"mode": mode}
    if isinstance(client, str):
        return _wrap(_from_provider(client, options), model)
    if isinstance(client, openai.OpenAI | openai.AsyncOpenAI):
        if model is None:
            raise ContextError("an OpenAI client needs a model: Judges(llm=client, model='...')")
        own, close = _without_retries(client, timeout, fresh=fresh)
        return _wrap(instructor.from_openai(own, **options), model, close)
    if isinstance(client, instructor.Instructor | instructor.AsyncInstructor):
        model = model or getattr(client, "default_model", None) or client.kwargs.get("model")
        inner, close = client.client, None
        if isinstance(inner, openai.AsyncOpenAI) or (fresh and isinstance(inner, openai.OpenAI)):
            own, close = _without_retries(inner, timeout, fresh=fresh)
            copied = instructor.from_openai(own, mode=client.mode)
            copied.kwargs.update(client.kwargs)
            client = copied
        return _wrap(client, model, close)
    raise ContextError(
        f"a {type(client).__name__} is not a supported LLM client: pass an instructor client, an "
        "OpenAI client, 'provider/model', or an engine with a method answer(questions)"
    )


def _from_provider(name: str, options: dict[str, Any]) -> Any:
    """Return instructor's client for "provider/model"."""
    if "/" not in name:
        raise ContextError(
            f"{name!r} is not the name of an LLM: write provider/model, such as openai/gpt-5-mini"
        )
    try:
        return instructor.from_provider(name, **options)
    except (ImportError, ConfigurationError) as error:
        # instructor says which package the provider needs, or which providers there are.
        raise MissingJudgeError(f"{name} cannot be asked: {error}") from error
    except Exception as error:
        raise ContextError(f"{name} cannot be asked: {type(error).__name__}") from error


def _without_retries(
    client: Any, timeout: float, *, fresh: bool
) -> tuple[Any, Callable[[], Any] | None]:
    """Return a copy of an OpenAI client, and what closes it where its connections are its own."""
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


def _wrap(client: Any, model: str | None, close: Callable[[], Any] | None = None) -> LLMClient:
    provider = str(getattr(getattr(client, "provider", None), "value", ""))
    return LLMClient(
        call=client.create_with_completion,
        asynchronous=isinstance(client, instructor.AsyncInstructor),
        model=model,
        takes_timeout=provider in _TAKE_TIMEOUT,
        close=close,
    )


def tokens_of(completion: Any) -> tuple[int, int]:
    """Return the tokens read and written, by the names that providers use; 0 where not stated."""
    usage = getattr(completion, "usage", None) or getattr(completion, "usage_metadata", None)
    tokens_in = _first_integer(usage, "prompt_tokens", "input_tokens", "prompt_token_count")
    tokens_out = _first_integer(
        usage, "completion_tokens", "output_tokens", "candidates_token_count"
    )
    return tokens_in, tokens_out


def _first_integer(usage: Any, *names: str) -> int:
    for name in names:
        value = getattr(usage, name, None)
        if isinstance(value, int):
            return value
    return 0
