"""The figures of a bench: what was measured and where, as JSON that is kept and compared."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

import orjson

from deidstream.schemas.errors import MissingArtefact

BENCH_SCHEMA = 1
"""Version of the JSON, raised when a figure changes its meaning (docs/performance.md)."""
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure that was measured several times."""

    median: float
    least: float
    most: float

    @classmethod
    def of_values(cls, values: Sequence[float]) -> "Spread":
        """Summarise measured values, at least one."""
        return cls(statistics.median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class StageCost:
    """What a stage, or a part of one, takes."""

    ms: float
    """Milliseconds of wall time a note, the median of the rounds."""
    share: float
    """Share of the milliseconds of all stages."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a bench ran."""

    processor: str
    cores: int
    """Those that this process may use."""
    threads: int
    """Those that the tagger's engine computes with."""
    python: str


@dataclass(frozen=True, slots=True)
class BenchSubject:
    """What a bench measured."""

    mode: str
    """``in-process`` or ``worker``."""
    version: str
    policy: str
    tagger: str | None
    """Digest and precision of the tagger; ``None`` where the policy has none."""
    notes: int
    """Notes of one round."""
    pieces: int
    """Their word pieces, special ones left out."""
    batch: int
    """Most notes that are taken at once."""
    rounds: int
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    """What else was chosen: broker, Redis, delivery."""


@dataclass(frozen=True, slots=True)
class PathFigures:
    """How fast the path of the worker is, compared with the engine alone."""

    notes_per_second: Spread
    pieces_per_second: Spread
    cpu_ms_a_note: float
    """Milliseconds of processor time, of all threads."""
    engine_pieces_per_second: Spread | None
    """The tagger's forward passes alone, over the same notes in one go; ``None`` without tagger."""
    engine_ratio: Spread | None
    """Pieces a second of the path by those of the engine; each round is compared with itself."""
    engine_cpu_share: Spread | None
    """Processor time of the engine by that of the path: a ratio that other processes move less."""
    quarantined: int
    """Notes of all rounds that failed."""


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """How well batches and forward passes are filled, and what the lanes do."""

    notes_a_batch: float
    fill: float
    """Word pieces of a batch by the budget, on average."""
    padding: float | None
    """Positions of forward passes by the word pieces of the notes; ``None`` without tagger."""
    lane_idle: Mapping[str, float]
    """Share of the time in which a lane computed nothing."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident memory of the process, in megabytes."""

    loaded_mb: float
    """When the models were loaded."""
    end_mb: float
    most_mb: float


@dataclass(frozen=True, slots=True)
class LoadFigures:
    """Latency under a load."""

    notes_per_second: float
    """How many were sent."""
    notes: int
    p50_ms: float
    """From sending a note to reading its output."""
    p95_ms: float
    lag_p99_ms: float
    """How late the event loop woke: the upper bound of the histogram's bucket."""


@dataclass(frozen=True, slots=True)
class BenchFigures:
    """Everything that one bench measured."""

    at: str
    """When it began, in UTC."""
    machine: Machine
    subject: BenchSubject
    path: PathFigures
    stages: Mapping[str, StageCost]
    detection: Mapping[str, StageCost]
    """The parts of stage ``detect``; empty where they were not measured."""
    batches: BatchFigures
    memory: Memory
    loads: Mapping[str, LoadFigures] = field(default_factory=dict[str, LoadFigures])
    """By name; only of a whole worker."""
    ready_seconds: float | None = None
    """From the start of the process until ``/readyz`` answers 200; only of a whole worker."""


def encode_figures(figures: BenchFigures) -> bytes:
    """Write figures as JSON; it holds no text of a note."""
    record = {"schema": BENCH_SCHEMA, **asdict(figures)}
    return orjson.dumps(_round_all(record), option=orjson.OPT_INDENT_2) + b"\n"


def _round_all(value: object) -> object:
    match value:
        case float():
            return round(value, _DIGITS)
        case dict():
            return {str(name): _round_all(each) for name, each in value.items()}
        case _:
            return value


def read_figures(path: Path) -> dict[str, Any]:
    """Read the JSON of an earlier bench.

    Raises:
        MissingArtefact: It cannot be read, or has another schema.
    """
    try:
        record = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    if not isinstance(record, dict) or record.get("schema") != BENCH_SCHEMA:
        msg = f"{path}: no figures of 'deidstream bench' with schema {BENCH_SCHEMA}"
        raise MissingArtefact(msg)
    return cast("dict[str, Any]", record)
