"""A collector on loopback: an HTTP server that takes OTLP and decodes its protobufs."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

_REQUESTS: Final[dict[str, Any]] = {
    "/v1/traces": ExportTraceServiceRequest,
    "/v1/logs": ExportLogsServiceRequest,
    "/v1/metrics": ExportMetricsServiceRequest,
}


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    collector: "Collector"

    def log_message(self, *args: object) -> None:
        """Stay quiet."""

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        if self.collector.status == 200:
            request = _REQUESTS[self.path]()
            request.ParseFromString(data)
            self.collector.take(self.path, request)
        self.send_response(self.collector.status)
        self.send_header("content-length", "0")
        self.end_headers()


class Collector:
    """What was sent, by signal; with another status than 200 everything is refused."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.spans: list[Any] = []
        self.records: list[Any] = []
        self.metrics: list[Any] = []
        self.scopes: set[str] = set()
        self._lock = threading.Lock()
        handler = type("Exchange", (_Exchange,), {"collector": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def take(self, path: str, request: Any) -> None:
        """Keep what a request holds."""
        with self._lock:
            if path == "/v1/traces":
                for resource in request.resource_spans:
                    for scope in resource.scope_spans:
                        self.scopes.add(scope.scope.name)
                        self.spans.extend(scope.spans)
            elif path == "/v1/logs":
                for resource in request.resource_logs:
                    for scope in resource.scope_logs:
                        self.scopes.add(scope.scope.name)
                        self.records.extend(scope.log_records)
            else:
                for resource in request.resource_metrics:
                    for scope in resource.scope_metrics:
                        self.scopes.add(scope.scope.name)
                        self.metrics.extend(scope.metrics)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def values(attributes: Any) -> dict[str, Any]:
    """Return attributes of a protobuf as plain data."""
    return {each.key: _plain(each.value) for each in attributes}


def _plain(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_plain(item) for item in value.array_value.values]
    return getattr(value, kind)
