"""Notes as they would be emitted, for the measures of risk."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from deidstream.models.records import KNEO, Planned, Substituted
from deidstream.models.risk.miss_rates import ResidualTable, Sight
from deidstream.models.surrogates.substitute import substitute
from deidstream.schemas.label import LabelGroup, PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy, RecognizerName, Technique
from deidstream.schemas.risk_policy import RiskPolicy
from deidstream.schemas.span import Replacement, Span
from support.detected import as_detected

WEIGHTS: Mapping[str, float] = {"always": -4.0, "tagger": 1.0, "unlisted": 2.0}
TABLE = ResidualTable(
    dict.fromkeys(Sight, WEIGHTS),
    {
        Sight.TAGGER: dict.fromkeys(LabelGroup, 0.01),
        Sight.PRECISE: dict.fromkeys(LabelGroup, 0.02),
        Sight.RULES: dict.fromkeys(LabelGroup, 0.1),
    },
)


def policy(
    operator: OperatorName = OperatorName.REDACT,
    *,
    tagger: bool = True,
    risk: RiskPolicy | None = None,
) -> Policy:
    """A policy with one operator for all labels."""
    named = {RecognizerName.RULES} | ({RecognizerName.TAGGER} if tagger else set())
    return Policy(
        "test",
        Technique.SURROGATE,
        frozenset(named),
        MappingProxyType(dict.fromkeys(PhiLabel, operator)),
        risk=risk or RiskPolicy(),
    )


def emitted(
    text: str,
    spans: Sequence[Span] = (),
    doubts: Sequence[Span] = (),
    new: str = "[X]",
    operator: str = "redact",
) -> Substituted:
    """A note whose spans were replaced by ``new``."""
    detected = as_detected(RawNote("n", "p", text), spans, {"rules"}, doubts=doubts)
    planned = Planned(detected, (), None, {}, ())
    written, placed = substitute(text, [Replacement(span, new, operator) for span in spans])
    return Substituted(planned, written, tuple(placed))


def exchanged(item: Substituted, text: str) -> Substituted:
    """The note with all of its text exchanged for another."""
    moved = [
        replace(one, operator=KNEO, out_start=0, out_end=len(text)) for one in item.replacements
    ]
    return replace(item, text=text, replacements=tuple(moved))
