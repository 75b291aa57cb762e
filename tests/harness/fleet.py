"""Stub workers: forked by one process that has imported everything, killed at will."""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from support.processes import wait_until

TESTS = Path(__file__).parents[1]
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(slots=True)
class StubWorker:
    """One worker process, the leader of its own group."""

    name: str
    pid: int
    log: Path
    zygote: "Zygote"
    started: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.pid not in self.zygote.ended

    @property
    def code(self) -> int | None:
        """Its exit code; negative for a signal, ``None`` while it runs."""
        return self.zygote.ended.get(self.pid)

    def send(self, number: signal.Signals) -> None:
        """Signal it; nothing happens when it has ended."""
        if self.running:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return

    def kill9(self) -> None:
        """End it without warning, and see it gone."""
        self.send(signal.SIGKILL)
        self.wait(10)

    def stop(self, seconds: float = 40.0) -> None:
        """Ask it to end; kill it when it has not."""
        self.send(signal.SIGTERM)
        self.send(signal.SIGCONT)
        try:
            self.wait(seconds)
        except TimeoutError:
            self.kill9()

    def wait(self, seconds: float) -> int:
        """Wait for its end and return the exit code.

        Raises:
            TimeoutError: It goes on.
        """
        wait_until(lambda: not self.running, seconds=seconds)
        return self.zygote.ended[self.pid]

    def said(self) -> str:
        """Return what it has logged."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def address(self) -> str | None:
        """Return where its pages are, once they are."""
        for line in self.said().splitlines():
            if '"ops-server"' in line:
                return str(json.loads(line)["address"])
        return None


class Zygote:
    """Forks workers. It is started once for all rows."""

    def __init__(self, log: Path, more: Mapping[str, str] | None = None) -> None:
        self.ended: dict[int, int] = {}
        self._pids: dict[int, int] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._ready = threading.Event()
        with log.open("ab") as sink:
            self._process = subprocess.Popen(
                (sys.executable, "-m", "harness.zygote"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                env=os.environ | _ONE_THREAD | {"PYTHONPATH": str(TESTS)} | dict(more or {}),
            )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def wait_ready(self, seconds: float = 600.0) -> None:
        """Wait until it can fork.

        Raises:
            TimeoutError: It cannot.
        """
        wait_until(
            lambda: self._ready.is_set() or self._process.poll() is not None, seconds=seconds
        )
        if not self._ready.is_set():
            message = "the process that forks workers ended; its log says why"
            raise RuntimeError(message)

    def fork(self, name: str, log: Path, env: Mapping[str, str]) -> StubWorker:
        """Start a worker."""
        self.wait_ready()
        number = next(self._numbers)
        line = json.dumps({"order": number, "log": str(log), "env": dict(env)}).encode() + b"\n"
        with self._lock:
            assert self._process.stdin is not None
            self._process.stdin.write(line)
            self._process.stdin.flush()
        wait_until(lambda: number in self._pids, seconds=20.0)
        return StubWorker(name, self._pids[number], log, self)

    def stop(self) -> None:
        """End it; workers are stopped by their rows."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._listener.join(10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            if "ready" in event:
                self._ready.set()
            elif "order" in event:
                self._pids[event["order"]] = event["pid"]
            else:
                self.ended[event["ended"]] = event["code"]
