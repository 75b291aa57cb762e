"""Throughput, latency, batch fill and event-loop lag of one worker.

    python benchmarks/throughput.py [--notes N] [--brokers B --redis URL] [--policy P] [--no-tagger]

Without --brokers an in-memory broker and an embedded Redis are started. The recognizers are those
of the policy, the shipped tagger among them unless --no-tagger is given. Each way of batching runs
alternately, --rounds times; medians are printed.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from rich.console import Console
from rich.table import Table

from deidstream.agents.demo.demo import Playground, ops_address, running_worker, sample_notes
from deidstream.agents.demo.feed import open_consumer, to_record
from deidstream.agents.policy_files import find_policy
from deidstream.agents.root_keys import read_key, write_key
from deidstream.models.keyring import Keyring
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.embedded import EmbeddedBroker, EmbeddedRedis
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics, create_topics

WAYS = {
    "token budget": {},
    "one note at a time": {"DEIDSTREAM_BATCH_NOTES": "1"},
}
KINDS = ("raw", "anonymized", "risk", "quarantine", "audit")
LATENCY_LOAD = 0.6
SMALL_SHARE = 0.005


@dataclass(frozen=True, slots=True)
class Measured:
    """One run."""

    notes_per_second: float
    tokens_per_second: float
    fill: float
    notes_per_batch: float
    p50: float
    p95: float
    lag_p99: float
    lag_worst: float
    stages: dict[str, float] = field(default_factory=dict[str, float])


def without_tagger(policy: str, folder: Path) -> Path:
    """A copy of a shipped policy that names no tagger."""
    source = files("deidstream.models").joinpath("policies", f"{policy}.toml")
    path = folder / f"{policy}-without.toml"
    path.write_text(source.read_text().replace(', "tagger"]', "]"))
    return path


def feed(count: int, run: str) -> list[RawNote]:
    notes = sample_notes()
    return [replace(notes[i % len(notes)], note_id=f"{run}-{i}") for i in range(count)]


async def measure(place: Playground, count: int, run: str, rate: float | None) -> Measured:
    """Run one worker over ``count`` notes, all at once or at ``rate`` notes a second."""
    notes = feed(count, run)
    keyring = Keyring(read_key(str(place.key_file)), 1, "default")
    release = find_policy(place.policy).id_release
    names = {note_pseudonym(keyring, note.note_id, release): note.note_id for note in notes}
    sent: dict[str, float] = {}
    seen: dict[str, float] = {}
    producer = await KafkaProducer.start(KafkaConnection(place.brokers))
    topics = {kind: place.more[f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC"] for kind in KINDS}
    await make_topics(place, producer, Topics(**topics))
    if rate is None:
        for note in notes:
            sent[note.note_id] = time.time()
        await producer.send([to_record(encode_note(note), topics["raw"]) for note in notes])
    async with running_worker(place) as worker:
        url = await ops_address(place, worker)
        if not url:
            raise SystemExit(place.log.read_text())
        feeder = asyncio.create_task(paced(producer, notes, topics["raw"], rate, sent))
        async with open_consumer(
            KafkaConnection(place.brokers), [topics["anonymized"], topics["quarantine"]]
        ) as consumer:
            done = 0
            while done < count:
                for batch in (await consumer.getmany(timeout_ms=100)).values():
                    for record in batch:
                        done += 1
                        for name in (record.value or b"").split(b'"', 12)[9:10]:
                            seen[names.get(name.decode(), "")] = time.time()
        await feeder
        await asyncio.sleep(1)
        exposed = (
            (await asyncio.to_thread(urllib.request.urlopen, f"{url}/metrics")).read().decode()
        )
    await producer.stop()
    return figures(exposed, sent, seen)


async def make_topics(place: Playground, producer: KafkaProducer, topics: Topics) -> None:
    try:
        await create_topics(KafkaConnection(place.brokers), topics, partitions=4, replication=1)
    except Exception:  # noqa: BLE001 - the in-memory broker has no CreateTopics
        client = await producer.connect()
        for topic in topics.all():
            await client.partitions_for(topic)


async def paced(
    producer: KafkaProducer,
    notes: Sequence[RawNote],
    topic: str,
    rate: float | None,
    sent: dict[str, float],
) -> None:
    if rate is None:
        return
    await asyncio.sleep(3)
    start = time.time()
    for number, note in enumerate(notes):
        await asyncio.sleep(max(0.0, start + number / rate - time.time()))
        sent[note.note_id] = time.time()
        await producer.send([to_record(encode_note(note), topic)])


def figures(exposed: str, sent: dict[str, float], seen: dict[str, float]) -> Measured:
    samples = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(exposed)
        for sample in family.samples
    }

    def one(name: str) -> float:
        return samples.get((name, ()), 0.0)

    span = max(seen.values()) - min(seen.values())
    latencies = sorted(seen[note] - sent[note] for note in seen if note in sent)
    # The first batch comes out at the start of the span, so its notes are not of its rate.
    first = sum(moment < min(seen.values()) + 0.05 for moment in seen.values())
    rate = (len(seen) - first) / span if span > 0 else 0.0
    buckets = sorted(
        (float(dict(labels)["le"]), value)
        for (name, labels), value in samples.items()
        if name == "deid_event_loop_lag_seconds_bucket"
    )
    total = one("deid_event_loop_lag_seconds_count")
    stages = {
        dict(labels)["stage"]: value
        for (name, labels), value in samples.items()
        if name == "deid_stage_seconds_sum"
    }
    return Measured(
        notes_per_second=rate,
        tokens_per_second=rate * one("deid_batch_tokens_total") / max(1, len(seen)),
        fill=one("deid_batch_fill_ratio_sum") / max(1.0, one("deid_batch_fill_ratio_count")),
        notes_per_batch=one("deid_batch_notes_sum") / max(1.0, one("deid_batch_notes_count")),
        p50=latencies[len(latencies) // 2],
        p95=latencies[int(len(latencies) * 0.95)],
        lag_p99=next(le for le, value in buckets if value >= 0.99 * total),
        lag_worst=next(le for le, value in buckets if value >= total),
        stages=stages,
    )


async def main() -> None:
    arguments = parse()
    broker = None if arguments.brokers else EmbeddedBroker.start()
    redis = None if arguments.redis else EmbeddedRedis.start()
    console = Console(width=120)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        policy = arguments.policy
        more: dict[str, str] = {}
        more["DEIDSTREAM_MODEL_DTYPE"] = arguments.dtype
        if not arguments.tagger:
            policy = str(without_tagger(policy, folder))
        read_shipped_policy(arguments.policy)
        write_key(folder / "key")
        base = Playground(
            arguments.brokers or broker.brokers, arguments.redis or redis.url, folder, policy, more
        )
        found: dict[str, list[Measured]] = {way: [] for way in WAYS}
        for turn in range(arguments.rounds):
            for way, settings in WAYS.items():
                place = fresh(base, f"{turn}-{len(found[way])}-{way.replace(' ', '')}", settings)
                found[way].append(await measure(place, arguments.notes, f"r{turn}", None))
                console.print(f"{way}: {found[way][-1].notes_per_second:.1f} notes/s")
        rate = LATENCY_LOAD * median(found["token budget"], "notes_per_second")
        place = fresh(base, "latency", {})
        latency = await measure(place, max(30, int(rate * 30)), "lat", rate)
        report(console, found, latency, rate)
    if redis:
        redis.stop()
    with nullcontext(broker):
        pass


def fresh(base: Playground, name: str, settings: dict[str, str]) -> Playground:
    topics = {f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC": f"{name}.{kind}" for kind in KINDS}
    group = {"DEIDSTREAM_KAFKA_GROUP": f"bench-{name}-{time.time_ns()}"}
    return replace(base, more={**base.more, **topics, **group, **settings})


def median(runs: Sequence[Measured], name: str) -> float:
    return statistics.median(getattr(run, name) for run in runs)


def report(
    console: Console, found: dict[str, list[Measured]], latency: Measured, rate: float
) -> None:
    table = Table(title="one worker, all notes waiting in Kafka")
    for heading in (
        "batching",
        "notes/s",
        "tokens/s",
        "notes a batch",
        "fill",
        "lag p99",
        "lag worst",
    ):
        table.add_column(heading, justify="right")
    for way, runs in found.items():
        cells = [
            f"{median(runs, 'notes_per_second'):.1f}",
            f"{median(runs, 'tokens_per_second'):.0f}",
        ]
        cells += [f"{median(runs, 'notes_per_batch'):.1f}", f"{median(runs, 'fill'):.2f}"]
        cells += [f"<= {median(runs, name) * 1000:.0f} ms" for name in ("lag_p99", "lag_worst")]
        table.add_row(way, *cells)
    console.print(table)
    one, other = (median(found[way], "notes_per_second") for way in WAYS)
    console.print(f"ratio token budget / one note at a time: {one / other:.2f}")
    console.print(
        f"end to end at {rate:.1f} notes/s: p50 {latency.p50:.2f} s, p95 {latency.p95:.2f} s; "
        f"event-loop lag p99 <= {latency.lag_p99 * 1000:.0f} ms, "
        f"worst <= {latency.lag_worst * 1000:.0f} ms"
    )
    last = found["token budget"][-1]
    total = sum(last.stages.values())
    shares = sorted(last.stages.items(), key=lambda one: -one[1])
    console.print(
        "stages: " + ", ".join(f"{k} {v / total:.0%}" for k, v in shares if v / total > SMALL_SHARE)
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--brokers")
    parser.add_argument("--redis")
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--no-tagger", dest="tagger", action="store_false")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
