"""An HTTP server on loopback that speaks OpenAI's chat completions and responses from a script.

    with ScriptedOpenAI() as server:
        server.script(Say({"answer": "wrong"}), Say({"answer": "right"}))
        client = instructor.from_openai(openai.OpenAI(base_url=server.base_url, api_key="-"))

Each request takes the next reply of the script and is kept in `server.requests`. `Say` answers in
the form that was asked for: as a tool call when the request offers tools, as server-sent events
when it asks for a stream, else as content. The other replies misbehave.
"""

import json
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Protocol, Self

_MODEL = "scripted"


class Reply(Protocol):
    """One entry of a script: it answers one request."""

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        """Write the whole response, or what there is of it."""
        ...


@dataclass(frozen=True)
class Say:
    """A well-formed completion: text as it is, anything else as its JSON."""

    content: Any
    fenced: bool = False
    finish_reason: str = "stop"
    chunk: int = 7

    @property
    def text(self) -> str:
        text = self.content if isinstance(self.content, str) else json.dumps(self.content)
        return f"Here it is:\n```json\n{text}\n```\n" if self.fenced else text

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        if exchange.path.endswith("/responses"):
            exchange.send_json(200, self._response())
            return
        tool = body["tools"][0]["function"]["name"] if body.get("tools") else None
        if body.get("stream"):
            exchange.send_events(self._events(tool))
        else:
            exchange.send_json(200, self._completion(tool))

    def _completion(self, tool: str | None) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        reason = self.finish_reason
        if tool is not None:
            call = {"name": tool, "arguments": self.text}
            message["content"] = None
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
            reason = "tool_calls" if reason == "stop" else reason
        return _envelope(
            "chat.completion",
            [{"index": 0, "message": message, "finish_reason": reason}],
            usage={"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        )

    def _response(self) -> dict[str, Any]:
        content = {"type": "output_text", "text": self.text, "annotations": []}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "model": _MODEL,
            "status": "completed",
            "output": [{**message, "content": [content]}],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }

    def _events(self, tool: str | None) -> Iterator[dict[str, Any]]:
        if tool is not None:
            opening = {"name": tool, "arguments": ""}
            yield _delta({"role": "assistant", "tool_calls": [_piece(opening, id="call_1")]})
        for start in range(0, len(self.text), self.chunk):
            part = self.text[start : start + self.chunk]
            yield _delta(
                {"content": part} if tool is None else {"tool_calls": [_piece({"arguments": part})]}
            )
        yield _delta({}, finish_reason=self.finish_reason)


@dataclass(frozen=True)
class Text(Say):
    """The same as content, also where the request offers tools."""

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        super().send(exchange, {**body, "tools": None})


@dataclass(frozen=True)
class Fail:
    """An HTTP error with the protocol's error body."""

    status: int
    retry_after: float | None = None

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        headers = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        error = {"message": f"scripted {self.status}", "type": "server_error", "code": None}
        exchange.send_json(self.status, {"error": error}, headers)


@dataclass(frozen=True)
class Raw:
    """A response of status 200 with any bytes as its body."""

    data: bytes
    content_type: str = "application/json"

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        exchange.send_bytes(200, self.data, self.content_type)


class NoChoices:
    """A completion whose list of choices is empty."""

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        exchange.send_json(200, _envelope("chat.completion", []))


class Hang:
    """Silence: nothing is sent until the server closes."""

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        exchange.owner.closing.wait(60)


@dataclass(frozen=True)
class Reset:
    """A body that breaks off: the connection is reset after some bytes of a whole completion."""

    after: int = 60

    def send(self, exchange: "Exchange", body: dict[str, Any]) -> None:
        data = json.dumps(Say("never seen whole")._completion(None)).encode()
        exchange.start(200, "application/json", {"content-length": str(len(data))})
        exchange.wfile.write(data[: self.after])
        exchange.wfile.flush()
        # Closing with a linger time of zero sends a reset instead of an orderly end.
        linger = struct.pack("ii", 1, 0)
        exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        exchange.close_connection = True


class Exchange(BaseHTTPRequestHandler):
    """One connection; a POST is answered by the next reply of the script."""

    protocol_version = "HTTP/1.1"
    owner: "ScriptedOpenAI"

    def log_message(self, *args: object) -> None:
        """Stay quiet."""

    def do_POST(self) -> None:
        try:
            self._answer()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client has given up, as some tests want it to

    def _answer(self) -> None:
        size = int(self.headers["content-length"])
        data = self.rfile.read(size)
        if len(data) < size:
            raise ConnectionResetError  # given up before all of the request was sent
        body = json.loads(data)
        self.owner.take(body).send(self, body)

    def start(self, status: int, content_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def send_bytes(
        self, status: int, data: bytes, content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        self.start(status, content_type, {"content-length": str(len(data)), **(headers or {})})
        self.wfile.write(data)

    def send_json(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(data).encode(), "application/json", headers)

    def send_events(self, events: Iterator[dict[str, Any]]) -> None:
        self.start(200, "text/event-stream", {"connection": "close"})
        for event in events:
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


class _Server(ThreadingHTTPServer):
    """A server that many clients may call at the same moment."""

    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what goes wrong, but for a client that has gone."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class ScriptedOpenAI:
    """The server: a context manager with a script and a record of what it was asked."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.closing = threading.Event()
        self._replies: deque[Reply] = deque()
        self._lock = threading.Lock()
        handler = type("BoundExchange", (Exchange,), {"owner": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as its base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def script(self, *replies: Reply) -> None:
        """Add replies; each answers one request."""
        with self._lock:
            self._replies.extend(replies)

    def take(self, body: dict[str, Any]) -> Reply:
        """Note the request and return its reply; a script that has ended answers 400."""
        with self._lock:
            self.requests.append(body)
            return self._replies.popleft() if self._replies else Fail(400)

    @property
    def unused(self) -> int:
        """How many replies nobody has asked for."""
        return len(self._replies)

    def sent_back(self, number: int = -1) -> str:
        """Return the text of the last message of a request: in a re-ask, what is to be fixed."""
        request = self.requests[number]
        return _text((request.get("messages") or request["input"])[-1])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content or ""


def _envelope(kind: str, choices: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "scripted-1",
        "object": kind,
        "created": 0,
        "model": _MODEL,
        "choices": choices,
        **more,
    }


def _delta(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return _envelope("chat.completion.chunk", [choice])


def _piece(function: dict[str, str], **more: str) -> dict[str, Any]:
    return {"index": 0, "type": "function", "function": function, **more}
