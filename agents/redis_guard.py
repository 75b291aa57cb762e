"""Decides whether this Redis may be written to, at the start and after."""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.root_keys import RootKeys, opens, read_keys, sealed_canary
from deidstream.agents.settings import RANDOM, Settings
from deidstream.schemas.errors import InvalidSettings, Unavailable, UntrustedStore
from deidstream.stream import metrics
from deidstream.stream.logs import Logger
from deidstream.stream.mapping import RedisSurrogateStore
from deidstream.stream.redis_checks import ALWAYS_FATAL, FATAL, REMEDY, Fault, faults
from deidstream.stream.watermark import Watermark, read_watermarks

LOG = Logger("vault")
_OLDER, _NEWER = 64, 8
"""Key versions below and above the one in force that are looked for; versions may be dates."""


def _emitted() -> int:
    return int(metrics.value("deid_notes_total", "emitted"))


@dataclass(slots=True)
class RedisGuard:
    """Looks at Redis; in mode ``random`` it refuses what it finds, in ``prf`` it says it."""

    store: RedisSurrogateStore
    keys: RootKeys = field(repr=False)
    random: bool
    folder: Path | None = None
    """Where the counts of workers are kept."""
    epoch: int = 1
    epoch_notes: int = 0
    """Most notes of an epoch; 0: any number."""
    seen: frozenset[Fault] = frozenset()
    _counted: int = field(default_factory=_emitted)

    async def admit(self) -> None:
        """Look at everything, and leave the key's canary and this worker's count there.

        Raises:
            Unavailable: Redis is away.
            UntrustedStore: Redis may lose surrogates, or has lost some (mode ``random``), or the
                epoch has its notes.
            MissingArtefact: A file of counts cannot be read.
        """
        await self.look()
        version = self.keys.version
        await self.store.canary(version, sealed_canary(self.keys.roots[version], version))

    async def look(self) -> None:
        """Look again, and log and count what has changed.

        Raises:
            Unavailable: Redis is away.
            UntrustedStore: Redis may lose surrogates, or has lost some (mode ``random``), or the
                epoch has its notes.
            MissingArtefact: A file of counts cannot be read.
        """
        await self.count_notes()
        found = await self.found()
        self._tell(found)
        if refused := found & self.fatal:
            raise UntrustedStore(said(refused))

    @property
    def fatal(self) -> frozenset[Fault]:
        """What is refused in this mode."""
        return FATAL if self.random else ALWAYS_FATAL

    async def count_notes(self) -> None:
        """Add the notes that came out since the last time to those of the epoch.

        A note that is read again is counted again: the count is never too low by more than what a
        worker that was killed had not added yet.

        Raises:
            Unavailable: Redis is away.
        """
        out = _emitted()
        if out > self._counted:
            await self.store.epoch(self.epoch, out - self._counted)
            self._counted = out

    async def close(self) -> None:
        """Count what came out since the last time, if Redis is there, and let go of it."""
        with contextlib.suppress(Unavailable):
            await self.count_notes()
        await self.store.close()

    async def found(self) -> frozenset[Fault]:
        """Everything about this Redis that is not as it should be.

        Raises:
            Unavailable: Redis is away.
            MissingArtefact: A file of counts cannot be read.
        """
        conditions = await faults(self.store.client)
        went_back = (Fault.WENT_BACK,) if await self._went_back() else ()
        other = (Fault.OTHER_KEY,) if await self.locked_out() else ()
        full = (Fault.EPOCH_FULL,) if await self._full() else ()
        return frozenset((*conditions, *went_back, *other, *full))

    async def locked_out(self) -> tuple[int, ...]:
        """The versions whose key does not open what Redis holds of that version.

        Raises:
            Unavailable: Redis is away.
        """
        held = {version: await self.store.canary(version) for version in self.keys.roots}
        pairs = ((version, sealed) for version, sealed in held.items() if sealed is not None)
        return tuple(v for v, sealed in pairs if not opens(self.keys.roots[v], v, sealed))

    async def unnamed(self) -> tuple[int, ...]:
        """The versions under which Redis was filled and whose keys no setting names.

        Looked for are those near the version in force.

        Raises:
            Unavailable: Redis is away.
        """
        now = self.keys.version
        near = range(max(0, now - _OLDER), now + _NEWER)
        others = (version for version in near if version not in self.keys.roots)
        held = {version: await self.store.canary(version) for version in others}
        return tuple(version for version, sealed in held.items() if sealed is not None)

    async def _full(self) -> bool:
        return bool(self.epoch_notes) and await self.store.epoch(self.epoch) > self.epoch_notes

    async def _went_back(self) -> bool:
        # What is kept outside is read first: a live worker's count in Redis only grows meanwhile.
        mark = self.store.watermark
        # In mode prf nothing is lost with a count, and only this worker's is started anew.
        others = self.random and self.folder and self.folder.is_dir()
        wanted = dict(read_watermarks(self.folder)) if others and self.folder else {}
        wanted[mark.worker] = max(mark.claims, wanted.get(mark.worker, 0))
        known = await self.store.claim_counts(list(wanted))
        return any(has < least for has, least in zip(known, wanted.values(), strict=True))

    def _tell(self, found: frozenset[Fault]) -> None:
        for fault in Fault:
            metrics.gauge("deid_redis_fault", fault in found, fault)
        for fault in sorted(found - self.seen):
            LOG.warning("redis-fault", reason=fault)
        for fault in sorted(self.seen - found):
            LOG.info("redis-fault-gone", reason=fault)
        self.seen = found


def said(found: Iterable[Fault]) -> str:
    """Each fault and what to do about it, one a line."""
    return "\n".join(f"redis: {REMEDY[fault]}" for fault in sorted(found))


def connect_guard(settings: Settings, *, writes: bool, keys: RootKeys | None = None) -> RedisGuard:
    """Prepare a store and its guard; nothing is sent yet.

    Args:
        settings: All settings.
        writes: Whether surrogates will be claimed; who only looks takes no place in the folder.
        keys: The root keys; read from the key files when not given.

    Raises:
        InvalidSettings: Mode ``random`` without a folder for counts.
        MissingArtefact: A key or the folder is missing or wrong.
    """
    random, state = settings.redis.mode == RANDOM, settings.redis.state
    if random and not state:
        msg = "DEIDSTREAM_REDIS_STATE: mode random needs a folder that outlives the worker"
        raise InvalidSettings(msg)
    folder = Path(state) if state else None
    mark = Watermark.on_disk(folder, strict=random) if folder and writes else Watermark.in_memory()
    store = RedisSurrogateStore.connect(settings.redis.url, mark)
    key = settings.key
    return RedisGuard(store, keys or read_keys(key), random, folder, key.epoch, key.epoch_notes)
