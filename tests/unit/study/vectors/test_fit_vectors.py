import os
import subprocess
import sys

import numpy as np
import pytest
from gensim.models import FastText

from deidstream.models.kneo.words.word_vectors import WordModel
from deidstream.models.risk.contexts import snap_to_grid
from deidstream.schemas.errors import Refused
from deidstream.study.vectors.fit_vectors import VectorPlan, fit_word_vectors

NOTES = [
    ["the", "patient", "denies", "chest", "pain", "and", "shortness", "of", "breath"],
    ["the", "patient", "reports", "knee", "pain", "and", "swelling", "of", "the", "knee"],
    ["naïve", "patient", "with", "café", "au", "lait", "spots"],
] * 8
PLAN = VectorPlan(dimension=12, window=3, epochs=3, ngrams=50)
AGAIN = """
import sys
sys.path.insert(0, "tests/unit/study/vectors")
from test_fit_vectors import NOTES, PLAN
from deidstream.models.kneo.words.word_vectors import WordModel
from deidstream.study.vectors.fit_vectors import fit_word_vectors
made = fit_word_vectors(NOTES, PLAN, WordModel.FASTTEXT)
sys.stdout.buffer.write(made.rows.tobytes() + made.ngrams.tobytes() + " ".join(made.words).encode())
"""


@pytest.mark.parametrize("model", WordModel)
def test_words_come_by_their_number(model: WordModel) -> None:
    made = fit_word_vectors(NOTES, PLAN, model)
    assert made.words[0] in {"the", "patient"}
    assert set(made.words) == {word for note in NOTES for word in note}
    assert made.rows.shape == (len(made.words), 12)
    assert np.allclose(np.linalg.norm(made.rows, axis=1), 1, atol=2e-3)
    assert made.facts.training["epochs"] == 3


def test_vectors_of_unknown_words_are_those_of_gensim() -> None:
    theirs = FastText(
        NOTES, vector_size=12, window=3, min_count=1, epochs=3, bucket=50, seed=1, workers=1
    )
    ours = fit_word_vectors(NOTES, PLAN, WordModel.FASTTEXT)
    for word in ("painful", "swollen", "caf\u00e9s", "x", "\u75db\u307f"):
        expected = theirs.wv.get_vector(word, norm=True)
        found = ours.vector_of(word)
        assert found is not None
        assert np.abs(snap_to_grid(np.asarray(expected, np.float32)) - found).max() < 2e-3


@pytest.mark.slow
def test_another_process_learns_the_same_bytes() -> None:
    outputs = [
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", AGAIN],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "tests"},
            capture_output=True,
            check=True,
            timeout=100,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] != b""


def test_too_few_words_are_refused() -> None:
    with pytest.raises(Refused, match="too few"):
        fit_word_vectors([], PLAN, WordModel.WORD2VEC)


def test_a_long_note_is_read_to_its_end() -> None:
    note = [f"w{number}" for number in range(12_000)]
    assert (
        len(fit_word_vectors([note], VectorPlan(2, 1, epochs=1), WordModel.WORD2VEC).words)
        == 12_000
    )
