"""Which notes of the stream are red or yellow, whatever order their records come in."""

import pytest

from deidstream.agents.review.stream_risk import LatestRisks, StreamRisk, read_risk
from deidstream.agents.tables.output_parts import PartKind
from deidstream.schemas.outcome import RiskLevel
from support.output_records import SampleNote

BAD = frozenset({RiskLevel.RED, RiskLevel.YELLOW})


def risk(note: str, level: RiskLevel | None, seconds: float) -> StreamRisk:
    return StreamRisk(f"{note}{seconds}", note, level, 0.5, (), seconds)


def names(*records: StreamRisk) -> list[str]:
    latest = LatestRisks(BAD)
    for record in records:
        latest.add(record)
    return [one.note_id for one in latest.newest()]


def test_records_of_the_topic_are_read() -> None:
    found = read_risk(SampleNote(2).records()[PartKind.RISK], 7.0)
    assert found is not None
    assert (found.note_id, found.level, found.seconds) == (
        SampleNote(2).note_id,
        RiskLevel.RED,
        7.0,
    )
    assert found.reasons == ("RARE_WORD", "AGE")
    taken_back = read_risk(SampleNote(2, cancelled=True).records()[PartKind.RISK], 8.0)
    assert taken_back is not None
    assert taken_back.level is None


@pytest.mark.parametrize("value", [None, b"", b"{", b"[]", b'{"schema": 1}', b'{"schema": 2}'])
def test_other_records_are_left_out(value: bytes | None) -> None:
    assert read_risk(value, 0.0) is None


def test_newest_come_first() -> None:
    red, yellow = risk("a", RiskLevel.RED, 1), risk("b", RiskLevel.YELLOW, 2)
    assert names(red, yellow, risk("c", RiskLevel.GREEN, 3)) == ["b", "a"]


@pytest.mark.parametrize("level", [RiskLevel.GREEN, None])
def test_later_record_of_a_note_outweighs_an_earlier_one(level: RiskLevel | None) -> None:
    red, later = risk("a", RiskLevel.RED, 1), risk("a", level, 2)
    assert names(red, later) == []
    # Partitions are read one after another.
    assert names(later, red) == []
    assert names(later, risk("a", RiskLevel.RED, 3)) == ["a"]
