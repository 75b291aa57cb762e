"""Defects that the harness must catch, planted into the stub worker; the product has none of them.

Each breaks one invariant, as a mistake in a later change could.
"""

# pyright: reportPrivateUsage=false

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from aiokafka.consumer.group_coordinator import GroupCoordinator

from deidstream.agents.runtime.service import Service
from deidstream.schemas.errors import Unavailable
from deidstream.stream.delivery import outcome_records
from deidstream.stream.delivery.producer import TopicRecord, await_confirmed, hand_over
from deidstream.stream.delivery.transactions import TransactionalDelivery
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from harness.orders import DEFECT

_GAP_SECONDS = 0.5
"""Between two steps that should be one: a kill finds it easily."""
_EACH_BATCH = 64 * 2**20


def plant() -> None:
    """Plant the defect that the environment names, if any."""
    name = os.environ.get(DEFECT)
    if name:
        PLANTS[name]()


def _commit_before_producing() -> None:
    async def deliver(own: Any, client: Any, records: Any, offsets: Any, member: Any) -> None:
        await _commit_in_transaction(own, client, offsets, member)
        await asyncio.sleep(_GAP_SECONDS)
        await _produce(client, records)

    _replace(TransactionalDelivery, "_deliver", deliver)


def _commit_outside_transaction() -> None:
    async def deliver(own: Any, client: Any, records: Any, offsets: Any, member: Any) -> None:
        await _produce(client, records)
        await asyncio.sleep(_GAP_SECONDS)
        await _commit_in_transaction(own, client, offsets, member)

    _replace(TransactionalDelivery, "_deliver", deliver)


async def _produce(client: Any, records: Sequence[TopicRecord]) -> None:
    await client.begin_transaction()
    await await_confirmed(records, await hand_over(client, records), [])
    await client.commit_transaction()


async def _commit_in_transaction(own: Any, client: Any, offsets: Any, member: Any) -> None:
    await client.begin_transaction()
    await own.offsets.commit_in_transaction(offsets, member, own._identity(client))  # noqa: SLF001
    client._txn_manager.consumer_group_added(own.offsets.group)  # noqa: SLF001
    await client.commit_transaction()


def _change_records(change: Callable[[list[TopicRecord]], list[TopicRecord]]) -> None:
    whole: Any = TransactionalDelivery._deliver  # noqa: SLF001

    async def deliver(own: Any, client: Any, records: Any, offsets: Any, member: Any) -> None:
        await whole(own, client, change(list(records)), offsets, member)

    _replace(TransactionalDelivery, "_deliver", deliver)


def _drop_risk_records() -> None:
    def drop(records: list[TopicRecord]) -> list[TopicRecord]:
        risks = [record for record in records if "risk" in record.topic]
        return [record for record in records if record not in risks[:1]]

    _change_records(drop)


def _turn_order() -> None:
    _change_records(lambda records: records[::-1])


def _ignore_redis() -> None:
    recall: Any = RedisSurrogateStore.recall
    claim: Any = RedisSurrogateStore.claim

    async def recall_or_nothing(own: Any, names: Sequence[bytes]) -> Any:
        try:
            return await recall(own, names)
        except Unavailable:
            return [None for _ in names]

    async def claim_or_own(own: Any, pairs: Sequence[tuple[bytes, bytes]]) -> Any:
        try:
            return await claim(own, pairs)
        except Unavailable:
            return [value for _, value in pairs]

    _replace(RedisSurrogateStore, "recall", recall_or_nothing)
    _replace(RedisSurrogateStore, "claim", claim_or_own)


def _log_text() -> None:
    whole: Any = Service._decode  # noqa: SLF001

    def decode(own: Any, value: bytes) -> Any:
        decoded = whole(own, value)
        if hasattr(decoded, "note"):
            # Past the formatter, which would cut it down.
            sys.stderr.write(f"note {decoded.note.text}\n")
        else:
            logging.getLogger("deidstream.service").warning("not decoded")
        return decoded

    _replace(Service, "_decode", decode)


def _write_clock() -> None:
    whole: Any = getattr(outcome_records, "encode_anonymized")  # noqa: B009 - imported there

    def encode(note: Any) -> bytes:
        fields: Mapping[str, Any] = orjson.loads(whole(note))
        return orjson.dumps({**fields, "made_at": time.time_ns()})

    _replace(outcome_records, "encode_anonymized", encode)


def _keep_everything() -> None:
    kept: list[bytearray] = []

    def keep(records: list[TopicRecord]) -> list[TopicRecord]:
        kept.append(bytearray(os.urandom(1024) * (_EACH_BATCH // 1024)))
        return records

    _change_records(keep)


def _never_rejoin() -> None:
    whole: Any = GroupCoordinator.ensure_active_group
    joined: list[int] = []

    async def join(own: Any, *args: Any, **kwargs: Any) -> Any:
        if joined:
            await asyncio.sleep(3_600)
        answer = await whole(own, *args, **kwargs)
        if not own.need_rejoin(own._subscription.subscription):  # noqa: SLF001
            joined.append(1)
        return answer

    _replace(GroupCoordinator, "ensure_active_group", join)


def _replace(owner: Any, name: str, made: Any) -> None:
    setattr(owner, name, made)


PLANTS: Mapping[str, Callable[[], None]] = {
    "commit-before-producing": _commit_before_producing,
    "commit-outside-transaction": _commit_outside_transaction,
    "clock-in-output": _write_clock,
    "text-in-log": _log_text,
    "redis-error-ignored": _ignore_redis,
    "order-turned": _turn_order,
    "risk-record-dropped": _drop_risk_records,
    "everything-kept": _keep_everything,
    "never-rejoins": _never_rejoin,
}
