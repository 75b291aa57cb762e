"""Write the figures of a comparison as tables of Markdown, also in place of those in a file."""

import statistics
from collections.abc import Sequence
from pathlib import Path

from measure import OURS
from performance_tables import make_table
from results import RunDescription
from systems import System

from deidstream.study.bench.bench_figures import Spread
from deidstream.study.bench.bench_tables import show_spread

BEGIN, END = "<!-- figures: written by compare.py --record -->", "<!-- end of figures -->"
HEADINGS = (
    "system",
    "notes/s",
    "kchars per CPU second",
    "CPU ms a note",
    "recall",
    "precision",
    "notes without leak",
    "memory, MB",
    "$ a million notes",
)

RATIOS = (
    "How many times as fast as a peer, by notes/s and by CPU time (medians of the ratios within a "
    "round):"
)


def make_tables(run: RunDescription, systems: Sequence[System]) -> str:
    """Return the tables of a comparison, with what was measured above and below."""
    parts = [describe(run), table_of_systems(systems, run.core_hour)]
    ours = [system for system in systems if system.name.startswith(OURS)]
    peers = [system for system in systems if system not in ours]
    if ours and peers:
        parts += [RATIOS, table_of_ratios(ours, peers)]
    lines = [f"- `{system.name}`: {system.what}" for system in systems]
    lines += [f"- `{name}`: not measured: {reason}" for name, reason in run.absent.items()]
    return "\n\n".join([*(part.rstrip() for part in parts), "\n".join(lines)])


def describe(run: RunDescription) -> str:
    machine = run.machine
    return (
        f"{run.notes} notes of {run.characters / run.notes:,.0f} characters on average, "
        f"{run.rounds} rounds in turns of {run.turn_notes} notes, one process each, "
        f"{machine.threads} threads, {machine.cores} cores of {machine.processor}, no GPU; "
        f"median of the rounds [least to most]; ${run.core_hour:g} for an hour of a core:"
    )


def table_of_systems(systems: Sequence[System], core_hour: float) -> str:
    rows: list[Sequence[str]] = []
    for system in systems:
        cells = [
            f"`{system.name}`",
            show(system.notes_per_second),
            show(system.kchars_per_cpu_second),
            show(system.cpu_ms_a_note),
            f"{system.recall:.3f}",
            f"{system.precision:.3f}",
            f"{system.leak_free_notes:.3f}",
            f"{system.memory_mb:,.0f}",
            f"{system.cost_of_a_million(core_hour):,.2f}",
        ]
        rows.append(cells)
    return make_table(HEADINGS, rows)


def table_of_ratios(ours: Sequence[System], peers: Sequence[System]) -> str:
    rows: list[Sequence[str]] = []
    for peer in peers:
        cells = [f"`{peer.name}`"]
        for system in ours:
            faster = ratio(system.notes_per_second, peer.notes_per_second)
            cheaper = ratio(system.kchars_per_cpu_second, peer.kchars_per_cpu_second)
            cells.append(f"{faster:.1f}, {cheaper:.1f}")
        rows.append(cells)
    return make_table(["", *(f"`{system.name}`" for system in ours)], rows)


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of the ratios by round, which share the state of the machine."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def show(values: Sequence[float]) -> str:
    return show_spread(Spread.of_values(values), digits=1)


def replace_tables(path: Path, tables: str) -> None:
    """Put tables where a file of Markdown has older ones.

    Raises:
        ValueError: The file has no place for them.
    """
    before, begin, rest = path.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        msg = f"{path.name} has no place for figures"
        raise ValueError(msg)
    path.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}")
