"""Medicines behind a dosage form."""

from deidstream.models.detection.clinical.guard import cut_clinical_values
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def cut(text: str, found: str, label: PhiLabel) -> list[str]:
    start = text.index(found)
    span = Span(start, start + len(found), label, 0.99, "tagger")
    return [text[left.start : left.end] for left in cut_clinical_values(text, [span])]


def test_a_medicine_behind_its_dosage_form_is_no_name() -> None:
    assert cut("; T. Zorvex 10 mg", "T. Zorvex", PhiLabel.PATIENT) == []
    assert cut("Inj Zorvex stat", "Inj Zorvex", PhiLabel.DOCTOR) == []
    assert cut("Dr T. Okafor came", "T. Okafor", PhiLabel.DOCTOR) == ["T. Okafor"]
