"""A newer version has the greater text, and no text tells a time."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring
from deidstream.models.precedence import end_version, is_older, state_precedence
from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.source_version import MOST_VERSION

KEYS = Keyring(bytes(range(32)), 1, "default")
RISK: Any = CONTRACTS["notes.risk"]
PATTERN = RISK["properties"]["precedence"]["pattern"]
times = st.none() | st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(  # noqa: DTZ001 - as hypothesis asks
    lambda moment: moment.replace(tzinfo=UTC).isoformat(timespec="milliseconds")
)
statuses = st.none() | st.sampled_from(NoteStatus)
versions = st.none() | st.integers(0, MOST_VERSION - 1)
raw_notes = st.builds(
    RawNote,
    st.just("n"),
    st.just("p"),
    st.just("x"),
    version=versions,
    source_time=times,
    status=statuses,
)
RANKS = {None: 0, NoteStatus.CORRECTED: 1, NoteStatus.CANCELLED: 2}


def state(note: RawNote, pseudonym: str = "ab") -> str | None:
    return state_precedence(KEYS, pseudonym, note)


def of(**fields: object) -> str | None:
    return state(RawNote("n", "p", "x", **fields))  # type: ignore[arg-type]


def age(note: RawNote) -> tuple[object, ...]:
    moment = datetime.fromisoformat(note.source_time) if note.source_time else None
    day = moment.timestamp() if moment else float("-inf")
    return day, -1 if note.version is None else note.version, RANKS[note.status]


@given(raw_notes, raw_notes)
def test_it_orders_versions_as_time_version_and_status_do(one: RawNote, other: RawNote) -> None:
    first, second = state(one), state(other)
    if first is None or second is None:
        assert not (one.source_time or one.version is not None) or second is None
        return
    assert re.fullmatch(PATTERN, first)
    assert (first < second) == (age(one) < age(other))
    assert (first == second) == (age(one) == age(other))


def test_a_second_is_enough_whatever_the_offset() -> None:
    older, newer = "2024-03-04T23:59:59-05:00", "2024-03-05T05:00:00Z"
    assert is_older(of(source_time=older), of(source_time=newer))
    assert of(source_time="2024-03-04T23:00:00-05:00") == of(source_time="2024-03-05T04:00:00Z")


def test_the_day_of_writing_counts_where_no_version_is_stated() -> None:
    written, later = of(authored_at="2024-03-04"), of(authored_at="2024-03-05T08:00:00")
    corrected = of(authored_at="2024-03-01", status=NoteStatus.CORRECTED)
    assert is_older(None, written)
    assert is_older(written, later)
    assert is_older(later, corrected)
    assert is_older(corrected, of(version=0))
    assert of(authored_at="last spring") is None


def test_notes_are_not_compared_and_a_key_hides_the_time() -> None:
    note = RawNote("n", "p", "x", source_time="2024-03-04T10:00:00Z")
    texts = [state(note, pseudonym) or "" for pseudonym in map(str, range(200))]
    assert len(set(texts)) == len(texts)
    # Earlier and later ones of other notes stand in any order.
    other = RawNote("n", "p", "x", source_time="2004-03-04T10:00:00Z")
    others = [state(other, pseudonym) or "" for pseudonym in map(str, range(200, 400))]
    assert 60 < sum(one < two for one, two in zip(texts, others, strict=True)) < 140


def test_how_far_versions_are_apart_is_told_only_roughly() -> None:
    # The distance of a day and that of a year overlap from note to note.
    begin = datetime(2024, 3, 4, tzinfo=UTC)
    apart: dict[int, list[int]] = {}
    for days in (1, 365):
        for pseudonym in map(str, range(300)):
            both = [
                state(RawNote("n", "p", "x", source_time=moment.isoformat()), pseudonym) or ""
                for moment in (begin, begin + timedelta(days=days))
            ]
            first, second = (int(text[2:38], 16) for text in both)
            apart.setdefault(days, []).append((second - first).bit_length())
    day, year = (sorted(found) for found in apart.values())
    assert day[-15] > year[15]


@pytest.mark.parametrize("fields", [{"version": 3}, {"source_time": "2024-03-04"}])
def test_a_stated_version_that_is_taken_back_does_not_come_back(fields: dict[str, object]) -> None:
    version = of(**fields)
    assert is_older(version, end_version(version))
    assert end_version(of(authored_at="2024-03-04")) == of(authored_at="2024-03-04")
    assert end_version(None) is None
