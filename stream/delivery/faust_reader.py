"""Let Faust read and group messages, and nothing more: positions are ours.

Faust commits an offset once it has seen an acknowledgement for every offset before it, so a log
with gaps (transactions, compaction) holds it up; and after a rebalance it may commit past messages
that nobody has processed. Here it acknowledges and commits nothing. Partitions are read from the
position that the group has committed, asked for when no transaction on it is open, and only what
transactions have committed is read.
"""

# aiokafka has no public way to its coordinator and producer identity.
# pyright: reportPrivateUsage=false, reportOptionalMemberAccess=false, reportAttributeAccessIssue=false

import logging
from collections.abc import Iterable, Mapping
from typing import Any, cast

from aiokafka import TopicPartition
from faust.transport.drivers import aiokafka as driver
from faust.types import TP, AppT
from faust.types.tuples import ConsumerMessage, Message

from deidstream.schemas.errors import Unavailable
from deidstream.stream.delivery.assignment import Assignment
from deidstream.stream.delivery.failures import DeliveryFailed
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.kafka.fetched_records import read_tolerantly
from deidstream.stream.observing.logs import Logger
from deidstream.stream.retrying.retry import pause

LOG = Logger("consumer")
FAUST_LOG = logging.getLogger("faust.reader")
"""Otherwise what Faust logs, which may quote anything, would come under our name."""


class ReadMessage(ConsumerMessage):
    """A message that knows the seek it was read after."""

    reading: int = -1


class _Forgetful(dict[TP, int | None]):
    """Faust's memory of what it has read, which would drop the messages of a log made anew."""

    def __getitem__(self, _: TP) -> None:
        return None

    def __setitem__(self, tp: TP, offset: int | None) -> None:
        pass


class ReaderThread(driver.AIOKafkaConsumerThread):
    """The thread that Faust's consumer runs in."""

    logger = FAUST_LOG
    seeks: int = 0
    """Number of the last seek."""
    fetched_after: int = -1
    """Number of the last seek before the last fetch."""

    async def seek_positions(self, offsets: Mapping[TP, int]) -> int:
        """Continue from these positions, from the beginning where there is none (-1).

        Returns:
            The number of the seek.
        """
        return cast("int", await self.call_thread(self._seek_positions, offsets))

    async def _seek_positions(self, offsets: Mapping[TP, int]) -> int:
        consumer = self._ensure_consumer()
        self.seeks += 1
        number = self.seeks
        held = {tp: at for tp, at in offsets.items() if tp in consumer.assignment()}
        for tp, at in held.items():
            if at >= 0:
                consumer.seek(TopicPartition(*tp), at)
        if fresh := [TopicPartition(*tp) for tp, at in held.items() if at < 0]:
            await consumer.seek_to_beginning(*fresh)
        return number

    async def _fetch_records(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        records = await super()._fetch_records(*args, **kwargs)
        # aiokafka returns nothing that was fetched before the last seek.
        self.fetched_after = self.seeks
        return records

    def membership(self) -> Membership:
        """Return who this worker is in the group at this moment."""
        consumer = self._ensure_consumer()
        coordinator = consumer._coordinator  # noqa: SLF001
        instance = consumer._group_instance_id  # noqa: SLF001
        return Membership(coordinator.member_id, coordinator.generation, instance)


class ReadingConsumer(driver.Consumer):
    """Reads from our positions; acknowledges and commits nothing."""

    logger = FAUST_LOG

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Faust's arguments
        """Set up as Faust does, reading committed records only."""
        super().__init__(*args, **kwargs)
        # Read by the thread when it makes its client; there are no transactions of Faust's own.
        self.in_transaction = True
        self._read_offset = _Forgetful()
        self._fetched_after = -1
        self._assigned = False

    def _new_consumer_thread(self) -> ReaderThread:
        return ReaderThread(self, loop=self.loop, beacon=self.beacon)

    def on_init_dependencies(self) -> Iterable[Any]:
        """Start no transactions of Faust's."""
        return []

    @property
    def _reader(self) -> ReaderThread:
        return cast("ReaderThread", self._thread)

    @property
    def _own(self) -> "ReadingTransport":
        return cast("ReadingTransport", self.transport)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Let deliveries wait before anything else happens."""
        self._assigned = False
        self._own.assignment.revoke()
        await super().on_partitions_revoked(revoked)

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        """Let Faust prepare; it seeks to the positions before it reads."""
        self._own.assignment.revoke()
        self._assigned = True
        await super().on_partitions_assigned(assigned, generation_id)
        if not assigned:
            self._own.assignment.assign({}, self._reader.membership(), self._reader.seeks)

    async def perform_seek(self) -> None:
        """Read on from the positions that the group has committed."""
        attempt = 0
        while self._assigned and not self.should_stop:
            membership, held = self._reader.membership(), self.assignment()
            try:
                found = await self._own.offsets.fetch(held)
            except (Unavailable, DeliveryFailed) as error:
                attempt += 1
                LOG.warning("positions-unknown", kind=type(error).__name__, attempt=attempt)
                await pause(attempt)
                continue
            if not self._assigned or membership != self._reader.membership():
                # Another assignment comes, and another seek with it.
                return
            number = await self._reader.seek_positions(
                {TP(*place): at for place, at in found.items()}
            )
            if self._assigned:
                self._own.assignment.assign(found, membership, number)
            return

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> Any:  # noqa: ANN401, ASYNC109 - Faust's signature
        held = {TP(*place) for place in self._own.assignment.held}
        if held and active_partitions is not None:
            active_partitions = active_partitions - held
            if not active_partitions:
                # None would be taken for all; Faust asks again at once.
                await pause(1)
                return {}
        records = await super()._getmany(active_partitions, timeout)
        self._fetched_after = self._reader.fetched_after
        return records

    def _to_message(self, tp: TP, record: Any) -> ConsumerMessage:  # noqa: ANN401 - aiokafka has no types
        message = super()._to_message(tp, record)
        read = ReadMessage.from_message(message, tp)
        read.timestamp_type, read.generation_id = message.timestamp_type, message.generation_id
        cast("ReadMessage", read).reading = self._fetched_after
        return cast("ReadMessage", read)

    def ack(self, message: Message) -> bool:
        """Remember no acknowledgement."""
        message.acked = True
        self._unacked_messages.discard(message)
        return True

    async def commit(self, topics: Any = None, start_new_transaction: bool = True) -> bool:  # noqa: ANN401, ARG002, FBT001, FBT002 - Faust's signature
        """Commit nothing: delivery does."""
        return False

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Expect no commits of Faust's."""


class ReadingTransport(driver.Transport):
    """Makes consumers that read from our positions."""

    Consumer = ReadingConsumer
    assignment: Assignment
    offsets: GroupOffsets


def read_through(app: AppT, assignment: Assignment, offsets: GroupOffsets) -> None:
    """Let an app read from the positions of ``assignment``."""
    read_tolerantly()
    transport = ReadingTransport(app.conf.broker_consumer, app)
    transport.assignment, transport.offsets = assignment, offsets
    app.transport = transport


def reading_of(message: Message) -> int:
    """Return the number of the seek that a message was read after."""
    return message.reading if isinstance(message, ReadMessage) else -1
