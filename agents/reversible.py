"""Reversible records: whether they are on, whose keys they have, and when they are written."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from deidstream.agents.keys import read_key, read_keys
from deidstream.agents.settings import Settings
from deidstream.models.reversible import ReverseKeys, reversible
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.wire import decode
from deidstream.stream.health import Health
from deidstream.stream.logs import Logger
from deidstream.stream.retry import until_available
from deidstream.stream.reverse import ReverseStore

LOG = Logger("reversible")
DAY_SECONDS = 86_400
_PORT = 6379


def is_on(settings: Settings) -> bool:
    """Tell whether reversible records are asked for.

    Raises:
        InvalidSettings: One of the two settings that switch them on is there alone.
    """
    reverse = settings.reverse
    if bool(reverse.redis_url) != bool(reverse.key_file):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL and DEIDSTREAM_REVERSE_KEY_FILE: set both or neither"
        raise InvalidSettings(msg)
    return bool(reverse.redis_url)


def reverse_root(settings: Settings) -> bytes:
    """Read the root key of reversible records.

    Raises:
        InvalidSettings: It is a key of surrogates, or the Redis user or database is theirs.
        MissingArtefact: A key cannot be read.
    """
    root = read_key(settings.reverse.key_file)
    mistakes = _shared(settings.redis.url, settings.reverse.redis_url)
    if settings.key.file and root in set(read_keys(settings.key).roots.values()):
        mistakes.append(
            "DEIDSTREAM_REVERSE_KEY_FILE: holds a key of surrogates; make one of its own"
        )
    if mistakes:
        raise InvalidSettings("\n".join(mistakes))
    return root


def _shared(surrogates: str, records: str) -> list[str]:
    one, other = _place(surrogates), _place(records)
    mistakes: list[str] = []
    if not other["user"]:
        mistakes.append("DEIDSTREAM_REVERSE_REDIS_URL: must name a Redis user of its own")
    if one["server"] == other["server"]:
        mistakes += [
            f"DEIDSTREAM_REVERSE_REDIS_URL: has the same {what} as DEIDSTREAM_REDIS_URL"
            for what in ("user", "database")
            if one[what] == other[what]
        ]
    return mistakes


def _place(url: str) -> Mapping[str, str]:
    try:
        parts = urlsplit(url)
        port = parts.port or _PORT
    except ValueError:
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: it or DEIDSTREAM_REDIS_URL is no URL"
        raise InvalidSettings(msg) from None
    return {
        "server": f"{parts.hostname}:{port}",
        "user": parts.username or "",
        "database": parts.path.strip("/") or "0",
    }


@dataclass(frozen=True, slots=True)
class Keeper:
    """Writes the reversible records of what was emitted."""

    store: ReverseStore
    root: bytes = field(repr=False)
    seconds: int
    health: Health

    @classmethod
    async def admitted(cls, settings: Settings, health: Health) -> "Keeper | None":
        """Make a keeper whose Redis user may write and not read; nothing where they are off.

        Raises:
            InvalidSettings: The settings, or what the Redis users may do, defeat the separation.
            MissingArtefact: A key cannot be read.
            Unavailable: Redis is away.
        """
        if not is_on(settings):
            return None
        root = reverse_root(settings)
        store = ReverseStore.connect(settings.reverse.redis_url)
        async with AsyncExitStack() as unless_admitted:
            unless_admitted.push_async_callback(store.close)
            await store.admit_writer()
            await _refuse_reading(settings)
            unless_admitted.pop_all()
        return cls(store, root, settings.reverse.days * DAY_SECONDS, health)

    async def keep(self, values: Sequence[bytes], outcomes: Sequence[Outcome]) -> None:
        """Write the records of a group, and wait while Redis is away.

        It is called when the broker has the outputs and before the messages are acknowledged. So
        every acknowledged note that was emitted has its records; one that is read again after a
        crash has the same output id and writes the same records.

        Args:
            values: The messages.
            outcomes: What was delivered of each, in their order.
        """
        pairs = await asyncio.to_thread(self._pairs, values, outcomes)
        await until_available(
            lambda: self.store.keep(pairs, self.seconds), log=LOG, health=self.health
        )

    def _pairs(
        self, values: Sequence[bytes], outcomes: Sequence[Outcome]
    ) -> list[tuple[bytes, bytes]]:
        made: list[tuple[bytes, bytes]] = []
        for value, outcome in zip(values, outcomes, strict=True):
            if isinstance(outcome, Anonymized):
                note = decode(value, limit_bytes=len(value))
                made += reversible(ReverseKeys(self.root, note.tenant), note.text, outcome.note)
        return made


async def _refuse_reading(settings: Settings) -> None:
    """Refuse a worker whose other Redis user, that of surrogates, could read the records."""
    one, other = _place(settings.redis.url), _place(settings.reverse.redis_url)
    if one["server"] != other["server"]:
        return
    database = f"/{other['database']}"
    store = ReverseStore.connect(urlsplit(settings.redis.url)._replace(path=database).geturl())
    try:
        if await store.may_read():
            msg = "DEIDSTREAM_REDIS_URL: its user may read deid:rv:*, which only re-identification"
            raise InvalidSettings(msg + " may; give it ~deid:of:* and what else it needs, no more")
    finally:
        await store.close()
