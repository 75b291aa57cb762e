"""The worker's half of re-identification: writes the reversible records of what was emitted."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from deidstream.agents.reidentification.reversible_keys import is_on, reverse_keys
from deidstream.agents.root_keys import RootKeys
from deidstream.agents.settings import Settings
from deidstream.models.reidentification.reversible_record import ReverseKeys, key_mark, reversible
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.sealed import SealedRecord
from deidstream.schemas.wire import decode
from deidstream.stream.health import Health
from deidstream.stream.logs import Logger
from deidstream.stream.redis_checks import Fault, faults
from deidstream.stream.retry import until_available
from deidstream.stream.reverse import ReverseStore
from deidstream.stream.reverse_rights import (
    WRITER,
    address,
    can_see,
    may_list,
    may_read,
    may_write,
)

LOG = Logger("reversible")
DAY_SECONDS = 86_400
LOSING = frozenset(
    {Fault.EVICTS, Fault.VOLATILE, Fault.SNAPSHOTS_ONLY, Fault.LAX_SYNC, Fault.WRITES_FAIL}
)
"""Faults of a Redis by which records end before their days."""


@dataclass(frozen=True, slots=True)
class ReversibleWriter:
    """Writes the reversible records of what was emitted."""

    store: ReverseStore
    keys: RootKeys = field(repr=False)
    seconds: int
    health: Health

    @classmethod
    async def connect(cls, settings: Settings, health: Health) -> "ReversibleWriter | None":
        """Make a writer whose Redis user may write but not read; ``None`` when records are off.

        Raises:
            InvalidSettings: The settings, or what the Redis users may do, defeat the separation.
            MissingArtefact: A key cannot be read.
            Unavailable: Redis is away.
        """
        if not is_on(settings):
            return None
        keys = reverse_keys(settings)
        store = ReverseStore.connect(settings.reverse.redis_url)
        async with AsyncExitStack() as unless_admitted:
            unless_admitted.push_async_callback(store.close)
            await admit_writer(store, settings)
            for fault in await losing(store):
                LOG.warning("reverse-redis-fault", reason=fault)
            unless_admitted.pop_all()
        return cls(store, keys, settings.reverse.days * DAY_SECONDS, health)

    async def write(self, values: Sequence[bytes], outcomes: Sequence[Outcome]) -> None:
        """Write the records of a group, and wait while Redis is away.

        It is called when the broker has the outputs and before the messages are acknowledged. So
        every acknowledged note that was emitted has its records; one that is read again after a
        crash has the same output id and writes the same records.

        Args:
            values: The messages.
            outcomes: What was delivered of each, in their order.
        """
        version = self.keys.version
        records = await asyncio.to_thread(self._records, values, outcomes)
        mark = key_mark(self.keys.roots[version], version)
        await until_available(
            lambda: self.store.keep(records, mark, self.seconds), log=LOG, health=self.health
        )

    def _records(self, values: Sequence[bytes], outcomes: Sequence[Outcome]) -> list[SealedRecord]:
        made: list[SealedRecord] = []
        root = self.keys.roots[self.keys.version]
        for value, outcome in zip(values, outcomes, strict=True):
            if isinstance(outcome, Anonymized):
                note = decode(value, limit_bytes=len(value))
                made += reversible(ReverseKeys(root, note.tenant), note, outcome.note)
        return made


async def admit_writer(store: ReverseStore, settings: Settings) -> None:
    """Make sure that a worker can write records, and can read none by either of its users.

    Raises:
        InvalidSettings: It cannot write, or it can read.
        Unavailable: Redis is away.
    """
    await store.ping()
    if not await may_write(store):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may not write records; "
        raise InvalidSettings(msg + f"give it: {WRITER}")
    if await may_read(store) or await may_list(store):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may read what it writes; "
        raise InvalidSettings(msg + f"give it: {WRITER}")
    await _refuse_reading(store, settings)


async def losing(store: ReverseStore) -> list[Fault]:
    """By which faults this Redis may lose records; nothing where it does not let this user see.

    Raises:
        Unavailable: Redis is away.
    """
    return sorted(LOSING & set(await faults(store.client)))


async def _refuse_reading(writer: ReverseStore, settings: Settings) -> None:
    """Refuse a worker whose other Redis user, that of surrogates, could read the records."""
    one, other = address(settings.redis.url), address(settings.reverse.redis_url)
    store = ReverseStore.connect(settings.redis.url, other.database)
    try:
        # One server may have two names, so what the URLs say is not enough.
        same = one.server == other.server
        if await can_see(store, writer) or (same and await may_read(store)):
            msg = "DEIDSTREAM_REDIS_URL: its user may read deid:rv:*, which only re-identification"
            raise InvalidSettings(msg + " may; give it ~deid:of:* and what else it needs, no more")
    finally:
        await store.close()
