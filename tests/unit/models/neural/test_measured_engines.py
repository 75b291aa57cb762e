from dataclasses import replace
from importlib import metadata
from pathlib import Path
from unittest.mock import Mock

import pytest

from deidstream.models.neural.engine_port import OPENVINO, TORCH, EngineOptions
from deidstream.models.neural.measured_engines import MeasuredEngines
from support.checkpoints import token_classifier

RATES = {TORCH: 10.0, OPENVINO: 20.5}


def test_rates_are_kept_by_all_that_they_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = EngineOptions(cache=str(tmp_path / "cache"))
    first, second = (token_classifier(tmp_path / str(seed), seed=seed) for seed in (1, 2))
    kept = MeasuredEngines.for_model(first, options)
    assert kept.read() == {}
    kept.write(RATES)
    assert MeasuredEngines.for_model(first, options).read() == RATES
    assert MeasuredEngines.for_model(second, options).read() == {}
    assert MeasuredEngines.for_model(first, replace(options, threads=7)).read() == {}
    monkeypatch.setattr(metadata, "version", Mock(return_value="0"))
    assert MeasuredEngines.for_model(first, options).read() == {}


@pytest.mark.parametrize("content", [b"", b"[]", b'{"torch": 1}', b'{"torch":1,"openvino":"x"}'])
def test_a_broken_file_counts_as_none(tmp_path: Path, content: bytes) -> None:
    kept = MeasuredEngines(tmp_path / "engine.json")
    kept.path.write_bytes(content)
    assert kept.read() == {}


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = MeasuredEngines(tmp_path / "file" / "engine.json")
    kept.write(RATES)
    assert kept.read() == {}
