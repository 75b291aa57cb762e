"""Make the reference notes of an index from the notes that its pool is chosen from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.references.common_lines import CommonLines, comparison_key, digest_line
from deidstream.models.references.number_lists import NumberLists
from deidstream.models.references.reference_notes import (
    ReferenceNotes,
    SourceNote,
    derive_salt,
    mean_vector,
)
from deidstream.models.references.word_sketch import sketch_text
from deidstream.models.risk.contexts import Highlighted
from deidstream.models.text.sentences import split_sentences
from deidstream.schemas.note import RawNote

Rows = NDArray[np.float32]


def cut_note(note: RawNote, marked: Sequence[Highlighted]) -> SourceNote:
    """Cut a note into pieces, each on one line, with labels in place of marked spans.

    Args:
        note: De-identified; ``patient_id`` is the donor's pseudonym.
        marked: Sorted and disjoint.
    """
    pieces = [
        _write_piece(note.text, (piece.start, piece.end), marked)
        for piece in split_sentences(note.text)
    ]
    return SourceNote(note.patient_id, tuple(pieces), note.note_type)


def _write_piece(text: str, part: tuple[int, int], marked: Sequence[Highlighted]) -> str:
    at, end = part
    parts: list[str] = []
    for span in marked:
        if span.end > at and span.start < end:
            parts += [text[at : max(at, span.start)], span.label]
            at = span.end
    parts.append(text[at:end])
    return " ".join("".join(parts).split())


@dataclass(frozen=True, slots=True)
class PoolRows:
    """The sentences of a pool, for finding those of a note."""

    texts: Sequence[str] = field(repr=False)
    vectors: Rows = field(repr=False)
    """Shape ``(len(texts), dimension)``."""
    numbers: Mapping[str, int] = field(repr=False)
    """What ``number_sentences`` made of them."""

    def row_of(self, piece: str) -> int | None:
        """Return the row of the sentence that a piece of a note is; ``None``: it is in no pool."""
        return self.numbers.get(comparison_key(piece))


def number_sentences(texts: Sequence[str]) -> dict[str, int]:
    """Return the row of each sentence by its comparison key; of those with one key the first."""
    numbers: dict[str, int] = {}
    for row, text in enumerate(texts):
        numbers.setdefault(comparison_key(text), row)
    return numbers


def find_others(notes: Sequence[SourceNote], numbers: Mapping[str, int]) -> list[str]:
    """Return the pieces of notes that no pool sentence stands for, each once, in their order."""
    pieces = dict.fromkeys(piece for note in notes for piece in note.pieces)
    return [piece for piece in pieces if comparison_key(piece) not in numbers]


def make_references(
    notes: Sequence[SourceNote], pool: PoolRows, others: Mapping[str, NDArray[np.float32]]
) -> ReferenceNotes:
    """Make reference notes.

    Args:
        notes: What they are made from, in their order.
        pool: The sentences of the index.
        others: The vector of each piece that no sentence stands for.
    """
    salt = derive_salt(pool.texts)
    dimension = pool.vectors.shape[1]
    vectors = np.zeros((len(notes), dimension), np.float16)
    rows: list[NDArray[np.uint32]] = []
    for number, note in enumerate(notes):
        found = [pool.row_of(piece) for piece in note.pieces]
        vectors[number] = mean_vector(
            np.array(list(_take_vectors(note, found, pool, others)), np.float32).reshape(
                -1, dimension
            )
        )
        rows.append(np.array([row for row in found if row is not None], np.uint32))
    words = [sketch_text("\n".join(note.pieces), salt) for note in notes]
    return ReferenceNotes(
        tuple(note.donor for note in notes),
        vectors.astype(np.float32),
        NumberLists.pack(rows),
        NumberLists.pack(words),
        np.array([digest_line(note.kind or "", salt) for note in notes], np.uint64),
        CommonLines.gather((note.pieces for note in notes), salt),
        salt,
    )


def _take_vectors(
    note: SourceNote,
    rows: Sequence[int | None],
    pool: PoolRows,
    others: Mapping[str, NDArray[np.float32]],
) -> Iterator[NDArray[np.float32]]:
    for piece, row in zip(note.pieces, rows, strict=True):
        yield others[piece] if row is None else pool.vectors[row]
