"""The embedder of the settings: a sentence-transformers model by name or path, or Doc2Vec."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from huggingface_hub import constants

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.load_embedder import check_embedder, load_embedder
from deidstream.agents.settings import read_settings
from deidstream.models.kneo import index
from deidstream.models.kneo.documents.document_embedder import DocumentEmbedder
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.ports import NoteEmbedder
from support.checkpoints import encoder

TEXTS = ["Severe PAIN, of the knee.", "no fever"]
NAME = "site/small-encoder"


def loaded(name: str, **more: str) -> NoteEmbedder:
    given = {"DEIDSTREAM_MODEL_EMBEDDER": name, "DEIDSTREAM_MODEL_DTYPE": "fp32"}
    settings = read_settings(given | more)
    check_embedder(settings, read_shipped_policy("kneo"))
    return load_embedder(settings)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("encoder"))


def test_a_model_by_its_path(checkpoint: Path) -> None:
    found = loaded(str(checkpoint))
    assert isinstance(found, SentenceEmbedder)
    assert found.embed(TEXTS).shape == (2, found.dimension)


def test_a_model_by_its_name_is_that_of_its_folder(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "models--site--small-encoder"
    shutil.copytree(checkpoint, home / "snapshots" / "0a1b")
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("0a1b")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    by_name, by_path = loaded(NAME), loaded(str(checkpoint))
    assert by_name.digest == by_path.digest
    assert np.array_equal(by_name.embed(TEXTS), by_path.embed(TEXTS))


def test_a_name_that_was_not_downloaded_is_refused() -> None:
    with pytest.raises(MissingArtefact, match="neither a folder nor downloaded"):
        loaded("site/no-such-encoder")


def test_plain_text_makes_another_embedder(checkpoint: Path) -> None:
    plain, other = loaded(str(checkpoint), DEIDSTREAM_MODEL_PLAIN="true"), loaded(str(checkpoint))
    assert plain.digest != other.digest
    assert np.array_equal(plain.embed(TEXTS), other.embed(["severe pain of the knee", "no fever"]))


@pytest.fixture(scope="module")
def doc2vec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doc2vec")
    (folder / "notes").mkdir()
    for name, said in (("a", "pain of the knee. No fever."), ("b", "fever and pain. Knee of no.")):
        (folder / "notes" / f"{name}.txt").write_text(f"\n[[PATIENT|Bo Pike]] has {said}")
    flags = ("--kind", "doc2vec", "--dimension", "8", "--epochs", "5")
    paths = (str(folder / "notes"), "--out", str(folder / "out"))
    assert main(["vectors", "train", *paths, *flags]) == 0
    return folder / "out"


def test_a_folder_of_doc2vec(doc2vec: Path) -> None:
    found = loaded(str(doc2vec))
    assert isinstance(found, DocumentEmbedder)
    assert found.embed(TEXTS).shape == (2, 8)
    assert found.pieces.count(["Severe pain"]) == [2]
    assert "pike" not in found.places


def test_a_folder_of_doc2vec_of_which_something_is_gone_is_refused(
    doc2vec: Path, tmp_path: Path
) -> None:
    left = shutil.copytree(doc2vec, tmp_path / "left")
    (left / "counts.npy").unlink()
    with pytest.raises(MissingArtefact):
        loaded(str(left))


def test_an_index_is_built_with_doc2vec(
    doc2vec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text(
        '{"note_id": "n", "patient_id": "p", "text": "The knee was without pain on examination."}\n'
    )
    monkeypatch.setenv("DEIDSTREAM_MODEL_EMBEDDER", str(doc2vec))
    monkeypatch.setenv("DEIDSTREAM_POLICY", "kneo")
    assert main(["index", "build", str(notes), "--out", str(tmp_path / "index")]) == 0
    made = index.load(tmp_path / "index", loaded(str(doc2vec)).digest)
    assert made.facts.dimension == 8
    with pytest.raises(MissingArtefact, match="another embedder"):
        index.load(tmp_path / "index", "0" * 64)
