import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from deidstream.models.references import stored_notes
from deidstream.models.references.common_lines import CommonLines
from deidstream.models.references.number_lists import NumberLists
from deidstream.models.references.reference_notes import ReferenceNotes
from deidstream.models.references.stored_notes import parse_notes, write_notes

SALT = bytes(range(16))


def lists(*some: list[int]) -> NumberLists:
    return NumberLists.pack([np.array(one, np.uint32) for one in some])


LINES = CommonLines.gather([["PLAN"], ["Plan:", "other"]], SALT)
KINDS = np.array([7, 0], np.uint64)
NOTES = ReferenceNotes(
    ("d1", ""),
    np.eye(2, dtype=np.float32),
    lists([3, 1], []),
    lists([5, 9], [2]),
    KINDS,
    LINES,
    SALT,
)


def test_what_is_written_is_read() -> None:
    read = parse_notes(write_notes(NOTES), SALT.hex(), 4)
    assert read.donors == ("d1", "")
    assert [read.count_line(line) for line in ("plan", "other")] == [2, 0]
    assert read.kinds.tolist() == [7, 0]
    assert np.array_equal(read.vectors, NOTES.vectors)
    assert [read.rows.of(i).tolist() for i in range(2)] == [[3, 1], []]
    assert [read.words.of(i).tolist() for i in range(2)] == [[5, 9], [2]]


def test_no_notes_are_read_as_none() -> None:
    none = ReferenceNotes.none(2)
    assert len(parse_notes(write_notes(none), none.salt.hex(), 4)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"donors": ("d1",)},
        {"donors": ("d1", "", "d3")},
        {"vectors": np.eye(2, dtype=np.float32) * 3},
        {"vectors": np.full((2, 2), np.nan, np.float32)},
        {"vectors": np.eye(3, dtype=np.float32)[:, :2]},
        {"rows": lists([4, 1], [])},
        {"rows": lists([1])},
        {"words": lists([9, 5], [2])},
        {"words": lists([5, 5], [2])},
        {"lines": CommonLines(LINES.digests.repeat(2), LINES.counts.repeat(2))},
        {"kinds": KINDS[:1]},
        {"kinds": KINDS.astype(np.int64)},
        {"salt": b"short"},
    ],
)
def test_notes_that_do_not_fit_are_refused(wrong: dict[str, Any]) -> None:
    made: ReferenceNotes = replace(NOTES, **wrong)
    with pytest.raises(ValueError, match=r"notes|lists|fromhex"):
        parse_notes(write_notes(made), made.salt.hex(), 4)


def test_lengths_that_promise_more_than_there_is_are_refused() -> None:
    stored = io.BytesIO()
    np.save(stored, np.array([2**31, 1, 0], np.uint32), allow_pickle=False)
    files = {**write_notes(NOTES), stored_notes.ROWS: stored.getvalue()}
    with pytest.raises(ValueError, match="lengths"):
        parse_notes(files, SALT.hex(), 4)


def test_objects_are_not_unpickled() -> None:
    stored = io.BytesIO()
    np.save(stored, np.array([print], object), allow_pickle=True)
    files = {**write_notes(NOTES), stored_notes.VECTORS: stored.getvalue()}
    with pytest.raises(ValueError, match="pickle"):
        parse_notes(files, SALT.hex(), 4)
