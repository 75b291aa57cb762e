"""Levels by share of real workers: the worst twentieth of each type, also through kills and again.

Real workers, a real Kafka and Redis; the policy has no tagger, so that a thousand notes are quick.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deidstream.schemas.note import RawNote
from support.kafka import Kafka
from support.service import Service, judge

SECONDS = 900
BEFORE, AFTER = 440, 200
"""Notes that make the cuts, 220 of each type, and notes that come when they are fixed."""
TYPES = {"progress note": (0, 25), "consult note": (20, 60)}
"""How many of a note's hundred words are rare: one type is far riskier than the other."""
POLICY = """\
extends = "surrogate"
recognizers = ["rules", "dictionary", "known"]
[risk]
red_share = 0.05
yellow_share = 0.15
"""
Records = dict[str, list[dict[str, Any]]]
pytestmark = [
    pytest.mark.broker,
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.timeout(2 * SECONDS),
]


def make_notes(first: int, last: int) -> list[RawNote]:
    """Notes of both types in turns; the share of rare words, and so the risk, is drawn."""
    chance = random.Random(first)
    notes: list[RawNote] = []
    for number in range(first, last):
        note_type, (least, most) = list(TYPES.items())[number % 2]
        count = chance.randint(least, most)
        rare = ["".join(chance.choices("bdfgklmnprstvz", k=7)) for _ in range(count)]
        calm = ["slept", "well", "and", "walked", "after", "lunch"] * 17
        words = " ".join(rare + calm[: 100 - count])
        text = f"Mr. Foust, MRN {400_000 + number}, {words}."
        notes.append(RawNote(f"n{number}", f"p{number % 37}", text, note_type=note_type))
    return notes


@dataclass(slots=True)
class Site:
    """A service whose levels are read by the notes that were sent."""

    service: Service

    def risks(self) -> Records:
        """Risk records by the pseudonym of the note."""
        found: Records = defaultdict(list)
        for record in self.service.records("risk"):
            found[str(record["note_id"])].append(record)
        return found

    def of(self, notes: Sequence[RawNote]) -> list[list[dict[str, Any]]]:
        """The risk records of each note."""
        found, ring = self.risks(), self.service.keyring()
        return [found[ring.pseudonym("note", note.note_id)] for note in notes]


@pytest.fixture
def site(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Site]:
    (tmp_path / "shares.toml").write_text(POLICY)
    settings = {
        "DEIDSTREAM_POLICY": str(tmp_path / "shares.toml"),
        "DEIDSTREAM_BATCH_NOTES": "8",
        "OMP_NUM_THREADS": "1",
    }
    service = Service(kafka, redis_url, tmp_path, settings)
    yield Site(service)
    service.stop()


def of_type(notes: Sequence[RawNote], found: Sequence[Any], note_type: str) -> list[Any]:
    return [one for note, one in zip(notes, found, strict=True) if note.note_type == note_type]


def assert_shares(ranked: Sequence[dict[str, Any]]) -> None:
    """The worst twentieth of 220 notes is red, 15 of 100 are yellow; bins make it inexact."""
    assert {one["rule"] for one in ranked} == {"share-of-type"}
    scores = {
        level: [one["score"] for one in ranked if one["level"] == level]
        for level in ("red", "yellow", "green")
    }
    assert 7 <= len(scores["red"]) <= 15, scores["red"]
    assert 24 <= len(scores["yellow"]) <= 42, scores["yellow"]
    assert min(scores["red"]) > max(scores["yellow"])
    assert min(scores["yellow"]) > max(scores["green"])


def run_through_a_kill(service: Service, after: Sequence[RawNote]) -> None:
    """Send notes to two new workers, kill one of them among the notes, and start another."""
    service.send(after)
    killed, _ = service.start_worker(), service.start_worker()
    service.wait(lambda: service.count("risk") >= BEFORE + AFTER // 4, SECONDS)
    killed.kill9()
    service.start_worker()
    service.wait_for(BEFORE + AFTER, SECONDS)


def test_the_worst_twentieth_of_each_type_is_red_through_restarts_and_on_replay(site: Site) -> None:
    service = site.service
    before, after = make_notes(0, BEFORE), make_notes(BEFORE, BEFORE + AFTER)
    service.send(before)
    workers = [service.start_worker(), service.start_worker()]
    service.wait_for(BEFORE, SECONDS)
    for worker in workers:
        worker.stop(60)
    assert "threshold" in {records[0]["rule"] for records in site.of(before)}

    # Workers that start now know from Redis what those before them counted.
    run_through_a_kill(service, after)
    verdict = judge(service, [*before, *after])
    assert (verdict.lost, verdict.differing, verdict.quarantined) == (0, 0, 0)
    once = [records[0] for records in site.of(after)]
    assert {record["rule"] for record in once} == {"share-of-type"}
    cuts = {kind: {one["cuts"]["red"] for one in of_type(after, once, kind)} for kind in TYPES}
    (calm,), (risky,) = cuts.values()
    assert risky > 1.5 * calm

    # A group of its own reads every message again.
    already = service.count("risk")
    service.start_worker(DEIDSTREAM_KAFKA_GROUP=f"again-{service.run}")
    service.wait(lambda: service.count("risk") >= already + BEFORE + AFTER, SECONDS)
    for records, same in zip(site.of(after), once, strict=True):
        assert len(records) > 1
        assert all(record == same for record in records)
    again = [records[-1] for records in site.of(before)]
    for kind in TYPES:
        assert_shares(of_type(before, again, kind))
