"""A real OTLP receiver over HTTP on this machine: it reads what it is sent, and keeps it."""

import gzip
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue

Value = str | int | float


@dataclass(frozen=True, slots=True)
class SentStep:
    """A step, as it was received."""

    name: str
    trace: str
    own: str
    parent: str
    links: tuple[str, ...]
    """The steps that it points at."""
    values: dict[str, Value]
    problem: str
    """What its status says; empty: nothing."""
    seconds: float


@dataclass(slots=True)
class Receiver:
    """Everything that was sent."""

    endpoint: str = ""
    bodies: list[bytes] = field(default_factory=list[bytes])
    tokens: list[str] = field(default_factory=list[str])

    def steps(self) -> list[SentStep]:
        """Return all steps, in the order in which they ended."""
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            SentStep(
                name=span.name,
                trace=span.trace_id.hex(),
                own=span.span_id.hex(),
                parent=span.parent_span_id.hex(),
                links=tuple(link.span_id.hex() for link in span.links),
                values={one.key: _read(one.value) for one in span.attributes},
                problem=span.status.message,
                seconds=(span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
            )
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def named(self, name: str) -> list[SentStep]:
        """Return the steps of a name."""
        return [step for step in self.steps() if step.name == name]


def _read(value: AnyValue) -> Value:
    kind = value.WhichOneof("value")
    assert kind in {"string_value", "int_value", "double_value"}, kind
    read: Value = getattr(value, kind)
    return read


@contextmanager
def receiving() -> Generator[Receiver]:
    """Receive traces while the body runs."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            packed = self.headers.get("Content-Encoding") == "gzip"
            receiver.bodies.append(gzip.decompress(body) if packed else body)
            receiver.tokens.append(self.headers.get("Authorization", ""))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    receiver.endpoint = f"http://127.0.0.1:{server.server_port}/v1/traces"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
