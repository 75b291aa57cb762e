"""The real worker around the stub pipeline, as a process of its own."""

import asyncio
import os
import sys
from dataclasses import replace

from deidstream.agents.runtime.worker import run_worker
from deidstream.agents.settings import Settings, read_settings
from deidstream.schemas.errors import Refused, Unavailable
from deidstream.stream.observing.logs import configure
from harness import defects, named_points
from harness.orders import SESSION
from harness.stub_pipeline import load_stub

AWAY, REFUSED = 69, 78


def run_stub_worker() -> int:
    """Run a worker with the settings of the environment; return its exit code."""
    settings = shorten_session(read_settings(os.environ))
    configure(settings.worker.log_level)
    named_points.arm()
    defects.plant()
    try:
        return asyncio.run(run_worker(settings, load=load_stub))
    except Unavailable as away:
        return _end(AWAY, away)
    except Refused as refused:
        return _end(REFUSED, refused)


def shorten_session(settings: Settings) -> Settings:
    """Allow a session shorter than any setting may be, so that a kill costs little time."""
    wanted = os.environ.get(SESSION)
    if wanted is None:
        return settings
    return replace(settings, kafka=replace(settings.kafka, session_seconds=float(wanted)))


def _end(code: int, error: Exception) -> int:
    sys.stderr.write(f"{type(error).__name__}: {error}\n")
    return code


if __name__ == "__main__":
    code = run_stub_worker()
    sys.stderr.flush()
    os._exit(code)
