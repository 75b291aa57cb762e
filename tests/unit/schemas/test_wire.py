"""The wire codec."""

import codecs
import gzip

import orjson
import pytest

from deidstream.schemas.errors import InvalidNote, Reason
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.outcome import Coordinates, DeadLetter, Failed
from deidstream.schemas.wire import decode, encode_dead_letter, encode_note
from support.notes import stamp

NOTE = {"note_id": "n1", "patient_id": "p1", "text": "Seen by Dr. Zyxwv."}


def refusal(value: bytes, limit_bytes: int = 1000) -> Reason:
    with pytest.raises(InvalidNote) as caught:
        decode(value, limit_bytes=limit_bytes)
    assert "Zyxwv" not in f"{caught.value} {caught.value!r} {caught.value.args}"
    return caught.value.reason


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"", Reason.BAD_JSON),
        (b"{", Reason.BAD_JSON),
        (b"[1]", Reason.BAD_JSON),
        (b"null", Reason.BAD_JSON),
        (b'{"text": NaN}', Reason.BAD_JSON),
        (b"[" * 900, Reason.BAD_JSON),
        (b'{"text": "\xff"}', Reason.BAD_UTF8),
        (b'{"note_id":"1","patient_id":"2","text":"Zyxwv \\ud800"}', Reason.BAD_UNICODE),
        (b'{"note_id":"1","patient_id":"2","text":"Zyxwv \\u0000"}', Reason.BAD_UNICODE),
        (b'{"note_id":"1","patient_id":"2"}', Reason.MISSING_FIELD),
        (b'{"note_id":null,"patient_id":"2","text":"x"}', Reason.MISSING_FIELD),
        (b'{"note_id":" ","patient_id":"2","text":"x"}', Reason.MISSING_FIELD),
        (b'{"note_id":1.5,"patient_id":"2","text":"x"}', Reason.WRONG_TYPE),
        (b'{"note_id":true,"patient_id":"2","text":"x"}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":["x"]}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":"x","known":[]}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":"x","known":{"names":"a"}}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":"x","language":1}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":" \\n"}', Reason.EMPTY_TEXT),
        (b'{"schema":2,"note_id":"1","patient_id":"2","text":"x"}', Reason.UNKNOWN_SCHEMA),
        (b'{"schema":0,"note_id":"1","patient_id":"2","text":"x"}', Reason.UNKNOWN_SCHEMA),
        (b'{"schema":"1","note_id":"1","patient_id":"2","text":"x"}', Reason.WRONG_TYPE),
        (b"x" * 1001, Reason.TOO_LARGE),
        (b'{"note_id":"1","patient_id":"2","text":"x","correlation":"a b"}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":"x","correlation":"a\\n"}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":"x","correlation":""}', Reason.WRONG_TYPE),
        (b'{"note_id":"1","patient_id":"2","text":"x","correlation":7}', Reason.WRONG_TYPE),
    ],
)
def test_what_is_no_note_is_refused_with_its_reason(value: bytes, reason: Reason) -> None:
    assert refusal(value) is reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"note_id": None}, "note_id"),
        ({"patient_id": " "}, "patient_id"),
        ({"tenant": " "}, "tenant"),
        ({"text": 5}, "text"),
        ({"text": " "}, "text"),
        ({"authored_at": 5}, "authored_at"),
        ({"schema": 9}, "schema"),
        ({"correlation": "Zyxwv!"}, "correlation"),
        ({"correlation": "Zyxwv" * 30}, "correlation"),
        ({"known": 5}, "known"),
        ({"known": {"names": "Zyxwv"}}, "known.names"),
        ({"known": {"dates": ["x", 5]}}, "known.dates"),
    ],
)
def test_a_refusal_names_the_field(change: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidNote) as caught:
        decode(orjson.dumps(NOTE | change))
    assert (caught.value.field, caught.value.position) == (field, None)
    letter = DeadLetter(Coordinates("t", 0, 1), Failed.by(caught.value), stamp())
    assert orjson.loads(encode_dead_letter(letter))["field"] == field


@pytest.mark.parametrize(
    ("value", "position"),
    [
        (b'{"note_id": "\xc3\xa9", x', 18),
        (codecs.BOM_UTF8 + b'{"a": x', 9),
        (b'{"text": "\xff"}', 10),
        (codecs.BOM_UTF8 + b'{"text": "\xff"}', 13),
        (gzip.compress(b"{}", mtime=0), 1),
        (b"", 0),
        (b"[1]", 0),
    ],
)
def test_what_is_no_json_has_a_position(value: bytes, position: int) -> None:
    with pytest.raises(InvalidNote) as caught:
        decode(value)
    assert (caught.value.field, caught.value.position) == (None, position)


def test_a_byte_order_mark_is_skipped() -> None:
    assert decode(codecs.BOM_UTF8 + orjson.dumps(NOTE)) == decode(orjson.dumps(NOTE))


def test_a_message_at_the_limit_is_read_and_one_byte_over_is_not() -> None:
    value = orjson.dumps(NOTE)
    assert decode(value, limit_bytes=len(value)).note_id == "n1"
    assert refusal(value, len(value) - 1) is Reason.TOO_LARGE


def test_unknown_fields_are_ignored() -> None:
    assert decode(orjson.dumps(NOTE | {"new": {"a": 1}})) == decode(orjson.dumps(NOTE))


def test_absent_and_null_options_are_the_same() -> None:
    nulls = dict.fromkeys(["tenant", "note_type", "language", "authored_at", "known"])
    assert decode(orjson.dumps(NOTE | nulls)) == decode(orjson.dumps(NOTE))
    assert decode(orjson.dumps(NOTE)).tenant == "default"


def test_no_repr_shows_a_note() -> None:
    note = RawNote("n1", "p1", "Zyxwv", authored_at="Zyxwv", known=KnownIdentifiers(("Zyxwv",)))
    assert "Zyxwv" not in f"{note} {note!r} {note.known!r}"
    assert "p1" not in repr(note)


def test_deep_nesting_is_refused_and_does_not_crash() -> None:
    assert refusal(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 10**7) is Reason.BAD_JSON


def test_a_note_comes_back_from_its_bytes() -> None:
    known = KnownIdentifiers(dates=("x",))
    note = RawNote("n", "p", "τ 😀", "t", "x", "el", "2024-01-01", known, correlation="feed-3:17")
    assert decode(encode_note(note)) == note


@pytest.mark.parametrize(
    ("stated", "field"),
    [
        ({"version": "2b"}, "version"),
        ({"version": 1.5}, "version"),
        ({"version": -1}, "version"),
        ({"version": True}, "version"),
        ({"version": "9" * 5_000}, "version"),
        ({"source_time": "soon"}, "source_time"),
        ({"source_time": 1709546400}, "source_time"),
    ],
)
def test_a_version_that_cannot_be_compared_is_refused(
    stated: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidNote) as caught:
        decode(orjson.dumps(NOTE | stated), limit_bytes=10_000)
    assert (caught.value.reason, caught.value.field) == (Reason.WRONG_TYPE, field)


def test_a_version_is_a_number_or_its_digits_and_comes_back() -> None:
    for version in (7, "7", "007"):
        stated = {"version": version, "source_time": "2024-03-04T10:00:00Z"}
        note = decode(orjson.dumps(NOTE | stated))
        assert (note.version, note.source_time) == (7, "2024-03-04T10:00:00Z")
        assert decode(encode_note(note)) == note
    assert b"version" not in encode_note(decode(orjson.dumps(NOTE)))


def test_an_integer_id_counts_as_its_digits() -> None:
    note = decode(b'{"note_id":17,"patient_id":-3,"text":"x"}')
    assert note == decode(b'{"note_id":"17","patient_id":"-3","text":"x"}')
