"""Compare the outputs of the same notes over engines, batches, orders, restarts and workers.

    PYTHONPATH=tests python benchmarks/output_identity.py [--notes N] [--engines E ...]

The notes are parts of the sample notes, under their patients. Each run is a process of its own,
by one real Redis for all runs of an engine, as the processes of a deployment have one. *Differ* are
the notes whose record, byte for byte, or whose ``output_id`` is another one than in the first run.
At the end each further engine is asked to join the deployment of the first one, which must be
refused, and its outputs in a deployment of its own are compared with those of the first.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Self

from deidstream.agents import DeidentifiedNote, Deidentifier, RawNote, Refused
from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.settings import read_settings
from deidstream.schemas.wire import encode_anonymized
from support.redis_server import running_redis

KEY = bytes(range(32))
LEAST = 90
"""Characters of a note, from which on it ends with its line."""
ENGINES = ("torch-int8", "torch", "openvino")


@dataclass(frozen=True, slots=True)
class Way:
    """How one run reads the notes."""

    name: str
    batch: int = 64
    """Most notes that are computed together."""
    order: str = "given"
    """``given``, ``reversed``, or the seed of a shuffled order."""
    threads: int = 1
    part: int = 0
    """Which of ``parts`` the patients are of that this process reads."""
    parts: int = 1

    def arrange(self, notes: Sequence[RawNote]) -> list[RawNote]:
        """Return the notes of this process in its order."""
        patients = sorted({note.patient_id for note in notes})
        own = set(patients[self.part :: self.parts])
        chosen = [note for note in notes if note.patient_id in own]
        if self.order == "reversed":
            return chosen[::-1]
        if self.order != "given":
            random.Random(int(self.order)).shuffle(chosen)
        return chosen


FIRST = Way("batches of 64")
WAYS = (
    FIRST,
    Way("one note at a time", batch=1),
    Way("batches of 8, reversed, two threads", batch=8, order="reversed", threads=2),
)
WORKERS = (
    Way("two workers beside each other, shuffled", order="7", part=0, parts=2),
    Way("two workers beside each other, shuffled", order="7", part=1, parts=2),
)


@dataclass(frozen=True, slots=True)
class Made:
    """What one note became."""

    output_id: str
    text: str
    """Digest of the text."""
    record: str
    """Digest of the whole record."""

    @classmethod
    def of(cls, result: DeidentifiedNote) -> Self:
        """Digest a result."""
        record = encode_anonymized(result.record)
        text = result.text.encode()
        return cls(result.record.output_id, sha256(text).hexdigest(), sha256(record).hexdigest())


def make_notes(most: int) -> list[RawNote]:
    """Cut the sample notes at ends of lines into so many notes."""
    made: list[RawNote] = []
    for note in sample_notes():
        part = ""
        for line in note.text.splitlines(keepends=True):
            part += line
            if len(part) >= LEAST:
                made.append(replace(note, note_id=f"{note.note_id}-{len(made)}", text=part))
                part = ""
    return made[:most]


def read_notes(engine: str, redis_url: str, way: Way, most: int) -> dict[str, Made | None]:
    """Bring the notes of a way to their outputs; of one that fails there is ``None``."""
    settings = read_settings(
        {
            "DEIDSTREAM_MODEL_ENGINE": engine,
            "DEIDSTREAM_BATCH_NOTES": str(way.batch),
            "DEIDSTREAM_MODEL_THREADS": str(way.threads),
        }
    )
    notes = way.arrange(make_notes(most))
    try:
        with Deidentifier.load(key=KEY, redis_url=redis_url, settings=settings) as loaded:
            results = loaded.deidentify(notes)
    except Refused as refused:
        sys.exit(str(refused))
    made: dict[str, Made | None] = {}
    for note, result in zip(notes, results, strict=True):
        made[note.note_id] = Made.of(result) if isinstance(result, DeidentifiedNote) else None
    return made


def start_run(engine: str, redis_url: str, way: Way, most: int) -> "subprocess.Popen[bytes]":
    """Run a way in a process of its own, which prints what it made."""
    number = (*WAYS, *WORKERS).index(way)
    own = ("--way", str(number), "--redis", redis_url, "--engines", engine, "--notes", str(most))
    command = (sys.executable, __file__, *own)
    environment = {**os.environ, "OMP_NUM_THREADS": str(way.threads)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)  # noqa: S603


def take_result(run: "subprocess.Popen[bytes]") -> dict[str, Made | None]:
    """Wait for a run and return what it made.

    One that was refused made nothing, and has said why.
    """
    said, _ = run.communicate()
    if run.returncode:
        return {}
    return {name: made and Made(**made) for name, made in json.loads(said).items()}


def count_other(one: Mapping[str, Made | None], other: Mapping[str, Made | None]) -> str:
    """Say how many notes have another text, record or id."""
    texts = records = ids = 0
    for name in one.keys() | other.keys():
        first, second = one.get(name), other.get(name)
        texts += (first and first.text) != (second and second.text)
        records += (first and first.record) != (second and second.record)
        ids += (first and first.output_id) != (second and second.output_id)
    return f"{len(other):,} notes; differ: {texts} texts, {records} records, {ids} ids"


def compare_ways(engine: str, redis_url: str, most: int) -> dict[str, Made | None]:
    """Run an engine in all ways, print what differs, and return the first outputs."""
    first: dict[str, Made | None] = {}
    for way in WAYS:
        made = take_result(start_run(engine, redis_url, way, most))
        first = first or made
        print(f"{engine}: {way.name}: {count_other(first, made)}", flush=True)
    running = [start_run(engine, redis_url, way, most) for way in WORKERS]
    made = {name: each for run in running for name, each in take_result(run).items()}
    print(f"{engine}: {WORKERS[0].name}: {count_other(first, made)}", flush=True)
    print(f"{engine}: failed in the first run: {sum(not each for each in first.values())}")
    return first


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES)
    parser.add_argument("--way", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--redis", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way is not None:
        way = (*WAYS, *WORKERS)[given.way]
        made = read_notes(given.engines[0], given.redis, way, given.notes)
        print(json.dumps({name: each and _fields(each) for name, each in made.items()}))
        return
    with tempfile.TemporaryDirectory() as folder:
        homes = [Path(folder) / name for name in given.engines]
        for home in homes:
            home.mkdir()
        with running_redis(homes[0], appendonly=True) as redis:
            first = compare_ways(given.engines[0], redis.url, given.notes)
            for engine in given.engines[1:]:
                print(f"{engine} joins {given.engines[0]}:", flush=True)
                start_run(engine, redis.url, FIRST, given.notes).communicate()
        for engine, home in zip(given.engines[1:], homes[1:], strict=True):
            with running_redis(home, appendonly=True) as redis:
                print(f"{engine} in a deployment of its own:", flush=True)
                other = take_result(start_run(engine, redis.url, FIRST, given.notes))
                print(f"{engine} against {given.engines[0]}: {count_other(first, other)}")


def _fields(made: Made) -> dict[str, str]:
    return {"output_id": made.output_id, "text": made.text, "record": made.record}


if __name__ == "__main__":
    main()
