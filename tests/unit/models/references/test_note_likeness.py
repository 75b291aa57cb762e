from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from deidstream.models.references.note_likeness import NoteLikeness
from deidstream.models.references.own_attack import ComparedNotes, NoteTrace
from deidstream.models.references.reference_notes import ReferenceNotes, mean_vector
from support.noted_index import EMBEDDER, noted_index, pieces_of

LINES = ["The heart was pale on imaging today.", "A wombat seemed stable."]


def trace(lines: list[str]) -> NoteTrace:
    words = noted_index().notes.sketch("\n".join(lines))
    return NoteTrace(words, mean_vector(EMBEDDER.embed(lines)))


def test_likeness_is_half_meaning_and_half_rare_words() -> None:
    notes = noted_index().notes
    likeness = NoteLikeness.measure(ComparedNotes.choose(notes)).compare(trace(LINES))
    fitted = TfidfVectorizer(binary=True, token_pattern=r"(?u)\w+")
    made: Any = fitted.fit_transform(["\n".join(pieces_of(i)) for i in range(100)])
    rows = made.toarray()
    # Words that no note holds count in the length of ours alone: they are rarest.
    written: Any = fitted.transform(["\n".join(LINES)])
    ours = written.toarray()[0]
    known = fitted.idf_[ours > 0]
    unknown = 2 * (np.log(101) + 1) ** 2  # "a" and "wombat"
    shared = rows @ (fitted.idf_ * (ours > 0))
    words = shared / np.sqrt((known**2).sum() + unknown)
    cosines = np.clip(notes.vectors @ trace(LINES).vector, 0, 1)
    assert likeness == pytest.approx((words + cosines) / 2, abs=1e-5)


def test_a_note_is_most_like_itself() -> None:
    likeness = NoteLikeness.measure(ComparedNotes.choose(noted_index().notes))
    for number in (0, 17, 99):
        assert int(likeness.compare(trace(list(pieces_of(number)))).argmax()) == number


def test_no_notes_no_likeness() -> None:
    none = ComparedNotes.choose(ReferenceNotes.none(64))
    assert NoteLikeness.measure(none).compare(trace(LINES)).shape == (0,)
