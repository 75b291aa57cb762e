"""The same notes through Kafka workers, the archive, Spark and Ray: are the outputs the same?

    make services && pip install 'pyspark>=3.5' 'ray[data]>=2.40'
    PYTHONPATH=tests python benchmarks/four_ways.py [--notes N] [--policy NAME] [--ways WAY ...]

A real Kafka, a real Redis, Spark in local mode with two Python workers, Ray with two actors. Each
way reads the notes (`made_archive.py`) in an order of its own: two workers of four partitions, the
shards of two processes, the partitions of Spark, the groups of Ray. All use one key and one Redis,
in the order in which they are named. Printed are the notes whose outputs differ, byte for byte,
and the identities that have another surrogate in one of the ways: words of one label in the notes
of one patient, without dates and ages, where the workers' audit records say that they were
replaced.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import made_archive
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from confluent_kafka import Consumer
from redis import Redis

from deidstream.agents.runtime.root_keys import read_key
from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.study.bench.machine_state import describe_machine
from support.kafka import Kafka, running_kafka
from support.redis_server import running_redis
from support.service import Service

COMMAND = (sys.executable, "-m", "deidstream.agents")
COMPARED = (
    "note_id",
    "output_id",
    "patient_id",
    "level",
    "score",
    "language",
    "precedence",
    "text",
)
"""Columns of every way."""
NO_IDENTITY = frozenset({PhiLabel.DATE, PhiLabel.AGE})
SECONDS = 3_600
Row = Mapping[str, Any]
Identity = tuple[str, str, str]
"""Patient, label and words."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What one way has made."""

    rows: Mapping[str, tuple[object, ...]] = field(repr=False)
    """The compared columns by the pseudonym of the note."""
    quarantined: Counter[str]

    @classmethod
    def of(cls, table: pa.Table, quarantined: Counter[str]) -> "Outputs":
        """Take over the outputs of a table, each note once."""
        listed = [tuple(row.values()) for row in table.select(COMPARED).to_pylist()]
        rows = {str(row[0]): row for row in listed}
        if len(rows) < len(listed):
            msg = "a note came out twice"
            raise RuntimeError(msg)
        return cls(rows, quarantined)

    @classmethod
    def of_statuses(cls, table: pa.Table) -> "Outputs":
        """Take over a table that has a row for each note, whatever became of it."""
        rows = table.select([*COMPARED, "status", "reason"]).to_pylist()
        failed = Counter(row["reason"] for row in rows if row["status"] == "quarantined")
        kept = [row for row in rows if row["status"] == "anonymized"]
        return cls.of(pa.Table.from_pylist(kept, table.schema), failed)

    def digest(self) -> str:
        """Return one of all outputs."""
        return sha256(repr(sorted(self.rows.items())).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Site:
    """What all ways share."""

    folder: Path
    kafka: Kafka
    redis_url: str
    policy: str
    notes: Sequence[RawNote] = field(repr=False)

    @property
    def key(self) -> str:
        """Path of the root key."""
        return str(self.folder / "key")

    def shuffled(self, seed: int) -> list[RawNote]:
        """Return the notes in another order."""
        return random.Random(seed).sample(self.notes, len(self.notes))

    def table(self, seed: int) -> pa.Table:
        """Return the notes in another order, as a table."""
        names = ("note_id", "patient_id", "text")
        columns = [[getattr(note, name) for note in self.shuffled(seed)] for name in names]
        return pa.table(dict(zip(names, columns, strict=True)))

    def command(self, *words: str, more: Mapping[str, str] | None = None) -> None:
        """Run a command of deidstream; 1 says that notes are in quarantine."""
        done = subprocess.run([*COMMAND, *words], check=False, env={**os.environ, **(more or {})})  # noqa: S603
        if done.returncode not in {0, 1}:
            msg = f"{words[0]}: ended with {done.returncode}"
            raise RuntimeError(msg)


@dataclass(slots=True)
class Ways:
    """Runs the notes by each way."""

    site: Site
    service: Service
    replaced: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]], repr=False)
    """The replacements of each note, as the workers state them."""

    def by_kafka(self) -> Outputs:
        """Let two workers do them, and export their outputs."""
        site, service = self.site, self.service
        for _ in range(2):
            service.start_worker(DEIDSTREAM_MODEL_THREADS="1", OMP_NUM_THREADS="1")
        try:
            service.send(site.shuffled(1))
            failed = self._read_until_done()
        finally:
            service.stop()
        out = site.folder / "feed"
        site.command("export", "parquet", str(out), more=service.environment())
        return Outputs.of(pq.read_table(out / "notes"), failed)

    def _read_until_done(self) -> Counter[str]:
        """Read audit records and dead letters until every note has one; return the reasons."""
        audit, letters = map(self.service.topic, ("audit", "quarantine"))
        settings = {"bootstrap.servers": self.site.kafka.bootstrap, "group.id": "four-ways"}
        committed = {"isolation.level": "read_committed", "auto.offset.reset": "earliest"}
        consumer = Consumer(settings | committed)
        consumer.subscribe([audit, letters])
        failed = Counter[str]()
        deadline = time.monotonic() + SECONDS
        while len(self.replaced) + failed.total() < len(self.site.notes):
            ended = not any(worker.running for worker in self.service.workers)
            if ended or time.monotonic() > deadline:
                raise RuntimeError(self.service.logs()[-3000:])
            for message in consumer.consume(1_000, timeout=1.0):
                record = orjson.loads(message.value() or b"{}")
                if message.topic() == audit:
                    self.replaced[record["note_id"]] = record["replacements"]
                else:
                    failed[record["reason"]] += 1
        consumer.close()
        return failed

    def by_archive(self) -> Outputs:
        """Let two processes do their shards."""
        site, job = self.site, self.site.folder / "job"
        out, notes = site.folder / "archive", site.folder / "notes.parquet"
        pq.write_table(site.table(2), notes)
        shared = ("--redis", site.redis_url)
        planned = ("--out", str(out), "--policy", site.policy, "--key-file", site.key)
        site.command("archive", "plan", str(notes), str(job), *planned, "--measure", "0", *shared)
        site.command("archive", "run", str(job), "--processes", "2", *shared)
        site.command("archive", "verify", str(job), *shared)
        reasons = pq.read_table(out / "quarantine", columns=["reason"]).column(0).to_pylist()
        return Outputs.of(pq.read_table(out / "notes"), Counter(reasons))

    def by_spark(self) -> Outputs:
        """Let two Python workers of Spark do their partitions."""
        from pyspark.sql import SparkSession  # noqa: PLC0415 - no lock of ours brings it

        from deidstream.agents.spark import deidentify  # noqa: PLC0415

        site = self.site
        notes, out = site.folder / "spark-notes.parquet", site.folder / "spark"
        pq.write_table(site.table(3), notes)
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = builder.config("spark.sql.shuffle.partitions", "6").getOrCreate()
        read = session.read.parquet(str(notes))
        made = deidentify(read, key=site.key, policy=site.policy, redis_url=site.redis_url)
        made.write.parquet(str(out))
        session.stop()
        return Outputs.of_statuses(pq.read_table(out))

    def by_ray(self) -> Outputs:
        """Let two actors of Ray do their groups."""
        import ray  # noqa: PLC0415 - no lock of ours brings it

        from deidstream.agents.ray import deidentify  # noqa: PLC0415

        site, out = self.site, self.site.folder / "ray"
        # Each actor keeps a core, and Ray needs one beside them.
        ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
        table = site.table(4)
        size = -(-table.num_rows // 9)
        parts = [table.slice(start, size) for start in range(0, table.num_rows, size)]
        load = {"key": site.key, "policy": site.policy, "redis_url": site.redis_url}
        deidentify(ray.data.from_arrow(parts), actors=2, **load).write_parquet(str(out))
        ray.shutdown()
        return Outputs.of_statuses(pq.read_table(out))

    def all(self) -> Mapping[str, Callable[[], Outputs]]:
        """Return every way by its name."""
        return {
            "kafka": self.by_kafka,
            "archive": self.by_archive,
            "spark": self.by_spark,
            "ray": self.by_ray,
        }


def find_identities(
    notes: Mapping[str, RawNote], replaced: Mapping[str, Sequence[Row]], outputs: Outputs
) -> dict[Identity, frozenset[str]]:
    """Return what stands for each identity in the outputs of one way."""
    found: dict[Identity, set[str]] = {}
    for name, places in replaced.items():
        note, text = notes[name], str(outputs.rows.get(name, [""])[-1])
        for place in places:
            if place["label"] in NO_IDENTITY:
                continue
            words = note.text[place["start"] : place["end"]]
            identity = (note.patient_id, place["label"], words)
            found.setdefault(identity, set()).add(text[place["out_start"] : place["out_end"]])
    return {identity: frozenset(surrogates) for identity, surrogates in found.items()}


def compare(site: Site, ways: Ways, made: Mapping[str, Outputs]) -> None:
    """Print what differs."""
    first = next(iter(made.values()))
    for name, outputs in made.items():
        keys = first.rows.keys() | outputs.rows.keys()
        differ = sum(first.rows.get(key) != outputs.rows.get(key) for key in keys)
        print(f"{name}: {len(outputs.rows):,} outputs, {outputs.digest()}; {differ:,} differ")
        print(f"  quarantined: {dict(sorted(outputs.quarantined.items()))}")
    root = read_key(site.key)
    keyring = Keyring(root, 1, "default")
    notes = {note_pseudonym(keyring, note.note_id): note for note in site.notes}
    stands = [find_identities(notes, ways.replaced, outputs) for outputs in made.values()]
    if not ways.replaced:
        return
    differ = sum(len({each[identity] for each in stands}) > 1 for identity in stands[0])
    several = sum(len(surrogates) > 1 for surrogates in stands[0].values())
    print(f"{len(stands[0]):,} identities; {differ:,} have another surrogate in one of the ways")
    print(f"{several:,} are written in more than one way in the outputs of one way")


@dataclass(frozen=True, slots=True)
class RedisCount:
    """What a Redis holds and has been asked."""

    names: int
    megabytes: float
    reads: int
    """Requests that it has read; a round trip is one, or more if it is large."""

    @classmethod
    def of(cls, url: str) -> "RedisCount":
        """Ask it."""
        with Redis.from_url(url) as client:
            owners = list(client.scan_iter("deid:of:*", count=10_000))
            names = sum(cast("int", client.hlen(owner)) for owner in owners)
            told = cast("dict[str, Any]", client.info())
        megabytes = told["used_memory"] / 1e6
        return cls(names, megabytes, told["total_reads_processed"])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    names = ("kafka", "archive", "spark", "ray")
    parser.add_argument("--notes", type=int, default=2_000)
    parser.add_argument("--policy", help="default: rules and lists alone, without the tagger")
    parser.add_argument("--ways", nargs="+", choices=names, default=names)
    asked = parser.parse_args(argv)
    print(describe_machine(), "load", os.getloadavg())
    notes = list(made_archive.make_notes(asked.notes))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        homes = folder / "kafka", folder / "redis"
        for home in homes:
            home.mkdir()
        rules = folder / "rules.toml"
        rules.write_text(made_archive.RULES_ONLY)
        with running_kafka(homes[0]) as kafka, running_redis(homes[1]) as redis:
            policy = asked.policy or str(rules)
            site = Site(folder, kafka, redis.url, policy, notes)
            # It writes the key of all ways, and empties Redis.
            service = Service(kafka, redis.url, folder, {"DEIDSTREAM_POLICY": policy})
            ways, made = Ways(site, service), dict[str, Outputs]()
            for way in asked.ways:
                before, started = RedisCount.of(redis.url), time.monotonic()
                made[way] = ways.all()[way]()
                seconds, after = time.monotonic() - started, RedisCount.of(redis.url)
                print(
                    f"{way}: {len(notes):,} notes in {seconds:,.1f} s with loading; Redis: "
                    f"{after.names:,} names, {after.megabytes:,.1f} MB, "
                    f"{(after.reads - before.reads) / len(notes):.3f} requests a note",
                    flush=True,
                )
            compare(site, ways, made)


if __name__ == "__main__":
    main()
