"""Of several rows of one note, one stays."""

from pathlib import Path

import pytest

from deidstream.agents.archive import input_ids
from deidstream.agents.archive.input_ids import InputId, ReplacedRow, find_replaced, write_ids
from deidstream.agents.archive.note_identity import VersionAge, identify

NOTE, OTHER = bytes(range(16)), bytes(range(1, 17))


def replaced(folder: Path, *rows: tuple[int, InputId]) -> set[ReplacedRow]:
    paths = [folder / str(bucket) for bucket in range(3)]
    for path in paths:
        path.touch()
    for bucket, row in rows:
        write_ids(paths[bucket], [row.pack(bucket)])
    return set(find_replaced(paths, len(rows)))


def test_notes_of_other_ids_and_rows_that_are_no_notes_stay(tmp_path: Path) -> None:
    rows = [(0, InputId(0, NOTE)), (0, InputId(1, OTHER)), (1, InputId(2, None))]
    assert replaced(tmp_path, *rows, (2, InputId(3, None))) == set()


def test_the_same_row_once_more_gives_way_and_another_text_is_unknown(tmp_path: Path) -> None:
    rows = [(0, InputId(5, NOTE, content=1)), (0, InputId(2, NOTE, content=1))]
    found = replaced(tmp_path, *rows, (1, InputId(9, NOTE, content=2)))
    assert found == {ReplacedRow(0, 5, unknown=False), ReplacedRow(1, 9, unknown=True)}


def test_the_newest_stays_whatever_its_place_and_bucket(tmp_path: Path) -> None:
    rows = [
        (0, InputId(0, NOTE, age=VersionAge(version=3), content=1)),
        (1, InputId(1, NOTE, age=VersionAge(version=7), content=2)),
        (0, InputId(2, NOTE, age=VersionAge(version=2, weight=2), content=3)),
    ]
    assert {each.place for each in replaced(tmp_path, *rows)} == {0, 2}


def test_the_later_time_stays_and_then_the_higher_version_and_a_retraction_without_either(
    tmp_path: Path,
) -> None:
    stated = [
        b'"source_time": "2024-03-01T10:00:00Z", "version": 9',
        b'"source_time": "2024-03-01T12:00:00+01:00", "version": 3',
        b'"source_time": "2024-03-01T11:00:00Z", "version": "4"',
        b'"authored_at": "2031-01-01"',
    ]
    taken_back = b'"status": "cancelled"'
    rows: list[tuple[int, InputId]] = []
    for place, fields in enumerate([*stated, taken_back]):
        identity = identify(b'{"note_id": "n", "patient_id": "p", %b}' % fields, 1_000)
        assert identity is not None
        rows.append((0, InputId(place, NOTE, identity.age, place)))
    assert {each.place for each in replaced(tmp_path, *rows[:4])} == {0, 1, 3}
    (tmp_path / "all").mkdir()
    assert {each.place for each in replaced(tmp_path / "all", *rows)} == {0, 1, 2, 3}


def test_at_one_time_a_note_that_is_taken_back_stays_before_a_corrected_one(
    tmp_path: Path,
) -> None:
    rows = [
        (0, InputId(weight, NOTE, age=VersionAge(weight=weight), content=weight))
        for weight in range(3)
    ]
    found = replaced(tmp_path, *rows)
    assert found == {ReplacedRow(0, 0, unknown=False), ReplacedRow(0, 1, unknown=False)}


def test_ids_are_compared_in_parts_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input_ids, "_TOGETHER", 2)
    rows = [(n % 3, InputId(n, bytes([n % 4] * 15 + [n % 2 + 1]), content=n)) for n in range(12)]
    assert {each.place for each in replaced(tmp_path, *rows)} == set(range(4, 12))
