import pytest

from deidstream.schemas.note import RawNote
from deidstream.study.scoring.i2b2.tags import InvalidI2b2
from deidstream.study.scoring.i2b2.xml_files import FileName, name_notes, read_name


def named(*ids: tuple[str, str]) -> tuple[str, ...]:
    return name_notes([RawNote(note_id, patient_id, "") for note_id, patient_id in ids])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("110-01.xml", FileName("110-01", "110")),
        ("301-01foo.xml", FileName("301-01", "301", "foo")),
        ("t1-001.xml", FileName("t1-001", "t1-001")),
        ("note.2.xml", FileName("note.2", "note.2")),
    ],
)
def test_a_file_name_tells_note_patient_and_system(name: str, said: FileName) -> None:
    assert read_name(name) == said


def test_ids_of_the_form_are_the_names() -> None:
    assert named(("110-02", "x"), ("7-1", "y")) == ("110-02.xml", "7-1.xml")


def test_other_ids_are_numbered_by_patient() -> None:
    given = (("a", "p"), ("110-01", "q"), ("b", "p"), ("c", ""), ("d", ""))
    assert named(*given) == ("001-01.xml", "002-01.xml", "001-02.xml", "003-01.xml", "004-01.xml")


def test_an_id_is_no_path() -> None:
    assert named(("../../etc/1-1", "p")) == ("001-01.xml",)
    assert named(("1-1\n", "p")) == ("001-01.xml",)


def test_equal_ids_are_refused() -> None:
    with pytest.raises(InvalidI2b2, match="more than once"):
        named(("a", "p"), ("a", "q"))
