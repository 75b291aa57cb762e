"""Bring notes to their outputs under several techniques, and keep what is slow to make."""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Detected, Substituted
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.policy import SENTENCE_KNEO

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 16
TECHNIQUES: Mapping[str, Mapping[str, Any]] = {
    "surrogate": {},
    "redact": {},
    "kneo": {"neighbours": 5},
    "kneo-words": {},
    "kneo-notes, k = 0": {"deniability": 0},
}
"""A policy each, and what of its [kneo] is changed."""


@dataclass(slots=True)
class KeptVectors:
    """An embedder that embeds each text once, also over several runs."""

    embedder: Any
    file: Path
    known: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def dimension(self) -> int:
        return int(self.embedder.dimension)

    @property
    def digest(self) -> str:
        return str(self.embedder.digest)

    def read(self) -> None:
        if self.file.exists():
            self.known = pickle.loads(self.file.read_bytes())  # noqa: S301

    def write(self) -> None:
        self.file.write_bytes(pickle.dumps(self.known))

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        new = sorted(set(texts) - self.known.keys(), key=lambda text: (-len(text), text))
        for at in range(0, len(new), 512):
            part = new[at : at + 512]
            rows = self.embedder.embed(part).astype(np.float16)
            self.known |= dict(zip(part, rows, strict=True))
        return np.array([self.known[text] for text in texts], np.float32)


def detect(made: Pipeline, targets: Sequence[LabelledNote], file: Path) -> list[Detected]:
    if not file.exists():
        found: list[Detected] = []
        for at in range(0, len(targets), CHUNK):
            found += made.detect([one.note for one in targets[at : at + CHUNK]])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(found))
    kept: list[Detected] = pickle.loads(file.read_bytes())  # noqa: S301
    return kept[: len(targets)]


def write_outputs(
    pipeline: Pipeline,
    changes: Mapping[str, Any],
    detected: Sequence[Detected],
    vectors: KeptVectors,
) -> list[Substituted]:
    planned = pipeline.plan(detected)
    substituted: list[Substituted] = []
    for one in planned:
        allocation = pipeline.allocate([one])
        while allocation.ask is not None:
            names = allocation.ask.names
            values = dict(getattr(allocation.ask, "pairs", ()))
            allocation.take_answers([values.get(name) for name in names])
        substituted += pipeline.substitute([one], allocation.result())
    rewriter: Any = pipeline.rewriter
    if rewriter is None:
        return substituted
    if pipeline.policy.technique not in SENTENCE_KNEO:
        return list(rewriter.rewrite(substituted))
    kneo = replace(rewriter.kneo, embedder=vectors, policy=replace(rewriter.kneo.policy, **changes))
    rewriter = replace(rewriter, kneo=kneo)
    return [item for one in substituted for item in rewriter.rewrite([one])]
