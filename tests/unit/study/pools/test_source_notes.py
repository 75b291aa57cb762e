import numpy as np

from deidstream.models.references.reference_notes import SourceNote, mean_vector
from deidstream.models.risk.contexts import Highlighted
from deidstream.schemas.note import RawNote
from deidstream.study.pools.source_notes import (
    PoolRows,
    cut_note,
    find_others,
    make_references,
    number_sentences,
)
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder(dimension=32)
POOL = ["No fever or cough today.", "She sleeps well at night."]


def test_a_note_is_cut_with_its_labels_and_on_single_lines() -> None:
    text = "PLAN\nShe was seen again by Ada Lane  today. She sleeps well."
    at = text.index("Ada")
    made = cut_note(RawNote("n", "d7", text), [Highlighted(at, at + 8, "DOCTOR")])
    assert made == SourceNote(
        "d7", ("PLAN", "She was seen again by DOCTOR today.", "She sleeps well.")
    )


def test_a_span_over_two_pieces_leaves_nothing_of_itself() -> None:
    text = "Seen by Lane. Ada came too."
    made = cut_note(RawNote("n", "d", text), [Highlighted(8, 17, "PATIENT")])
    assert not any(word in piece for piece in made.pieces for word in ("Lane", "Ada"))


def test_pieces_of_the_pool_are_not_embedded_apart() -> None:
    notes = [SourceNote("a", ("PLAN", "no fever, or cough today")), SourceNote("b", ("PLAN",))]
    assert find_others(notes, number_sentences(POOL)) == ["PLAN"]


def test_a_note_has_its_rows_in_reading_order_and_the_mean_of_its_pieces() -> None:
    rows = EMBEDDER.embed(POOL)
    (plan,) = EMBEDDER.embed(["PLAN"])
    notes = [
        SourceNote("a", (POOL[1], "PLAN", "no fever, or cough today")),
        SourceNote("b", ()),
    ]
    made = make_references(notes, PoolRows(POOL, rows, number_sentences(POOL)), {"PLAN": plan})
    assert made.donors == ("a", "b")
    assert [made.rows.of(i).tolist() for i in range(2)] == [[1, 0], []]
    expected = mean_vector(np.stack([rows[1], plan, rows[0]]))
    assert np.abs(made.vectors[0] - expected).max() < 1e-3
    assert not made.vectors[1].any()
    assert np.array_equal(
        made.words.of(0), made.sketch("she sleeps well at night PLAN no fever or cough today")
    )
