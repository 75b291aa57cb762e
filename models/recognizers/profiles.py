"""The detection profiles: from which probability on the tagger takes a word for PHI.

Each is a point on the curve of recall over precision that ``benchmarks/recognition/curve.py``
measures. They were chosen on notes kept from training, not on the development notes (ADR 32).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from deidstream.models.recognizers.label_scores import WHOLE
from deidstream.schemas.policy import Profile


@dataclass(frozen=True, slots=True)
class ProfileBounds:
    """Probabilities in thousandths."""

    lowest: int
    """Thresholds of the checkpoint below it are raised to it."""
    highest: int
    """Thresholds above it are lowered to it."""
    beside: int = WHOLE
    """Threshold of a word beside one that is PHI, on the same line (hysteresis)."""


BOUNDS: Mapping[Profile, ProfileBounds] = MappingProxyType(
    {
        Profile.STRICT: ProfileBounds(0, 50, 20),
        Profile.BALANCED: ProfileBounds(0, WHOLE),
        Profile.PRECISE: ProfileBounds(700, WHOLE),
    }
)
