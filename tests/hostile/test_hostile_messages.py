"""Messages that are meant to cost more than they weigh are refused, quickly and by a reason."""

import time

import orjson
import pytest

from deidstream.schemas.errors import InvalidNote, Reason
from deidstream.schemas.wire import LONGEST_KNOWN, MOST_KNOWN, NOTE_BYTES, decode

NOTE = {"note_id": "n1", "patient_id": "p1", "text": "Seen today."}
QUARTER = NOTE_BYTES // 4


def reason_of(value: bytes) -> Reason:
    with pytest.raises(InvalidNote) as caught:
        decode(value)
    return caught.value.reason


@pytest.mark.parametrize("unit", [b"[", b'{"a":', b'[{"known":', b'{"text":[', b"[[],"], ids=repr)
@pytest.mark.parametrize("depth", [1_000, 1_025, 20_000, 150_000])
def test_nesting_of_any_depth_is_no_note(unit: bytes, depth: int) -> None:
    assert reason_of((unit * depth)[:NOTE_BYTES]) is Reason.BAD_JSON


@pytest.mark.parametrize("depth", [900, 2_000, 200_000])
def test_what_is_nested_in_an_unknown_field_is_ignored_or_refused(depth: int) -> None:
    more = b"[" * depth + b"]" * depth
    value = orjson.dumps(NOTE)[:-1] + b', "extra": ' + more + b"}"
    if depth < 1_000:
        assert decode(value).text == NOTE["text"]
    else:
        assert reason_of(value) is Reason.BAD_JSON


@pytest.mark.parametrize(
    "value",
    [
        b"9" * QUARTER,
        b"-0." + b"1" * QUARTER,
        b'{"schema":' + b"9" * 5_000 + b"}",
        b'"' + b"\\u0041" * (QUARTER // 6),
        b'{"text":"' + b"\\" * QUARTER,
        b"{" + b'"a":1,' * (QUARTER // 6),
        b" " * QUARTER,
        b"\xef\xbb\xbf" * (QUARTER // 3),
    ],
    ids=["digits", "fraction", "integer", "escapes", "backslashes", "fields", "blanks", "marks"],
)
def test_what_is_odd_is_refused_in_no_time(value: bytes) -> None:
    begin = time.process_time()
    reason_of(value)
    assert time.process_time() - begin < 5


def test_a_known_block_has_an_end() -> None:
    names = [f"Name {number}" for number in range(MOST_KNOWN)]
    assert len(decode(orjson.dumps({**NOTE, "known": {"names": names}})).known.names) == MOST_KNOWN
    more = {"names": names, "dates": ["1961-04-17"]}
    assert reason_of(orjson.dumps({**NOTE, "known": more})) is Reason.TOO_LARGE


def test_an_entry_of_a_known_block_has_an_end() -> None:
    for name in ("names", "identifiers", "dates", "phones", "addresses"):
        longest = {**NOTE, "known": {name: ["1" * LONGEST_KNOWN]}}
        assert decode(orjson.dumps(longest))
        longer = {**NOTE, "known": {name: ["1" * (LONGEST_KNOWN + 1)]}}
        assert reason_of(orjson.dumps(longer)) is Reason.TOO_LARGE
