"""Write the report: JSON for machines, one self-contained page for people; and read it again."""

import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
import orjson
from pydantic import TypeAdapter

from harness.rows import RowResult

_TEMPLATE = Path(__file__).with_name("report.html")
_PACKAGES = ("deidstream", "aiokafka", "faust-streaming", "confluent-kafka", "redis")


@dataclass(frozen=True, slots=True)
class Totals:
    """What all rows together amount to."""

    rows: int
    passed: int
    failed: int
    not_run: int
    sent: int
    emitted: int
    quarantined: int
    aborted: int
    duplicates: int
    committed_duplicates: int
    kills: int
    faults: int
    canary_notes: int
    canaries: int
    hits: int
    searched_megabytes: float
    recoveries: int
    late: int
    strictly_late: int
    """Recoveries that were later than their limit by the strict rule, which judges nothing."""
    tried_again: int
    """Rows that failed in an earlier run, which this one has resumed."""

    @property
    def bound(self) -> float:
        """Upper bound of the rate of leaking notes with 95 % confidence, as no note leaked."""
        return 3 / self.canary_notes if self.canary_notes else 1.0


def add_up(results: Sequence[RowResult]) -> Totals:
    """Add up the results of all rows."""
    verdicts = [result.verdict for result in results]
    once = [result for result in results if result.exactly_once]
    recovered = [recovery for result in results for recovery in result.recoveries]
    hits = [f.count for v in verdicts for f in v.findings if f.invariant.startswith("I3")]
    return Totals(
        rows=len(results),
        passed=sum(result.passed for result in results),
        failed=sum(not result.passed and not result.not_run for result in results),
        not_run=sum(bool(result.not_run) for result in results),
        sent=sum(v.sent for v in verdicts),
        emitted=sum(v.emitted for v in verdicts),
        quarantined=sum(v.quarantined for v in verdicts),
        aborted=sum(v.aborted for v in verdicts),
        duplicates=sum(v.duplicates for v in verdicts),
        committed_duplicates=sum(result.verdict.committed_duplicates for result in once),
        kills=sum(result.kills for result in results),
        faults=sum(event.kind == "fault" for result in results for event in result.events),
        canary_notes=sum(result.canary_notes for result in results),
        canaries=sum(result.canaries for result in results),
        hits=sum(hits),
        searched_megabytes=sum(sum(result.searched.values()) for result in results) / 2**20,
        recoveries=len(recovered),
        late=sum(recovery.late for recovery in recovered),
        strictly_late=sum(recovery.strictly_late for recovery in recovered),
        tried_again=sum(result.attempt > 1 for result in results),
    )


def versions() -> Mapping[str, str]:
    """Return the versions of what ran."""
    return {
        "Python": platform.python_version(),
        "Apache Kafka": _kafka_version(),
        **{name: version(name) for name in _PACKAGES},
    }


def _kafka_version() -> str:
    libs = Path(__file__).parents[2] / ".cache/kafka/libs"
    return next((jar.stem.partition("-")[2] for jar in libs.glob("kafka_2.13-*.jar")), "")


def write_report(results: Sequence[RowResult], out: Path, scale: float) -> Path:
    """Write both files; return the path of the page."""
    totals = add_up(results)
    record = {
        "scale": scale,
        "command": sys.argv,
        "versions": versions(),
        "totals": asdict(totals) | {"bound": totals.bound},
        "rows": [asdict(result) | {"passed": result.passed} for result in results],
    }
    (out / "report.json").write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
    template = jinja2.Environment(autoescape=True).from_string(_TEMPLATE.read_text())
    page = out / "report.html"
    shown: dict[str, Any] = {
        "results": results,
        "totals": totals,
        "versions": versions(),
        "scale": scale,
    }
    shown["defects"] = bool(results) and all(result.name.startswith("X") for result in results)
    page.write_text(template.render(**shown, timeline=timeline, slowest=slowest))
    return page


def read_results(out: Path, scale: float, seed: str) -> dict[str, RowResult]:
    """Return the results in the report of an earlier run; none where it was run otherwise."""
    file = out / "report.json"
    if not file.exists():
        return {}
    record = orjson.loads(file.read_bytes())
    rows = TypeAdapter(list[RowResult]).validate_python(record["rows"])
    return {row.name: row for row in rows if record["scale"] == scale and row.seed == seed}


def slowest(result: RowResult) -> str:
    """Return the longest recovery of a row."""
    times = [each.took for each in result.recoveries if each.took is not None]
    return f"{max(times):.1f}" if times else "-"


@dataclass(frozen=True, slots=True)
class Mark:
    """One event on a row's line, in percent of its width."""

    left: float
    kind: str
    what: str


def timeline(result: RowResult) -> list[Mark]:
    """Place a row's events on a line."""
    if not result.events:
        return []
    begin, end = result.span
    width = max(end - begin, 1.0)
    return [
        Mark(
            100 * (event.at - begin) / width, event.kind, f"{event.at - begin:.1f} s: {event.what}"
        )
        for event in result.events
    ]
