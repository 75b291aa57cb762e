"""Find what a resource states of other ids of its patient: ``Patient.link``.

Source: FHIR R4 and R5, Patient.link and the value set link-type.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from deidstream.models.messages.fhir.fhir_references import read_target
from deidstream.models.messages.fhir.fhir_subjects import BUNDLE, read_entries
from deidstream.models.messages.fhir.walking import Fields, find_objects, find_string
from deidstream.schemas.note import LinkType, PatientLink

_PATIENT = "Patient"
_TYPES: Mapping[str, LinkType] = MappingProxyType(
    {
        "replaced-by": LinkType.REPLACED_BY,
        "replaces": LinkType.REPLACES,
        "refer": LinkType.SEEALSO,
        "seealso": LinkType.SEEALSO,
    }
)
"""A patient with ``refer`` or ``seealso`` stays in use beside the other one."""


def find_links(fields: Fields) -> tuple[PatientLink, ...] | None:
    """Return the links of the patient that a resource is, or that a Bundle of one patient has.

    Returns:
        All links, which may be none; ``None`` where the resource states nothing of the kind.
    """
    patients = [*_find_patients(fields)]
    if not patients:
        return None
    return tuple(dict.fromkeys(link for patient in patients for link in _read_links(patient)))


def _find_patients(fields: Fields) -> Iterator[Fields]:
    if find_string(fields, "resourceType") == _PATIENT:
        yield fields
    if find_string(fields, "resourceType") == BUNDLE:
        for entry in read_entries(fields):
            yield from (one for one in entry.resources if _is_patient(one))


def _is_patient(fields: Fields) -> bool:
    return find_string(fields, "resourceType") == _PATIENT


def _read_links(patient: Fields) -> Iterator[PatientLink]:
    for link in find_objects(patient, "link"):
        kind = _TYPES.get(find_string(link, "type"))
        for other in find_objects(link, "other"):
            target = read_target(find_string(other, "reference"))
            if kind is not None and target is not None and target.resource_type == _PATIENT:
                yield PatientLink(kind, target.value)
