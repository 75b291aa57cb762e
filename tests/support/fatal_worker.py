"""A worker with the rules alone, whose process ends when it prepares a certain note."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from deidstream.agents.cli.main import REFUSED
from deidstream.agents.runtime.worker import run_worker
from deidstream.agents.settings import read_settings
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Planned
from deidstream.schemas.errors import Refused, Stage, StageFailed
from deidstream.schemas.note import RawNote
from deidstream.stream.observing.logs import configure
from harness.stub_pipeline import load_stub

FATAL = "a note that ends the process"
FAILING = "a note that fails a stage"
POLICY = 'technique = "surrogate"\nrecognizers = ["known", "rules"]\n'


def _plant() -> None:
    prepare = Pipeline.prepare

    def end(self: Pipeline, notes: Sequence[RawNote]) -> list[Planned]:
        if any(FATAL in note.text for note in notes):
            os.kill(os.getpid(), signal.SIGSEGV)
        if any(FAILING in note.text for note in notes):
            raise StageFailed(Stage.DETECT)
        return prepare(self, notes)

    planted: Any = Pipeline
    planted.prepare = end


if __name__ == "__main__":
    _plant()
    settings = read_settings(os.environ)
    configure(settings.worker.log_level)
    try:
        code = asyncio.run(run_worker(settings, load=load_stub))
    except Refused as refused:
        sys.stderr.write(f"{refused}\n")
        code = REFUSED
    os._exit(code)
