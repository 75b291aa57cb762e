"""A real pipeline without its models: rules, known identifiers, surrogates, verifier, records."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deidstream.agents.runtime import compose
from deidstream.agents.runtime.load_models import Models, load_calibration, load_recognizers
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.warm_up import load_and_warm
from deidstream.agents.settings import Settings
from deidstream.models.references.reference_notes import ReferenceNotes
from deidstream.models.risk.contexts import snap_to_grid
from deidstream.models.risk.reference_set import ReferenceSet
from deidstream.schemas.policy import Policy, RecognizerName
from support.embedding import HashEmbedder

_SENTENCES = ("The heart was normal on examination today.", "The liver was enlarged on imaging.")


@dataclass(frozen=True, slots=True)
class LetterTokens:
    """Counts a token for every four letters."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 + 1 for text in texts]


@dataclass(frozen=True, slots=True)
class StubEmbedder:
    """Hashes words; it needs no model and no time."""

    pieces: LetterTokens = field(default_factory=LetterTokens)
    precision: str = "stub"
    digest: str = "stub-embedder"
    dimension: int = 96
    _rows: HashEmbedder = field(default_factory=HashEmbedder)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._rows.calls.clear()
        return self._rows.embed(texts)


def load_stub(settings: Settings) -> PolicyChoice:
    """Load as a worker does, with an embedder that needs no model and contexts of its own."""
    _replace_models()
    return load_and_warm(settings)


def _replace_models() -> None:
    replaced: Any = compose
    replaced.load_models = _load_models


def _load_models(settings: Settings, policy: Policy) -> Models:
    embedder: Any = StubEmbedder()
    recognizers, _ = load_recognizers(settings, policy)
    return Models(
        recognizers={RecognizerName(each.name): each for each in recognizers},
        embedder=embedder,
        calibration=load_calibration(settings),
        contexts=snap_to_grid(embedder.embed(_SENTENCES)),
        references=ReferenceSet.of_notes(ReferenceNotes.none(embedder.dimension)),
        index_digest="stub",
    )
