"""A worker with the rules alone, whose process ends when it prepares a certain note."""

import asyncio
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deidstream.agents import compose
from deidstream.agents.cli.main import REFUSED
from deidstream.agents.settings_reader import read_settings
from deidstream.agents.worker import run_worker
from deidstream.models.kneo import index
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Planned
from deidstream.schemas.errors import Refused, Stage, StageFailed
from deidstream.schemas.note import RawNote
from deidstream.stream.logs import configure
from support.embedding import HashEmbedder
from support.pipeline import LetterCounter

FATAL = "a note that ends the process"
FAILING = "a note that fails a stage"
POLICY = 'technique = "surrogate"\nrecognizers = ["known", "rules"]\n'
_SENTENCES = ("The heart was normal on examination today.", "The liver was enlarged on imaging.")


@dataclass(frozen=True, slots=True)
class WordEmbedder:
    """Hashes words; it needs no model and no time."""

    pieces: LetterCounter = field(default_factory=LetterCounter)
    precision: str = "stub"
    digest: str = "stub-embedder"
    dimension: int = 96

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return HashEmbedder().embed(texts)


def _load_stubs() -> None:
    embedder = WordEmbedder()
    rows = embedder.embed(_SENTENCES)
    small = index.build(rows, _SENTENCES, [""] * len(_SENTENCES), rows, ("stub", embedder.digest))
    replaced: Any = compose
    replaced.load_embedder = lambda *_: embedder
    replaced.load_index = lambda *_: small


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
    _load_stubs()
    _plant()
    settings = read_settings(os.environ)
    configure(settings.worker.log_level)
    try:
        code = asyncio.run(run_worker(settings))
    except Refused:
        code = REFUSED
    os._exit(code)
