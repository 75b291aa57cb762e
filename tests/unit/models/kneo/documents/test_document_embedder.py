from pathlib import Path

import numpy as np
import orjson
import pytest

from deidstream.models.checked_folder import DIGEST, MANIFEST, write_checked_folder
from deidstream.models.kneo.documents.document_embedder import DocumentEmbedder, read_document
from deidstream.models.kneo.documents.document_vectors import (
    COUNTS,
    OUTPUTS,
    WORDS,
    DocumentFacts,
    DocumentVectors,
    build_document_vectors,
    is_document_folder,
    load_document_vectors,
    save_document_vectors,
)
from deidstream.models.kneo.documents.plain_embedder import PlainTextEmbedder
from deidstream.models.time_budget import TimeBudget
from deidstream.schemas.errors import MissingArtefact, OutOfTime
from support.embedding import HashEmbedder
from support.pipeline import LetterCounter
from support.word_vectors import WORDS as VOCABULARY

TEXTS = ["Severe pain of the left knee.", "No cough, fever 38.5", "", "zzz", "rash " * 50]


def small(**changes: float) -> DocumentVectors:
    outputs = HashEmbedder(dimension=16).embed(list(VOCABULARY)) * 2
    settings = {"negative": 5, "epochs": 10, "alpha": 0.025, "least_alpha": 0.0001, "sample": 0.001}
    facts = DocumentFacts(dimension=16, words=len(VOCABULARY), training={}, **(settings | changes))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    counts = np.arange(len(VOCABULARY), 0, -1) * 7
    return build_document_vectors(facts, VOCABULARY, counts, outputs)


def embedder(**changes: float) -> DocumentEmbedder:
    return DocumentEmbedder(small(**changes), LetterCounter())


def test_rows_have_unit_length() -> None:
    rows = embedder().embed(TEXTS)
    assert rows.shape == (len(TEXTS), 16)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_row_does_not_depend_on_the_texts_beside_it() -> None:
    made = embedder()
    together = made.embed(TEXTS)
    for number, text in enumerate(TEXTS):
        assert np.array_equal(made.embed([text])[0], together[number])
    assert np.array_equal(embedder().embed(TEXTS[::-1])[::-1], together)


def test_a_text_without_a_known_word_is_the_first_axis() -> None:
    for row in embedder().embed(["", "zzz", "...", "\u75db"]):
        assert row.tolist() == [1.0] + [0.0] * 15


def test_texts_that_share_words_are_near() -> None:
    near, same, far = embedder(epochs=100).embed(
        ["pain of the knee and ankle", "the ankle and knee of pain", "weekly tablets today"]
    )
    assert near @ same > near @ far + 0.3


def test_a_frequent_word_weighs_less() -> None:
    made = embedder()
    order = made.weights[[made.places[VOCABULARY[0]], made.places[VOCABULARY[-1]]]]
    assert order[0] < order[1] <= 1
    assert set(embedder(sample=0.0).weights.tolist()) == {1.0}


def test_case_punctuation_and_white_space_do_not_count() -> None:
    made = embedder()
    one, other = made.embed(["Severe PAIN,  of the\nknee!", "severe pain of the knee"])
    assert np.array_equal(one, other)
    assert read_document("T 38.5\u00b0, don't!") == ["t", "385", "don't"]


def test_nothing_known_means_no_word_is_drawn_against_itself() -> None:
    # With a vocabulary of one word every negative example is the word itself, and counts nothing.
    facts = DocumentFacts(2, 1, 5, 3, 0.025, 0.0001, 0.0, {})
    alone = build_document_vectors(
        facts, ("pain",), np.array([3]), np.array([[1.0, 0.0]], np.float32)
    )
    assert DocumentEmbedder(alone, LetterCounter()).embed(["pain"]).tolist() == [[1.0, 0.0]]


def test_the_time_of_a_note_is_kept() -> None:
    with pytest.raises(OutOfTime), TimeBudget(0.0).running():
        embedder().embed(TEXTS * 50)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_document_vectors(small(), tmp_path)
    return tmp_path


def test_what_is_saved_is_loaded(folder: Path) -> None:
    read = load_document_vectors(folder)
    again = DocumentEmbedder(read, LetterCounter())
    assert again.digest == (folder / DIGEST).read_text().strip() != ""
    assert read.words == VOCABULARY
    assert np.array_equal(read.outputs, small().outputs)
    assert is_document_folder(folder)
    assert not is_document_folder(folder / "none")


@pytest.mark.parametrize("name", [WORDS, COUNTS, OUTPUTS, MANIFEST, DIGEST])
def test_a_flipped_bit_is_refused(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(MissingArtefact, match=r"document vectors|manifest"):
        load_document_vectors(folder)


@pytest.mark.parametrize("change", [{"words": 3}, {"dimension": 8}, {"more": 1}])
def test_a_manifest_of_other_sizes_is_refused(folder: Path, change: dict[str, object]) -> None:
    record = orjson.loads((folder / MANIFEST).read_bytes())
    files = {name: (folder / name).read_bytes() for name in record.pop("files")}
    write_checked_folder(folder, record.pop("format"), record | change, files)
    with pytest.raises(MissingArtefact, match="manifest"):
        load_document_vectors(folder)


def test_plain_text_has_a_digest_of_its_own() -> None:
    inner = embedder()
    plain = PlainTextEmbedder(inner)
    assert plain.digest not in {"", inner.digest}
    assert (plain.dimension, plain.precision) == (inner.dimension, "fp32")
    assert plain.pieces is inner.pieces


def test_plain_text_is_what_is_embedded() -> None:
    class Hashing(HashEmbedder):
        pieces = LetterCounter()
        precision = "fp32"

    hashing = Hashing()
    plain = PlainTextEmbedder(hashing)
    assert np.array_equal(plain.embed(["Severe  PAIN!"]), hashing.embed(["severe pain"]))
