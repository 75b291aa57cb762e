"""The 28 PHI labels of i2b2/UTHealth 2014 and what each one means elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class PhiLabel(StrEnum):
    """A category of PHI, named as in the i2b2/UTHealth 2014 guidelines."""

    PATIENT = "PATIENT"
    DOCTOR = "DOCTOR"
    USERNAME = "USERNAME"
    PROFESSION = "PROFESSION"
    HOSPITAL = "HOSPITAL"
    ORGANIZATION = "ORGANIZATION"
    STREET = "STREET"
    CITY = "CITY"
    STATE = "STATE"
    COUNTRY = "COUNTRY"
    ZIP = "ZIP"
    LOCATION_OTHER = "LOCATION_OTHER"
    AGE = "AGE"
    DATE = "DATE"
    PHONE = "PHONE"
    FAX = "FAX"
    EMAIL = "EMAIL"
    URL = "URL"
    IPADDR = "IPADDR"
    SSN = "SSN"
    MEDICALRECORD = "MEDICALRECORD"
    HEALTHPLAN = "HEALTHPLAN"
    ACCOUNT = "ACCOUNT"
    LICENSE = "LICENSE"
    VEHICLE = "VEHICLE"
    DEVICE = "DEVICE"
    BIOID = "BIOID"
    IDNUM = "IDNUM"


class Sensitivity(StrEnum):
    """How far an identifier singles a person out."""

    DIRECT = "direct"
    """Alone."""
    QUASI = "quasi"
    """In combination with others."""


class DeidclinicType(StrEnum):
    """The seven entity types of DeIDClinic, section 3.3 (after MASK)."""

    NAME = "Name"
    PROFESSION = "Profession"
    LOCATION = "Location"
    AGE = "Age"
    DATE = "Date"
    CONTACT = "Contact"
    ID = "ID"


@dataclass(frozen=True, slots=True)
class LabelFacts:
    """What one label is in the other vocabularies."""

    hipaa: str | None
    """Letter of 45 CFR 164.514(b)(2)(i), ``A`` to ``R``; ``None``: Safe Harbor does not ask."""
    sensitivity: Sensitivity
    deidclinic: DeidclinicType


def _facts(hipaa: str | None, sensitivity: Sensitivity, kind: DeidclinicType) -> LabelFacts:
    return LabelFacts(hipaa, sensitivity, kind)


_D, _Q, _T = Sensitivity.DIRECT, Sensitivity.QUASI, DeidclinicType

LABELS: Mapping[PhiLabel, LabelFacts] = MappingProxyType(
    {
        PhiLabel.PATIENT: _facts("A", _D, _T.NAME),
        # Safe Harbor speaks of the individual, relatives, employers and household, not of staff.
        PhiLabel.DOCTOR: _facts(None, _D, _T.NAME),
        PhiLabel.USERNAME: _facts("R", _D, _T.NAME),
        PhiLabel.PROFESSION: _facts(None, _Q, _T.PROFESSION),
        PhiLabel.HOSPITAL: _facts(None, _Q, _T.LOCATION),
        # The name of an employer counts as a name of rule A.
        PhiLabel.ORGANIZATION: _facts("A", _Q, _T.LOCATION),
        PhiLabel.STREET: _facts("B", _D, _T.LOCATION),
        PhiLabel.CITY: _facts("B", _Q, _T.LOCATION),
        PhiLabel.STATE: _facts(None, _Q, _T.LOCATION),
        PhiLabel.COUNTRY: _facts(None, _Q, _T.LOCATION),
        PhiLabel.ZIP: _facts("B", _Q, _T.LOCATION),
        PhiLabel.LOCATION_OTHER: _facts("B", _Q, _T.LOCATION),
        PhiLabel.AGE: _facts("C", _Q, _T.AGE),
        PhiLabel.DATE: _facts("C", _Q, _T.DATE),
        PhiLabel.PHONE: _facts("D", _D, _T.CONTACT),
        PhiLabel.FAX: _facts("E", _D, _T.CONTACT),
        PhiLabel.EMAIL: _facts("F", _D, _T.CONTACT),
        PhiLabel.URL: _facts("N", _D, _T.CONTACT),
        PhiLabel.IPADDR: _facts("O", _D, _T.CONTACT),
        PhiLabel.SSN: _facts("G", _D, _T.ID),
        PhiLabel.MEDICALRECORD: _facts("H", _D, _T.ID),
        PhiLabel.HEALTHPLAN: _facts("I", _D, _T.ID),
        PhiLabel.ACCOUNT: _facts("J", _D, _T.ID),
        PhiLabel.LICENSE: _facts("K", _D, _T.ID),
        PhiLabel.VEHICLE: _facts("L", _D, _T.ID),
        PhiLabel.DEVICE: _facts("M", _D, _T.ID),
        PhiLabel.BIOID: _facts("P", _D, _T.ID),
        PhiLabel.IDNUM: _facts("R", _D, _T.ID),
    }
)


def is_direct(label: PhiLabel) -> bool:
    """Tell whether a label singles a person out alone."""
    return LABELS[label].sensitivity is Sensitivity.DIRECT
