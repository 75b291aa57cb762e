from pathlib import Path

import numpy as np
import orjson
import pytest

from deidstream.models.checked_folder import DIGEST, MANIFEST, write_checked_folder
from deidstream.models.kneo.words import word_vectors
from deidstream.models.kneo.words.subwords import hash_ngram, ngram_rows
from deidstream.models.kneo.words.word_vectors import (
    NGRAMS,
    VECTORS,
    WordModel,
    load_word_vectors,
    save_word_vectors,
    shipped_vectors,
)
from deidstream.schemas.errors import MissingArtefact
from support.word_vectors import WORDS, small_vectors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_word_vectors(small_vectors(WordModel.FASTTEXT), tmp_path)
    return tmp_path


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    made = small_vectors(WordModel.FASTTEXT)
    digest = save_word_vectors(made, tmp_path)
    read = load_word_vectors(tmp_path)
    assert (read.words, read.facts, read.digest) == (made.words, made.facts, digest)
    assert np.array_equal(read.rows, made.rows)
    for word in ("pain", "painless", "zz"):
        one, other = read.vector_of(word), made.vector_of(word)
        assert one is not None
        assert other is not None
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", [word_vectors.WORDS, VECTORS, NGRAMS, MANIFEST, DIGEST])
def test_a_flipped_bit_is_refused(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(MissingArtefact, match=r"word vectors|manifest") as raised:
        load_word_vectors(folder)
    assert not any(word in str(raised.value) for word in ("pain", "smith"))


def test_an_absent_file_is_refused(folder: Path) -> None:
    word_vectors.check_vector_files(folder)
    (folder / NGRAMS).unlink()
    with pytest.raises(MissingArtefact, match=NGRAMS):
        word_vectors.check_vector_files(folder)
    with pytest.raises(MissingArtefact, match=NGRAMS):
        load_word_vectors(folder)


@pytest.mark.parametrize("change", [{"words": 3}, {"dimension": 8}, {"ngrams": 1}, {"model": "x"}])
def test_a_manifest_of_other_sizes_is_refused(folder: Path, change: dict[str, object]) -> None:
    record = orjson.loads((folder / MANIFEST).read_bytes())
    files = {name: (folder / name).read_bytes() for name in record.pop("files")}
    write_checked_folder(folder, record.pop("format"), record | change, files)
    with pytest.raises(MissingArtefact, match="manifest"):
        load_word_vectors(folder)


def test_a_word_that_was_not_learnt_has_a_vector_by_its_ngrams_alone() -> None:
    assert small_vectors().vector_of("painless") is None
    found = small_vectors(WordModel.FASTTEXT).vector_of("painless")
    assert found is not None
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-3)


def test_the_hash_of_ngrams_is_fnv1a_with_signed_bytes() -> None:
    # The published values of FNV-1a (32 bit) for "" and "a"; of "\xe9" by the definition.
    assert hash_ngram(b"") == 0x811C9DC5
    assert hash_ngram(b"a") == 0xE40C292C
    assert hash_ngram(b"\xe9") == ((0x811C9DC5 ^ 0xFFFFFFE9) * 16_777_619) & 0xFFFFFFFF


def test_ngrams_leave_out_single_letters_beside_a_border() -> None:
    # <a> has the n-grams "<a", "<a>", "a", "a>" of one to three letters.
    assert len(ngram_rows("a", 1, 3, 1_000_003)) == 4


def test_the_shipped_vectors_are_whole() -> None:
    shipped = load_word_vectors(shipped_vectors())
    assert len(shipped.words) > 5_000
    assert shipped.digest
    size = sum(path.stat().st_size for path in shipped_vectors().iterdir())
    assert size < 8 * 2**20


def test_words_are_looked_up_by_their_place() -> None:
    vectors = small_vectors()
    assert [vectors.places[word] for word in WORDS] == list(range(len(WORDS)))
