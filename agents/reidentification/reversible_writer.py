"""Writes the reversible records of what was emitted, and erases those of patients."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from deidstream.agents.reidentification.reversible_access import (
    admit_writer,
    is_on,
    losing,
    reverse_keys,
    strangers,
)
from deidstream.agents.root_keys import RootKeys
from deidstream.agents.settings import Settings
from deidstream.models.reidentification.reversible_record import ReverseKeys, key_mark, reversible
from deidstream.schemas.errors import InvalidSettings, Refused
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.ports import SealedRecord
from deidstream.schemas.wire import decode
from deidstream.stream.health import Health
from deidstream.stream.logs import Logger
from deidstream.stream.retry import until_available
from deidstream.stream.reversible_rights import (
    FORGETTER,
    may_forget,
)
from deidstream.stream.reversible_store import ReversibleStore

LOG = Logger("reversible")
DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class ReversibleWriter:
    """Writes the reversible records of what was emitted."""

    store: ReversibleStore
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
        store = ReversibleStore.connect(settings.reverse.redis_url)
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


@dataclass(frozen=True, slots=True)
class ReversibleEraser:
    """Deletes the reversible records of patients."""

    store: ReversibleStore
    keys: RootKeys = field(repr=False)

    @classmethod
    async def connect(cls, settings: Settings) -> "ReversibleEraser | None":
        """Make an eraser that reaches all that is kept; nothing where records are off.

        Raises:
            InvalidSettings: This user may not delete, or records are kept under another key.
            MissingArtefact: A key cannot be read.
            Unavailable: Redis is away.
        """
        if not is_on(settings):
            return None
        keys, store = reverse_keys(settings), ReversibleStore.connect(settings.reverse.redis_url)
        async with AsyncExitStack() as unless_admitted:
            unless_admitted.push_async_callback(store.close)
            await store.ping()
            if not await may_forget(store):
                msg = "DEIDSTREAM_REVERSE_REDIS_URL: its user may not forget patients; nothing was "
                raise InvalidSettings(msg + f"deleted; give it: {FORGETTER}")
            if unknown := strangers(keys, await store.marks()):
                raise InvalidSettings(unknown + "; nothing was deleted")
            unless_admitted.pop_all()
        return cls(store, keys)

    async def forget(self, tenant: str, patients: frozenset[str]) -> int:
        """Delete all records of patients, under every key that is kept; return how many there were.

        Raises:
            Unavailable: Redis is away; what is left is still listed.
            InvalidSettings: This user may not delete any more.
            Refused: The list of a patient cannot be read.
        """
        gone = 0
        for keys, patient in self._lists(tenant, patients):
            entries = await self.store.entries(patient)
            try:
                names = {entry: keys.listed(patient, entry) for entry in entries}
            except ValueError as error:
                raise Refused(str(error)) from None
            gone += await self.store.forget(patient, names)
        return gone

    def _lists(self, tenant: str, patients: frozenset[str]) -> Iterator[tuple[ReverseKeys, bytes]]:
        for root in self.keys.roots.values():
            keys = ReverseKeys(root, tenant)
            yield from ((keys, keys.patient(patient)) for patient in sorted(patients))
