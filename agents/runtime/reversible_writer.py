"""Write the reversible records of emitted notes, and erase those of patients."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from deidstream.agents.runtime.connections import connect_reversible
from deidstream.agents.runtime.reversible_access import (
    admit_writer,
    describe_unknown_keys,
    find_loss_faults,
    records_are_on,
    reversible_keys,
)
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.settings import Settings
from deidstream.models.messages.read_message import read_message
from deidstream.models.reidentification.reversible_record import (
    ReversibleKeys,
    make_key_mark,
    make_records,
)
from deidstream.schemas.errors import InvalidSettings, Refused
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.ports import SealedRecord
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger
from deidstream.stream.redis.reversible_rights import FORGETTER, may_forget
from deidstream.stream.redis.reversible_store import ReversibleStore
from deidstream.stream.retrying.retry import until_available

LOG = Logger("reversible")
DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class ReversibleWriter:
    """Writes the reversible records of emitted notes."""

    store: ReversibleStore
    keys: RootKeys = field(repr=False)
    seconds: int
    health: Health

    @classmethod
    async def connect(cls, settings: Settings, health: Health) -> "ReversibleWriter | None":
        """Make a writer whose Redis user may write but not read; ``None`` when records are off.

        Raises:
            InvalidSettings: Settings or rights do not keep records apart from surrogates.
            MissingArtefact: A key cannot be read.
            Unavailable: Redis cannot be reached.
        """
        if not records_are_on(settings):
            return None
        keys = reversible_keys(settings)
        store = connect_reversible(settings.reverse)
        async with AsyncExitStack() as unless_admitted:
            unless_admitted.push_async_callback(store.close)
            await admit_writer(store, settings)
            for fault in await find_loss_faults(store):
                LOG.warning("reverse-redis-fault", reason=fault)
            unless_admitted.pop_all()
        return cls(store, keys, settings.reverse.days * DAY_SECONDS, health)

    async def write(self, values: Sequence[bytes], outcomes: Sequence[Outcome]) -> None:
        """Write the records of a group; wait until Redis can be reached.

        It is called before the outputs are sent, so every note that was emitted has its records. A
        note that is read again after a crash has the same output id and writes the same records.

        Args:
            values: The messages.
            outcomes: The encoded outcome of each, in the same order.
        """
        version = self.keys.version
        records = await asyncio.to_thread(self._make_records, values, outcomes)
        mark = make_key_mark(self.keys.roots[version], version)
        await until_available(
            lambda: self.store.keep(records, mark, self.seconds), health=self.health
        )

    def _make_records(
        self, values: Sequence[bytes], outcomes: Sequence[Outcome]
    ) -> list[SealedRecord]:
        made: list[SealedRecord] = []
        root = self.keys.roots[self.keys.version]
        for value, outcome in zip(values, outcomes, strict=True):
            if isinstance(outcome, Anonymized):
                note = read_message(value, limit_bytes=len(value))
                made += make_records(ReversibleKeys(root, note.tenant), note, outcome.note)
        return made


@dataclass(frozen=True, slots=True)
class ReversibleEraser:
    """Deletes the reversible records of patients."""

    store: ReversibleStore
    keys: RootKeys = field(repr=False)

    @classmethod
    async def connect(cls, settings: Settings) -> "ReversibleEraser | None":
        """Make an eraser that can delete all records; ``None`` when records are off.

        Raises:
            InvalidSettings: This user may not delete, or a key of stored records is missing.
            MissingArtefact: A key cannot be read.
            Unavailable: Redis cannot be reached.
        """
        if not records_are_on(settings):
            return None
        keys, store = reversible_keys(settings), connect_reversible(settings.reverse)
        async with AsyncExitStack() as unless_admitted:
            unless_admitted.push_async_callback(store.close)
            await store.ping()
            if not await may_forget(store):
                msg = "DEIDSTREAM_REVERSE_REDIS_URL: its user may not forget patients; nothing was "
                raise InvalidSettings(msg + f"deleted; give it: {FORGETTER}")
            if unknown := describe_unknown_keys(keys, await store.marks()):
                raise InvalidSettings(unknown + "; nothing was deleted")
            unless_admitted.pop_all()
        return cls(store, keys)

    async def forget(self, tenant: str, patients: frozenset[str]) -> int:
        """Delete all records of patients, under every key; return how many there were.

        Raises:
            Unavailable: Redis cannot be reached; records that are left are still listed.
            InvalidSettings: This user may no longer delete.
            Refused: The list of a patient cannot be read.
        """
        gone = 0
        for keys, patient in self._patient_lists(tenant, patients):
            entries = await self.store.entries(patient)
            try:
                names = {entry: keys.unseal_entry(patient, entry) for entry in entries}
            except ValueError as error:
                raise Refused(str(error)) from None
            gone += await self.store.forget(patient, names)
        return gone

    def _patient_lists(
        self, tenant: str, patients: frozenset[str]
    ) -> Iterator[tuple[ReversibleKeys, bytes]]:
        for root in self.keys.roots.values():
            keys = ReversibleKeys(root, tenant)
            yield from ((keys, keys.patient(patient)) for patient in sorted(patients))
