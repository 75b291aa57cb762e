import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.scoring.i2b2.tags import (
    DROPPED,
    REPEATED,
    UNITED,
    I2b2Note,
    InvalidI2b2,
    Tag,
    label_i2b2,
)

TEXT = "x" * 40


def test_what_is_lost_is_counted() -> None:
    tags = (
        Tag(20, 30, "LOCATION", "HOSPITAL"),
        Tag(0, 4, "LOCATION", "room"),
        Tag(5, 9, "OTHER", "OTHER"),
        Tag(10, 14, "PHI", "PATIENT"),
        Tag(20, 30, "LOCATION", "DEPARTMENT"),
        Tag(28, 33, "NAME", "DOCTOR"),
    )
    labelled = label_i2b2(I2b2Note(TEXT, tags), "110-01", "110")
    assert labelled.note.spans == (
        Span(0, 4, PhiLabel.HOSPITAL),
        Span(10, 14, PhiLabel.PATIENT),
        Span(20, 33, PhiLabel.HOSPITAL),
    )
    assert (labelled.note.note.note_id, labelled.note.note.patient_id) == ("110-01", "110")
    assert labelled.lost == {
        DROPPED: 1,
        "ROOM became HOSPITAL": 1,
        "DEPARTMENT became HOSPITAL": 1,
        REPEATED: 1,
        UNITED: 1,
    }


def test_nothing_lost_is_not_counted() -> None:
    labelled = label_i2b2(I2b2Note(TEXT, (Tag(0, 4, "AGE", "AGE"),)), "n", "p")
    assert labelled.lost == {}


def test_a_foreign_type_is_refused_by_its_place() -> None:
    with pytest.raises(InvalidI2b2, match=r"tag at \[2, 4\) has a TYPE that i2b2") as caught:
        label_i2b2(I2b2Note(TEXT, (Tag(2, 4, "NAME", "Quill"),)), "n", "p")
    assert "Quill" not in str(caught.value)
