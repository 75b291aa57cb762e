"""Forward passes that are recorded and computed again."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from deidstream.models.neural.passes.packing import ForwardPass, Results
from deidstream.study.bench.engine_limit import EngineLimit, EngineRun, PassRecorder, VectorRecorder
from deidstream.study.bench.timed_parts import PASSES, CountingClassifier, PartClock


@dataclass
class FakeModel:
    """A model that counts its passes."""

    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    precision: str = "none"
    shapes: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])

    def score(self, passes: Sequence[ForwardPass]) -> list[Results]:
        assert all(one.mask.shape == one.ids.shape and one.types is None for one in passes)
        self.shapes.extend(one.ids.shape for one in passes)
        return [np.zeros((*one.ids.shape, 2)) for one in passes]


def blank_pass(rows: int, length: int) -> ForwardPass:
    ids = np.zeros((rows, length), np.int64)
    return ForwardPass(ids, ids)


def test_what_was_recorded_is_computed_again() -> None:
    model = FakeModel()
    recording = PassRecorder(model)
    recording.score([blank_pass(2, 8), blank_pass(1, 24)])
    recording.score([blank_pass(3, 16)])
    limit = EngineLimit(model, recording.calls, pieces=50)
    assert limit.positions == 88
    assert limit.run().pieces_per_second > 0
    assert model.shapes == [(2, 8), (1, 24), (3, 16)] * 2


@dataclass
class FakeVectoriser:
    """A model of an embedder that counts its passes."""

    longest: int | None = None
    precision: str = "none"
    rows: list[int] = field(default_factory=list[int])

    def compute(self, passes: Sequence[ForwardPass]) -> list[Results]:
        self.rows.extend(len(one.ids) for one in passes)
        return [np.zeros((len(one.ids), 4)) for one in passes]


def test_the_passes_of_the_embedder_are_computed_again_too() -> None:
    model = FakeVectoriser()
    recorder = VectorRecorder(model)
    assert recorder.compute([blank_pass(5, 8), blank_pass(2, 16)])[0].shape == (5, 4)
    limit = EngineLimit(FakeModel(), [[blank_pass(2, 8)]], 16, embedding=recorder)
    assert limit.run().pieces_per_second > 0
    assert model.rows == [5, 2, 5, 2]
    assert len(recorder.calls) == 1


def test_repeated_texts_count_as_often_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, spent = iter((10.0, 12.0)), iter((1.0, 2.5))
    monkeypatch.setattr(time, "perf_counter", lambda: next(wall))
    monkeypatch.setattr(time, "process_time", lambda: next(spent))
    limit = EngineLimit(FakeModel(), [[blank_pass(2, 8)]], 80, repeats=4.0)
    assert limit.run() == EngineRun(pieces_per_second=10.0, cpu_seconds=6.0)


def test_positions_are_counted_with_padding_and_passes_are_timed() -> None:
    clock = PartClock()
    counting = CountingClassifier(FakeModel(), clock)
    shapes = [each.shape for each in counting.score([blank_pass(3, 8), blank_pass(1, 16)])]
    assert shapes == [(3, 8, 2), (1, 16, 2)]
    assert clock.positions == 40
    assert clock.seconds[PASSES] > 0
    assert counting.precision == "none"
