"""Compute for the interface: one service for each policy that a request may choose."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from deidstream.agents.api.shared_batches import SharedBatches
from deidstream.agents.runtime.compose import Runtime, build_service
from deidstream.agents.runtime.local_ranks import LocalRanks
from deidstream.agents.runtime.long_notes import LongNotes
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.policy_files import DEFAULT, TenantPipelines
from deidstream.agents.runtime.span_finder import FindingLane, FoundPhi, SpanFinder
from deidstream.agents.settings import Settings
from deidstream.models.neural.model_turn import take_text_turn, work_beside
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.ports import SurrogateStore
from deidstream.stream.delivery.outbox import count_outcome
from deidstream.stream.lanes.gathering import GatherRule
from deidstream.stream.lanes.lane import BATCHES_IN_WORK, Lane
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("api")
TENANT = None
"""A request that names no policy: the policy of the note's tenant applies."""


def policy_names(settings: Settings) -> tuple[str, ...]:
    """Return the policies that a request may choose, as the settings name them."""
    named = (name.strip() for name in settings.api.policies.split(","))
    return tuple(dict.fromkeys(name for name in named if name))


@dataclass(slots=True)
class ApiService:
    """Computes for requests: all short notes on one lane, all long ones on another."""

    choice: PolicyChoice
    health: Health
    lane: Lane
    long_lane: Lane
    batches: Mapping[str | None, SharedBatches]
    """By the name of the policy in the settings, or ``TENANT``."""
    ranks: LocalRanks = field(default_factory=LocalRanks)
    """Gives levels by share."""
    _finding: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(BATCHES_IN_WORK))
    _finding_long: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    @classmethod
    def build(
        cls, settings: Settings, choice: PolicyChoice, store: SurrogateStore, health: Health
    ) -> "ApiService":
        """Wire the services around the policies of ``choice``."""
        lane, long_lane = Lane(take_text_turn), Lane.of_one(work_beside)
        rule = GatherRule(settings.api.batch_notes, settings.batch.wait_seconds)

        def serve(runtime: Runtime, own: TenantPipelines) -> SharedBatches:
            service = build_service(
                settings, runtime, store, lane=lane, health=health, tenant_pipelines=own
            )
            return SharedBatches(service, LongNotes(service, long_lane), rule)

        batches: dict[str | None, SharedBatches] = {
            TENANT: serve(choice.default, choice.tenant_pipelines())
        }
        for name in policy_names(settings):
            batches[name] = serve(choice.runtimes[name], TenantPipelines())
        return cls(choice, health, lane, long_lane, batches)

    def offers(self, policy: str | None) -> bool:
        """Return whether a request may name this policy."""
        return policy in self.batches

    async def deidentify(
        self, values: Sequence[bytes], *, route: str, policy: str | None = TENANT
    ) -> list[Outcome]:
        """Return the outcomes of ``notes.raw`` records, in their order, and count them.

        Args:
            values: The records.
            route: Where they came from, for the metric.
            policy: One that is offered.

        Raises:
            Refused: The store may no longer be used.
        """
        outcomes = await self.ranks.rank(await self.batches[policy].run(values))
        for outcome in outcomes:
            _count(outcome, route)
        return outcomes

    async def find(self, values: Sequence[bytes], policy: str | None = TENANT) -> list[FoundPhi]:
        """Find the PHI of ``notes.raw`` records; the results have their order.

        Requests take turns by batches.
        """
        shared = self.batches[policy]
        finder = SpanFinder(
            shared.service,
            FindingLane(self.lane, self._finding),
            FindingLane(self.long_lane, self._finding_long),
            shared.rule.most,
        )
        return await finder.find(values)

    def replace_policy(self, name: str, runtime: Runtime) -> None:
        """Use the reloaded form of a policy from now on, by its name in ``choice``."""
        tenants = self.batches[TENANT].service
        if name == DEFAULT:
            tenants.pipeline = runtime.pipeline
        elif name in tenants.tenant_pipelines.pipelines:
            tenants.tenant_pipelines.pipelines[name] = runtime.pipeline
        if name in self.batches:
            self.batches[name].service.pipeline = runtime.pipeline

    async def work(self) -> None:
        """Compute until cancelled."""
        async with AsyncExitStack() as stack:
            stack.callback(self.lane.close)
            stack.callback(self.long_lane.close)
            await asyncio.gather(*(each.work() for each in self.batches.values()))


def _count(outcome: Outcome, route: str) -> None:
    if isinstance(outcome, Failed):
        # Nothing is quarantined: the sender has the reason.
        metrics.count("deid_notes_total", "refused")
        metrics.count("deid_api_notes_total", route, "failed")
        if outcome.leak:
            metrics.count("deid_leak_scan_hits_total", outcome.leak)
            LOG.error("leak-stopped", kind=outcome.leak)
        return
    count_outcome(outcome)
    known = "anonymized" if isinstance(outcome, Anonymized) else "retracted"
    metrics.count("deid_api_notes_total", route, known)
