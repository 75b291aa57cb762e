"""Store the mapping in Redis, for the service.

Each owner of names is one hash, so that one deletion forgets a patient and no index can disagree
with it.
"""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, cast

from redis.exceptions import RedisError

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.observing import metrics
from deidstream.stream.redis.memory_store import OWNER_BYTES
from deidstream.stream.redis.redis_client import redis_client
from deidstream.stream.redis.redis_errors import explain_error, explain_wrong_type, is_wrong_type
from deidstream.stream.redis.watermark import Watermark

if TYPE_CHECKING:
    import ssl

    from redis.asyncio import Redis
    from redis.asyncio.client import Pipeline

DEPLOYMENT = "deid"
"""Before every name, unless the settings say otherwise."""
PREFIX = b"deid:of:"
"""Before an owner; the hash holds sealed values by item."""
MARKS = b"deid:marks"
"""A hash: how many claims each worker has made."""
EPOCHS = b"deid:epochs"
"""A hash: how many notes came out in each mapping epoch."""
ENGINES = b"deid:engines"
"""A hash: how precisely all workers compute a model, by its digest."""
CANARY = b"deid:key:"
"""Before a key version: a constant, sealed by that key."""
REPLICA_MILLISECONDS = 1_000
"""Time that replicas have to confirm a claim; then it is made again."""
TOO_FEW_REPLICAS = "fewer replicas than DEIDSTREAM_REDIS_REPLICAS have confirmed a claim"


@dataclass(frozen=True, slots=True)
class RedisSurrogateStore:
    """Keeps surrogates in a Redis that any number of workers may share."""

    client: "Redis"
    watermark: Watermark = field(default_factory=Watermark.in_memory)
    """The count of this worker's claims that Redis must still know."""
    deployment: str = DEPLOYMENT
    """Before every name: users of Redis that may use no other names keep deployments apart."""
    replicas: int = 0
    """Replicas that must have a claim before it counts."""

    @classmethod
    def connect(
        cls,
        url: str,
        watermark: Watermark | None = None,
        *,
        context: "ssl.SSLContext | None" = None,
        deployment: str = DEPLOYMENT,
        replicas: int = 0,
    ) -> "RedisSurrogateStore":
        """Prepare a client; nothing is sent yet.

        Args:
            url: Names the server and the user.
            watermark: The count of this worker's claims; by default in memory.
            context: TLS, where the URL asks for it.
            deployment: Before every name.
            replicas: Replicas that must have a claim before it counts.

        Raises:
            InvalidSettings: The URL is not one of Redis.
        """
        watermark = watermark or Watermark.in_memory()
        return cls(_client(url, context), watermark, deployment, replicas)

    def _named(self, name: bytes) -> bytes:
        return self.deployment.encode() + name.removeprefix(DEPLOYMENT.encode())

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names`` in one round trip.

        Raises:
            Unavailable: Redis is unavailable.
            UntrustedStore: Redis has lost claims of this worker, and they cannot be made again.
            WrongType: The name of one patient holds something else; others can be asked for.
        """
        if not names:
            return []
        known = self.watermark.claims
        pipeline = self.client.pipeline(transaction=False)
        pipeline.hget(_text(self._named(MARKS)), _text(self.watermark.worker))
        asked = [self._named(MARKS)]
        order = sorted(range(len(names)), key=lambda place: names[place][:OWNER_BYTES])
        for owner, places in groupby(order, key=lambda place: names[place][:OWNER_BYTES]):
            asked.append(self._named(PREFIX + owner))
            pipeline.hmget(_text(asked[-1]), [_text(names[p][OWNER_BYTES:]) for p in places])
        with metrics.observe_time("deid_redis_seconds", "recall"):
            seen, *found = await self._await_answers(pipeline, asked)
        await self.watermark.compare(int(cast("bytes", seen or b"0")), at_least=known)
        values = [value for some in cast("list[list[bytes | None]]", found) for value in some]
        by_place = dict(zip(order, values, strict=True))
        return [by_place[place] for place in range(len(names))]

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write each value unless its name has one, in one round trip; return the winners.

        The worker's count of claims is written last: a Redis that kept it has kept the values too.

        Raises:
            Unavailable: Redis is unavailable, or too few replicas have the claim in time; some
                pairs may have been written.
            UntrustedStore: Redis has lost claims of this worker, and they cannot be made again.
            WrongType: The name of one patient holds something else; others can be asked for.
        """
        if not pairs:
            return []
        known = self.watermark.claims
        pipeline: Pipeline = self.client.pipeline(transaction=False)
        asked: list[bytes] = []
        for name, value in pairs:
            asked += [self._named(PREFIX + name[:OWNER_BYTES])] * 2
            place = _text(asked[-1]), _text(name[OWNER_BYTES:])
            pipeline.hsetnx(*place, _text(value))
            pipeline.hget(*place)
        pipeline.hincrby(_text(self._named(MARKS)), _text(self.watermark.worker), 1)
        asked.append(self._named(MARKS))
        if self.replicas:
            pipeline.wait(self.replicas, REPLICA_MILLISECONDS)
            asked.append(asked[-1])
        with metrics.observe_time("deid_redis_seconds", "claim"):
            answers = await self._await_answers(pipeline, asked)
        # A primary that dies takes along what no replica has: another would draw it anew.
        if self.replicas and cast("int", answers.pop()) < self.replicas:
            raise Unavailable("redis", TOO_FEW_REPLICAS)  # noqa: EM101
        claims = cast("int", answers.pop())
        await self.watermark.compare(claims, at_least=known + 1)
        return _winners(cast("list[bytes | None]", answers[1::2]))

    async def _await_answers(
        self, pipeline: "Pipeline", asked: Sequence[bytes], *, of_all: bytes = MARKS
    ) -> list[object]:
        """Return the answers to commands; each asks one of the names.

        Args:
            pipeline: The commands.
            asked: The name that each of them asks.
            of_all: The name that all patients need.

        Raises:
            WrongType: The name of one patient holds something else than a hash.
            InvalidSettings: Redis refuses this client, or the name of all holds something else.
            Unavailable: Redis is unavailable.
        """
        executed = pipeline.execute(raise_on_error=False)
        answers = cast("list[object]", await _await_answer(executed))
        wrong: set[bytes] = set()
        for name, answer in zip(asked, answers, strict=True):
            if is_wrong_type(answer):
                wrong.add(name)
            elif isinstance(answer, Exception):
                raise explain_error(answer, "DEIDSTREAM_REDIS_URL")
        if wrong:
            raise explain_wrong_type(wrong, of_all=self._named(of_all))
        return answers

    async def forget(self, owners: Sequence[bytes]) -> int:
        """Delete all values of ``owners``; return how many there were.

        Raises:
            InvalidSettings: Redis does not let this user delete.
            Unavailable: Redis is unavailable.
        """
        pipeline: Pipeline = self.client.pipeline(transaction=True)
        for owner in owners:
            pipeline.hlen(_text(self._named(PREFIX + owner)))
            pipeline.delete(self._named(PREFIX + owner))
        return sum(cast("list[int]", await _await_answer(pipeline.execute()))[::2])

    async def claim_counts(self, workers: Sequence[bytes]) -> list[int]:
        """Read how many claims Redis knows of each worker.

        Raises:
            Unavailable: Redis is unavailable.
        """
        if not workers:
            return []
        asked = self.client.hmget(_text(self._named(MARKS)), [_text(worker) for worker in workers])
        found = cast("list[bytes | None]", await _await_answer(cast("Awaitable[object]", asked)))
        return [int(count or b"0") for count in found]

    async def epoch(self, number: int, notes: int = 0) -> int:
        """Add to the notes of a mapping epoch and return how many there are.

        Raises:
            Unavailable: Redis is unavailable.
        """
        added = self.client.hincrby(_text(self._named(EPOCHS)), str(number), notes)
        return cast("int", await _await_answer(cast("Awaitable[object]", added)))

    async def canary(self, version: int, sealed: bytes | None = None) -> bytes | None:
        """Read the constant sealed by key ``version``; write ``sealed`` there if none is.

        Raises:
            Unavailable: Redis is unavailable.
        """
        name = self._named(CANARY + str(version).encode())
        if sealed is not None:
            await _await_answer(self.client.set(name, sealed, nx=True))
        return cast("bytes | None", await _await_answer(self.client.get(name)))

    async def pin_precisions(self, precisions: Mapping[str, str]) -> dict[str, str]:
        """Store how precisely models are computed unless that is stored; return what is stored.

        Args:
            precisions: By digest of the model; without any, nothing is written.

        Returns:
            The precisions of all models that were ever pinned, by digest.

        Raises:
            InvalidSettings: Redis refuses this client, or the name holds something else.
            Unavailable: Redis is unavailable.
        """
        name = self._named(ENGINES)
        pipeline: Pipeline = self.client.pipeline(transaction=False)
        for digest, precision in precisions.items():
            pipeline.hsetnx(_text(name), digest, precision)
        pipeline.hgetall(_text(name))
        asked = [name] * (len(precisions) + 1)
        *_, stored = await self._await_answers(pipeline, asked, of_all=ENGINES)
        pairs = cast("Mapping[bytes, bytes]", stored).items()
        return {digest.decode(): its.decode("ascii", "replace") for digest, its in pairs}

    async def release_precisions(self) -> None:
        """Forget how precisely models are computed: the next worker stores it anew.

        Raises:
            InvalidSettings: Redis does not let this user delete.
            Unavailable: Redis is unavailable.
        """
        await _await_answer(self.client.delete(self._named(ENGINES)))

    async def ping(self) -> None:
        """Check that Redis answers.

        Raises:
            Unavailable: Redis does not answer.
        """
        await _await_answer(cast("Awaitable[object]", self.client.ping()), self.client)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()


def _client(url: str, context: "ssl.SSLContext | None") -> "Redis":
    try:
        return redis_client(url, context)
    except ValueError as error:
        msg = f"DEIDSTREAM_REDIS_URL: {error}"
        raise InvalidSettings(msg) from None


def _text(raw: bytes) -> str:
    # The client's types ask for text in hashes; it sends bytes as they are.
    return cast("str", raw)


async def _await_answer(answer: Awaitable[object], client: "Redis | None" = None) -> object:
    # Redis quotes names in some errors; ours names only the service.
    try:
        return await answer
    except (RedisError, OSError, TimeoutError) as error:
        raise explain_error(error, "DEIDSTREAM_REDIS_URL", client) from None


def _winners(values: Sequence[bytes | None]) -> list[bytes]:
    winners = [value for value in values if value is not None]
    if len(winners) < len(values):
        # The value was deleted between the two: evicted, flushed, or its patient was forgotten.
        raise Unavailable("redis")  # noqa: EM101
    return winners
