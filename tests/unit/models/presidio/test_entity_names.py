"""Each label has one entity, and the way back gives all labels of an entity."""

from deidstream.models.presidio.entity_names import ENTITIES, SUPPORTED, labels_named, name_entity
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def test_every_label_has_an_entity_and_is_found_by_it() -> None:
    assert set(ENTITIES) == set(PhiLabel)
    for label, entity in ENTITIES.items():
        assert name_entity(Span(0, 1, label)) == entity
        assert label in labels_named([entity])
    assert labels_named(SUPPORTED) == frozenset(PhiLabel)


def test_a_license_to_practise_is_a_medical_one() -> None:
    for source, entity in (
        ("rules:licence.npi", "MEDICAL_LICENSE"),
        ("rules:licence.dea", "MEDICAL_LICENSE"),
        ("rules:licence.cued", "US_DRIVER_LICENSE"),
        ("tagger", "US_DRIVER_LICENSE"),
    ):
        assert name_entity(Span(0, 1, PhiLabel.LICENSE, 1.0, source)) == entity
    assert labels_named(["MEDICAL_LICENSE"]) == {PhiLabel.LICENSE}


def test_unknown_entities_stand_for_no_label() -> None:
    assert labels_named(["ABC", "CRYPTO"]) == frozenset()
