"""Generated messages come out with the sender's shape and without what identifies anybody."""

import io
import json

import pytest
from hl7_round_trip import RoundTrip, Sent, blank_surrogates, run_round_trip

from deidstream.agents.deidentifier import Deidentifier
from deidstream.schemas.errors import LeakKind, Reason, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import Failed
from deidstream.schemas.span import Replacement, Span
from support.hl7_generator import GeneratedMessage


@pytest.mark.slow
def test_generated_messages_parse_again_and_nothing_of_anybody_is_left() -> None:
    with Deidentifier.load("surrogate", key=bytes(range(32))) as deidentifier:
        made = run_round_trip(deidentifier, 32, first=20_000, second_parser=8)
    assert (made.leaking, made.colliding) == ([], [])
    assert set(made.counts.values()) == {32, 4}
    assert made.counts["not emitted"] == 0


def test_what_is_left_is_seen() -> None:
    sent = Sent.make(3)
    for secret in sent.message.secrets:
        assert sent.message.left_in(f"x {secret.upper()} y") == [secret]
    assert not sent.message.left_in("Hb 9.1 g/dL")
    phone = sent.message.secrets[3]
    assert sent.message.left_in(" ".join(phone)) == ([phone] if phone.isdigit() else [])


def test_what_is_not_emitted_is_counted_and_written_with_its_reason() -> None:
    faults = io.StringIO()
    made = RoundTrip(10, faults)
    made.add(Sent.make(3), Failed(Reason.LEAK_DETECTED, Stage.VERIFY, leak=LeakKind.REPEATED))
    assert made.counts["not emitted"] == 1
    why = "LEAK_DETECTED verify repeated"
    assert made.reasons == {why: 1}
    assert json.loads(faults.getvalue()) == {"seed": 3, "what": "not emitted", "reason": why}
    assert made.say() == f"1 messages; 0 with something left; not emitted: 1 {why}"


def test_a_surrogate_that_is_by_chance_true_is_told_apart_from_a_leak() -> None:
    given, made = "born 19510317, spouse 19510322", "born 19510322, spouse 19510327"
    spans = [Span(start, start + 8, PhiLabel.DATE, 1.0, "known") for start in (5, 22)]
    moved = [
        Replacement(span, text, "shift", span.start, span.end)
        for span, text in zip(spans, ("19510322", "19510327"), strict=True)
    ]
    message = GeneratedMessage(given, ("19510317", "19510322"))
    assert message.left_in(made) == ["19510322"]
    assert message.left_in(blank_surrogates(given, made, moved)) == []
    kept = [moved[0], Replacement(spans[1], "19510322", "keep", 22, 30)]
    made = "born 19510322, spouse 19510322"
    assert message.left_in(blank_surrogates(given, made, kept)) == ["19510322"]
    assert message.left_in(blank_surrogates(given, made, moved[:1])) == ["19510322"]
