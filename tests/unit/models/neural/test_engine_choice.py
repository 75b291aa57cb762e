from pathlib import Path

import pytest

from deidstream.models.neural import engine_choice
from deidstream.models.neural.engine_choice import load_classifier, load_vectoriser
from deidstream.models.neural.engine_port import AUTO, OPENVINO, TORCH, EngineOptions
from deidstream.models.neural.measured_engines import MeasuredEngines
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from support.checkpoints import encoder, token_classifier
from support.engines import find_obstacle
from support.quantized import quantized


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return quantized(token_classifier(tmp_path / "model"))


@pytest.fixture
def auto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EngineOptions:
    monkeypatch.setattr(engine_choice, "find_obstacle", find_obstacle)
    return EngineOptions(AUTO, "cpu", "bf16", cache=str(tmp_path / "cache"))


def test_auto_measures_once_and_takes_the_faster(folder: Path, auto: EngineOptions) -> None:
    model, choice = load_classifier(folder, auto)
    assert set(choice.rates) == {TORCH, OPENVINO}
    assert choice.engine == max(choice.rates, key=lambda name: choice.rates[name])
    assert model.precision.startswith("int8" if choice.engine == OPENVINO else "bf16")
    assert "measured now" in str(choice)
    _, again = load_classifier(folder, auto)
    assert again.rates == choice.rates
    assert "measured before" in again.why


@pytest.mark.parametrize("faster", [TORCH, OPENVINO])
def test_what_was_measured_decides(folder: Path, auto: EngineOptions, faster: str) -> None:
    rates = {TORCH: 10.0, OPENVINO: 10.0} | {faster: 11.0}
    MeasuredEngines.for_model(folder, auto).write(rates)
    _, choice = load_classifier(folder, auto)
    assert choice.engine == faster


def test_auto_is_torch_where_int8_may_not_be(
    folder: Path, auto: EngineOptions, tmp_path: Path
) -> None:
    exact = EngineOptions(AUTO, "cpu", "fp32")
    assert load_classifier(folder, exact)[1].why == "dtype is fp32"
    quantized(folder, {"mean_change": 0.5})
    _, choice = load_classifier(folder, auto)
    assert choice.engine == TORCH
    assert "loses too much" in choice.why
    bare = token_classifier(tmp_path / "bare")
    assert "no quantization.json" in load_classifier(bare, auto)[1].why


def test_openvino_is_refused_where_int8_may_not_be(folder: Path, tmp_path: Path) -> None:
    asked = EngineOptions(OPENVINO, "cpu")
    assert load_classifier(folder, asked)[1].engine == OPENVINO
    quantized(folder, {"lost_pieces": 0.5})
    with pytest.raises(InvalidSettings, match=r"lost_pieces 0\.5000 > 0\.005"):
        load_classifier(folder, asked)
    with pytest.raises(InvalidSettings, match="deidstream quantize"):
        load_vectoriser(encoder(tmp_path / "plain"), asked)
    with pytest.raises(InvalidSettings, match="the device is cuda"):
        load_classifier(folder, EngineOptions(OPENVINO, "cuda"))
    (folder / "quantization.json").write_text("{}")
    with pytest.raises(MissingArtefact):
        load_classifier(folder, asked)


def test_an_unknown_engine_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidSettings, match="auto, torch, openvino"):
        load_classifier(folder, EngineOptions("onnx"))
