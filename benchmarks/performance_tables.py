"""Write the tables of docs/performance.md from the figures in benchmarks/results.

    python benchmarks/performance_tables.py [--check]

A table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``. With ``--check`` nothing is
written; the exit code says whether the pages agree with the figures.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks/results"
PAGES = (ROOT / "docs/performance.md",)
MARKED = re.compile(r"<!-- table: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
MISSING = "Not recorded yet; docs/performance.md has the command.\n"

Record = Mapping[str, Any]
Rows = Sequence[Sequence[str]]


def make_table(headings: Sequence[str], rows: Rows) -> str:
    """Write a Markdown table whose first column is text and whose others are numbers."""
    rule = ["---", *("---:" for _ in headings[1:])]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in (headings, rule, *rows))


def spread(figure: Record | None, digits: int = 0) -> str:
    """Write a figure with its range."""
    if figure is None:
        return "-"
    median, least, most = (f"{figure[name]:,.{digits}f}" for name in ("median", "least", "most"))
    return f"{median} [{least} to {most}]"


def caption(record: Record) -> str:
    """Say what was measured, and where."""
    subject, machine = record["subject"], record["machine"]
    pieces = subject["pieces"] / subject["notes"]
    chosen = ", ".join(f"{name} {value}" for name, value in sorted(subject["settings"].items()))
    precision = (subject["tagger"] or "none").rpartition(":")[2]
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['threads']} threads of the "
        f"engine ({precision}); policy `{subject['policy']}`, {subject['notes']} notes of "
        f"{pieces:.0f} word pieces, at most {subject['batch']} at once, {subject['rounds']} rounds"
        f"{', ' if chosen else ''}{chosen} ({record['at'][:10]}).\n\n"
    )


def path_table(record: Record) -> str:
    """Speed of the path and of the engine."""
    path, batches, memory = record["path"], record["batches"], record["memory"]
    rows = [
        ("notes a second", spread(path["notes_per_second"], 1)),
        ("word pieces a second", spread(path["pieces_per_second"])),
        ("the engine alone, word pieces a second", spread(path["engine_pieces_per_second"])),
        ("ratio to the engine", spread(path["engine_ratio"], 2)),
        ("processor time of the engine by all", spread(path["engine_cpu_share"], 2)),
        ("processor time, ms a note", f"{path['cpu_ms_a_note']:.1f}"),
        ("notes a batch; batch fill", f"{batches['notes_a_batch']:.1f}; {batches['fill']:.2f}"),
        (
            "memory loaded; at the end; most, MB",
            f"{memory['loaded_mb']:.0f}; {memory['end_mb']:.0f}; {memory['most_mb']:.0f}",
        ),
    ]
    if batches["padding"]:
        rows.append(("computed positions a word piece", f"{batches['padding']:.2f}"))
    rows += [(f"idle: {name}", f"{share:.0%}") for name, share in batches["lane_idle"].items()]
    if record["ready_seconds"] is not None:
        rows.append(("ready after, s", f"{record['ready_seconds']:.1f}"))
    return caption(record) + make_table(("figure", "median [least to most]"), rows)


def stage_table(record: Record) -> str:
    """What each stage takes."""
    rows: list[tuple[str, str, str]] = []
    for name, cost in record["stages"].items():
        rows.append((name, f"{cost['ms']:.2f}", f"{cost['share']:.1%}"))
        if name == "detect":
            for part, inner in record["detection"].items():
                rows.append((f"- {part}", f"{inner['ms']:.2f}", f"{inner['share']:.1%} of detect"))
    return make_table(("stage", "ms a note", "share"), rows)


def load_table(record: Record) -> str:
    """Latency under load."""
    rows = [
        (
            name,
            f"{load['notes_per_second']:.1f}",
            f"{load['p50_ms']:,.0f}",
            f"{load['p95_ms']:,.0f}",
            f"≤ {load['lag_p99_ms']:.0f}",
        )
        for name, load in record["loads"].items()
    ]
    headings = ("load", "notes/s", "p50, ms", "p95, ms", "event loop lag p99, ms")
    return make_table(headings, rows)


def worker_scaling_table(record: Record) -> str:
    """Speed by workers and partitions."""
    rows = [
        (
            str(run["workers"]),
            str(run["partitions"]),
            str(run["threads"]),
            f"{run['notes_per_second']:.1f}",
            f"{run['cpu_ms_a_note']:.0f}",
        )
        for run in record["runs"]
    ]
    headings = ("workers", "partitions", "threads each", "notes/s", "processor time, ms a note")
    return f"{record['machine']['cores']} cores, {record['notes']} notes a run.\n\n" + make_table(
        headings, rows
    )


def length_table(record: Record) -> str:
    """Cost by the length of a note."""
    rows = [
        (
            f"{run['characters']:,}",
            f"{run['pieces']:,}",
            f"{run['cpu_ms']:,.0f}",
            f"{run['wall_ms']:,.0f}",
        )
        for run in record["runs"]
    ]
    fit = record["fit"]
    line = (
        f"\nProcessor time is {fit['base_ms']:.1f} ms + {fit['ms_a_thousand_pieces']:.1f} ms a "
        f"thousand word pieces, R² {fit['r_squared']:.4f}.\n"
    )
    return make_table(("characters", "word pieces", "processor time, ms", "wall, ms"), rows) + line


def minutes_table(record: Record) -> str:
    """Memory over time."""
    rows = [
        ("minutes; notes", f"{record['minutes']:.0f}; {record['notes']:,}"),
        ("notes a second", f"{record['notes_per_second']:.1f}"),
        (
            f"memory from minute {record['steady_from_minute']:.0f} on, least; most, MB",
            f"{record['steady_least_mb']:.0f}; {record['steady_most_mb']:.0f}",
        ),
        ("growth from there, MB a thousand notes", f"{record['mb_a_thousand_notes']:+.2f}"),
    ]
    return make_table(("figure", ""), rows)


def patient_table(record: Record) -> str:
    """Memory of Redis by patients."""
    rows = [
        (
            f"{run['patients']:,}",
            f"{run['megabytes']:,.1f}",
            f"{run['bytes_a_patient']:,.0f}",
            "measured" if run["measured"] else "extrapolated",
        )
        for run in record["runs"]
    ]
    store = record["by_store"]
    head = (
        f"{record['names_a_patient']:.1f} names a patient (one sample note each). Written by the "
        f"worker's own store, {store['patients']:,} patients take "
        f"{store['bytes_a_patient']:,.0f} bytes each; a million were expected at "
        f"{record['expected_megabytes']:,.0f} MB from the two smaller runs.\n\n"
    )
    return head + make_table(("patients", "MB", "bytes a patient", ""), rows)


def capacity_table(record: Record) -> str:
    """What large feeds need."""
    rows = [
        (
            feed["name"],
            f"{feed['peak_notes_a_minute']:,.0f}",
            f"{feed['workers']:,}",
            f"{feed['cores']:,}",
            f"{feed['partitions']:,}",
            f"{feed['p95_seconds']:.1f}",
            f"{feed['redis_gigabytes']:,.1f}",
            f"{feed['money_a_month']:,.0f}",
        )
        for feed in record["feeds"]
    ]
    headings = (
        "feed", "notes a minute at peak", "workers", "cores", "partitions", "p95, s",
        "Redis, GB", "money a month",
    )  # fmt: skip
    checks = [
        (
            check["name"],
            f"{check['predicted']:.1f}",
            f"{check['measured']:.1f}",
            f"{check['error']:+.0%}",
        )
        for check in record["checks"]
    ]
    return (
        make_table(headings, rows)
        + f"\nAt {record['price_a_core_hour']} for an hour of a core. "
        + "The model against measured runs:\n\n"
        + make_table(("figure", "predicted", "measured", "error"), checks)
    )


TABLES: Mapping[str, tuple[str, Callable[[Record], str]]] = {
    "in-process": ("in_process.json", path_table),
    "stages": ("in_process.json", stage_table),
    "worker": ("worker.json", path_table),
    "loads": ("worker.json", load_table),
    "workers": ("workers.json", worker_scaling_table),
    "length": ("length.json", length_table),
    "minutes": ("minutes.json", minutes_table),
    "kneo": ("kneo.json", path_table),
    "kneo-stages": ("kneo.json", stage_table),
    "in-process-torch-int8": ("in_process_torch_int8.json", path_table),
    "stages-torch-int8": ("in_process_torch_int8.json", stage_table),
    "kneo-torch-int8": ("kneo_torch_int8.json", path_table),
    "worker-torch-int8": ("worker_torch_int8.json", path_table),
    "loads-torch-int8": ("worker_torch_int8.json", load_table),
    "worker-fast-torch-int8": ("worker_fast_torch_int8.json", path_table),
    "loads-fast-torch-int8": ("worker_fast_torch_int8.json", load_table),
    "patients": ("patients.json", patient_table),
    "capacity": ("capacity.json", capacity_table),
}
"""By the name on the page: the file of its figures, and what writes it."""


def fill(page: str, results: Path) -> str:
    """Return a page with its tables written from the figures in a folder."""

    def write_table(found: re.Match[str]) -> str:
        file, write = TABLES[found[1]]
        path = results / file
        table = write(orjson.loads(path.read_bytes())) if path.exists() else MISSING
        return f"<!-- table: {found[1]} -->\n{table}<!-- end -->"

    return MARKED.sub(write_table, page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    stale: list[str] = []
    for path in PAGES:
        page = path.read_text()
        filled = fill(page, RESULTS)
        if filled != page:
            stale.append(path.name)
            if not arguments.check:
                path.write_text(filled)
    print(f"{'stale' if arguments.check else 'written'}: {', '.join(stale) or 'none'}")
    if arguments.check and stale:
        sys.exit(1)


if __name__ == "__main__":
    main()
