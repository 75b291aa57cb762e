"""Put changed policies in force while the worker runs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.policy_files import PolicyFiles
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import InvalidPolicy, Refused
from deidstream.schemas.policy import Policy
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

LOG = Logger("reload")
MOST_PLACES = 10
"""Most places of mistakes that one log line names."""


@dataclass(slots=True)
class Reloader:
    """Keeps the content of a policy file and its lists in force.

    Only the content counts. It is accepted once two looks in a row have found the same, so a list
    is not read while it is being written. Refused content is not tried again before it changes, and
    the former policy stays in force. Each worker looks for itself, so workers differ for a few
    seconds; every output names the policy that made it.
    """

    path: Path
    runtime: Runtime
    """The runtime in force."""
    recompose: Callable[[Runtime, Policy], Runtime]
    """Makes the runtime of another policy from the one in force; called off the event loop."""
    warm: Callable[[Pipeline], Awaitable[None]]
    """Tries a pipeline; what it raises refuses the policy."""
    apply: Callable[[Runtime], None]
    """Puts a runtime in force; called on the event loop."""
    refused: bool = False
    """Whether the present content of the files was refused."""
    _judged_digest: str = ""
    """Digest of the content that was last accepted or refused."""
    _seen_digest: str = ""
    """Digest of the content that the last look found."""

    def __post_init__(self) -> None:
        """Begin with the policy in force."""
        self._judged_digest = self._policy.sha256

    async def look(self) -> None:
        """Look at the files once, and put their policy in force if it is new and valid.

        It does not raise.
        """
        files = await asyncio.to_thread(PolicyFiles.gather, self.path)
        digest, before = files.digest, self._seen_digest
        self._seen_digest = digest
        if digest != before or digest == self._judged_digest:
            return
        self._judged_digest = digest
        # Whatever is raised must leave the old policy in force and the worker running.
        (made,) = await asyncio.gather(self._make_runtime(files), return_exceptions=True)
        if isinstance(made, Runtime):
            self._accept(made)
        else:
            self._refuse(made)

    @property
    def _policy(self) -> Policy:
        return self.runtime.pipeline.policy

    async def _make_runtime(self, files: PolicyFiles) -> Runtime:
        runtime = await asyncio.to_thread(self._read_and_recompose, files)
        if runtime is not self.runtime:
            await self.warm(runtime.pipeline)
        return runtime

    def _read_and_recompose(self, files: PolicyFiles) -> Runtime:
        policy = files.policy()
        same = policy.sha256 == self._policy.sha256
        return self.runtime if same else self.recompose(self.runtime, policy)

    def _accept(self, runtime: Runtime) -> None:
        self._set_refused(refused=False)
        if runtime is self.runtime:
            LOG.info("policy-as-before", policy=_name_policy(self._policy))
            return
        self.runtime = runtime
        self.apply(runtime)
        metrics.count("deid_policy_reloads_total", "applied")
        LOG.info("policy-applied", policy=_name_policy(self._policy))

    def _set_refused(self, *, refused: bool) -> None:
        self.refused = refused
        metrics.gauge("deid_policy_refused", int(refused))

    def _refuse(self, error: BaseException) -> None:
        self._set_refused(refused=True)
        metrics.count("deid_policy_reloads_total", "refused")
        file = _list_places(error) if isinstance(error, InvalidPolicy) else self.path.name
        # Other refusals of this project quote nothing; the mistakes of a policy may name its keys.
        plain = isinstance(error, Refused) and not isinstance(error, InvalidPolicy)
        LOG.error(
            "policy-refused",
            policy=_name_policy(self._policy),
            file=file,
            kind=type(error).__name__,
            reason=str(error) if plain else None,
        )


@dataclass(frozen=True, slots=True)
class Reloaders:
    """Keeps the policies of all tenants in force; each file is judged by itself."""

    each: Sequence[Reloader]

    async def look(self) -> None:
        """Look at the files of every policy once; it does not raise."""
        for reloader in self.each:
            await reloader.look()
        refused = sum(reloader.refused for reloader in self.each)
        if refused or len(self.each) > 1:
            metrics.gauge("deid_policy_refused", refused)


def _name_policy(policy: Policy) -> str:
    return f"{policy.name} ({policy.sha256[:12]})"


def _list_places(error: InvalidPolicy) -> str:
    """Name the file and line of each mistake, without the text of the line."""
    places = [line.partition(": ")[0] for line in str(error).splitlines()]
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return ", ".join(places[:MOST_PLACES]) + more
