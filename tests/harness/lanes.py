"""Run rows, several at a time: a lane is a thread with a broker of its own."""

import queue
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deidstream.agents.settings import settings_table
from harness.broker import running_proxied_kafka
from harness.fleet import Zygote
from harness.report import read_results, write_report
from harness.rows import Row, RowResult, Stage, not_run

_MOST_BROKERS = 10
"""A lane that breaks its broker so often gives up."""


def exactly_once() -> bool:
    """Return whether the worker promises exactly-once, by its default settings."""
    defaults = {setting.key: setting.default for setting in settings_table()}
    return defaults.get("kafka.delivery") == "exactly-once"


@dataclass(slots=True)
class Lanes:
    """One run of some rows; the report is written anew after each."""

    rows: Sequence[Row]
    out: Path
    scale: float
    seed: str
    jobs: int = 2
    resume: bool = False
    """Whether rows that passed in the report of an earlier run are taken from it."""
    results: dict[str, RowResult] = field(default_factory=dict[str, RowResult])
    _earlier: dict[str, RowResult] = field(default_factory=dict[str, RowResult])
    _waiting: "queue.SimpleQueue[Row]" = field(default_factory=queue.SimpleQueue)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> list[RowResult]:
        """Run all rows and return a result of each, in their order."""
        self.out.mkdir(parents=True, exist_ok=True)
        self._plan()
        if self._waiting.empty():
            return self._in_order()
        zygote = Zygote(self.out / "zygote.log")
        count = min(self.jobs, self._waiting.qsize())
        lanes = [threading.Thread(target=self._run_lane, args=(zygote,)) for _ in range(count)]
        try:
            zygote.wait_ready()
            for lane in lanes:
                lane.start()
            for lane in lanes:
                lane.join()
        finally:
            zygote.stop()
        for row in self.rows:
            if row.name not in self.results:
                lost = replace(not_run(row, self.seed, ""), error="its lane ended before")
                self.results[row.name] = lost
        self._report()
        return self._in_order()

    def _plan(self) -> None:
        if self.resume:
            self._earlier = read_results(self.out, self.scale, self.seed)
        for row in sorted(self.rows, key=lambda row: not row.long):
            earlier = self._earlier.get(row.name)
            if earlier is not None and earlier.passed:
                self.results[row.name] = earlier
            else:
                self._waiting.put(row)

    def _run_lane(self, zygote: Zygote) -> None:
        for _ in range(_MOST_BROKERS):
            try:
                self._run_on_broker(zygote)
            except queue.Empty:
                return
            except Exception:  # noqa: BLE001 - the rows left get another broker
                say(traceback.format_exc())

    def _run_on_broker(self, zygote: Zygote) -> None:
        """Run rows on a broker until one breaks off, which may have been the broker's fault.

        Raises:
            queue.Empty: No row is left.
        """
        home = Path(tempfile.mkdtemp(prefix="broker-", dir=self.out))
        with running_proxied_kafka(home) as broker:
            stage = Stage(self.out, broker, zygote, self.seed, self.scale, exactly_once())
            broken = False
            while not broken:
                result = stage.run(self._waiting.get_nowait())
                self._finish(result)
                broken = bool(result.error)

    def _finish(self, result: RowResult) -> None:
        earlier = self._earlier.get(result.name)
        if earlier is not None:
            result = replace(result, attempt=earlier.attempt + 1)
        with self._lock:
            self.results[result.name] = result
            self._report()
        say(describe(result))

    def _report(self) -> None:
        write_report(self._in_order(), self.out, self.scale)

    def _in_order(self) -> list[RowResult]:
        return [self.results[row.name] for row in self.rows if row.name in self.results]


def describe(result: RowResult) -> str:
    """Return one line about a row."""
    if result.not_run:
        return f"{result.name} not run: {result.not_run}"
    verdict = result.verdict
    broken = [f"{f.invariant}: {f.count} {f.where}" for f in verdict.findings if f.count]
    missed = [f"{what}: {detail}" for what, held, detail in result.criteria if not held]
    slowest = max((each.took or 0.0 for each in result.recoveries), default=0.0)
    return (
        f"{time.strftime('%H:%M:%S')} {result.name} {'ok  ' if result.passed else 'FAIL'} "
        f"{result.seconds:.0f} s, sent {verdict.sent}, out {verdict.emitted}, quarantined "
        f"{verdict.quarantined}, duplicates {verdict.duplicates} "
        f"({verdict.committed_duplicates} committed), kills {result.kills}, "
        f"recovery {slowest:.1f} s {'; '.join([*broken, *missed])} {result.error}".rstrip()
    )


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
