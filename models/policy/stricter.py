"""Derive stricter policies: for notes in other languages, and for notes that are red."""

from dataclasses import replace
from types import MappingProxyType

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
from deidstream.schemas.risk_policy import RedAction, StrongerTechnique


def redact_strictly(policy: Policy) -> Policy:
    """Return a policy that redacts whatever any recognizer finds, however unsure it is.

    Recognizers, lists and risk are those of the policy, and so are name and digest: outputs say by
    their ``technique`` that they were redacted.
    """
    return replace(
        policy,
        technique=Technique.REDACT,
        operators=MappingProxyType(dict.fromkeys(policy.labels, OperatorName.REDACT)),
        combine=Combine.UNION,
        detection=DetectionPolicy(Profile.STRICT),
        thresholds=MappingProxyType({}),
        language=LanguagePolicy(OtherLanguage.PROCESS),
    )


def strengthen(policy: Policy) -> Policy:
    """Return the policy under which red notes are made again: by its stronger technique.

    A note that is still red has what the policy says of that, and is not made a third time.
    """
    again = replace(policy, risk=replace(policy.risk, on_red=policy.risk.still_red))
    if policy.risk.stronger is StrongerTechnique.REDACT:
        return redact_strictly(again)
    return replace(
        again,
        technique=Technique(policy.risk.stronger.value),
        language=LanguagePolicy(OtherLanguage.PROCESS),
    )


def techniques_of(policy: Policy) -> frozenset[Technique]:
    """Return the techniques that notes of a policy may need: its own, and that of red notes."""
    own = {policy.technique}
    if policy.risk.on_red is RedAction.STRENGTHEN:
        own.add(Technique(policy.risk.stronger.value))
    return frozenset(own)
