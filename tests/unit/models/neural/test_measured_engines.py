from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from unittest.mock import Mock

import pytest

from deidstream.models.neural.engine_port import (
    OPENVINO,
    ROUNDING,
    TORCH,
    TORCH_INT8,
    EngineOptions,
)
from deidstream.models.neural.measured_engines import EngineMeasurements, MeasuredEngines
from support.checkpoints import token_classifier

FOUND = EngineMeasurements({TORCH: 10.0, OPENVINO: 20.5}, {TORCH_INT8: "wrong sums"})


def read(
    folder: Path, options: EngineOptions, engines: Sequence[str] = ROUNDING
) -> EngineMeasurements | None:
    return MeasuredEngines.for_model(folder, options, engines).read()


def test_rates_are_kept_by_all_that_they_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = EngineOptions(cache=str(tmp_path / "cache"))
    first, second = (token_classifier(tmp_path / str(seed), seed=seed) for seed in (1, 2))
    kept = MeasuredEngines.for_model(first, options, ROUNDING)
    assert kept.read() is None
    kept.write(FOUND)
    assert read(first, options) == FOUND
    assert read(second, options) is None
    assert read(first, options, [OPENVINO]) is None
    assert read(first, replace(options, threads=7)) is None
    monkeypatch.setattr(metadata, "version", Mock(return_value="0"))
    assert read(first, options) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"torch": 1}',
        b'{"rates": {"torch": 1}}',
        b'{"rates": {"openvino": 1}, "obstacles": {}}',
        b'{"rates": {"torch": 1, "openvino": "x"}, "obstacles": {}}',
    ],
)
def test_a_broken_file_counts_as_none(tmp_path: Path, content: bytes) -> None:
    kept = MeasuredEngines(tmp_path / "engine.json")
    kept.path.write_bytes(content)
    assert kept.read() is None


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = MeasuredEngines(tmp_path / "file" / "engine.json")
    kept.write(FOUND)
    assert kept.read() is None
