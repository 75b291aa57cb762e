"""Deal the tests of a run out to several processes, so that none is idle at the end.

All tests of a file run in one process, whose servers and models they share. The longest file is
dealt out first. The last process takes what computes; the others take what mostly waits, as tests
with killed workers do, as long as there is any.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from xdist.scheduler import LoadScopeScheduling

from support.durations import RECORD, Durations, Seconds

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.workermanage import WorkerController

_CORES = 2
"""Of the machine for which the duration of a run is foretold."""
_BUSY = 0.6
"""Least share of processor time on the clock of a file that does not count as waiting."""


class LongestFirst(LoadScopeScheduling):
    """Deals out files of tests by what was recorded of them."""

    def __init__(self, config: pytest.Config, log: "Producer", record: Path = RECORD) -> None:
        super().__init__(config, log)
        self._durations = Durations.read(record)

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: "WorkerController") -> None:
        self.workqueue.move_to_end(self._choose(node), last=False)
        super()._assign_work_unit(node)

    def _choose(self, node: "WorkerController") -> str:
        waiting: dict[str, dict[str, bool]] = self.workqueue
        seconds = {file: self._durations.of(tests) for file, tests in waiting.items()}
        waits = node is not self.nodes[-1]
        liked = [file for file, one in seconds.items() if _is_waiting(one) == waits]
        return max(liked or seconds, key=lambda file: seconds[file].clock)


def _is_waiting(seconds: Seconds) -> bool:
    return seconds.processor < _BUSY * seconds.clock


class Foretelling:
    """Says once, when the tests are known, how many there are and how long they will take."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._said = False

    def pytest_xdist_node_collection_finished(
        self, node: "WorkerController", ids: list[str]
    ) -> None:
        """Say it when the first process has found its tests."""
        if self._said:
            return
        self._said = True
        durations = Durations.read()
        taken = durations.of(ids)
        seconds = max(taken.clock / self._processes, taken.processor / _CORES)
        minutes = max(1, round(seconds / 60))
        reporter = node.config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(reporter, pytest.TerminalReporter)
        reporter.write_line("")
        reporter.write_line(
            f"{len(ids):,} tests in {self._processes} processes"
            + (f" take about {minutes} minutes on {_CORES} cores" if durations.known else "")
        )
