import asyncio
import threading
from collections.abc import Iterator

import pytest

from deidstream.models.neural.model_turn import take_text_turn
from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.outcome import Coordinates, Failed
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing import tracing
from deidstream.stream.observing.open_telemetry import OpenTelemetry, Receiver, connect
from support.otlp_receiver import Receiver as Received
from support.otlp_receiver import SentStep, receiving
from support.outcomes import anonymized

SENDER, ASKED = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACED, UNTRACED = f"00-{SENDER}-{ASKED}-01", f"00-{SENDER}-{ASKED}-00"


@pytest.fixture
def received() -> Iterator[Received]:
    with receiving() as receiver:
        yield receiver


def tracer(received: Received, share: float = 1.0, token: str = "") -> OpenTelemetry:
    return connect(Receiver(received.endpoint, token=token), share)


def arrival(offset: int, traceparent: str | None = None) -> tracing.Arrival:
    return tracing.Arrival(Coordinates("notes.raw", 3, offset), traceparent, 250, 1.0)


def run_group(own: OpenTelemetry, *headers: str | None) -> list[bytes | None]:
    """Trace a group with one batch; every note comes out. Return the headers of its outputs."""
    with tracing.use(own):
        group = tracing.begin_group([arrival(n, header) for n, header in enumerate(headers)])
        assert group.context is not None

        def work() -> None:
            with tracing.step("batch", notes=len(headers)), tracing.step(Stage.DETECT):
                pass

        group.context.run(work)
        for number in range(len(headers)):
            group.end_note(number, anonymized("quiet"))
        group.end()
    own.close()
    return list(group.traceparents)


def one(steps: list[SentStep]) -> SentStep:
    (step,) = steps
    return step


def test_a_note_goes_on_with_the_trace_of_its_sender_and_its_outputs_with_the_notes(
    received: Received,
) -> None:
    (header,) = run_group(tracer(received), TRACED)
    note, group = one(received.named("note")), one(received.named("group"))
    batch, detect = one(received.named("batch")), one(received.named("detect"))
    assert {step.trace for step in received.steps()} == {SENDER}
    chain = [note.parent, group.parent, batch.parent, detect.parent]
    assert chain == [ASKED, note.own, group.own, batch.own]
    assert header == f"00-{SENDER}-{note.own}-01".encode()


def test_the_notes_of_a_group_point_at_it_and_it_at_them(received: Received) -> None:
    run_group(tracer(received), None, TRACED, None)
    notes, group = received.named("note"), one(received.named("group"))
    assert len({note.trace for note in notes}) == 3
    first, *others = sorted(notes, key=lambda note: note.values["messaging.kafka.offset"])
    assert (group.trace, group.parent) == (first.trace, first.own)
    assert group.links == tuple(note.own for note in others)
    assert [note.links for note in others] == [(group.own,), (group.own,)]
    assert group.values == {"deid.notes": 3, "deid.bytes": 750}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_sender_decides_where_it_says_something(received: Received, share: float) -> None:
    headers = run_group(tracer(received, share), UNTRACED, TRACED)
    assert [note.values["messaging.kafka.offset"] for note in received.named("note")] == [1]
    assert one(received.named("group")).trace == SENDER
    assert [header[-3:] if header else None for header in headers] == [b"-00", b"-01"]


def test_nothing_is_sent_of_a_group_without_a_traced_note(received: Received) -> None:
    run_group(tracer(received, 0.0), None, UNTRACED)
    assert received.steps() == []


@pytest.mark.parametrize(
    "header",
    [
        "",
        "00",
        "garbage",
        f"00-{'0' * 32}-{ASKED}-01",
        f"00-{SENDER}-{ASKED}",
        "Mr. John Foust",
        "é",
    ],
)
def test_a_header_that_is_none_begins_a_new_trace(received: Received, header: str) -> None:
    (made,) = run_group(tracer(received), header)
    note = one(received.named("note"))
    assert (note.parent, note.trace != SENDER) == ("", True)
    assert made is not None
    *stated, flags = made.decode().split("-")
    assert (stated, int(flags, 16) & 1) == (["00", note.trace, note.own], 1)


def test_what_becomes_of_notes_is_said_without_text(received: Received) -> None:
    own = tracer(received)
    with tracing.use(own):
        group = tracing.begin_group([arrival(n) for n in range(3)])
        group.end_note(0, anonymized("quiet"))
        group.end_note(1, Failed(Reason.BAD_JSON, Stage.DECODE))
        group.end()
    own.close()
    said = {
        note.values["messaging.kafka.offset"]: {
            key: value for key, value in note.values.items() if key != "deid.waited_seconds"
        }
        for note in received.named("note")
    }
    place = {
        "messaging.system": "kafka",
        "messaging.destination.name": "notes.raw",
        "messaging.destination.partition.id": "3",
        "messaging.message.body.size": 250,
    }
    made = anonymized("quiet")
    assert said[0] == {
        **place,
        "messaging.kafka.offset": 0,
        "deid.outcome": "emitted",
        "deid.output_id": made.note.output_id,
        "deid.replaced": len(made.note.permit.replacements),
        "deid.risk": made.risk.level,
    }
    assert said[1] == {
        **place,
        "messaging.kafka.offset": 1,
        "deid.outcome": "quarantined",
        "deid.reason": "BAD_JSON",
        "deid.stage": "decode",
    }
    assert said[2] == {**place, "messaging.kafka.offset": 2, "deid.outcome": "given-up"}


def test_an_error_is_told_by_its_kind_and_goes_on(received: Received) -> None:
    own, told = tracer(received), "Mr. John Foust"
    with tracing.use(own):
        group = tracing.begin_group([arrival(0)])
        assert group.context is not None

        def fail() -> None:
            with tracing.step("batch", notes=1):
                raise ValueError(told)

        with pytest.raises(ValueError, match=told):
            group.context.run(fail)
        group.end()
    own.close()
    assert one(received.named("batch")).problem == "ValueError"
    assert not any(told.encode() in body for body in received.bodies)


def test_a_call_on_a_lane_belongs_to_the_step_that_made_it(received: Received) -> None:
    own, lane = tracer(received), Lane(take_text_turn)

    def detect() -> str:
        with tracing.step(Stage.DETECT):
            return threading.current_thread().name

    async def run() -> str:
        with tracing.step("batch"):
            return await lane.run(detect)

    async def run_in_group() -> str:
        group = tracing.begin_group([arrival(0)])
        name = await asyncio.create_task(run(), context=group.context)
        group.end()
        return name

    with tracing.use(own):
        assert asyncio.run(run_in_group()).startswith("lane")
    lane.close()
    own.close()
    assert one(received.named("detect")).parent == one(received.named("batch")).own


def test_what_belongs_to_no_group_is_not_traced(received: Received) -> None:
    own = tracer(received)
    with tracing.use(own), tracing.step(Stage.DETECT):
        pass
    own.close()
    assert received.steps() == []


def test_without_a_tracer_nothing_is_told_and_no_header_is_made() -> None:
    group = tracing.begin_group([arrival(0, TRACED), arrival(1)])
    with tracing.step(Stage.DETECT, notes=2):
        group.end_note(0, anonymized("quiet"))
    group.end()
    assert (group.context, list(group.traceparents)) == (None, [None, None])


def test_the_receivers_token_is_sent(received: Received) -> None:
    run_group(tracer(received, token="drawn"), None)
    assert set(received.tokens) == {"Bearer drawn"}
