"""Reference notes as files of an index folder."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from deidstream.models.checked_folder import read_array, write_array
from deidstream.models.references.common_lines import CommonLines
from deidstream.models.references.number_lists import NumberLists
from deidstream.models.references.reference_notes import SALT_BYTES, ReferenceNotes

DONORS, VECTORS = "notes.donors.txt", "notes.vectors.npy"
ROWS, WORDS = "notes.rows.npy", "notes.words.npy"
LINES, KINDS = "notes.lines.npy", "notes.kinds.npy"
NOTE_FILES: Final = frozenset({DONORS, VECTORS, ROWS, WORDS, LINES, KINDS})

_LENGTH_ERROR: Final = 0.01


def write_notes(notes: ReferenceNotes) -> dict[str, bytes]:
    """Return the content of each file."""
    return {
        DONORS: "".join(donor + "\n" for donor in notes.donors).encode(),
        VECTORS: write_array(notes.vectors.astype(np.float16)),
        ROWS: write_array(notes.rows.flatten()),
        WORDS: write_array(notes.words.flatten()),
        LINES: write_array(notes.lines.flatten()),
        KINDS: write_array(notes.kinds),
    }


def parse_notes(files: Mapping[str, bytes], salt: str, sentences: int) -> ReferenceNotes:
    """Parse the files after they were checked.

    Args:
        files: Content by name.
        salt: Of the word sketches, in hexadecimal.
        sentences: How many rows the index has.

    Raises:
        ValueError: They do not fit together.
    """
    donors = tuple(files[DONORS].decode().split("\n")[:-1])
    vectors = read_array(files[VECTORS]).astype(np.float32)
    rows = NumberLists.parse(read_array(files[ROWS]), len(donors))
    words = NumberLists.parse(read_array(files[WORDS]), len(donors))
    lines = CommonLines.parse(read_array(files[LINES]))
    kinds = read_array(files[KINDS])
    notes = ReferenceNotes(donors, vectors, rows, words, kinds, lines, bytes.fromhex(salt))
    if not _fits(notes, sentences):
        msg = "the files of the reference notes do not fit together"
        raise ValueError(msg)
    return notes


def _fits(notes: ReferenceNotes, sentences: int) -> bool:
    lengths = np.linalg.norm(notes.vectors, axis=-1)
    unit = (np.abs(lengths - 1.0) < _LENGTH_ERROR) | (lengths == 0.0)
    return (
        len(notes.salt) == SALT_BYTES
        and notes.kinds.shape == (len(notes),)
        and notes.kinds.dtype == np.uint64
        and lengths.shape == (len(notes),)
        and bool(unit.all())
        and bool((notes.rows.values < sentences).all())
        and _ascend(notes.words)
    )


def _ascend(lists: NumberLists) -> bool:
    """Return whether the numbers of each list ascend, none twice."""
    same = np.diff(lists.owners()) == 0
    rises = lists.values[1:] > lists.values[:-1]
    return bool(rises[same].all())
