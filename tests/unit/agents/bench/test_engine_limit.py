"""Forward passes that are recorded and computed again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deidstream.agents.bench.engine_limit import EngineLimit, PassRecorder
from deidstream.agents.bench.timed_parts import PASSES, CountingClassifier, PartClock
from deidstream.models.neural.packing import Ids, Results


@dataclass
class FakeModel:
    """A model that counts its passes."""

    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    precision: str = "none"
    shapes: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])

    def score(self, ids: Ids, mask: Ids, types: Ids | None) -> Results:
        assert mask.shape == ids.shape
        assert types is None
        self.shapes.append(ids.shape)
        return np.zeros((*ids.shape, 2))


def test_what_was_recorded_is_computed_again() -> None:
    model = FakeModel()
    recording = PassRecorder(model)
    for rows, length in ((2, 8), (3, 16)):
        ids = np.zeros((rows, length), np.int64)
        recording.score(ids, ids, None)
    limit = EngineLimit(model, recording.passes, pieces=50)
    assert limit.positions == 64
    assert limit.run().pieces_per_second > 0
    assert model.shapes == [(2, 8), (3, 16)] * 2


def test_positions_are_counted_with_padding_and_passes_are_timed() -> None:
    clock = PartClock()
    counting = CountingClassifier(FakeModel(), clock)
    ids = np.zeros((3, 8), np.int64)
    assert counting.score(ids, ids, None).shape == (3, 8, 2)
    assert clock.positions == 24
    assert clock.seconds[PASSES] > 0
    assert counting.precision == "none"
