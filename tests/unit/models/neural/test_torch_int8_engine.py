from pathlib import Path

import numpy as np
import pytest

from deidstream.models.neural.engine_port import TORCH_INT8, EngineOptions
from deidstream.models.neural.passes.packing import ForwardPass
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.torch_engine import TorchClassifier, TorchVectoriser
from deidstream.models.neural.torch_int8_engine import (
    load_rounded_classifier,
    load_rounded_vectoriser,
)
from deidstream.models.neural.weights import PACKAGED, find_encoder, shipped_tagger
from deidstream.schemas.errors import MissingArtefact
from support.checkpoints import byte_level_classifier, encoder, token_classifier
from support.quantized import draw_pass, quantized
from support.torch_threads import torch_threads

EXACT = EngineOptions(device="cpu", dtype="fp32")
ROUNDED = EngineOptions(TORCH_INT8, "cpu")


def load(folder: Path) -> TorchClassifier:
    found = Quantization.find(folder)
    assert found is not None
    return load_rounded_classifier(folder, ROUNDED, found)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quantized(token_classifier(tmp_path_factory.mktemp("tiny")))


def test_probabilities_are_near_those_of_fp32(tiny: Path) -> None:
    one = draw_pass(5, 24, seed=1)
    ours, exact = load(tiny), TorchClassifier.load(tiny, EXACT)
    ((given,), (expected,)) = ours.score([one]), exact.score([one])
    assert given.shape == expected.shape
    assert given.dtype == np.float32
    assert np.abs(given - expected)[one.mask > 0].mean() < 0.02
    assert not np.array_equal(given, expected)
    (untyped,) = ours.score([ForwardPass(one.ids, one.mask)])
    assert np.array_equal(untyped, given)


def test_its_precision_names_the_ranges(tiny: Path) -> None:
    found = Quantization.find(tiny)
    assert found is not None
    assert load(tiny).precision == f"int8-fp32-torch-{found.mark}"


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_is_bitwise_the_same_in_any_company(threads: int) -> None:
    model, drawn = load(shipped_tagger()), np.random.default_rng(0)
    with torch_threads(threads):
        for length in (8, 24, 72, 136, 256):
            ids = drawn.integers(1000, 20_000, (13, length))
            mask = np.ones_like(ids)
            mask[::2, length - 3 :] = 0
            types = drawn.integers(0, 32, ids.shape)
            alone = [
                model.score([ForwardPass(ids[[n]], mask[[n]], types[[n]])])[0][0]
                for n in range(len(ids))
            ]
            for rows in (2, 3, 6, 13):
                chosen = drawn.permutation(len(ids))[:rows]
                passed = ForwardPass(ids[chosen], mask[chosen], types[chosen])
                (together,) = model.score([passed])
                for row, number in zip(together, chosen, strict=True):
                    assert np.array_equal(row[mask[number] > 0], alone[number][mask[number] > 0])


@pytest.mark.slow
def test_the_packaged_embedder_points_where_fp32_does() -> None:
    folder = find_encoder(PACKAGED)
    found = Quantization.find(folder)
    assert found is not None
    assert not found.find_excess(TORCH_INT8)
    ours = load_rounded_vectoriser(folder, ROUNDED, found)
    one = draw_pass(9, 24)
    (given,) = ours.compute([one])
    (expected,) = TorchVectoriser.load(folder, EXACT).compute([one])
    assert ((given * expected).sum(axis=1) > 0.95).all()
    rows = [ForwardPass(one.ids[[n]], one.mask[[n]]) for n in range(9)]
    assert np.array_equal(given, np.concatenate(ours.compute(rows)))


def test_another_kind_of_model_is_refused(tmp_path: Path) -> None:
    empty = Quantization("", {}, {})
    with pytest.raises(MissingArtefact, match=r"model\.engine to torch"):
        load_rounded_classifier(byte_level_classifier(tmp_path / "bytes"), ROUNDED, empty)
    with pytest.raises(MissingArtefact):
        load_rounded_vectoriser(encoder(tmp_path / "plain"), ROUNDED, empty)


def test_lacking_ranges_are_refused(tiny: Path) -> None:
    with pytest.raises(MissingArtefact, match="KeyError"):
        load_rounded_classifier(tiny, ROUNDED, Quantization("", {}, {}))
