"""Replies of servers are bounded in size, as sent and unpacked, whichever client reads them.

A client reads the whole body of a reply into memory before it returns. So the body is replaced, in
a hook of the HTTP client, by one that unpacks and counts what it passes on.
"""

import sys
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from typing import Any, Final

#: The most bytes of the body of a reply, both as sent and unpacked. Replies have some kilobytes.
MAX_REPLY_BYTES: Final = 16 * 2**20
_GZIP: Final = frozenset({"gzip", "x-gzip", "deflate"})
#: The argument of zlib that has it read both formats by their headers.
_EITHER_FORMAT: Final = zlib.MAX_WBITS | 32


def ask_for_gzip(request: Any) -> None:
    """Have a request of httpx ask for a reply that is plain or compressed by gzip."""
    request.headers["accept-encoding"] = "gzip"


def bound_reply(response: Any, refuse: Callable[[str], Exception]) -> None:
    """Bound the body of a response of httpx, which has not been read.

    `refuse` takes the reason, and returns what is raised where a reply is too large.
    """
    encodings = [
        name.strip().lower() for name in response.headers.get("content-encoding", "").split(",")
    ]
    named = [name for name in encodings if name not in ("", "identity")]
    if len(named) > 1 or not _GZIP.issuperset(named):
        raise refuse("is compressed in a way that was not asked for")
    body = _Body(zlib.decompressobj(_EITHER_FORMAT) if named else None, refuse)
    if named:
        del response.headers["content-encoding"]  # what the client reads is unpacked
    library = type(response).__module__.partition(".")[0]
    response.stream = _stream_class(library)(response.stream, body)


class _Body:
    """Unpacks and counts a body."""

    def __init__(self, unpacker: Any, refuse: Callable[[str], Exception]) -> None:
        self._unpacker = unpacker
        self._refuse = refuse
        self._sent = 0
        self._unpacked = 0

    def unpack(self, data: bytes) -> bytes:
        self._sent += len(data)
        if self._unpacker is not None:
            data = self._unpacker.decompress(data, MAX_REPLY_BYTES - self._unpacked + 1)
        self._unpacked += len(data)
        if max(self._sent, self._unpacked) > MAX_REPLY_BYTES:
            raise self._refuse(f"is larger than {MAX_REPLY_BYTES // 2**20} MiB")
        return data


@cache
def _stream_class(library: str) -> type:
    httpx: Any = sys.modules[library]

    class BoundedStream(httpx.SyncByteStream, httpx.AsyncByteStream):  # type: ignore[misc] # Any
        def __init__(self, stream: Any, body: _Body) -> None:
            self._stream = stream
            self._body = body

        def __iter__(self) -> Iterator[bytes]:
            for data in self._stream:
                yield self._body.unpack(data)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for data in self._stream:
                yield self._body.unpack(data)

        def close(self) -> None:
            self._stream.close()

        async def aclose(self) -> None:
            await self._stream.aclose()

    return BoundedStream
