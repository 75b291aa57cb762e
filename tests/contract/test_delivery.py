"""Delivery on a real Kafka: what readers of committed records see."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

from deidstream.agents.runtime.long_notes import LONG_BYTES
from deidstream.schemas.note import RawNote
from support.echo_site import Account, EchoSite, account, numbered
from support.kafka import Kafka

pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.chaos]
SECONDS = 300
CLEAN = Account(lost=0, duplicates=0, disordered=0)

Make = Callable[..., EchoSite]


@pytest.fixture
def make(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Make]:
    """Make sites; their workers are stopped at the end."""
    made: list[EchoSite] = []

    def make(**more: Any) -> EchoSite:
        made.append(EchoSite(kafka, redis_url, tmp_path, **more))
        return made[-1]

    yield make
    for site in made:
        site.stop()


def test_every_note_comes_out_once(make: Make) -> None:
    site, notes = make(), numbered(0, 1000)
    site.send(notes)
    worker = site.start_worker()
    site.wait_for(len(notes), SECONDS)
    worker.stop(30)
    assert worker.popen.returncode == 0
    assert account(site, notes) == CLEAN
    assert sum(site.committed().values()) == len(notes)


def test_killed_workers_leave_no_duplicate_to_readers_of_committed_records(make: Make) -> None:
    site, notes = make(), numbered(0, 1000)
    site.send(notes)
    for turn in (1, 2, 3):
        worker = site.start_worker(ECHO_SECONDS="0.1")
        site.wait(lambda: len(set(site.ids())) >= turn * 200, SECONDS)  # noqa: B023 - called at once
        worker.kill9()
    site.start_worker()
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN


def test_a_zombie_delivers_nothing_that_its_successor_delivers(make: Make) -> None:
    # Notes that it leaves in work are then tried one by one: in small batches these are few.
    site, notes = make(settings={"DEIDSTREAM_BATCH_NOTES": "16"}), numbered(0, 1000)
    site.send(notes)
    # Slow, so that most notes are left when it is stopped: to read what has come out takes seconds.
    zombie = site.start_worker(ECHO_SECONDS="1")
    site.wait(lambda: len(set(site.ids())) >= 200, SECONDS)
    zombie.send(signal.SIGSTOP)
    before = len(set(site.ids()))
    site.start_worker(ECHO_SECONDS="0.05")
    site.wait(lambda: len(set(site.ids())) > before + 200, SECONDS)
    zombie.send(signal.SIGCONT)
    site.wait_for(len(notes), SECONDS)
    assert all(each.running for each in site.workers)
    assert account(site, notes) == CLEAN


def test_a_storm_of_rebalances_neither_loses_nor_repeats_notes(make: Make) -> None:
    site, notes = make(), numbered(0, 3000)
    site.send(notes)
    site.start_worker(ECHO_SECONDS="0.3")
    for _ in range(5):
        guest = site.start_worker(ECHO_SECONDS="0.3")
        site.address(guest)
        time.sleep(3)
        guest.send(signal.SIGTERM)
        guest.wait(30)
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN


@pytest.mark.parametrize("delivery", ["exactly-once", "at-least-once"])
def test_the_notes_of_a_patient_stay_in_order_over_an_outage(make: Make, delivery: str) -> None:
    site, notes = make(settings={"DEIDSTREAM_KAFKA_DELIVERY": delivery}), numbered(0, 2000)
    site.send(notes)
    site.start_worker(ECHO_SECONDS="0.3")
    site.wait(lambda: len(set(site.ids())) >= 300, SECONDS)
    site.kafka.kill9()
    # Longer than a client waits for room in its buffer.
    time.sleep(20)
    site.kafka.start()
    site.wait_for(len(notes), SECONDS)
    found = account(site, notes)
    assert (found.lost, found.disordered) == (0, 0)
    if delivery == "exactly-once":
        assert found.duplicates == 0


def long_note(note_id: str, patient: str, seconds: int) -> RawNote:
    """A note that takes the lane of long notes, and so many seconds there."""
    return RawNote(note_id, patient, f"seconds {seconds}".ljust(LONG_BYTES))


def begin_beside_a_long_note(site: EchoSite, seconds: int, **more: str) -> list[RawNote]:
    """Send notes around a long one and start a worker; return them while the long one is read.

    Then many of the notes behind it have come out, but none of its patient.
    """
    notes = numbered(0, 300)
    notes[40] = long_note("000040", notes[40].patient_id, seconds)
    site.send(notes)
    site.start_worker(**more)
    site.wait(lambda: len([each for each in site.ids() if each > "000040"]) >= 100, SECONDS)
    found = {*site.ids()}
    assert not found & {n.note_id for n in notes[40:] if n.patient_id == notes[40].patient_id}
    return notes


@pytest.mark.parametrize("delivery", ["exactly-once", "at-least-once"])
def test_a_long_note_holds_its_partition_alone_also_over_a_rebalance(
    make: Make, delivery: str
) -> None:
    site = make(settings={"DEIDSTREAM_KAFKA_DELIVERY": delivery})
    notes = begin_beside_a_long_note(site, 12)
    site.start_worker()
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN


def test_a_worker_ends_in_time_though_a_long_note_is_in_work(make: Make) -> None:
    site = make()
    notes = begin_beside_a_long_note(site, 30, DEIDSTREAM_WORKER_DRAIN_SECONDS="1")
    (worker,) = site.workers
    worker.send(signal.SIGTERM)
    assert worker.wait(20) == 0
    assert "000040" not in site.ids()
    site.start_worker()
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN


def test_a_long_note_beyond_its_budget_is_quarantined_in_its_place(make: Make) -> None:
    site = make(settings={"DEIDSTREAM_WORKER_NOTE_SECONDS": "2"})
    notes = numbered(0, 300)
    slow = RawNote("000040", notes[40].patient_id, "burn 600".ljust(LONG_BYTES))
    notes[40] = slow
    site.send(notes)
    site.start_worker()
    # Short notes come out while it computes, but none of its patient that lies behind it.
    site.wait(lambda: len([each for each in site.ids() if each > "000040"]) >= 100, SECONDS)
    early = {*site.ids()} if not site.values("quarantine") else set[str]()
    assert not early & {n.note_id for n in notes[41:] if n.patient_id == slow.patient_id}
    site.wait_for(len(notes) - 1, SECONDS)
    ((_, letter),) = site.values("quarantine")
    found = json.loads(letter)
    assert (found["reason"], found["stage"]) == ("TOO_SLOW", "detect")
    assert account(site, [note for note in notes if note is not slow]) == CLEAN
    assert site.workers[0].running


def test_an_output_that_its_topic_does_not_take_is_quarantined_alone(make: Make) -> None:
    site = make(config={"anonymized": {"max.message.bytes": "2000"}})
    large = RawNote("000050", "patient-1", "words 900")
    notes = [*numbered(0, 50), large, *numbered(51, 100)]
    site.send(notes)
    site.start_worker()
    site.wait_for(99, SECONDS)
    site.wait(lambda: len(site.values("quarantine")) == 1, SECONDS)
    ((_, letter),) = site.values("quarantine")
    assert json.loads(letter)["reason"] == "OUTPUT_TOO_LARGE"
    assert account(site, [note for note in notes if note is not large]) == CLEAN


def test_positions_are_committed_over_the_gaps_of_a_transactional_topic(make: Make) -> None:
    site, notes = make(partitions=1), numbered(0, 300)
    sender = {"bootstrap.servers": site.kafka.bootstrap, "transactional.id": f"in-{site.run}"}
    producer = Producer(sender)
    producer.init_transactions(20)
    for note in notes:
        producer.begin_transaction()
        site.send([note], producer)
        producer.commit_transaction(20)
        producer.begin_transaction()
        site.send([replace(note, note_id=f"aborted-{note.note_id}")], producer)
        producer.abort_transaction(20)
    worker = site.start_worker()
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN
    assert not any(name.startswith("aborted") for name in site.ids())
    worker.stop(30)
    site.start_worker()
    more = numbered(300, 310)
    site.send(more)
    site.wait_for(310, SECONDS)
    assert account(site, [*notes, *more]) == CLEAN


def test_a_topic_made_anew_does_not_end_the_producer(make: Make) -> None:
    site = make(partitions=1)
    site.send(numbered(0, 50))
    site.start_worker()
    site.wait_for(50, SECONDS)
    site.make_topic_anew("anonymized")
    notes = numbered(50, 100)
    site.send(notes)
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN


def test_an_input_topic_made_anew_is_read_from_its_beginning(make: Make) -> None:
    site = make(partitions=1)
    site.send(numbered(0, 200))
    site.start_worker()
    site.wait_for(200, SECONDS)
    site.make_topic_anew("raw")
    notes = numbered(200, 250)
    site.send(notes)
    site.wait_for(250, SECONDS)
    assert account(site, notes) == CLEAN


def test_sigterm_ends_in_time_and_leaves_nothing_behind(make: Make) -> None:
    site, notes = make(), numbered(0, 1000)
    site.send(notes)
    worker = site.start_worker(ECHO_SECONDS="0.4")
    site.wait(lambda: len(set(site.ids())) >= 100, SECONDS)
    worker.send(signal.SIGTERM)
    # All that were sent would take minutes.
    assert worker.wait(60) == 0
    site.start_worker()
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN
