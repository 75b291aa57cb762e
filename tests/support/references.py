"""Reference notes made of sentences, for indexes of tests."""

from collections.abc import Sequence

from deidstream.models.references.reference_notes import ReferenceNotes, SourceNote
from deidstream.schemas.ports import Embedder
from deidstream.study.pools.source_notes import PoolRows, make_references, number_sentences


def make_notes(
    texts: Sequence[str], embedder: Embedder, count: int = 60, size: int = 8
) -> ReferenceNotes:
    """Make notes of sentences, each of another patient and of one of two types.

    Note ``i`` has ``size`` sentences, the first of them in place ``3 * i``, the others each
    ``i % 5 + 1`` further; the last line of every note is a heading that all have.
    """
    notes = [
        SourceNote(
            f"patient-{i}",
            (*(texts[(3 * i + k * (i % 5 + 1)) % len(texts)] for k in range(size)), "PLAN"),
            ("progress note", "discharge summary")[i % 2],
        )
        for i in range(count)
    ]
    (plan,) = embedder.embed(["PLAN"])
    pool = PoolRows(texts, embedder.embed(texts), number_sentences(texts))
    return make_references(notes, pool, {"PLAN": plan})
