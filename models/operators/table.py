"""Choose the operator for each label of a policy, from one table."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from deidstream.models.operators.cap_age import CapAge
from deidstream.models.operators.generalise_city import GeneraliseCity
from deidstream.models.operators.hash import HashToken
from deidstream.models.operators.keep import Keep
from deidstream.models.operators.keep_part import KeepPart
from deidstream.models.operators.keep_year import KeepYear
from deidstream.models.operators.mask import Mask
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.redact import Redact
from deidstream.models.operators.relative_date import RelativeDate
from deidstream.models.operators.replace_code import ReplaceCode
from deidstream.models.operators.replace_contact import ReplaceContact
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.operators.replace_phone import ReplacePhone
from deidstream.models.operators.replace_place import ReplacePlace
from deidstream.models.operators.replace_postcode import ReplacePostcode
from deidstream.models.operators.replace_profession import ReplaceProfession
from deidstream.models.operators.replace_region import ReplaceRegion
from deidstream.models.operators.replace_username import ReplaceUsername
from deidstream.models.operators.shift_age import ShiftAge
from deidstream.models.operators.shift_date import ShiftDate
from deidstream.models.operators.shorten_zip import ShortenZip
from deidstream.models.phi.places.kind_words import INSTITUTIONS
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import LABELS, LabelGroup, PhiLabel
from deidstream.schemas.policy import OperatorName, Policy

_NO_CHANCE = -1.0
"""Less than any score."""
STREETS, PLACES = "streets.kept.txt", "places.kept.txt"


def operators(policy: Policy) -> Mapping[str, Operator]:
    """Return the operator of every label of a policy, by its name.

    A label for which the policy names none is redacted. What an operator cannot read becomes its
    label in the policy's ``redact_style``.

    Raises:
            InvalidPolicy: The policy names operators that their labels do not have; all are listed.
    """
    named = _name_operators(policy)
    offered = offers(policy)
    wrong = [
        f"{name} has no {operator}"
        for name, operator in named.items()
        if operator not in offered[policy.labels[name]]
    ]
    if wrong:
        raise InvalidPolicy("\n".join(wrong))
    return MappingProxyType(
        {name: offered[policy.labels[name]][operator] for name, operator in named.items()}
    )


def doubtful_operators(policy: Policy) -> Mapping[str, Operator]:
    """Return every label's operator for spans that may be no PHI (``Policy.is_doubtful``)."""
    offered = offers(policy)
    doubting = replace(policy, operators=_name_operators(policy))
    chosen: dict[str, Operator] = {}
    for name, label in policy.labels.items():
        wanted = doubting.operator_of(name, _NO_CHANCE)
        operator = offered[label][wanted]
        shortens = wanted is OperatorName.GENERALISE
        chosen[name] = KeepPart(operator, policy.redact_style) if shortens else operator
    return MappingProxyType(chosen)


def _name_operators(policy: Policy) -> dict[str, OperatorName]:
    return {name: policy.operators.get(name, OperatorName.REDACT) for name in policy.labels}


def offers(policy: Policy) -> Mapping[PhiLabel, Mapping[OperatorName, Operator]]:
    """Return every operator that each label may have."""
    surrogates, special, style = _surrogates(policy), _special(policy), policy.redact_style
    common: dict[OperatorName, Operator] = {
        OperatorName.REDACT: Redact(style),
        OperatorName.MASK: Mask(style=style),
        OperatorName.HASH: HashToken(style=style),
        OperatorName.KEEP: Keep(),
    }
    return {
        label: common | {OperatorName.SURROGATE: surrogates[label]} | special.get(label, {})
        for label in PhiLabel
    }


def _special(policy: Policy) -> dict[PhiLabel, dict[OperatorName, Operator]]:
    style, ages = policy.redact_style, policy.ages
    return {
        PhiLabel.DATE: {
            OperatorName.SHIFT: _shift(policy),
            OperatorName.RELATIVE: RelativeDate(ages.cap, style=style),
            OperatorName.GENERALISE: KeepYear(ages.cap, style=style),
        },
        PhiLabel.AGE: {
            OperatorName.SHIFT: ShiftAge(ages.cap, ages.jitter, style=style),
            OperatorName.GENERALISE: CapAge(ages.cap, ages.band, style=style),
        },
        PhiLabel.ZIP: {OperatorName.GENERALISE: ShortenZip(style=style)},
        PhiLabel.CITY: {OperatorName.GENERALISE: GeneraliseCity(style=style)},
    }


def _surrogates(policy: Policy) -> dict[PhiLabel, Operator]:
    style = policy.redact_style
    contact = ReplaceContact(style=style)
    groups: dict[LabelGroup, Operator] = {
        LabelGroup.PERSON: ReplaceName(style=style),
        LabelGroup.HANDLE: contact,
        LabelGroup.PROFESSION: ReplaceProfession(style=style),
        LabelGroup.INSTITUTION: ReplacePlace(INSTITUTIONS, style=style),
        LabelGroup.STREET: ReplacePlace(STREETS, style=style),
        LabelGroup.REGION: ReplaceRegion(style=style),
        LabelGroup.PLACE: ReplacePlace(PLACES, style=style),
        LabelGroup.POSTCODE: ReplacePostcode(style=style),
        LabelGroup.TIME: _shift(policy),
        LabelGroup.PHONE: ReplacePhone(style=style),
        LabelGroup.NETWORK: contact,
        LabelGroup.NUMBER: ReplaceCode(style=style),
    }
    exceptions: dict[PhiLabel, Operator] = {
        PhiLabel.USERNAME: ReplaceUsername(style=style),
        PhiLabel.AGE: CapAge(policy.ages.cap, style=style),
    }
    return {label: groups[facts.group] for label, facts in LABELS.items()} | exceptions


def _shift(policy: Policy) -> ShiftDate:
    dates = policy.dates
    return ShiftDate(
        dates.max_shift_days, dates.weekday, policy.ages.cap, style=policy.redact_style
    )
