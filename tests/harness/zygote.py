"""A process that has imported everything and forks a worker for each line that it reads."""

import ctypes
import json
import os
import selectors
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness.orders import POLICY
from harness.stub_pipeline import load_stub
from harness.stub_worker import run_stub_worker

_PARENT_DEATH_SIGNAL = 1


def serve() -> None:
    """Fork a worker for each line of standard input, and report pids and exit codes."""
    _load_once()
    _say({"ready": os.getpid()})
    selector = selectors.DefaultSelector()
    selector.register(0, selectors.EVENT_READ)
    pending = b""
    while True:
        if selector.select(0.05):
            read = os.read(0, 1 << 20)
            if not read:
                return
            *lines, pending = (pending + read).split(b"\n")
            for line in lines:
                _fork(json.loads(line))
        _reap()


def _load_once() -> None:
    from deidstream.agents.settings import read_settings  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "key"
        key.write_text(bytes(range(32)).hex())
        key.chmod(0o600)
        policy = Path(folder) / "stub.toml"
        policy.write_text(POLICY)
        named = {"DEIDSTREAM_KEY_FILE": str(key), "DEIDSTREAM_POLICY": str(policy)}
        load_stub(read_settings(named))


def _fork(order: dict[str, Any]) -> None:
    child = os.fork()
    if child:
        _say({"order": order["order"], "pid": child})
        return
    code = 99
    try:
        os.setsid()
        # Nobody else would end the workers of a harness that was killed.
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        null = os.open(os.devnull, os.O_RDONLY)
        for number, target in ((null, 0), (log, 1), (log, 2)):
            os.dup2(number, target)
        os.environ.update(order["env"])
        os.chdir(order["env"].get("TMPDIR", "."))
        tempfile.tempdir = None
        code = run_stub_worker()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _reap() -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        _say({"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _say(event: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve()
