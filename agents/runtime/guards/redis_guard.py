"""Decide whether Redis may be used as a vault, at the start and while a worker runs."""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.runtime.connections import connect_store
from deidstream.agents.runtime.root_keys import RootKeys, opens, read_keys, seal_canary
from deidstream.agents.settings import RANDOM, Settings
from deidstream.models.neural.pinned_precision import explain_other
from deidstream.schemas.errors import InvalidSettings, Unavailable, UntrustedStore
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger
from deidstream.stream.redis.redis_checks import ALWAYS_FATAL, FATAL, REMEDY, Fault, faults
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from deidstream.stream.redis.watermark import Watermark, read_watermarks

LOG = Logger("vault")
_OLDER, _NEWER = 64, 8
"""How many key versions below and above the one in force are looked up; versions may be dates."""


def _count_emitted_notes() -> int:
    return int(metrics.value("deid_notes_total", "emitted"))


@dataclass(slots=True)
class RedisGuard:
    """Checks Redis; a fault stops the worker or, in mode ``prf`` in most cases, is logged."""

    store: RedisSurrogateStore
    keys: RootKeys = field(repr=False)
    random: bool
    folder: Path | None = None
    """Folder with the counts of workers."""
    epoch: int = 1
    epoch_notes: int = 0
    """Most notes of an epoch; 0: no limit."""
    precisions: dict[str, str] = field(default_factory=dict[str, str])
    """How precisely this process computes each of its models, by digest."""
    seen: frozenset[Fault] = frozenset()
    _counted: int = field(default_factory=_count_emitted_notes)

    async def admit(self) -> None:
        """Check everything, and write the key's canary and this worker's count to Redis.

        Raises:
            Unavailable: Redis cannot be reached.
            UntrustedStore: Redis may lose or has lost surrogates (mode ``random``), was filled
                under another key, or the epoch has all its notes.
            InvalidSettings: Redis was filled under a later key version than the one in force.
            MissingArtefact: A file of counts cannot be read.
        """
        await self.check()
        version = self.keys.version
        # Workers that run on meanwhile stay: a rotation may restart them one after another.
        if later := await self._find_canaries(range(version + 1, version + _NEWER)):
            raise InvalidSettings(_describe_later(later[-1], version))
        root = self.keys.roots[version]
        held = await self.store.canary(version, seal_canary(root, version))
        # Another worker may have been the first since the check, with another key.
        if held is not None and not opens(root, version, held):
            raise UntrustedStore(describe_faults([Fault.OTHER_KEY]))

    async def keep_precisions(self, precisions: Mapping[str, str]) -> None:
        """Compute models as all of the deployment do: store how, unless it is stored.

        Args:
            precisions: How precisely this process computes, by digest of the model.

        Raises:
            Unavailable: Redis cannot be reached.
            InvalidSettings: Others of the deployment compute a model in another way.
        """
        stored = await self.store.pin_precisions(precisions)
        for digest, its in precisions.items():
            if stored[digest] != its:
                raise explain_other(stored[digest], f"here it is computed as {its}")
        self.precisions |= precisions

    async def check(self) -> None:
        """Check again; log faults that are new or gone and set their metrics.

        Raises:
            Unavailable: Redis cannot be reached.
            UntrustedStore: Redis may lose or has lost surrogates (mode ``random``), was filled
                under another key, or the epoch has all its notes.
            InvalidSettings: Others of the deployment compute a model in another way.
            MissingArtefact: A file of counts cannot be read.
        """
        await self.count_notes()
        if self.precisions:
            # A Redis that was emptied learns them again from those that run.
            await self.keep_precisions(self.precisions)
        found = await self.find_faults()
        self._report(found)
        if refused := found & self.fatal:
            raise UntrustedStore(describe_faults(refused))

    @property
    def fatal(self) -> frozenset[Fault]:
        """The faults that stop a worker in this mode."""
        return FATAL if self.random else ALWAYS_FATAL

    async def count_notes(self) -> None:
        """Add the notes that were emitted since the last call to those of the epoch.

        A note that is read twice is counted twice. The count can be too low only by what killed
        workers had not added yet.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        out = _count_emitted_notes()
        if out > self._counted:
            await self.store.epoch(self.epoch, out - self._counted)
            self._counted = out

    async def close(self) -> None:
        """Add the last notes to the epoch if Redis can be reached, and close the connection."""
        with contextlib.suppress(Unavailable):
            await self.count_notes()
        await self.store.close()

    async def find_faults(self) -> frozenset[Fault]:
        """Return every fault of this Redis.

        Raises:
            Unavailable: Redis cannot be reached.
            MissingArtefact: A file of counts cannot be read.
        """
        conditions = await faults(self.store.client, replicas=self.store.replicas)
        went_back = (Fault.WENT_BACK,) if await self._has_gone_back() else ()
        other = (Fault.OTHER_KEY,) if await self.find_wrong_keys() else ()
        full = (Fault.EPOCH_FULL,) if await self._epoch_is_full() else ()
        return frozenset((*conditions, *went_back, *other, *full))

    async def find_wrong_keys(self) -> tuple[int, ...]:
        """Return the versions whose key does not open the canary of that version.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        held = {version: await self.store.canary(version) for version in self.keys.roots}
        pairs = ((version, sealed) for version, sealed in held.items() if sealed is not None)
        return tuple(v for v, sealed in pairs if not opens(self.keys.roots[v], v, sealed))

    async def find_unnamed_versions(self) -> tuple[int, ...]:
        """Return the versions under which Redis was filled but whose keys no setting names.

        Only versions near the one in force are looked up.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        now = self.keys.version
        near = range(max(0, now - _OLDER), now + _NEWER)
        return await self._find_canaries(each for each in near if each not in self.keys.roots)

    async def _find_canaries(self, versions: Iterable[int]) -> tuple[int, ...]:
        """Return those of some key versions under which Redis was filled."""
        held = {version: await self.store.canary(version) for version in versions}
        return tuple(version for version, sealed in held.items() if sealed is not None)

    async def _epoch_is_full(self) -> bool:
        return bool(self.epoch_notes) and await self.store.epoch(self.epoch) > self.epoch_notes

    async def _has_gone_back(self) -> bool:
        # The files are read first, because the counts of live workers in Redis keep growing.
        mark = self.store.watermark
        # In mode prf a lost count loses no surrogate, so only this worker's own is compared.
        others = self.random and self.folder and self.folder.is_dir()
        wanted = dict(read_watermarks(self.folder)) if others and self.folder else {}
        wanted[mark.worker] = max(mark.claims, wanted.get(mark.worker, 0))
        known = await self.store.claim_counts(list(wanted))
        return any(has < least for has, least in zip(known, wanted.values(), strict=True))

    def _report(self, found: frozenset[Fault]) -> None:
        for fault in Fault:
            metrics.gauge("deid_redis_fault", fault in found, fault)
        for fault in sorted(found - self.seen):
            LOG.warning("redis-fault", reason=fault)
        for fault in sorted(self.seen - found):
            LOG.info("redis-fault-gone", reason=fault)
        self.seen = found


def _describe_later(later: int, version: int) -> str:
    return (
        f"DEIDSTREAM_KEY_VERSION: Redis was filled under version {later}, and {version} would give "
        f"every patient a second set of surrogates: set version {later} and its key, or another "
        f"DEIDSTREAM_REDIS_URL; to take the rotation back, delete deid:key:{later} from Redis"
    )


def describe_faults(found: Iterable[Fault]) -> str:
    """Return a line for each fault, with its remedy."""
    return "\n".join(f"redis: {REMEDY[fault]}" for fault in sorted(found))


def connect_guard(settings: Settings, *, writes: bool, keys: RootKeys | None = None) -> RedisGuard:
    """Prepare a store and its guard; nothing is sent yet.

    Args:
        settings: All settings.
        writes: Whether surrogates will be claimed; if not, no file is made in the folder.
        keys: The root keys; read from the key files when not given.

    Raises:
        InvalidSettings: Mode ``random`` has no folder for counts.
        MissingArtefact: A key or the folder is missing or wrong.
    """
    random, state = settings.redis.mode == RANDOM, settings.redis.state
    if random and not state:
        msg = "DEIDSTREAM_REDIS_STATE: mode random needs a folder that outlives the worker"
        raise InvalidSettings(msg)
    folder = Path(state) if state else None
    mark = Watermark.on_disk(folder, strict=random) if folder and writes else Watermark.in_memory()
    store = connect_store(settings.redis, mark)
    key = settings.key
    return RedisGuard(store, keys or read_keys(key), random, folder, key.epoch, key.epoch_notes)
