import numpy as np
import pytest

from deidstream.models.kneo.words.near_words import LISTED, NearWords
from deidstream.models.kneo.words.spelling import LONGEST, spelling_keys
from deidstream.models.kneo.words.word_vectors import WordModel
from support.word_vectors import WORDS, small_vectors

NEAR = NearWords(small_vectors())


@pytest.mark.parametrize("word", ["pain", "tablets", "the"])
def test_neighbours_come_nearest_first(word: str) -> None:
    vectors = small_vectors()
    found = NEAR.of(word)
    cosines = vectors.rows @ vectors.rows[vectors.places[word]]
    order = [(-round(float(cosines[vectors.places[one]]), 4), WORDS.index(one)) for one in found]
    assert order == sorted(order)


@pytest.mark.parametrize("word", WORDS)
def test_no_neighbour_is_a_spelling_variant(word: str) -> None:
    found = NEAR.of(word)
    assert found
    assert len(found) <= LISTED
    assert all(spelling_keys(word).isdisjoint(spelling_keys(one)) for one in found)


def test_an_unknown_word_has_neighbours_by_its_ngrams_alone() -> None:
    assert NEAR.of("swollen") == ()
    by_ngrams = NearWords(small_vectors(WordModel.FASTTEXT))
    assert by_ngrams.of("swollen")
    assert "swelling" not in by_ngrams.of("swellings")


def test_a_run_of_letters_that_is_no_word_has_no_neighbours() -> None:
    by_ngrams = NearWords(small_vectors(WordModel.FASTTEXT))
    assert by_ngrams.of("a" * LONGEST)
    assert by_ngrams.of("a" * (LONGEST + 1)) == ()


def test_what_is_found_does_not_depend_on_what_was_searched_before() -> None:
    fresh = NearWords(small_vectors(WordModel.FASTTEXT))
    used = NearWords(small_vectors(WordModel.FASTTEXT))
    for word in np.random.default_rng(1).permutation(list(WORDS)):
        used.of(str(word))
    assert fresh.of("kneecap") == used.of("kneecap")
