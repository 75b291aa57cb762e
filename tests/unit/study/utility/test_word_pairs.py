from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from deidstream.schemas.errors import MissingArtefact
from deidstream.study.utility.word_pairs import WordPair, measure_agreement, read_pairs

VECTORS = {
    "renal": np.array([1.0, 0.0], np.float32),
    "kidney": np.array([0.8, 0.6], np.float32),
    "failure": np.array([0.0, 1.0], np.float32),
    "gout": np.array([-1.0, 0.0], np.float32),
}


def find(word: str) -> NDArray[np.float32] | None:
    return VECTORS.get(word)


def test_cosines_are_correlated_with_judgements() -> None:
    pairs = [
        WordPair("Renal", "kidney", 4.0),  # cosine .8
        WordPair("renal", "failure", 2.0),  # 0
        WordPair("renal", "gout", 1.0),  # -1
        WordPair("renal", "unknown", 3.0),
    ]
    found = measure_agreement(pairs, find)
    # By hand: the covariance of (.8, 0, -1) and (4, 2, 1) is 2.6667 - ..., r = .9619.
    assert found.correlation == pytest.approx(float(np.corrcoef([0.8, 0, -1], [4, 2, 1])[0, 1]))
    assert (found.covered, found.total, found.coverage) == (3, 4, 0.75)


def test_a_term_of_several_words_has_the_mean_of_their_vectors() -> None:
    pairs = [
        WordPair("renal failure", "kidney", 3.0),  # (.7, .7) and (.8, .6): .9899
        WordPair("renal-failure", "renal", 2.0),  # .7071
        WordPair("renal failure", "gout", 1.0),  # -.7071
    ]
    found = measure_agreement(pairs, find)
    wanted = float(np.corrcoef([0.98995, 0.70711, -0.70711], [3, 2, 1])[0, 1])
    assert found.correlation == pytest.approx(wanted, abs=1e-4)


def test_a_term_with_an_unknown_word_is_not_covered() -> None:
    assert measure_agreement([WordPair("renal calculus", "gout", 1.0)], find).covered == 0


def test_few_pairs_have_no_correlation() -> None:
    assert measure_agreement([WordPair("renal", "gout", 1.0)] * 2, find).correlation is None


def test_pairs_are_read_from_a_table(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("term1,term2,score,stddev\nRenal failure,Kidney failure,4,\n")
    assert read_pairs(path) == [WordPair("Renal failure", "Kidney failure", 4.0)]
    path.write_text("a,b\n1,2\n")
    with pytest.raises(MissingArtefact):
        read_pairs(path)
