import json
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from deidstream.models.neural.engine_port import OPENVINO, ROUNDING, TORCH_INT8
from deidstream.models.neural.quantization import MOST_LOSS, Quantization, Range
from deidstream.models.neural.weights import (
    QUANTIZATION,
    SHIPPED_TAGGERS,
    digest,
    shipped_tagger,
)
from deidstream.schemas.errors import MissingArtefact
from support.checkpoints import token_classifier
from support.quantized import quantized


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return token_classifier(tmp_path)


def test_what_is_written_is_found(folder: Path) -> None:
    assert Quantization.find(folder) is None
    before = digest(folder)
    found = Quantization.find(quantized(folder))
    assert found is not None
    assert len(found.ranges) == 2 * 4 + 1
    assert not any(map(found.find_excess, ROUNDING))
    assert digest(folder) == before, "torch does not read it"


def test_other_weights_and_other_content_are_refused(folder: Path) -> None:
    found = Quantization.find(quantized(folder))
    assert found is not None
    file = replace(found, weights="0" * 64).write(folder)
    with pytest.raises(MissingArtefact, match="other weights"):
        Quantization.find(folder)
    file.write_bytes(found.encode().replace(b'"schema": 2', b'"schema": 1'))
    with pytest.raises(MissingArtefact, match="another version"):
        Quantization.find(folder)
    for content in ("[]", "{", '{"schema": 1, "ranges": {"a": 1}, "loss": {}, "weights": ""}'):
        (folder / QUANTIZATION).write_text(content)
        with pytest.raises(MissingArtefact, match="cannot be read"):
            Quantization.find(folder)


def test_a_range_that_was_altered_is_refused(folder: Path) -> None:
    file = quantized(folder) / QUANTIZATION
    content = json.loads(file.read_bytes())
    content["ranges"]["head"]["high"] += 1
    file.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
    with pytest.raises(MissingArtefact, match="was altered"):
        Quantization.find(folder)


@pytest.mark.parametrize("name", MOST_LOSS)
def test_too_much_loss_is_named(name: str) -> None:
    def find_excess(**loss: float) -> str:
        return Quantization("", {}, {OPENVINO: loss, TORCH_INT8: {}}).find_excess(OPENVINO)

    assert not find_excess(**{name: MOST_LOSS[name]})
    assert name in find_excess(**{name: MOST_LOSS[name] * 1.1})
    assert find_excess(**{name: float("nan")})
    assert find_excess(unknown=0.1)


def test_a_loss_that_was_not_measured_is_too_much() -> None:
    made = Quantization("", {}, {OPENVINO: {"mean_change": 0.0}, TORCH_INT8: {}})
    assert not made.find_excess(OPENVINO)
    assert made.find_excess(TORCH_INT8) == "its loss was not measured"
    assert Quantization("", {}, {}).find_excess(OPENVINO) == "its loss was not measured"


def test_other_ranges_have_another_mark() -> None:
    made = [Range(-1, 1), Range(-1, 1.001), Range(-1, 1, {3: 2.0})]
    assert len({Quantization("", {"head": each}, {}).mark for each in made}) == len(made)


@pytest.mark.parametrize("name", SHIPPED_TAGGERS)
@pytest.mark.parametrize("engine", ROUNDING)
def test_the_shipped_taggers_may_run_in_int8(name: str, engine: str) -> None:
    found = Quantization.find(shipped_tagger(name))
    assert found is not None
    assert not found.find_excess(engine)
