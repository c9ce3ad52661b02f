"""One call interface for instructor clients, OpenAI clients and "provider/model"."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.backends.client_identity import client_identity, default_model
from groundtypes.backends.connections import CONNECTIONS
from groundtypes.backends.llm_calls import watch_requests
from groundtypes.backends.redaction import redact
from groundtypes.errors import ContextError, MissingJudgeError, Mistake

try:
    import instructor
    import openai
    from instructor.core.exceptions import ConfigurationError
except ImportError as error:
    raise ImportError(
        "InstructorLLM needs instructor and openai: pip install 'groundtypes[instructor]'"
    ) from error

#: Providers whose clients take a time-out with each request.
_TAKE_TIMEOUT: Final = frozenset(
    {"openai", "anthropic", "azure_openai", "openrouter", "together", "groq"}
)
#: The HTTP clients that OpenAI's clients make where they are given none.
_DEFAULT_HTTP_CLIENTS: Final = frozenset({"AsyncHttpxClientWrapper", "SyncHttpxClientWrapper"})
#: A variable of the environment that an error names, by what it is called.
_KEY_VARIABLE: Final = re.compile(r"\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)\b")


@dataclass(frozen=True, slots=True)
class LLMClient:
    """How an LLM is called.

    `call` takes the arguments of instructor's `create_with_completion` and returns the answer and
    the completion, or an awaitable of both. `identity` says whose replies these are: the endpoint,
    the mode, the model, and what is sent with every request. `watched` says whether a hook counts.
    """

    call: Callable[..., Any]
    hooks: Callable[[], Any]
    asynchronous: bool
    model: str | None
    takes_timeout: bool
    identity: str
    watched: bool


def client_of(client: Any, model: str | None, mode: Any, timeout: float) -> LLMClient:
    """Return how the LLM behind a client is called.

    Clients of OpenAI are copied without retries of their own, because the engine retries. Where
    they have no HTTP client of the user's own, the copies use connections that all engines share:
    those of the user may belong to another event loop, or to the parent of a forked process.
    """
    options = {} if mode is None else {"mode": mode}
    if isinstance(client, str):
        made = _from_provider(client, options)
        copied = _without_retries(made, timeout)
        if copied is not made:  # a copy does not know the model
            model = model or client.partition("/")[2]
        return _wrap(copied, model, client)
    if isinstance(client, openai.OpenAI | openai.AsyncOpenAI):
        if model is None:
            raise ContextError("an OpenAI client needs a model: Judges(llm=client, model='...')")
        return _wrap(instructor.from_openai(_copy(client, timeout), **options), model)
    if isinstance(client, instructor.Instructor | instructor.AsyncInstructor):
        model = model or client.kwargs.get("model") or default_model(client)
        return _wrap(_without_retries(client, timeout), model)
    raise ContextError(
        f"a {type(client).__name__} is not a supported LLM client: pass an instructor client, an "
        "OpenAI client, 'provider/model', or an engine with a method answer(questions)"
    )


def _from_provider(name: str, options: dict[str, Any]) -> Any:
    if "/" not in name:
        raise ContextError(
            f"{name!r} is not the name of an LLM: write provider/model, such as openai/gpt-5-mini"
        )
    mistake: Mistake
    try:
        return provider_client(name, options)
    except (ImportError, ConfigurationError) as error:
        # instructor says which package the provider needs, or which providers there are.
        mistake = MissingJudgeError(f"{name} cannot be asked: {redact(str(error))}")
    except Exception as error:  # noqa: BLE001 # providers raise what they like
        missing = missing_key(error)
        reason = type(error).__name__
        if missing is not None:
            reason = f"its key is missing. Set the environment variable {missing}."
        mistake = ContextError(f"{name} cannot be asked: {reason}")
    # Raised outside of the `except` block, it has no context: that error may hold a key.
    raise mistake


def provider_client(name: str, options: dict[str, Any]) -> Any:
    """Return instructor's client for "provider/model", which for OpenAI must have a key."""
    made = instructor.from_provider(name, **options)
    inner = made.client
    is_openai = name.startswith("openai/") and isinstance(inner, openai.OpenAI | openai.AsyncOpenAI)
    if is_openai and not inner.api_key.strip():
        raise openai.OpenAIError("OPENAI_API_KEY is empty")
    return made


def missing_key(error: Exception) -> str | None:
    """Return the environment variable of the key that a provider's error says is missing."""
    names = _KEY_VARIABLE.findall(str(error))
    if any(os.environ.get(name, "").strip() for name in names):
        return None
    return names[0] if names else None


def _without_retries(client: Any, timeout: float) -> Any:
    """Return a copy of an instructor client of OpenAI without retries; any other as it is."""
    inner = client.client
    if not isinstance(inner, openai.OpenAI | openai.AsyncOpenAI):
        return client
    if isinstance(inner, openai.OpenAI) and not _is_plain(client):
        # Somebody listens to its calls, such as a recording: its retries are counted as they are.
        return client
    copied = instructor.from_openai(_copy(inner, timeout), mode=client.mode)
    copied.kwargs.update(client.kwargs)
    copied.hooks = client.hooks
    return copied


def _is_plain(client: Any) -> bool:
    provider = str(getattr(getattr(client, "provider", None), "value", "openai"))
    return provider == "openai" and hasattr(client.create_fn, "__wrapped__")


def _copy(client: Any, timeout: float) -> Any:
    options: dict[str, Any] = {"max_retries": 0, "timeout": timeout}
    if type(getattr(client, "_client", None)).__name__ in _DEFAULT_HTTP_CLIENTS:
        options["http_client"] = CONNECTIONS.client(
            asynchronous=isinstance(client, openai.AsyncOpenAI)
        )
    return client.with_options(**options)


def _wrap(client: Any, model: str | None, name: str = "") -> LLMClient:
    provider = str(getattr(getattr(client, "provider", None), "value", ""))
    return LLMClient(
        call=client.create_with_completion,
        hooks=type(client.hooks),
        asynchronous=isinstance(client, instructor.AsyncInstructor),
        model=model,
        takes_timeout=provider in _TAKE_TIMEOUT,
        identity=json.dumps(client_identity(client, model or name), sort_keys=True),
        watched=watch_requests(getattr(client, "client", None)),
    )
