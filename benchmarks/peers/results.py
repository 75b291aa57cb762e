"""Describe a comparison, and keep its figures as JSON."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from systems import Notes, System

from deidstream.study.bench.bench_figures import Machine
from deidstream.study.bench.machine_state import describe_machine


@dataclass(frozen=True, slots=True)
class RunDescription:
    """What was compared, where."""

    gold: str
    gold_sha256: str
    notes: int
    characters: int
    rounds: int
    turn_notes: int
    machine: Machine
    """Its threads are those of each tool's models."""
    core_hour: float
    """Price."""
    absent: Mapping[str, str]
    """By name, why a tool was not measured."""


def describe_run(
    arguments: argparse.Namespace, rounds: int, notes: Notes, absent: Mapping[str, str]
) -> RunDescription:
    return RunDescription(
        gold=arguments.gold.name,
        gold_sha256=sha256(arguments.gold.read_bytes()).hexdigest(),
        notes=len(notes.notes),
        characters=notes.characters,
        rounds=rounds,
        turn_notes=arguments.turn_notes,
        machine=describe_machine(arguments.threads),
        core_hour=arguments.core_hour,
        absent=absent,
    )


def write_results(run: RunDescription, systems: Sequence[System], path: Path) -> None:
    kept = {"run": asdict(run), "systems": [asdict(system) for system in systems]}
    path.write_text(json.dumps(kept, indent=2) + "\n")
