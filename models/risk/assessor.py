"""Assess the risk of permitted notes against the index's fixed reference contexts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.embedder import Embedder
from deidstream.models.records import remaining
from deidstream.models.risk.uniqueness import RiskQuery, assess
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.policy import RiskPolicy
from deidstream.schemas.risk import RiskReport


@dataclass(frozen=True, slots=True)
class Assessor:
    """Context uniqueness under one policy."""

    references: NDArray[np.float32] = field(repr=False)
    embedder: Embedder
    policy: RiskPolicy

    def assess(self, permits: Sequence[EmitPermit]) -> list[RiskReport]:
        """Assess each text, in order; the contexts of all are embedded in one call."""
        queries = [RiskQuery(p.text, remaining(p.replacements)) for p in permits]
        return assess(queries, self.references, self.embedder, self.policy)
