"""The 28 PHI labels of i2b2/UTHealth 2014, and one table of the facts about each.

A policy may name labels of its own; each is like one of these, which decides (ADR 76).
"""

from collections.abc import Iterable, Mapping
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

    __hash__ = str.__hash__
    """The same number as that of ``Enum``, which is asked for in Python at every look-up."""


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


class LabelGroup(StrEnum):
    """Labels whose texts are written, compared and replaced in the same way."""

    PERSON = "person"
    HANDLE = "handle"
    """Names of accounts and addresses, which may hold the name of a person."""
    PROFESSION = "profession"
    INSTITUTION = "institution"
    STREET = "street"
    REGION = "region"
    PLACE = "place"
    POSTCODE = "postcode"
    TIME = "time"
    """Labels that a policy may shift rather than replace."""
    PHONE = "phone"
    NETWORK = "network"
    NUMBER = "number"
    """Numbers and codes that are compared by their letters and digits alone."""

    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class LabelFacts:
    """The group of one label, and its counterparts in the other vocabularies."""

    hipaa: str | None
    """Letter of 45 CFR 164.514(b)(2)(i), ``A`` to ``R``; ``None``: Safe Harbor does not ask."""
    sensitivity: Sensitivity
    deidclinic: DeidclinicType
    group: LabelGroup
    few_values: bool = False
    """Whether the label has so few values that the surrogate of one may be the original of
    another in the same note."""


_D, _Q, _T, _G = Sensitivity.DIRECT, Sensitivity.QUASI, DeidclinicType, LabelGroup

LABELS: Mapping[PhiLabel, LabelFacts] = MappingProxyType(
    {
        PhiLabel.PATIENT: LabelFacts("A", _D, _T.NAME, _G.PERSON),
        # Safe Harbor covers the individual, relatives, employers and household, not staff.
        PhiLabel.DOCTOR: LabelFacts(None, _D, _T.NAME, _G.PERSON),
        PhiLabel.USERNAME: LabelFacts("R", _D, _T.NAME, _G.HANDLE),
        PhiLabel.PROFESSION: LabelFacts(None, _Q, _T.PROFESSION, _G.PROFESSION),
        PhiLabel.HOSPITAL: LabelFacts(None, _Q, _T.LOCATION, _G.INSTITUTION),
        # The name of an employer counts as a name of rule A.
        PhiLabel.ORGANIZATION: LabelFacts("A", _Q, _T.LOCATION, _G.INSTITUTION),
        PhiLabel.STREET: LabelFacts("B", _D, _T.LOCATION, _G.STREET),
        PhiLabel.CITY: LabelFacts("B", _Q, _T.LOCATION, _G.REGION),
        PhiLabel.STATE: LabelFacts(None, _Q, _T.LOCATION, _G.REGION, few_values=True),
        PhiLabel.COUNTRY: LabelFacts(None, _Q, _T.LOCATION, _G.REGION, few_values=True),
        PhiLabel.ZIP: LabelFacts("B", _Q, _T.LOCATION, _G.POSTCODE),
        PhiLabel.LOCATION_OTHER: LabelFacts("B", _Q, _T.LOCATION, _G.PLACE),
        PhiLabel.AGE: LabelFacts("C", _Q, _T.AGE, _G.TIME, few_values=True),
        PhiLabel.DATE: LabelFacts("C", _Q, _T.DATE, _G.TIME, few_values=True),
        PhiLabel.PHONE: LabelFacts("D", _D, _T.CONTACT, _G.PHONE),
        PhiLabel.FAX: LabelFacts("E", _D, _T.CONTACT, _G.PHONE),
        PhiLabel.EMAIL: LabelFacts("F", _D, _T.CONTACT, _G.HANDLE),
        PhiLabel.URL: LabelFacts("N", _D, _T.CONTACT, _G.HANDLE),
        PhiLabel.IPADDR: LabelFacts("O", _D, _T.CONTACT, _G.NETWORK),
        PhiLabel.SSN: LabelFacts("G", _D, _T.ID, _G.NUMBER),
        PhiLabel.MEDICALRECORD: LabelFacts("H", _D, _T.ID, _G.NUMBER),
        PhiLabel.HEALTHPLAN: LabelFacts("I", _D, _T.ID, _G.NUMBER),
        PhiLabel.ACCOUNT: LabelFacts("J", _D, _T.ID, _G.NUMBER),
        PhiLabel.LICENSE: LabelFacts("K", _D, _T.ID, _G.NUMBER),
        PhiLabel.VEHICLE: LabelFacts("L", _D, _T.ID, _G.NUMBER),
        PhiLabel.DEVICE: LabelFacts("M", _D, _T.ID, _G.NUMBER),
        PhiLabel.BIOID: LabelFacts("P", _D, _T.ID, _G.NUMBER),
        PhiLabel.IDNUM: LabelFacts("R", _D, _T.ID, _G.NUMBER),
    }
)


OF_I2B2: Mapping[str, PhiLabel] = MappingProxyType({label: label for label in PhiLabel})
"""The labels of a policy without labels of its own, each by its name."""


def own_name(name: str) -> str:
    """Return the name of a label if it is a site's own; empty: it is one of the 28.

    >>> [own_name("STUDY_NUMBER"), own_name("IDNUM")]
    ['STUDY_NUMBER', '']
    """
    return "" if name in OF_I2B2 else name


def sort_names(names: Iterable[str]) -> list[str]:
    """Sort names of labels: the 28 in their order, then those of a site's own.

    >>> sort_names(["STUDY_NUMBER", "IDNUM", "PATIENT"])
    ['PATIENT', 'IDNUM', 'STUDY_NUMBER']
    """
    given = set(names)
    return [*(str(one) for one in OF_I2B2 if one in given), *sorted(given - OF_I2B2.keys())]


def labels_of(*groups: LabelGroup) -> frozenset[PhiLabel]:
    """Return the labels of some groups.

    >>> sorted(labels_of(LabelGroup.PERSON))
    [<PhiLabel.DOCTOR: 'DOCTOR'>, <PhiLabel.PATIENT: 'PATIENT'>]
    """
    return frozenset(label for label, facts in LABELS.items() if facts.group in groups)


PERSONS = labels_of(LabelGroup.PERSON)
HANDLES = labels_of(LabelGroup.HANDLE)
INSTITUTIONS = labels_of(LabelGroup.INSTITUTION)
TIMES = labels_of(LabelGroup.TIME)
PHONES = labels_of(LabelGroup.PHONE)
NUMBERS = labels_of(LabelGroup.NUMBER)
FEW_VALUES = frozenset(label for label, facts in LABELS.items() if facts.few_values)


def is_direct(label: PhiLabel) -> bool:
    """Return whether a label singles a person out alone."""
    return LABELS[label].sensitivity is Sensitivity.DIRECT
