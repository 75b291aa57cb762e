import numpy as np

from deidstream.models.references.reference_notes import ReferenceNotes, derive_salt, mean_vector
from deidstream.models.references.word_sketch import sketch_text

SALT = derive_salt(["No fever."])


def test_a_sketch_is_of_the_word_set() -> None:
    one, other = (
        sketch_text("Fever,  no COUGH; no rash", SALT),
        sketch_text("no rash cough FEVER", SALT),
    )
    assert np.array_equal(one, other)
    assert one.dtype == np.uint32
    assert (np.diff(one.astype(np.int64)) > 0).all()


def test_another_salt_gives_another_sketch() -> None:
    assert not np.array_equal(sketch_text("fever", SALT), sketch_text("fever", derive_salt([])))


def test_a_text_without_words_has_an_empty_sketch() -> None:
    assert sketch_text(" -- \n", SALT).shape == (0,)


def test_the_mean_has_unit_length_and_shows_no_order() -> None:
    rows = np.random.default_rng(1).normal(size=(40, 8)).astype(np.float32)
    made = mean_vector(rows)
    assert abs(float(np.linalg.norm(made)) - 1) < 1e-6
    assert np.array_equal(made, mean_vector(rows[::-1]))


def test_the_mean_of_nothing_is_zero() -> None:
    assert not mean_vector(np.zeros((0, 3), np.float32)).any()


def test_no_repr_shows_what_a_note_holds() -> None:
    assert repr(ReferenceNotes.none(3)) == "ReferenceNotes()"
