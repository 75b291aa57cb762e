"""Which operator a policy's word for a label means: one table."""

from collections.abc import Mapping
from types import MappingProxyType

from deidstream.models.operators.ages import CapAge
from deidstream.models.operators.contacts import ReplaceContact
from deidstream.models.operators.date_year import KeepYear
from deidstream.models.operators.dates import ShiftDate
from deidstream.models.operators.identifiers import ReplaceCode
from deidstream.models.operators.keep import Keep
from deidstream.models.operators.names import ReplaceName
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.phones import ReplacePhone
from deidstream.models.operators.places import ReplacePlace
from deidstream.models.operators.professions import ReplaceProfession
from deidstream.models.operators.redact import Redact
from deidstream.models.operators.regions import ReplaceRegion
from deidstream.models.operators.zip3 import ShortenZip
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy

INSTITUTIONS, STREETS, PLACES = "institutions.kept.txt", "streets.kept.txt", "places.kept.txt"


def operators(policy: Policy) -> Mapping[PhiLabel, Operator]:
    """Every label's operator; a label that the policy does not name is redacted.

    Raises:
        InvalidPolicy: The policy names operators that their labels do not have; all are listed.
    """
    named = {label: policy.operators.get(label, OperatorName.REDACT) for label in PhiLabel}
    offered = {label: _offered(label, policy) for label in PhiLabel}
    wrong = [
        f"{label} has no {name}" for label, name in named.items() if name not in offered[label]
    ]
    if wrong:
        raise InvalidPolicy("\n".join(wrong))
    return MappingProxyType({label: offered[label][name] for label, name in named.items()})


def _offered(label: PhiLabel, policy: Policy) -> dict[OperatorName, Operator]:
    redact = Redact(policy.redact_style)
    offered: dict[OperatorName, Operator] = {
        OperatorName.REDACT: redact,
        OperatorName.KEEP: Keep(),
        OperatorName.SURROGATE: _surrogates(policy)[label],
    }
    if label is PhiLabel.DATE:
        offered[OperatorName.SHIFT] = offered[OperatorName.SURROGATE]
        offered[OperatorName.GENERALISE] = KeepYear()
    elif label is PhiLabel.AGE:
        offered[OperatorName.GENERALISE] = offered[OperatorName.SURROGATE]
    elif label is PhiLabel.ZIP:
        offered[OperatorName.GENERALISE] = ShortenZip()
    return offered


def _surrogates(policy: Policy) -> dict[PhiLabel, Operator]:
    name, code, contact, phone = ReplaceName(), ReplaceCode(), ReplaceContact(), ReplacePhone()
    region, institution = ReplaceRegion(), ReplacePlace(INSTITUTIONS)
    return {
        PhiLabel.PATIENT: name,
        PhiLabel.DOCTOR: name,
        PhiLabel.USERNAME: code,
        PhiLabel.PROFESSION: ReplaceProfession(),
        PhiLabel.HOSPITAL: institution,
        PhiLabel.ORGANIZATION: institution,
        PhiLabel.STREET: ReplacePlace(STREETS),
        PhiLabel.CITY: region,
        PhiLabel.STATE: region,
        PhiLabel.COUNTRY: region,
        PhiLabel.ZIP: code,
        PhiLabel.LOCATION_OTHER: ReplacePlace(PLACES),
        PhiLabel.AGE: CapAge(policy.age_cap),
        PhiLabel.DATE: ShiftDate(policy.dates.max_shift_days),
        PhiLabel.PHONE: phone,
        PhiLabel.FAX: phone,
        PhiLabel.EMAIL: contact,
        PhiLabel.URL: contact,
        PhiLabel.IPADDR: contact,
        PhiLabel.SSN: code,
        PhiLabel.MEDICALRECORD: code,
        PhiLabel.HEALTHPLAN: code,
        PhiLabel.ACCOUNT: code,
        PhiLabel.LICENSE: code,
        PhiLabel.VEHICLE: code,
        PhiLabel.DEVICE: code,
        PhiLabel.BIOID: code,
        PhiLabel.IDNUM: code,
    }
