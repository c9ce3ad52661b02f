"""Serve a GGUF model through the OpenAI chat-completions protocol on loopback.

Usage: `python local_llm_server.py MODEL.gguf PORT [LORA.gguf]`, in an environment that holds
`xllamacpp`, which is llama.cpp's own server in a prebuilt wheel. It listens on PORT; PORT + 1 is
the same server behind a shim that makes a *forced* tool call work: llama.cpp ignores the object
form of `tool_choice`, which instructor's TOOLS mode sends, so the shim asks for the same JSON
schema as plain content and hands it back as a tool call.
"""

import http.client
import json
import signal
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CONTEXT_TOKENS = 8192
ANSWER_TOKENS = 1024
THREADS = 2
HOST = "127.0.0.1"


def as_json_schema(body: dict[str, Any]) -> str | None:
    """Rewrite a request that forces a tool into one for JSON content; return the tool's name."""
    choice = body.get("tool_choice")
    if not isinstance(choice, dict) or not body.get("tools"):
        return None
    name: str = choice["function"]["name"]
    tool = next(t["function"] for t in body["tools"] if t["function"]["name"] == name)
    for key in ("tools", "tool_choice", "parallel_tool_calls"):
        body.pop(key, None)
    body["response_format"] = {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": tool["parameters"]},
    }
    for message in body.get("messages", []):
        if message.get("tool_calls"):
            message["content"] = message.pop("tool_calls")[0]["function"]["arguments"]
        elif message["role"] == "tool":
            message["role"] = "user"
            message.pop("tool_call_id", None)
    return name


def as_tool_call(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the chat completion with its content moved into a call of the tool."""
    choice = answer["choices"][0]
    message = choice["message"]
    call = {"name": name, "arguments": message.get("content") or ""}
    message["content"] = None
    message["tool_calls"] = [
        {"id": f"call_{uuid.uuid4().hex[:8]}", "type": "function", "function": call}
    ]
    if choice["finish_reason"] == "stop":
        choice["finish_reason"] = "tool_calls"
    return answer


class ToolShim(BaseHTTPRequestHandler):
    """Forward to the engine's port, turning forced tool calls into JSON-schema requests."""

    protocol_version = "HTTP/1.1"
    engine_port: int

    def log_message(self, *args: object) -> None:
        """Log nothing: the engine writes its own log."""

    def do_GET(self) -> None:
        self._forward(None, None)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
            tool = None if body.get("stream") else as_json_schema(body)
        except (ValueError, KeyError, TypeError, AttributeError, StopIteration):
            self._forward(raw, None)  # the engine's error message is clearer
        else:
            self._forward(json.dumps(body).encode(), tool)

    def _forward(self, body: bytes | None, tool: str | None) -> None:
        connection = http.client.HTTPConnection(HOST, self.engine_port, timeout=900)
        try:
            headers = {"content-type": "application/json"}
            connection.request(self.command, self.path, body, headers)
            response = connection.getresponse()
            data = response.read()
        finally:
            connection.close()
        if tool is not None and response.status == 200:
            data = json.dumps(as_tool_call(json.loads(data), tool)).encode()
        self.send_response(response.status)
        self.send_header("content-type", response.getheader("content-type") or "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main(model: str, port: int, lora: str | None = None) -> None:
    """Serve until a signal ends the process."""
    # Installed by local_llm.py in the server's own environment only.
    import xllamacpp  # noqa: PLC0415

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = [HOST]
    params.port = port
    params.n_ctx = CONTEXT_TOKENS
    params.n_predict = ANSWER_TOKENS
    params.n_parallel = 1
    params.use_jinja = True
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    if lora is not None:
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(lora, 1.0)]
    server = xllamacpp.Server(params)  # serves until it is garbage-collected

    ToolShim.engine_port = port
    shim = ThreadingHTTPServer((HOST, port + 1), ToolShim)
    threading.Thread(target=shim.serve_forever, daemon=True).start()
    print("READY", server.listening_address, flush=True)

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    stop.wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
