"""Marked text becomes a labelled note, and what is marked wrongly is refused by its place."""

from pathlib import Path

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.marked import (
    parse_marked_text,
    read_folder,
    read_marked_file,
    write_marked_text,
)

MARKED = "# note_type: letter\n# author: nobody\n\nDr. [[DOCTOR|Okafor]] saw [[AGE|58]]M.\n"


def test_marks_become_spans_and_leave_the_text() -> None:
    labelled = parse_marked_text(MARKED, "a/001.txt")
    assert labelled.note.text == "Dr. Okafor saw 58M.\n"
    assert labelled.spans == (Span(4, 10, PhiLabel.DOCTOR), Span(15, 17, PhiLabel.AGE))


def test_the_header_gives_the_note_type_and_the_path_the_id() -> None:
    note = parse_marked_text(MARKED, "a/001.txt").note
    assert (note.note_id, note.note_type) == ("a/001.txt", "letter")


def test_text_without_a_header_is_all_text() -> None:
    assert parse_marked_text("\n#1 problem: [[CITY|Lagos]]", "x").note.text == "\n#1 problem: Lagos"


def test_a_mark_may_break_over_lines_and_end_in_a_bracket() -> None:
    labelled = parse_marked_text("[[STREET|11 Custom\nHouse [rear]]]", "x")
    assert labelled.note.text == "11 Custom\nHouse [rear]"
    assert labelled.spans[0].end == len(labelled.note.text)


def test_what_is_written_is_read_back() -> None:
    labelled = parse_marked_text(MARKED, "x")
    assert parse_marked_text(write_marked_text(labelled), "x") == labelled


def test_a_text_with_marks_of_its_own_is_not_written() -> None:
    note = parse_marked_text("plain [[CITY|Lagos]]", "x")
    forged = parse_marked_text(write_marked_text(note).replace("plain", "pla|in"), "x")
    assert parse_marked_text(write_marked_text(forged), "x").spans == forged.spans
    with pytest.raises(ValueError, match="a mark is not closed"):
        write_marked_text(type(note)(type(note.note)("x", "x", "a [[b Lagos"), ()))


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("seen\nby [[DOCTR|Okafor]]", "line 2, column 4: a mark names no label"),
        ("seen by [[DOCTOR|Okafor", "line 1, column 9: a mark is not closed"),
        ("[[DOCTOR|Oka [[CITY|x]]", "line 1, column 1: a mark is not closed"),
        ("[[DOCTOR|]]", "line 1, column 1: a mark is not"),
        ("[[DOCTOR]]", "line 1, column 1: a mark is not"),
        ("[[DOCTOR|a|b]]", "line 1, column 1: a mark is not"),
        ("a ]] b", "line 1, column 3: marks are closed"),
        ("# note_type\n\ntext", "line 1, column 1: a line of the header"),
    ],
)
def test_a_wrong_mark_is_refused_by_line_and_column(marked: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        parse_marked_text(marked, "x")
    assert "Okafor" not in str(refused.value)


def test_a_folder_is_read_by_name_and_errors_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "002.txt").write_text("[[CITY|Lagos]]", "utf-8")
    (tmp_path / "a.txt").write_text("none", "utf-8")
    assert [found.note.note_id for found in read_folder(tmp_path)] == ["a.txt", "b/002.txt"]
    (tmp_path / "b" / "002.txt").write_text("[[CITI|Lagos]]", "utf-8")
    with pytest.raises(ValueError, match=r"b/002\.txt: line 1"):
        read_marked_file(tmp_path / "b" / "002.txt", tmp_path)


def test_a_folder_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not there"):
        list(read_folder(tmp_path / "none"))
