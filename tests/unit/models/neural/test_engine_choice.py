import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from deidstream.models import neural
from deidstream.models.neural import engine_choice, engine_obstacles
from deidstream.models.neural.engine_choice import (
    PINNED,
    foresee_engine,
    load_classifier,
    load_vectoriser,
)
from deidstream.models.neural.engine_port import (
    AUTO,
    IN_FLOATS,
    OPENVINO,
    ROUNDING,
    TORCH,
    TORCH_INT8,
    EngineOptions,
)
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, MissingExtra
from support.checkpoints import encoder, token_classifier
from support.engines import find_obstacle, trust_sums
from support.quantized import quantized


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return quantized(token_classifier(tmp_path / "model"))


@pytest.fixture
def auto(monkeypatch: pytest.MonkeyPatch) -> EngineOptions:
    monkeypatch.setattr(engine_choice, "find_obstacle", find_obstacle)
    trust_sums(monkeypatch)
    return EngineOptions(AUTO, "cpu")


def test_auto_is_the_first_engine_that_adds_exactly(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong, engine in (("", OPENVINO), (OPENVINO, TORCH_INT8)):
        trust_sums(monkeypatch, wrong)
        model, choice = load_classifier(folder, auto)
        assert choice.engine == engine
        assert model.precision.startswith("int8")
        assert (f"not {wrong}: wrong sums" in str(choice)) == bool(wrong)


def test_no_model_runs_before_the_engine_is_chosen(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is not run cannot be timed.
    monkeypatch.setattr(engine_choice, "_IMPORT", {})
    assert foresee_engine(folder, auto).engine == OPENVINO


@pytest.mark.parametrize("wrong", ROUNDING)
def test_an_engine_whose_sums_are_wrong_is_not_used(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    trust_sums(monkeypatch, wrong)
    assert foresee_engine(folder, auto).engine != wrong
    with pytest.raises(InvalidSettings, match="cannot be used: wrong sums"):
        load_classifier(folder, EngineOptions(wrong, "cpu"))


def test_auto_is_torch_where_int8_may_not_be(
    folder: Path, auto: EngineOptions, tmp_path: Path
) -> None:
    exact = EngineOptions(AUTO, "cpu", "fp32")
    assert load_classifier(folder, exact)[1].why == "dtype is fp32"
    quantized(folder, {"mean_change": 0.5})
    _, choice = load_classifier(folder, auto)
    assert choice.engine == TORCH
    assert str(choice).count("loses too much") == len(ROUNDING)
    bare = token_classifier(tmp_path / "bare")
    assert "no quantization.json" in load_classifier(bare, auto)[1].why


@pytest.mark.parametrize("engine", ROUNDING)
def test_an_engine_is_refused_where_int8_may_not_be(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    trust_sums(monkeypatch)
    asked = EngineOptions(engine, "cpu")
    assert load_classifier(folder, asked)[1].engine == engine
    quantized(folder, {"lost_pieces": 0.5})
    with pytest.raises(InvalidSettings, match=r"lost_pieces 0\.5000 > 0\.005"):
        load_classifier(folder, asked)
    with pytest.raises(InvalidSettings, match="deidstream quantize"):
        load_vectoriser(encoder(tmp_path / "plain"), asked)
    with pytest.raises(InvalidSettings, match="the device is cuda"):
        load_classifier(folder, EngineOptions(engine, "cuda"))
    (folder / "quantization.json").write_text("{}")
    with pytest.raises(MissingArtefact):
        load_classifier(folder, asked)


def test_int8_by_torch_has_no_rest_in_bf16(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidSettings, match="computed in fp32"):
        load_classifier(folder, EngineOptions(TORCH_INT8, "cpu", "bf16"))
    monkeypatch.setattr(engine_choice, "find_wrong_sums", Mock(return_value="wrong sums"))
    choice = foresee_engine(folder, replace(auto, dtype="bf16"))
    assert choice.engine == TORCH
    assert choice.obstacles[TORCH_INT8] == "what is not int8 is computed in fp32"


def pinned_to(options: EngineOptions, precision: str) -> EngineOptions:
    return replace(options, precision=precision)


@pytest.mark.parametrize("engine", [TORCH, *ROUNDING])
def test_auto_computes_as_is_pinned(folder: Path, auto: EngineOptions, engine: str) -> None:
    first, _ = load_classifier(folder, EngineOptions(engine, "cpu", "fp32"))
    model, choice = load_classifier(folder, pinned_to(auto, first.precision))
    assert (model.precision, choice.engine) == (first.precision, engine)
    assert choice.why == PINNED
    # Settings that come to the same may say so themselves.
    same = pinned_to(EngineOptions(engine, "cpu", "fp32"), first.precision)
    assert load_classifier(folder, same)[0].precision == first.precision


def test_a_pinned_engine_that_cannot_run_here_is_refused_with_what_to_do(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = load_classifier(folder, EngineOptions(OPENVINO, "cpu"))
    trust_sums(monkeypatch, OPENVINO)
    with pytest.raises(InvalidSettings, match=r"wrong sums; run it on .*vault engines --release"):
        load_classifier(folder, pinned_to(auto, first.precision))
    other = first.precision.replace(OPENVINO, "onnx")
    with pytest.raises(InvalidSettings, match=f"no engine of this version computes {other}"):
        load_classifier(folder, pinned_to(auto, other))


def test_settings_that_give_another_precision_than_the_pinned_one_are_refused(
    folder: Path, auto: EngineOptions
) -> None:
    first, _ = load_classifier(folder, auto)
    for other in (EngineOptions(TORCH, "cpu", "fp32"), replace(auto, dtype="fp32")):
        with pytest.raises(InvalidSettings, match="by the settings here it is computed as fp32"):
            load_classifier(folder, pinned_to(other, first.precision))
    # Ranges that were seen on other notes round in another way.
    with pytest.raises(InvalidSettings, match="this deployment computes the model as"):
        load_classifier(folder, pinned_to(auto, first.precision[:-8] + "0" * 8))


def test_openvino_multiplies_in_floats_where_another_has_to(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    floats = EngineOptions(OPENVINO, "cpu", "fp32", in_floats=True)
    first, _ = load_classifier(folder, floats)
    for wrong in ("", OPENVINO):
        trust_sums(monkeypatch, wrong)
        model, _ = load_classifier(folder, pinned_to(auto, first.precision))
        assert model.precision == first.precision


@pytest.fixture
def _no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (engine_choice, engine_obstacles):
        monkeypatch.setattr(module, "is_torch_installed", lambda: False)


@pytest.mark.usefixtures("_no_torch")
@pytest.mark.parametrize(("wrong", "library"), [("", OPENVINO), (OPENVINO, IN_FLOATS)])
def test_without_torch_openvino_computes(
    folder: Path, auto: EngineOptions, monkeypatch: pytest.MonkeyPatch, wrong: str, library: str
) -> None:
    trust_sums(monkeypatch, wrong)
    model, choice = load_classifier(folder, auto)
    assert str(choice) == "openvino (torch is not installed)"
    assert f"-{library}-" in model.precision
    assert (IN_FLOATS in model.precision) == bool(wrong)


@pytest.mark.usefixtures("_no_torch")
def test_without_torch_its_engines_say_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("torch_engine", "torch_int8_engine"):
        monkeypatch.delitem(sys.modules, f"deidstream.models.neural.{name}", raising=False)
        monkeypatch.delattr(neural, name, raising=False)
    for engine in (TORCH, TORCH_INT8):
        with pytest.raises(MissingExtra, match=rf"model\.engine {engine} needs the extra"):
            load_classifier(folder, EngineOptions(engine, "cpu"))


def test_an_unknown_engine_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidSettings, match="auto, torch, openvino, torch-int8"):
        load_classifier(folder, EngineOptions("onnx"))
