"""Which LLM a client asks: replies of one are never taken for those of another.

Needs none of the clients' packages: what holds a client has its package already.
"""

import inspect
from typing import Any

from groundtypes.backends.redaction import endpoint_name, learn, learn_from_url


def client_identity(client: Any, model: str | None = None) -> dict[str, Any]:
    """Return provider, endpoint, mode, model and default arguments, without any secret."""
    inner = getattr(client, "client", None)
    url = str(getattr(inner, "base_url", ""))
    learn_from_url(url)
    learn(getattr(inner, "api_key", None))
    provider = str(getattr(getattr(client, "provider", None), "value", ""))
    mode = getattr(client, "mode", "")
    defaults = dict(getattr(client, "kwargs", {}))
    return {
        "provider": provider or type(inner).__name__,
        "endpoint": endpoint_name(url),
        "mode": str(getattr(mode, "value", mode)),
        "model": model or defaults.pop("model", None) or default_model(client),
        "defaults": sorted(f"{name}={_plain(value)}" for name, value in defaults.items()),
    }


def default_model(client: Any) -> str | None:
    """Return the model that `from_provider` was called with, which only its function knows."""
    try:
        model = inspect.getclosurevars(client.create_fn).nonlocals.get("default_model")
    except (AttributeError, TypeError):  # no Python function
        return None
    return model if isinstance(model, str) else None


def _plain(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str | list | dict | tuple):
        return repr(value)
    return type(value).__name__  # its `repr` may name a place in memory
