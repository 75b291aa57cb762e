"""Forgets the reversible records of patients."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from deidstream.agents.reidentification.reversible_keys import is_on, reverse_keys, strangers
from deidstream.agents.root_keys import RootKeys
from deidstream.agents.settings import Settings
from deidstream.models.reidentification.reversible_record import ReverseKeys
from deidstream.schemas.errors import InvalidSettings, Refused
from deidstream.stream.reverse import ReverseStore
from deidstream.stream.reverse_rights import FORGETTER, may_forget


@dataclass(frozen=True, slots=True)
class ReversibleEraser:
    """Deletes the reversible records of patients."""

    store: ReverseStore
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
        keys, store = reverse_keys(settings), ReverseStore.connect(settings.reverse.redis_url)
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
