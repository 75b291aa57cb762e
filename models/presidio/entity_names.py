"""Name PHI labels as Presidio names entities, and the other way."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

ENTITIES: Mapping[PhiLabel, str] = MappingProxyType(
    {
        PhiLabel.PATIENT: "PERSON",
        PhiLabel.DOCTOR: "PERSON",
        PhiLabel.USERNAME: "USERNAME",
        PhiLabel.PROFESSION: "PROFESSION",
        PhiLabel.HOSPITAL: "ORGANIZATION",
        PhiLabel.ORGANIZATION: "ORGANIZATION",
        PhiLabel.STREET: "LOCATION",
        PhiLabel.CITY: "LOCATION",
        PhiLabel.STATE: "LOCATION",
        PhiLabel.COUNTRY: "LOCATION",
        PhiLabel.ZIP: "LOCATION",
        PhiLabel.LOCATION_OTHER: "LOCATION",
        PhiLabel.AGE: "AGE",
        PhiLabel.DATE: "DATE_TIME",
        PhiLabel.PHONE: "PHONE_NUMBER",
        PhiLabel.FAX: "PHONE_NUMBER",
        PhiLabel.EMAIL: "EMAIL_ADDRESS",
        PhiLabel.URL: "URL",
        PhiLabel.IPADDR: "IP_ADDRESS",
        PhiLabel.SSN: "US_SSN",
        PhiLabel.MEDICALRECORD: "ID",
        PhiLabel.HEALTHPLAN: "ID",
        PhiLabel.ACCOUNT: "US_BANK_NUMBER",
        PhiLabel.LICENSE: "US_DRIVER_LICENSE",
        PhiLabel.VEHICLE: "ID",
        PhiLabel.DEVICE: "ID",
        PhiLabel.BIOID: "ID",
        PhiLabel.IDNUM: "ID",
    }
)
"""The entity of each label. A label that Presidio has no name for keeps its own."""
MEDICAL_LICENSE = "MEDICAL_LICENSE"
_MEDICAL_RULES = frozenset({"rules:licence.npi", "rules:licence.dea"})
"""Sources that know a number for a licence to practise."""
SUPPORTED = tuple(sorted({*ENTITIES.values(), MEDICAL_LICENSE}))


def name_entity(span: Span) -> str:
    """Return the entity of a span."""
    if span.label is PhiLabel.LICENSE and span.source in _MEDICAL_RULES:
        return MEDICAL_LICENSE
    return ENTITIES[span.label]


def labels_named(entities: Iterable[str]) -> frozenset[PhiLabel]:
    """Return the labels that some entities stand for; unknown entities stand for none.

    >>> sorted(labels_named(["PERSON"]))
    [<PhiLabel.DOCTOR: 'DOCTOR'>, <PhiLabel.PATIENT: 'PATIENT'>]
    """
    wanted = set(entities)
    found = {label for label, entity in ENTITIES.items() if entity in wanted}
    return frozenset(found | ({PhiLabel.LICENSE} if MEDICAL_LICENSE in wanted else set()))
