"""Processes forked from one that has imported the service, so that a start costs no imports."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, cast

from support.processes import Process


@dataclass(slots=True)
class ForkedPopen:
    """The part of a ``Popen`` that :class:`Process` uses."""

    process: ForkServerProcess
    args: str

    @property
    def pid(self) -> int:
        return self.process.pid or 0

    @property
    def returncode(self) -> int | None:
        return self.process.exitcode

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self.process.exitcode


def fork(call: Callable[[], int], *, log: Path, env: Mapping[str, str]) -> Process:
    """Run ``call`` in a process group of its own; what it says is appended to ``log``."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([call.__module__])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    try:
        forkserver.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    process = context.Process(target=_run, args=(call, str(log), dict(env)))
    process.start()
    return Process(cast("Any", ForkedPopen(process, call.__qualname__)), log)


def _run(call: Callable[[], int], log: str, env: Mapping[str, str]) -> None:
    os.setsid()
    sink = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.environ.update(env)
    code = call()
    sys.stderr.flush()
    os._exit(code)
