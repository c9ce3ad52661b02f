"""Langfuse and Phoenix send scores to their servers, which are scripted here."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from groundtypes import Audit, audit
from tests.integrations.platforms.answers import REFERENCES, WRONG, Answer, needs

pytestmark = needs("langfuse")


class Server:
    """A server that keeps the bodies of requests, and answers each with JSON."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any]] = []
        kept = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                kept.append((self.path, json.loads(body)))
                reply: Any = {"data": [{"id": "1"}]}
                data = json.dumps(reply).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST  # noqa: N815 # as the server calls it

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def audited() -> Audit[Any]:
    return audit(Answer, {"quote": WRONG}, context={"references": REFERENCES})


def test_langfuse_gets_a_score_for_each_check(server: Server, audited: Audit[Any]) -> None:
    from langfuse import Langfuse  # noqa: PLC0415

    from groundtypes.integrations.langfuse import log_scores  # noqa: PLC0415

    client = Langfuse(public_key="pk", secret_key="sk", base_url=server.url)  # noqa: S106
    trace = "0123456789abcdef0123456789abcdef"
    log_scores(client, audited, trace, observation_id="0123456789abcdef")
    client.flush()
    client.shutdown()
    score, schema = [
        score
        for path, body in server.requests
        if path.endswith("/scores")
        for score in (body if isinstance(body, list) else [body])
    ]
    assert (score["name"], score["value"], score["dataType"]) == ("Quoted", 0.0, "NUMERIC")
    assert (schema["name"], schema["value"]) == ("schema", 1.0)
    assert (score["traceId"], score["observationId"]) == (trace, "0123456789abcdef")
    assert "1898" in score["comment"]
    assert score["metadata"]["label"] == "quote_altered"


def test_phoenix_gets_an_annotation_for_each_check(server: Server, audited: Audit[Any]) -> None:
    from phoenix.client import Client  # noqa: PLC0415

    from groundtypes.integrations.phoenix import annotate_span  # noqa: PLC0415

    annotate_span(Client(base_url=server.url), audited, "0123456789abcdef")
    body, schema = [body for path, body in server.requests if "span_annotations" in path]
    assert schema["data"][0]["result"]["label"] == "holds"
    [annotation] = body["data"]
    assert annotation["span_id"] == "0123456789abcdef"
    assert (annotation["name"], annotation["annotator_kind"]) == ("Quoted", "CODE")
    assert annotation["result"]["label"] == "quote_altered"
    assert annotation["result"]["score"] == 0.0
    assert "1898" in annotation["result"]["explanation"]
