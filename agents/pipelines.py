"""The pipelines that the notes of each tenant go through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deidstream.agents.tenants import Tenants

if TYPE_CHECKING:
    # It brings the model libraries, which reading a file of tenants does without.
    from deidstream.models.pipeline import Pipeline


@dataclass(slots=True)
class OwnPipelines:
    """The pipelines of tenants whose policy is not that of the settings."""

    tenants: Tenants = field(default_factory=Tenants)
    pipelines: "dict[str, Pipeline]" = field(default_factory=dict[str, "Pipeline"])
    """By the name of the policy. Another may be put here at any time, on the event loop."""

    def parted(self, tenants: Sequence[str]) -> Mapping[str | None, list[int]]:
        """Part places by policy, in the order in which policies and places come.

        Those of tenants whose notes are refused are under ``None``.
        """
        parts: dict[str | None, list[int]] = {}
        by_tenant, otherwise = self.tenants.by_tenant, self.tenants.otherwise
        for place, tenant in enumerate(tenants):
            parts.setdefault(by_tenant.get(tenant, otherwise), []).append(place)
        return parts
