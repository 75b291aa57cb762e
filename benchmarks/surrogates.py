"""What surrogates cost: microseconds a note, share of the whole, round trips to Redis a batch.

    python benchmarks/surrogates.py [NOTES.jsonl] [--notes N] [--mode prf|random] [--redis URL]

Notes are records of notes.raw, or the sample notes of the demo, repeated under new ids for new
patients. They go through the whole service on files, first cold (every identity is new), then warm
(every identity is known), in batches of several sizes. Without --redis an embedded one is started.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.compose import Runtime, compose
from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.runtime.service import Service
from deidstream.agents.runtime.warm_up import warm
from deidstream.agents.settings import read_settings
from deidstream.models.neural.model_turn import take_text_turn
from deidstream.schemas.errors import Stage
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode, encode_note
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.metrics import REGISTRY
from deidstream.stream.redis.embedded import EmbeddedRedis
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore

SIZES = (1, 8, 64)
OURS = (Stage.PLAN, Stage.RECALL, Stage.CHOOSE, Stage.CLAIM, Stage.SUBSTITUTE)
NOTE_BYTES = 1_000_000
MICRO = 1e6


@dataclass(frozen=True, slots=True)
class Cost:
    """One pass over all notes."""

    seconds: Mapping[Stage, float]
    trips: Sequence[int]
    """Of each batch."""
    notes: int

    def micro(self, *stages: Stage) -> float:
        """Microseconds a note in some stages."""
        return MICRO * sum(self.seconds[stage] for stage in stages) / self.notes

    @property
    def share(self) -> float:
        """Share of the surrogate stages in the time of all stages."""
        return self.micro(*OURS) / self.micro(*Stage)


def seconds() -> dict[Stage, float]:
    return {stage: sample("deid_stage_seconds_sum", {"stage": stage}) for stage in Stage}


def trips() -> int:
    calls = ({"call": call} for call in ("recall", "claim"))
    return int(sum(sample("deid_redis_seconds_count", labels) for labels in calls))


def sample(name: str, labels: dict[str, str]) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def feed(given: Sequence[RawNote], count: int, run: str) -> Iterator[RawNote]:
    for number in range(count):
        note, again = given[number % len(given)], number // len(given)
        yield replace(
            note, note_id=f"{run}-{number}", patient_id=f"{run}-{again}-{note.patient_id}"
        )


async def passed(service: Service, notes: Sequence[RawNote], size: int) -> Cost:
    before, asked = seconds(), list[int]()
    for start in range(0, len(notes), size):
        first = trips()
        await service.run([encode_note(note) for note in notes[start : start + size]])
        asked.append(trips() - first)
    spent = {stage: now - before[stage] for stage, now in seconds().items()}
    return Cost(spent, asked, len(notes))


async def measure(parts: Runtime, url: str, given: Sequence[RawNote], count: int) -> Table:
    table = Table(title=f"{count} notes, policy {parts.pipeline.policy.name}")
    for heading in ("batch", "store", "plan", "choose", "redis", "substitute", "µs a note"):
        table.add_column(heading, justify="right")
    table.add_column("of the whole", justify="right")
    table.add_column("round trips a batch", justify="right")
    store, lane = RedisSurrogateStore.connect(url), Lane(take_text_turn)
    for size in SIZES:
        budget = size * NOTE_BYTES  # one batch a call, so that its round trips are its own
        limits = NoteLimits(NOTE_BYTES, seconds=0, pieces=0)
        service = Service(parts.pipeline, store, parts.counter, lane, Health(600), budget, limits)
        notes = list(feed(given, count, f"b{size}"))
        for state in ("cold", "warm"):
            cost = await passed(service, notes, size)
            table.add_row(str(size), state, *cells(cost))
    lane.close()
    await store.close()
    return table


def cells(cost: Cost) -> Iterator[str]:
    yield f"{cost.micro(Stage.PLAN):,.0f}"
    yield f"{cost.micro(Stage.CHOOSE):,.0f}"
    yield f"{cost.micro(Stage.RECALL, Stage.CLAIM):,.0f}"
    yield f"{cost.micro(Stage.SUBSTITUTE):,.0f}"
    yield f"{cost.micro(*OURS):,.0f}"
    yield f"{cost.share:.1%}"
    asked = sorted(cost.trips)
    yield f"{asked[0]} to {asked[-1]}, median {asked[len(asked) // 2]}"


def main() -> None:
    arguments = parse()
    redis = None if arguments.redis else EmbeddedRedis.start()
    with tempfile.TemporaryDirectory() as name:
        write_key(Path(name) / "key")
        more = {"DEIDSTREAM_REDIS_MODE": arguments.mode, "DEIDSTREAM_POLICY": arguments.policy}
        state = {"DEIDSTREAM_REDIS_STATE": name, "DEIDSTREAM_KEY_FILE": f"{name}/key"}
        parts = compose(read_settings(more | state))
        warm(parts.pipeline)
        given = read(arguments.file) if arguments.file else sample_notes()
        url = arguments.redis or (redis.url if redis else "")
        Console(width=120).print(asyncio.run(measure(parts, url, given, arguments.notes)))
    if redis:
        redis.stop()


def read(path: Path) -> list[RawNote]:
    return [decode(line, limit_bytes=NOTE_BYTES) for line in path.read_bytes().splitlines()]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path, metavar="NOTES.jsonl")
    parser.add_argument("--notes", type=int, default=256)
    parser.add_argument("--mode", default="prf", choices=["prf", "random"])
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--redis")
    return parser.parse_args()


if __name__ == "__main__":
    main()
