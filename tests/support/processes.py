"""Real servers as child processes: started with a log, waited for, stopped with their children."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class NeverReady(Exception):
    """A server ended, or did not answer in time; the message ends with the end of its log."""


@dataclass(slots=True)
class Process:
    """One running command, the leader of its own process group."""

    popen: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        """The process, and the group of its children."""
        return self.popen.pid

    @property
    def running(self) -> bool:
        """Whether the command has not ended."""
        return self.popen.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Signal the whole group; nothing happens when it has ended."""
        if self.running:
            os.killpg(self.pid, number)

    def wait(self, seconds: float) -> int:
        """Wait for the end and return the exit status.

        Raises:
            subprocess.TimeoutExpired: It goes on.
        """
        return self.popen.wait(seconds)

    def stop(self, seconds: float = 10.0) -> None:
        """Ask it to end; kill it when it has not after ``seconds``."""
        self.send(signal.SIGTERM)
        self.send(signal.SIGCONT)
        try:
            self.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill9()

    def kill9(self) -> None:
        """Kill the group without warning, and see it gone."""
        self.send(signal.SIGKILL)
        self.wait(10.0)

    def last_words(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-6_000:]


def start(
    command: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Process:
    """Start ``command`` in a process group of its own; what it says is appended to ``log``."""
    with log.open("ab") as sink:
        popen = subprocess.Popen(  # noqa: S603 -- the tests' own commands
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env=None if env is None else {**os.environ, **env},
            cwd=cwd,
            start_new_session=True,
        )
    return Process(popen, log)


def wait_ready(process: Process, ready: Callable[[], bool], *, seconds: float) -> None:
    """Wait until ``ready()``; stop the process when that does not come.

    Raises:
        NeverReady: It ended, or ``seconds`` have passed.
    """
    try:
        wait_until(lambda: not process.running or ready(), seconds=seconds)
    except TimeoutError:
        process.kill9()
    if not process.running:
        msg = f"{process.popen.args!r}\n{process.last_words()}"
        raise NeverReady(msg)


def wait_until(done: Callable[[], bool], *, seconds: float, pause: float = 0.02) -> None:
    """Ask every ``pause`` seconds until ``done()``.

    Raises:
        TimeoutError: ``seconds`` have passed.
    """
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            msg = f"not done after {seconds} s"
            raise TimeoutError(msg)
        time.sleep(pause)
