"""What becomes of the clinical content beside the PHI of a note."""

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.clinical_content import (
    ContentCounts,
    Fate,
    count_content,
    find_total,
)

TEXT = "GCS 15, BP 120/80, metoprolol 25 mg, L4/5, stage IIIA, E11.9. Seen by Dr. Weir 3/4."
FATES = {
    PhiLabel.DATE: Fate.FALSIFIED,
    PhiLabel.PATIENT: Fate.DESTROYED,
    PhiLabel.AGE: Fate.KEPT,
}


def span(text: str, label: PhiLabel) -> Span:
    start = TEXT.index(text)
    return Span(start, start + len(text), label)


GOLD = (span("Weir", PhiLabel.DOCTOR), span("3/4", PhiLabel.DATE))


def count(*found: Span) -> dict[str, ContentCounts]:
    note = LabelledNote(RawNote("n", "p", TEXT), GOLD)
    return count_content(note, found, lambda span: FATES.get(span.label, Fate.DESTROYED))


def test_content_that_is_no_phi_is_read_by_kind() -> None:
    whole = count(*GOLD)
    assert {kind: one.pieces for kind, one in whole.items()} == {
        "doses": 1,
        "values n/n": 1,
        "scores": 1,
        "stages": 1,
        "codes": 1,
        "vertebrae": 1,
        "drugs": 1,
    }
    assert all(one.kept == one.pieces for one in whole.values())


@pytest.mark.parametrize(
    ("taken", "label", "expected"),
    [
        ("120/80", PhiLabel.DATE, ContentCounts(7, 1, 0)),
        ("120/80", PhiLabel.AGE, ContentCounts(7, 0, 0)),
        ("metoprolol", PhiLabel.PATIENT, ContentCounts(7, 0, 1)),
        ("metoprolol 25 mg", PhiLabel.PATIENT, ContentCounts(7, 0, 2)),
    ],
)
def test_what_detection_takes_is_lost(taken: str, label: PhiLabel, expected: ContentCounts) -> None:
    assert find_total(count(span(taken, label))) == expected


def test_a_surrogate_is_worse_than_a_label() -> None:
    both = count(span("120", PhiLabel.PATIENT), span("80", PhiLabel.DATE))
    assert both["values n/n"] == ContentCounts(1, 1, 0)
