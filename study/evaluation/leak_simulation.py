"""Run ``deidstream simulate leaks``: from labelled notes a table and JSON, without any text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.agents.runtime.terminal import align_columns
from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.label import PhiLabel, sort_names
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.policy import Scope
from deidstream.study.scoring.leakage import (
    READINGS,
    SCOPES,
    Corpus,
    Setup,
    Share,
    Trial,
    gather,
    simulate,
)

SCHEMA = 1
_SEEN = {
    Scope.DOCUMENT: "the reader sees one document",
    Scope.PATIENT: "the reader sees all documents of a patient",
    Scope.TENANT: "the reader sees all documents",
}
_KEY = """\
All figures are shares of documents in %, beside them the 95 % interval for
documents like these (Wilson); --json has those of labels too. Columns say how
many of the mentions are overlooked. Rows are scopes: the range in which an
original always has the same surrogate (scopes of a policy). The model
overstates what one reader notices, and takes mentions as overlooked
independently."""
_EXACT_BELOW = 10
"""Shares below have two digits behind the point, so that all take the same room."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulation and its result."""

    file: str
    corpus: Corpus
    trial: Trial
    shares: dict[Setup, Share]
    unread: Counter[str]
    """Lines that hold no labelled note, by reason."""


def run_simulation(path: Path, trial: Trial, labels: Sequence[PhiLabel] | None) -> Simulation:
    """Read labelled notes and simulate.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: It holds no labelled note with a span of the labels.
    """
    unread = Counter[str]()
    corpus = gather(_read_notes(path, unread), labels)
    if not corpus.mentions:
        msg = f"{path}: no labelled note has a span of these labels"
        raise Refused(msg)
    return Simulation(path.name, corpus, trial, simulate(corpus, trial), unread)


def write_tables(simulation: Simulation) -> str:
    """Write the figures as aligned tables."""
    corpus, trial = simulation.corpus, simulation.trial
    head = (
        f"{simulation.file}: {corpus.documents:,} documents of {corpus.patients:,} patients, "
        f"{len(corpus.mentions):,} mentions\n"
        f"each overlooked by itself; mean of {trial.rounds:,} rounds, seed {trial.seed}"
    )
    blocks = [_block(simulation, sweep=sweep) for sweep in (False, True)]
    parts = [head, *blocks, _by_label(simulation), _KEY]
    return "\n\n".join(parts) + "\n"


def encode_simulation(simulation: Simulation) -> bytes:
    """Write every figure as JSON."""
    corpus, trial = simulation.corpus, simulation.trial
    record = {
        "schema": SCHEMA,
        "kind": "leak-simulation",
        "file": simulation.file,
        "documents": corpus.documents,
        "patients": corpus.patients,
        "mentions": len(corpus.mentions),
        "misses": trial.misses,
        "rounds": trial.rounds,
        "seed": trial.seed,
        "unread": dict(simulation.unread),
        "shares": [_record(setup, share) for setup, share in simulation.shares.items()],
    }
    return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"


def _read_notes(path: Path, unread: Counter[str]) -> Iterator[LabelledNote]:
    for _, line in read_lines(path):
        try:
            yield decode_labelled(line)
        except InvalidNote as invalid:
            unread[invalid.reason] += 1


def _block(simulation: Simulation, *, sweep: bool) -> str:
    swept = "with the sweep: what is found once in a document is replaced throughout it"
    head = swept if sweep else "without a sweep: an overlooked mention stays"
    rows: list[tuple[str, ...]] = [("", *(f"{miss:.1%}" for miss in _misses(simulation)))]
    rows.append(("a leak", *_cells(simulation, sweep, None, None)))
    for reading in READINGS:
        rows += [(str(scope), *_cells(simulation, sweep, reading, scope)) for scope in SCOPES]
    lines = align_columns(rows[0], rows[1:]).splitlines()
    told = [
        [f"a leak that can be told, where {_SEEN[reading]}", *lines[at : at + len(SCOPES)]]
        for at, reading in zip(range(2, len(lines), len(SCOPES)), READINGS, strict=True)
    ]
    return "\n".join([head, *lines[:2], *chain.from_iterable(told)])


def _by_label(simulation: Simulation) -> str:
    miss, labels = max(_misses(simulation)), simulation.corpus.documents_by_label
    rows: list[tuple[str, ...]] = [("label", "documents", *map(str, SCOPES))]
    for label in sort_names(labels):
        setups = [Setup(True, miss, Scope.PATIENT, scope, label) for scope in SCOPES]  # noqa: FBT003
        shares = (_percent(simulation.shares[setup].share) for setup in setups)
        rows.append((str(label), f"{labels[label]:,}", *shares))
    head = f"by label, with the sweep, {miss:.1%} overlooked,\nwhere {_SEEN[Scope.PATIENT]}"
    return f"{head}\n{align_columns(rows[0], rows[1:])}"


def _cells(
    simulation: Simulation,
    sweep: bool,  # noqa: FBT001 - one of the coordinates of a figure
    reading: Scope | None,
    scope: Scope | None,
) -> Iterator[str]:
    for miss in _misses(simulation):
        share = simulation.shares[Setup(sweep, miss, reading, scope, None)]
        low, high = share.interval or (0.0, 0.0)
        yield f"{_percent(share.share)} ({100 * low:.1f}-{100 * high:.1f})"


def _misses(simulation: Simulation) -> tuple[float, ...]:
    return simulation.trial.misses


def _percent(share: float) -> str:
    return f"{100 * share:.{2 if 100 * share < _EXACT_BELOW else 1}f}"


def _record(setup: Setup, share: Share) -> dict[str, object]:
    low, high = share.interval or (None, None)
    return {
        "sweep": setup.sweep,
        "miss": setup.miss,
        "reading": setup.reading,
        "scope": setup.scope,
        "label": setup.label,
        "documents": share.documents,
        "told": round(share.mean, 4),
        "share": round(share.share, 6),
        "low": low,
        "high": high,
    }
