"""Send traces to an OTLP receiver, by the libraries of OpenTelemetry."""

import contextvars
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from types import TracebackType
from typing import cast

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.stream.observing.tracing import HEADER, Arrival, Counts, StepName

SECONDS = 5.0
"""Longest time of one request, its repetitions included; a worker that ends waits for one."""
_W3C = TraceContextTextMapPropagator()
_Values = dict[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where traces are sent."""

    endpoint: str
    """The whole address, with its path."""
    token: str = field(default="", repr=False)
    """Sent as a bearer token; empty: none."""
    ca: str = ""
    """File of the authorities that are trusted for it; empty: the usual ones."""
    certificate: str = ""
    key: str = ""


def connect(receiver: Receiver, share: float) -> "OpenTelemetry":
    """Return a tracer that sends to a receiver; nothing is sent before there is a step.

    What is not taken in time is dropped: no note waits for it.

    Args:
        receiver: Where traces are sent.
        share: Of the notes whose sender says nothing of a trace, the share that is traced.
    """
    exporter = OTLPSpanExporter(
        receiver.endpoint,
        certificate_file=receiver.ca or None,
        client_certificate_file=receiver.certificate or None,
        client_key_file=receiver.key or None,
        headers={"authorization": f"Bearer {receiver.token}"} if receiver.token else None,
        timeout=SECONDS,
    )
    named = {"service.name": "deidstream", "service.version": version("deidstream")}
    provider = TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(share)),
        resource=Resource.create(named),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return OpenTelemetry(provider)


@dataclass(frozen=True, slots=True)
class OpenTelemetry:
    """Makes steps; see :class:`deidstream.stream.observing.tracing.Tracer`."""

    provider: TracerProvider

    @property
    def _tracer(self) -> trace.Tracer:
        return self.provider.get_tracer("deidstream")

    @contextmanager
    def step(self, name: StepName, counts: Counts) -> Generator[None]:
        """Time the body as a step of what runs now; outside of any trace, tell nothing."""
        if not trace.get_current_span().is_recording():
            yield
            return
        values = {f"deid.{count}": cast("int", number) for count, number in counts.items()}
        # What the library records of an error would quote it.
        begun = self._tracer.start_as_current_span(
            name, attributes=values, record_exception=False, set_status_on_exception=False
        )
        with begun as own, _telling_failure(own):
            yield

    def begin_group(self, arrivals: Sequence[Arrival]) -> "TracedGroup":
        """Begin the steps of messages, and that of their group.

        The group belongs to the trace of the first message that is traced; the others link to it.
        """
        notes = [self._begin_note(arrival) for arrival in arrivals]
        traced = [note for note in notes if note.is_recording()]
        group: Span = trace.INVALID_SPAN
        if traced:
            group = self._tracer.start_span(
                "group",
                context=trace.set_span_in_context(traced[0], context.Context()),
                links=[Link(note.get_span_context()) for note in traced[1:]],
                attributes={
                    "deid.notes": len(arrivals),
                    "deid.bytes": sum(arrival.size_bytes for arrival in arrivals),
                },
            )
        for note in traced[1:]:
            note.add_link(group.get_span_context())
        return TracedGroup(notes, group)

    def _begin_note(self, arrival: Arrival) -> Span:
        source = arrival.source
        carrier = {} if arrival.traceparent is None else {HEADER: arrival.traceparent}
        values: _Values = {
            "messaging.system": "kafka",
            "messaging.destination.name": source.topic,
            "messaging.destination.partition.id": str(source.partition),
            "messaging.kafka.offset": source.offset,
            "messaging.message.body.size": arrival.size_bytes,
        }
        if arrival.created is not None:
            values["deid.waited_seconds"] = max(0.0, time.time() - arrival.created)
        return self._tracer.start_span(
            "note",
            context=_W3C.extract(carrier, context.Context()),
            kind=SpanKind.CONSUMER,
            attributes=values,
        )

    def close(self) -> None:
        """Send what is left, for a few seconds at most."""
        self.provider.shutdown()


@dataclass(slots=True)
class TracedGroup:
    """The steps of messages that are taken together, and that of their group."""

    notes: Sequence[Span]
    group: Span
    context: contextvars.Context | None = field(init=False)
    traceparents: Sequence[bytes | None] = field(init=False)
    _given_up: set[int] = field(init=False)

    def __post_init__(self) -> None:
        """Make what the group's work runs in, and the headers of its outputs."""
        self.context = contextvars.copy_context()
        self.context.run(context.attach, trace.set_span_in_context(self.group))
        self.traceparents = [_write_header(note) for note in self.notes]
        self._given_up = set(range(len(self.notes)))

    def end_note(self, number: int, outcome: Outcome) -> None:
        """End the step of a message with what became of it."""
        self._given_up.discard(number)
        note = self.notes[number]
        note.set_attributes(_describe(outcome))
        note.end()

    def end(self) -> None:
        """End the group, and what has no outcome."""
        for number in self._given_up:
            self.notes[number].set_attribute("deid.outcome", "given-up")
            self.notes[number].end()
        self.group.end()


@contextmanager
def _telling_failure(own: Span) -> Generator[None]:
    """Say of a step that fails what kind of error ended it."""

    def tell(
        kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if kind is not None:
            own.set_status(Status(StatusCode.ERROR, kind.__name__))

    with ExitStack() as leaving:
        leaving.push(tell)
        yield


def _write_header(note: Span) -> bytes:
    carrier: dict[str, str] = {}
    _W3C.inject(carrier, trace.set_span_in_context(note, context.Context()))
    return carrier[HEADER].encode()


def _describe(outcome: Outcome) -> _Values:
    if isinstance(outcome, Anonymized):
        return {
            "deid.outcome": "emitted",
            "deid.output_id": outcome.note.output_id,
            "deid.replaced": len(outcome.note.permit.replacements),
            "deid.risk": outcome.risk.level,
        }
    if isinstance(outcome, Failed):
        return {
            "deid.outcome": "quarantined",
            "deid.reason": outcome.reason,
            "deid.stage": outcome.stage,
        }
    return {"deid.outcome": "retracted"}
