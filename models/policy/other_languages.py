"""Derive the policy under which notes in other languages are redacted."""

from dataclasses import replace
from types import MappingProxyType

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    Combine,
    DetectionPolicy,
    LanguagePolicy,
    OperatorName,
    OtherLanguage,
    Policy,
    Profile,
    Technique,
)


def redact_strictly(policy: Policy) -> Policy:
    """Return a policy that redacts whatever any recognizer finds, however unsure it is.

    Recognizers, lists and risk are those of the policy, and so are name and digest: outputs say by
    their ``technique`` that they were redacted.
    """
    return replace(
        policy,
        technique=Technique.REDACT,
        operators=MappingProxyType(dict.fromkeys(PhiLabel, OperatorName.REDACT)),
        combine=Combine.UNION,
        detection=DetectionPolicy(Profile.STRICT),
        thresholds=MappingProxyType({}),
        language=LanguagePolicy(OtherLanguage.PROCESS),
    )
