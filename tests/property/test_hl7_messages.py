"""Whatever a sender writes: what passes has the sender's shape, and nothing unlisted is in it."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.messages.hl7.character_sets import decode_message
from deidstream.models.messages.hl7.make_notes import MessageSource, make_notes
from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.models.messages.hl7.passed_fields import keep_passed
from deidstream.models.phi.hl7.field_list import Mark, field_list
from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.schemas.note import RawNote
from support.hl7_messages import shape

HEAD = "MSH|^~\\&|REG|GH|||20240311||ADT^A01|M1|P|2.5\rPID|1||4410"
SECRET = "Zyxwv"
NAMES = st.sampled_from(["PID", "NK1", "OBX", "NTE", "ZZZ", "ROL", "GT1", "TXA", "SFT"])
PARTS = st.text(alphabet=string.ascii_letters + " .:0é", min_size=1, max_size=6)
VALUES = st.recursive(
    PARTS, lambda inner: st.tuples(inner, st.sampled_from("^~&"), inner).map("".join), max_leaves=5
)
SEGMENTS = st.tuples(NAMES, st.lists(st.one_of(st.just(""), VALUES), min_size=1, max_size=30))
MESSAGES = st.lists(SEGMENTS, max_size=8).map(
    lambda segments: "\r".join([HEAD, *("|".join((name, *fields)) for name, fields in segments)])
)


@settings(max_examples=40)
@given(MESSAGES)
def test_the_shape_is_that_of_the_sender(text: str) -> None:
    made = keep_passed(read_message(text)).write()
    assert shape(made) == shape(text)


def notes_or_fault(body: bytes) -> list[RawNote] | MessageFault:
    try:
        return list(make_notes(read_message(decode_message(body)), MessageSource("t")))
    except MessageRefused as refused:
        return refused.fault


@given(st.text(), st.sampled_from(["\r", "\n", "\r\n"]))
def test_any_text_is_read_or_refused(text: str, end: str) -> None:
    given_text = f"{HEAD}\r{text}".replace("\r", end)
    made = notes_or_fault(given_text.encode("utf-8", "surrogatepass"))
    assert isinstance(made, MessageFault) or all(read_hl7(note.text) for note in made)


@given(NAMES, st.integers(1, 40), st.sampled_from(["{}", "{}^x", "x^{}", "x&{}", "x~{}", "\\{}\\"]))
def test_what_is_not_listed_does_not_pass(name: str, number: int, form: str) -> None:
    fields = [""] * (number - 1) + [form.format(SECRET)]
    made = keep_passed(read_message("\r".join([HEAD, "|".join((name, *fields))]))).write()
    assert (SECRET in made) is (Mark.PASS in field_list().fields_of(name).row(number).marks)


@given(st.binary(max_size=200))
def test_any_bytes_are_notes_or_a_fault(body: bytes) -> None:
    assert notes_or_fault(body) in set(MessageFault)
    assert notes_or_fault(HEAD.encode() + b"\r" + body)


def test_the_law_of_shapes_can_fail() -> None:
    with pytest.raises(AssertionError):
        assert shape(HEAD) == shape(HEAD + "|x")
