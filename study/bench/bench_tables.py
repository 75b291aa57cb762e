"""Show the figures of a bench as tables."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from deidstream.schemas.errors import Stage
from deidstream.study.bench.bench_figures import BenchFigures, LoadFigures, Spread, StageCost

WIDTH = 110
LEAST_SHARE = 0.001


def print_figures(figures: BenchFigures, console: Console) -> None:
    """Print everything that was measured."""
    subject, machine = figures.subject, figures.machine
    console.print(
        f"{subject.mode}, policy {subject.policy}, {subject.notes} notes of "
        f"{subject.pieces / subject.notes:.0f} word pieces, {subject.rounds} rounds, at most "
        f"{subject.batch} notes at once; {machine.processor}, {machine.cores} cores, "
        f"{machine.threads} threads of the engine"
    )
    if figures.stages:
        console.print(_stage_table(figures))
    console.print(_path_table(figures))
    if figures.loads:
        console.print(_load_table(figures.loads))


def _stage_table(figures: BenchFigures) -> Table:
    table = Table(title="stages, wall time", width=60)
    table.add_column("stage")
    for heading in ("ms a note", "share"):
        table.add_column(heading, justify="right")
    for name, cost in figures.stages.items():
        _add_cost(table, name, cost)
        if name == Stage.DETECT:
            for part, inner in figures.detection.items():
                _add_cost(table, f"  {part}", inner)
    return table


def _add_cost(table: Table, name: str, cost: StageCost) -> None:
    if cost.share >= LEAST_SHARE:
        table.add_row(name, f"{cost.ms:.2f}", f"{cost.share:.1%}")


def _path_table(figures: BenchFigures) -> Table:
    path, batches = figures.path, figures.batches
    table = Table(title="median [least to most]", width=90)
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_row("notes a second", show_spread(path.notes_per_second, 1))
    table.add_row("word pieces a second", show_spread(path.pieces_per_second, 0))
    table.add_row("the engine alone, word pieces a second", _show(path.engine_pieces_per_second, 0))
    table.add_row("ratio to the engine", _show(path.engine_ratio, 3))
    table.add_row("processor time of the engine by all", _show(path.engine_cpu_share, 3))
    table.add_row("processor time, ms a note", f"{path.cpu_ms_a_note:.1f}")
    table.add_row("notes a batch", f"{batches.notes_a_batch:.1f}")
    table.add_row("batch fill", f"{batches.fill:.2f}")
    if batches.padding is not None:
        table.add_row("computed positions a word piece", f"{batches.padding:.2f}")
    for lane, share in batches.lane_idle.items():
        table.add_row(f"idle: {lane}", f"{share:.1%}")
    table.add_row("memory loaded / end / most, MB", _show_memory(figures))
    if figures.ready_seconds is not None:
        table.add_row("ready after, s", f"{figures.ready_seconds:.1f}")
    if path.quarantined:
        table.add_row("quarantined notes", str(path.quarantined))
    return table


def _show_memory(figures: BenchFigures) -> str:
    memory = figures.memory
    return f"{memory.loaded_mb:.0f} / {memory.end_mb:.0f} / {memory.most_mb:.0f}"


def _show(spread: Spread | None, digits: int) -> str:
    return "-" if spread is None else show_spread(spread, digits)


def show_spread(spread: Spread, digits: int) -> str:
    """Write a figure with its range, such as ``7.1 [6.8 to 7.3]``."""
    values = (spread.median, spread.least, spread.most)
    median, least, most = (f"{value:,.{digits}f}" for value in values)
    return f"{median} [{least} to {most}]"


def _load_table(loads: Mapping[str, LoadFigures]) -> Table:
    table = Table(title="latency from sending a note to reading its output")
    table.add_column("load")
    for heading in ("notes/s", "notes", "p50 ms", "p95 ms", "event loop lag p99 ms"):
        table.add_column(heading, justify="right")
    for name, load in loads.items():
        latencies = (f"{load.p50_ms:,.0f}", f"{load.p95_ms:,.0f}", f"<= {load.lag_p99_ms:.0f}")
        table.add_row(name, f"{load.notes_per_second:.1f}", str(load.notes), *latencies)
    return table
