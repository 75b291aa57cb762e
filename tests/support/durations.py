"""How long tests take: measured in each run, recorded in ``tests/durations.tsv``, foretold from it.

``TEST_TIMES`` names a file to write during the run: ``make durations`` records all tests. A test
that takes long fails nothing, for a machine may be busy; those over a second that are not marked
``slow`` are listed at the end of a run.
"""

import os
import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

RECORD = Path(__file__).parents[1] / "durations.tsv"
LOADED = ("deidstream.", "support.")
SLOW = frozenset({"broker", "browser", "chaos", "gpu", "helm", "slow"})
"""Marks of tests that may take longer than a second."""
_LEAST = 0.2
"""Seconds of a test that has a line of its own in the record."""
_SLOW = 0.2
"""Seconds of a test that is left to ``make test``."""
_OTHERS = "all others, each"
_OFTEN = 100
"""Tests after which the record is written: a run that is killed leaves one too."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """What a test takes, its fixtures included."""

    clock: float
    processor: float
    """Of this process and of the children that it has waited for."""

    def plus(self, other: "Seconds") -> "Seconds":
        """Return the sum."""
        return Seconds(self.clock + other.clock, self.processor + other.processor)


NONE = Seconds(0.0, 0.0)


def processor_seconds() -> float:
    """Read how much processor time this process has used, and the children it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


@dataclass(frozen=True, slots=True)
class Durations:
    """Seconds of tests, by their ids."""

    known: dict[str, Seconds]
    others: Seconds
    """Of each test that is not known."""

    @classmethod
    def read(cls, file: Path = RECORD) -> "Durations":
        """Read a record; without one, tests of all files count as equally long."""
        known: dict[str, Seconds] = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            clock, processor, test = line.split("\t", 2)
            known[test] = Seconds(float(clock), float(processor))
        return cls(known, known.pop(_OTHERS, Seconds(0.02, 0.02)))

    def of(self, tests: Iterable[str]) -> Seconds:
        """Return what tests take together."""
        total = NONE
        for test in tests:
            total = total.plus(self.known.get(test, self.others))
        return total

    def is_slow(self, test: str) -> bool:
        """Return whether a test takes too long for a run at each commit."""
        taken = self.known.get(test, NONE)
        return min(taken.clock, taken.processor) > _SLOW

    @staticmethod
    def write(taken: dict[str, Seconds], file: Path) -> None:
        """Record what tests have taken."""
        long = {test: one for test, one in taken.items() if one.clock >= _LEAST}
        short = [one for test, one in taken.items() if test not in long]
        mean = Seconds(
            sum(one.clock for one in short) / max(1, len(short)),
            sum(one.processor for one in short) / max(1, len(short)),
        )
        lines = [f"{mean.clock:.4f}\t{mean.processor:.4f}\t{_OTHERS}"]
        lines += [f"{s.clock:.1f}\t{s.processor:.1f}\t{t}" for t, s in sorted(long.items())]
        file.write_text("\n".join(lines) + "\n")


class Watch:
    """Adds up what the tests of a run take, from the reports of their phases."""

    def __init__(self) -> None:
        self.taken: dict[str, Seconds] = {}
        self.unmarked: dict[str, Seconds] = {}
        """Of tests without a mark that says so: what those over a second took."""
        self._last = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note on a report what processor time its phase took: a process hands its reports on."""
        report = yield
        now = processor_seconds()
        vars(report)["processor"], self._last = now - self._last, now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase up."""
        phase = Seconds(report.duration, getattr(report, "processor", 0.0))
        self.taken[report.nodeid] = self.taken.get(report.nodeid, NONE).plus(phase)
        if report.when == "call" and phase.processor > 1.0 and not SLOW & set(report.keywords):
            self.unmarked[report.nodeid] = phase
        if report.when == "teardown" and len(self.taken) % _OFTEN == 0:
            self._record()

    def _record(self) -> None:
        if path := os.environ.get("TEST_TIMES"):
            Durations.write(self.taken, Path(path))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the tests that should be faster, or marked; write the record that is asked for."""
        self._record()
        if not self.unmarked:
            return
        terminalreporter.section("over a second of processor time: make it faster or mark it slow")
        for test, phase in sorted(self.unmarked.items(), key=lambda item: -item[1].processor):
            terminalreporter.line(f"{phase.processor:.1f} s {test}")


def load_once() -> None:
    """Call every cached function without parameters, so that no test pays for another's table."""
    for name, module in list(sys.modules.items()):
        if name.startswith(LOADED):
            for function in cached_functions(module):
                function()


def cached_functions(module: ModuleType) -> Iterator[Any]:
    """Yield the functions of a module that load something once and keep it."""
    for value in list(vars(module).values()):
        is_own = getattr(value, "__module__", None) == module.__name__
        if is_own and hasattr(value, "cache_info") and not signature(value).parameters:
            yield value
