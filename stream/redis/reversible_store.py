"""Store reversible records in Redis: one user writes, one reads, one deletes.

A patient's records are listed in a sorted set, by the time at which they end, so that the patient
can be forgotten; entries of records that have ended go when the next ones are written. One more
such set lists the keys under which records are kept.
"""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.ports import SealedRecord
from deidstream.stream.redis.redis_client import redis_client
from deidstream.stream.redis.redis_errors import describe_outage
from deidstream.stream.tls import describe_tls_failure

if TYPE_CHECKING:
    import ssl

    from redis.asyncio import Redis
    from redis.asyncio.client import Pipeline

PREFIX = b"deid:rv:"
"""Before the name of a record."""
PATIENTS = b"deid:rp:"
"""Before the 16 bytes of a patient."""
KEYS = b"deid:rk"
"""Marks of the keys under which records are kept."""
PROBE = b"probe"
"""A name of no record and a mark of no key, to try what a user may do."""
SERVICE = "redis-reverse"
NO_URL = "DEIDSTREAM_REVERSE_REDIS_URL: it or DEIDSTREAM_REDIS_URL is not a URL of Redis"
GRACE_SECONDS = 3_600
"""A list outlives its records by this, for the clocks of a Redis and its replica differ."""
AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class ReversibleStore:
    """Keeps sealed originals for a time."""

    client: "Redis"

    @classmethod
    def connect(
        cls, url: str, database: int | None = None, *, context: "ssl.SSLContext | None" = None
    ) -> "ReversibleStore":
        """Prepare a client; nothing is sent yet.

        Args:
            url: Names the server and the user.
            database: Instead of the one that the URL names.
            context: TLS, where the URL asks for it.

        Raises:
            InvalidSettings: It is no URL of a Redis.
        """
        try:
            return cls(redis_client(url, context, database))
        except ValueError:
            raise InvalidSettings(NO_URL) from None

    async def ping(self) -> None:
        """Ask whether Redis is there and knows this user.

        Raises:
            Unavailable: Redis is unavailable.
            InvalidSettings: It does not know the user, or the password is another.
        """
        await await_answer(cast("Awaitable[object]", self.client.ping()), self.client)

    async def keep(self, records: Sequence[SealedRecord], mark: bytes, seconds: int) -> None:
        """Write records and what lists them, all or none; what was there is written over.

        Args:
            records: Of any patients.
            mark: The mark of the key that sealed them.
            seconds: How long they are kept.

        Raises:
            Unavailable: Redis is unavailable.
            InvalidSettings: This user may not write.
        """
        if not records:
            return
        now, _ = cast("tuple[int, int]", await await_answer(self.client.time()))
        pipeline: Pipeline = self.client.pipeline(transaction=True)
        _list(pipeline, KEYS, [mark], now, seconds)
        for patient, entries in _by_patient(records).items():
            _list(pipeline, PATIENTS + patient, entries, now, seconds)
        for each in records:
            pipeline.set(PREFIX + each.name, each.value, ex=seconds)
        await await_answer(pipeline.execute())

    async def find(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of names in one round trip; ``None`` for what is not there any more.

        Raises:
            Unavailable: Redis is unavailable.
            InvalidSettings: This user may not read.
        """
        if not names:
            return []
        found = await await_answer(self.client.mget([PREFIX + name for name in names]))
        return cast("list[bytes | None]", found)

    async def marks(self) -> list[bytes]:
        """Read the marks of all keys under which records are kept.

        Raises:
            Unavailable: Redis is unavailable.
            InvalidSettings: This user may not read them.
        """
        found = cast("list[bytes]", await await_answer(self.client.zrange(KEYS, 0, -1)))
        return [mark for mark in found if mark != PROBE]

    async def entries(self, patient: bytes) -> list[bytes]:
        """Read the list of a patient's records.

        Raises:
            Unavailable: Redis is unavailable.
            InvalidSettings: This user may not read it.
        """
        return cast(
            "list[bytes]", await await_answer(self.client.zrange(PATIENTS + patient, 0, -1))
        )

    async def forget(self, patient: bytes, names: Mapping[bytes, bytes]) -> int:
        """Delete records, then their entries in the list of a patient.

        An entry goes after its record: whatever happens meanwhile, what is left is still listed.

        Args:
            patient: The patient of the records.
            names: Names of the records, by entry.

        Returns:
            How many records were still there.

        Raises:
            Unavailable: Redis is unavailable; some may have been deleted.
            InvalidSettings: This user may not delete.
        """
        gone, entries = 0, list(names)
        for start in range(0, len(entries), AT_ONCE):
            some = entries[start : start + AT_ONCE]
            deleted = self.client.delete(*(PREFIX + names[entry] for entry in some))
            gone += cast("int", await await_answer(deleted))
            await await_answer(self.client.zrem(PATIENTS + patient, *some))
        return gone

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()


def _by_patient(records: Sequence[SealedRecord]) -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for each in records:
        found.setdefault(each.patient, []).append(each.entry)
    return found


def _list(
    pipeline: "Pipeline", name: bytes, entries: Sequence[bytes], now: int, seconds: int
) -> None:
    pipeline.zadd(name, dict.fromkeys(entries, now + seconds))
    pipeline.zremrangebyscore(name, "-inf", now - GRACE_SECONDS)
    # Never sooner than it would have ended: the records before these may have more days.
    pipeline.expire(name, seconds + GRACE_SECONDS, nx=True)
    pipeline.expire(name, seconds + GRACE_SECONDS, gt=True)


async def await_answer(answer: Awaitable[object], client: "Redis | None" = None) -> object:
    """Wait for an answer of Redis.

    Args:
        answer: What was asked.
        client: If its address is to be said where there is none.

    Raises:
        Unavailable: Redis is unavailable.
        InvalidSettings: This user may not ask that.
    """
    # Redis quotes names in some errors; ours names only the service.
    try:
        return await answer
    except NoPermissionError:
        msg = (
            "DEIDSTREAM_REVERSE_REDIS_URL: its user may not do this: the worker's may only write, "
        )
        more = "that of 'reidentify' only read, that of 'vault forget' list and delete"
        raise InvalidSettings(msg + more) from None
    except AuthenticationError:
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: Redis does not know this user, or the password differs"
        raise InvalidSettings(msg) from None
    except (RedisError, OSError, TimeoutError) as error:
        if refused := describe_tls_failure(error, "Redis", "DEIDSTREAM_REVERSE_TLS"):
            raise InvalidSettings(refused) from None
        why = describe_outage(error, "DEIDSTREAM_REVERSE_REDIS_URL", client) if client else ""
        raise Unavailable(SERVICE, why) from None
