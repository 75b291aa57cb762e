"""An embedder is named before it is loaded, and is what it was named."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from deidstream.agents.runtime.load_embedder import choose_embedder, embeds, load_embedder
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.neural.deferred_embedder import DeferredEmbedder
from deidstream.models.neural.weights import PACKAGED, find_encoder
from deidstream.schemas.errors import MissingArtefact
from support.engines import trust_sums

TEXTS = ["Severe pain of the knee.", "no fever"]


@pytest.fixture(autouse=True)
def _any_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    trust_sums(monkeypatch)


def openvino(embedder: str) -> Settings:
    return read_settings(
        {"DEIDSTREAM_MODEL_EMBEDDER": embedder, "DEIDSTREAM_MODEL_ENGINE": "openvino"}
    )


@pytest.mark.slow
def test_it_is_the_embedder_that_it_was_named_as() -> None:
    settings = openvino(PACKAGED)
    deferred = choose_embedder(settings, find_policy("surrogate"))
    exact = load_embedder(settings)
    assert isinstance(deferred, DeferredEmbedder)
    assert (deferred.digest, deferred.precision) == (exact.digest, exact.precision)
    assert deferred.pieces.count(TEXTS) == exact.pieces.count(TEXTS)
    assert np.array_equal(deferred.embed(TEXTS), exact.embed(TEXTS))
    assert deferred.dimension == exact.dimension


@pytest.mark.slow
def test_one_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "embedder"
    shutil.copytree(find_encoder(PACKAGED), folder)
    deferred = choose_embedder(openvino(str(folder)), find_policy("surrogate"))
    assert isinstance(deferred, DeferredEmbedder)
    with (folder / "config.json").open("a") as config:
        config.write("\n")
    with pytest.raises(MissingArtefact, match="changed after the start"):
        deferred.embed(TEXTS)


def test_a_policy_embeds_where_it_or_its_stronger_form_does() -> None:
    assert not embeds(find_policy("surrogate"))
    assert not embeds(find_policy("redact"))
    assert embeds(find_policy("kneo"))


@pytest.mark.slow
def test_an_embedder_of_torch_is_loaded_at_once() -> None:
    settings = read_settings({"DEIDSTREAM_MODEL_ENGINE": "torch", "DEIDSTREAM_MODEL_DTYPE": "fp32"})
    assert not isinstance(choose_embedder(settings, find_policy("surrogate")), DeferredEmbedder)
