"""Puts a changed policy in force while the worker runs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.compose import Parts
from deidstream.agents.policy_files import PolicyFiles
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import InvalidPolicy, Refused
from deidstream.schemas.policy import Policy
from deidstream.stream import metrics
from deidstream.stream.logs import Logger

LOG = Logger("reload")
MOST_PLACES = 10
"""Places of mistakes that one line of the log names."""


@dataclass(slots=True)
class Reloader:
    """Keeps in force what a policy file and its lists say.

    What counts is their content. It is believed once two looks in a row have found the same: a
    list is not taken while somebody is writing it. What is refused is not tried again before the
    content changes, and what was in force stays in force. Workers look each for itself, so for a
    few seconds they differ; every output names the policy that made it.
    """

    path: Path
    parts: Parts
    """What is in force."""
    compose: Callable[[Parts, Policy], Parts]
    """Makes the parts of another policy of those in force; it is called off the event loop."""
    warm: Callable[[Pipeline], Awaitable[None]]
    """Tries a pipeline; what it raises refuses the policy."""
    put: Callable[[Parts], None]
    """Puts parts in force; it is called on the event loop."""
    refused: bool = False
    """Whether what the files hold now was refused."""
    _judged: str = ""
    """Digest of what was last taken or refused."""
    _seen: str = ""
    """Digest of what the last look found."""

    def __post_init__(self) -> None:
        """Begin with what is in force."""
        self._judged = self._in_force.sha256

    async def look(self) -> None:
        """Look at the files once, and put what they say in force if that is new and right.

        It does not raise.
        """
        files = await asyncio.to_thread(PolicyFiles.gather, self.path)
        digest, before = files.digest, self._seen
        self._seen = digest
        if digest != before or digest == self._judged:
            return
        self._judged = digest
        # Whatever is raised must leave the old policy in force and the worker running.
        (made,) = await asyncio.gather(self._made(files), return_exceptions=True)
        if isinstance(made, Parts):
            self._apply(made)
        else:
            self._refuse(made)

    @property
    def _in_force(self) -> Policy:
        return self.parts.pipeline.policy

    async def _made(self, files: PolicyFiles) -> Parts:
        parts = await asyncio.to_thread(self._composed, files)
        if parts is not self.parts:
            await self.warm(parts.pipeline)
        return parts

    def _composed(self, files: PolicyFiles) -> Parts:
        policy = files.policy()
        same = policy.sha256 == self._in_force.sha256
        return self.parts if same else self.compose(self.parts, policy)

    def _apply(self, parts: Parts) -> None:
        self._mark(refused=False)
        if parts is self.parts:
            LOG.info("policy-as-before", policy=_told(self._in_force))
            return
        self.parts = parts
        self.put(parts)
        metrics.count("deid_policy_reloads_total", "applied")
        LOG.info("policy-applied", policy=_told(self._in_force))

    def _mark(self, *, refused: bool) -> None:
        self.refused = refused
        metrics.gauge("deid_policy_refused", int(refused))

    def _refuse(self, error: BaseException) -> None:
        self._mark(refused=True)
        metrics.count("deid_policy_reloads_total", "refused")
        file = _places(error) if isinstance(error, InvalidPolicy) else self.path.name
        # What this project refuses with quotes no note; a policy's mistakes may name its keys.
        plain = isinstance(error, Refused) and not isinstance(error, InvalidPolicy)
        reason = str(error) if plain else None
        kind = type(error).__name__
        LOG.error(
            "policy-refused", policy=_told(self._in_force), file=file, kind=kind, reason=reason
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


def _told(policy: Policy) -> str:
    return f"{policy.name} ({policy.sha256[:12]})"


def _places(error: InvalidPolicy) -> str:
    """Name file and line of each mistake, and nothing of what stands there."""
    places = [line.partition(": ")[0] for line in str(error).splitlines()]
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return ", ".join(places[:MOST_PLACES]) + more
