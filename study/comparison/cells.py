"""The figures of a study, kept cell by cell: a run that was stopped goes on where it was.

A cell is one technique by one measure. The file holds figures and names, never text of notes; the
outputs themselves are made again where a cell is missing. Cells of other settings are dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.lines import write_whole
from deidstream.study.measures.measure import Figure

FILE, SCHEMA = "cells.json", 2


@dataclass(frozen=True, slots=True)
class TechniqueRun:
    """What it took to make the outputs of one technique."""

    outputs: int
    seconds: float
    """Wall time of all outputs, models and vectors included."""
    processor_seconds: float
    """Time of the processors for the same, all threads together."""


@dataclass(slots=True)
class Cells:
    """The figures so far."""

    folder: Path
    settings: Mapping[str, Any]
    """Everything that a figure depends on beside its technique and measure."""
    figures: dict[str, dict[str, Figure | None]] = field(
        default_factory=dict[str, dict[str, Figure | None]]
    )
    """By technique and measure; ``None``: there is nothing to measure."""
    runs: dict[str, TechniqueRun] = field(default_factory=dict[str, TechniqueRun])
    seconds: float = 0.0
    """Wall time of all runs so far."""
    processor_seconds: float = 0.0
    """Time of the processors, all threads together: what the wall time is on a quiet machine."""

    @classmethod
    def open(cls, folder: Path, settings: Mapping[str, Any]) -> "Cells":
        """Take over the cells of an earlier run with the same settings."""
        cells = cls(folder, settings)
        path = folder / FILE
        kept = orjson.loads(path.read_bytes()) if path.exists() else {}
        told = kept.get("schema"), kept.get("settings")
        if told == (SCHEMA, orjson.loads(orjson.dumps(settings))):
            cells.seconds = kept["seconds"]
            cells.processor_seconds = kept["processor_seconds"]
            cells.runs = {name: TechniqueRun(**run) for name, run in kept["runs"].items()}
            for name, figures in kept["figures"].items():
                cells.figures[name] = {of: _read(figure) for of, figure in figures.items()}
        return cells

    def missing(self, technique: str, measures: Sequence[str]) -> list[str]:
        """Return the measures that a technique still lacks."""
        had = self.figures.get(technique, {})
        return [name for name in measures if name not in had]

    def add(self, technique: str, measure: str, figure: Figure | None) -> None:
        """Keep a figure, and write the file."""
        self.figures.setdefault(technique, {})[measure] = figure
        self.save()

    def save(self) -> None:
        """Write the file as a whole."""
        record = {
            "schema": SCHEMA,
            "settings": self.settings,
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            "runs": {name: asdict(run) for name, run in self.runs.items()},
            "figures": {name: dict(_record(figures)) for name, figures in self.figures.items()},
        }
        path = self.folder / FILE
        new = path.with_suffix(".new")
        write_whole(new, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")
        new.replace(path)


def _read(figure: Mapping[str, Any] | None) -> Figure | None:
    return None if figure is None else Figure(**figure)


def _record(figures: Mapping[str, Figure | None]) -> Iterator[tuple[str, dict[str, Any] | None]]:
    for name, figure in figures.items():
        yield name, None if figure is None else asdict(figure)
