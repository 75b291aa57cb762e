import pytest

from deidstream.models.recognizers.label_map import (
    SYNONYMS,
    find_beginnings,
    parse_label_map,
    translate_labels,
)
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.label import PhiLabel


def _translate(*names: str, **overrides: str) -> tuple[PhiLabel | None, ...]:
    return translate_labels(dict(enumerate(names)), overrides)


@pytest.mark.parametrize(
    "names",
    [
        ("B-DATE", "I-DATE"),
        ("B-DATE", "I-DATE", "L-DATE", "U-DATE"),
        ("B-DATE", "I-DATE", "E-DATE", "S-DATE"),
        ("DATE",),
        ("I-DATE",),
    ],
    ids=["BIO", "BILOU", "BIOES", "IO bare", "IO"],
)
def test_every_scheme_is_read(names: tuple[str, ...]) -> None:
    assert _translate("O", *names) == (None, *[PhiLabel.DATE] * len(names))


@pytest.mark.parametrize("label", PhiLabel)
def test_our_own_labels_need_no_map(label: PhiLabel) -> None:
    assert _translate("O", f"B-{label}") == (None, label)


def test_other_data_sets_names_are_known() -> None:
    deid_roberta = ("AGE", "DATE", "EMAIL", "HOSP", "ID", "LOC", "OTHERPHI", "PATIENT", "PATORG")
    assert None not in _translate("O", *deid_roberta, "PHONE", "STAFF")[1:]
    assert _translate("O", "B-LOCATION-OTHER") == (None, PhiLabel.LOCATION_OTHER)


def test_synonyms_do_not_shadow_our_labels() -> None:
    assert not SYNONYMS.keys() & PhiLabel.__members__.keys()


def test_an_unknown_label_is_refused_by_name() -> None:
    with pytest.raises(MissingArtefact, match="B-MISC has no meaning"):
        _translate("O", "B-DATE", "B-MISC")


def test_the_map_speaks_of_full_and_of_bare_labels() -> None:
    labels = _translate("O", "B-MISC", "B-HCP", **{"MISC": "O", "B-HCP": "DOCTOR"})
    assert labels == (None, None, PhiLabel.DOCTOR)


@pytest.mark.parametrize("override", [{"DATE": "WHEN"}, {"WHEN": "DATE"}])
def test_a_map_that_fits_nothing_is_refused(override: dict[str, str]) -> None:
    with pytest.raises(InvalidSettings, match="does not fit"):
        _translate("O", "B-DATE", **override)


@pytest.mark.parametrize("names", [("O",), ("B-DATE",)])
def test_a_tagger_without_phi_or_without_the_rest_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(MissingArtefact, match="one that is not"):
        _translate(*names)


def test_pairs_are_parsed() -> None:
    assert parse_label_map(" MISC=O, B-HCP = DOCTOR,") == {"MISC": "O", "B-HCP": "DOCTOR"}
    assert parse_label_map("") == {}


@pytest.mark.parametrize("pairs", ["MISC", "MISC=", "=O", "A=O,A=DATE"])
def test_broken_pairs_are_refused(pairs: str) -> None:
    with pytest.raises(InvalidSettings, match="MODEL=PHI"):
        parse_label_map(pairs)


@pytest.mark.parametrize(
    ("names", "beginning"),
    [
        (("O", "B-DATE", "I-DATE"), (True, True, False)),
        (("O", "B-DATE", "I-DATE", "L-DATE", "U-DATE"), (True, True, False, False, True)),
        (("O", "B-DATE", "I-DATE", "E-DATE", "S-DATE"), (True, True, False, False, True)),
        (("O", "DATE", "I-CITY"), (True, True, True)),
        (("O", "I-DATE", "B-CITY", "I-CITY"), (True, True, True, False)),
        (("O", "B-LOCATION-OTHER", "LOCATION-OTHER"), (True, True, False)),
    ],
    ids=["BIO", "BILOU", "BIOES", "IO", "BIO for some", "a dash of its own"],
)
def test_what_begins_a_span_is_told_by_the_scheme(
    names: tuple[str, ...], beginning: tuple[bool, ...]
) -> None:
    assert find_beginnings(dict(enumerate(names))) == beginning


def test_each_label_of_a_model_can_begin() -> None:
    names = ("O", "I-DATE", "B-CITY", "I-CITY", "AGE", "S-ZIP", "E-ZIP")
    opening = find_beginnings(dict(enumerate(names)))
    meanings = _translate(*names)
    assert {label for label, opens in zip(meanings, opening, strict=True) if opens} == {*meanings}
