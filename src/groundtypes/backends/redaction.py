"""The secrets of this process, and texts without them.

A server may repeat a key anywhere. So whatever came from a server passes through here before it is
stored, shown or raised. Secrets are learned where they are used: from the requests that leave and
from the environment.
"""

import base64
import binascii
import json
import os
import re
import traceback
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from groundtypes.concurrency.bounded_cache import BoundedCache

_MASK: Final = "[redacted]"
#: Shorter ones, such as the key "none" of a local server, would turn up in ordinary words.
_MIN_LENGTH: Final = 8
_MAX_SECRETS: Final = 256
_SECRET_NAME: Final = re.compile(
    r"auth|key|token|secret|passw|pwd|credential|cookie|session|signature|sig$", re.IGNORECASE
)
_SECRET_VARIABLE: Final = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT)$|(?:API_?KEY|TOKEN|SECRET|PASSWORD)",
    re.IGNORECASE,
)
#: Headers that clients send to everybody.
_ORDINARY_HEADER: Final = re.compile(
    r"(?:accept.*|connection|content-.*|host|user-agent|x-stainless-.*|transfer-encoding|"
    r"anthropic-version|openai-beta)$",
    re.IGNORECASE,
)
_LONG_CODE: Final = re.compile(r"(?=.*[A-Za-z])(?=.*\d)\S{16,}$")

#: The secrets that were learned, the latest last.
_learned: Final = BoundedCache[str, str](_MAX_SECRETS)


def learn(secret: object) -> None:
    """Remember a secret, in the spellings in which it is sent; short ones are ignored."""
    if not isinstance(secret, str) or len(secret) < _MIN_LENGTH:
        return
    spellings = (secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1])
    _learned.put_many({spelling: spelling for spelling in spellings})


def learn_from_headers(headers: Mapping[str, str]) -> None:
    """Remember the secrets among the headers of a request: its keys, tokens and cookies."""
    for name, value in headers.items():
        if _ORDINARY_HEADER.match(name):
            continue
        if _SECRET_NAME.search(name) or _LONG_CODE.match(value):
            learn(value)
            scheme, _, token = value.partition(" ")
            learn(token)
            if scheme.lower() == "basic":
                _learn_basic(token)
            for pair in value.split(";") if name.lower() == "cookie" else ():
                learn(pair.partition("=")[2].strip())


def _learn_basic(token: str) -> None:
    try:
        pair = base64.b64decode(token, validate=True).decode()
    except (binascii.Error, ValueError):
        return
    learn(pair)
    user, _, password = pair.partition(":")
    learn(password or user)


def learn_from_url(url: str) -> None:
    """Remember the secrets in a URL: the password, and the keys in its query."""
    for part in secrets_in_url(url):
        learn(part)


def secrets_in_url(url: str) -> list[str]:
    """Return the user with the password in a URL, and the keys in its query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    found: list[str] = []
    userinfo = parts.netloc.rpartition("@")[0]
    if userinfo:
        user, _, password = userinfo.partition(":")
        found += [userinfo, unquote(password), password]
        # "https://KEY@host" and "https://KEY:@host" hold a key in place of a name.
        found += [] if password else [unquote(user), user]
    for name, value in parse_qsl(parts.query):
        if _SECRET_NAME.search(name) or _LONG_CODE.match(value):
            found.append(value)
    return found


def endpoint_name(url: str) -> str:
    """Return the host, port and path of a URL: nothing of its user, query or fragment."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    place = host if port is None else f"{host}:{port}"
    return redact(f"{parts.scheme}://{place}{parts.path.rstrip('/')}")


def redact(text: str) -> str:
    """Return the text with every secret of this process replaced."""
    return _without(_secrets(), text)


def redact_pieces(text: str) -> str:
    """Return the text with every secret replaced, and every piece of one of 8 characters or more.

    A message shows parts of texts: a secret in them may be shown without its beginning or its end.
    """
    secrets = _secrets()
    text = _without(secrets, text)
    pieces, lower = _pieces(secrets), _lower(text)
    parts: list[str] = []
    end = 0
    for at in range(len(lower) - _MIN_LENGTH + 1):
        if lower[at : at + _MIN_LENGTH] in pieces:
            if at > end or not parts:
                parts += [text[end:at], _MASK]
            end = at + _MIN_LENGTH
    return "".join([*parts, text[end:]])


def _without(secrets: tuple[str, ...], text: str) -> str:
    pattern = _pattern(secrets)
    return text if pattern is None else pattern.sub(_MASK, text)


def _secrets() -> tuple[str, ...]:
    return tuple(sorted({*_learned.values(), *_in_environment()}))


@lru_cache(maxsize=8)
def _pieces(secrets: tuple[str, ...]) -> frozenset[str]:
    """Return all runs of 8 characters in the secrets, in lower case."""
    return frozenset(
        lower[at : at + _MIN_LENGTH]
        for lower in map(_lower, secrets)
        for at in range(len(lower) - _MIN_LENGTH + 1)
    )


def _lower(text: str) -> str:
    """Return the text in lower case, with as many characters."""
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := each.lower()) == 1 else each for each in text)


def redact_data(data: Any) -> Any:
    """Return plain data with the secrets replaced in all of its texts and keys."""
    if isinstance(data, str):
        return redact(data)
    if isinstance(data, Mapping):
        return {redact_data(key): redact_data(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [redact_data(item) for item in data]
    return data


def redacted_cause(error: BaseException) -> BaseException | None:
    """Return the error, to be named as the cause of another; `None` if it shows a secret."""
    shown = "".join(traceback.format_exception(error)) + _arguments(error)
    return error if redact(shown) == shown else None


def _arguments(error: BaseException | None) -> str:
    """Return the arguments of an error and of those that led to it, as text."""
    texts: list[str] = []
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        texts.append(f"{current.args!r} {vars(current)!r}")
        waiting += [current.__cause__, current.__context__]
    return "\n".join(texts)


@lru_cache(maxsize=8)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str] | None:
    if not secrets:
        return None
    longest_first = sorted(secrets, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def _in_environment() -> Iterable[str]:
    """Yield the secrets in the variables of the environment, as far as their names say so."""
    for name, value in os.environ.items():
        if len(value) < _MIN_LENGTH:
            continue
        if "://" in value:
            yield from (part for part in secrets_in_url(value) if len(part) >= _MIN_LENGTH)
        elif _SECRET_VARIABLE.search(name) and not value.startswith(("/", "~")):
            yield value
            yield json.dumps(value)[1:-1]
