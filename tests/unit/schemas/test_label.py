"""The rows of the table of labels, and the sets that are derived from them."""

from deidstream.schemas.label import (
    FEW_VALUES,
    HANDLES,
    INSTITUTIONS,
    LABELS,
    NUMBERS,
    PERSONS,
    PHONES,
    TIMES,
    LabelGroup,
    PhiLabel,
    labels_of,
)


def test_every_label_has_a_row_and_every_group_a_label() -> None:
    assert set(LABELS) == set(PhiLabel)
    assert labels_of(*LabelGroup) == set(PhiLabel)
    assert all(labels_of(group) for group in LabelGroup)


def test_the_sets_are_those_of_the_guidelines() -> None:
    assert set(PERSONS) == {PhiLabel.PATIENT, PhiLabel.DOCTOR}
    assert set(HANDLES) == {PhiLabel.USERNAME, PhiLabel.EMAIL, PhiLabel.URL}
    assert set(INSTITUTIONS) == {PhiLabel.HOSPITAL, PhiLabel.ORGANIZATION}
    assert set(TIMES) == {PhiLabel.DATE, PhiLabel.AGE}
    assert set(PHONES) == {PhiLabel.PHONE, PhiLabel.FAX}
    assert len(NUMBERS) == 9
    assert set(FEW_VALUES) == TIMES | {PhiLabel.STATE, PhiLabel.COUNTRY}
