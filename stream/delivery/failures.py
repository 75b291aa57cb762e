"""How a delivery fails, by what is to be done then."""

from aiokafka.errors import (
    BrokerNotAvailableError,
    CoordinatorLoadInProgressError,
    CoordinatorNotAvailableError,
    KafkaConnectionError,
    KafkaError,
    KafkaTimeoutError,
    NodeNotReadyError,
    NotCoordinatorError,
    RequestTimedOutError,
    UnknownTopicOrPartitionError,
)

from deidstream.schemas.errors import Unavailable

KAFKA = "kafka"
_AWAY = (
    BrokerNotAvailableError,
    CoordinatorLoadInProgressError,
    CoordinatorNotAvailableError,
    KafkaConnectionError,
    KafkaTimeoutError,
    NodeNotReadyError,
    NotCoordinatorError,
    OSError,
    RequestTimedOutError,
    TimeoutError,
    UnknownTopicOrPartitionError,
)
CLIENT_ERRORS = (KafkaError, OSError, TimeoutError, AssertionError)
"""What a client of aiokafka raises; its transactions assert their state."""


class OversizeRecords(Exception):
    """The broker's size limit is below some records; it will never accept them."""

    def __init__(self, records: frozenset[int] = frozenset({0})) -> None:
        """Say which, by their numbers among those that were sent."""
        super().__init__(f"{len(records)} records are over the limit")
        self.records = records


class Superseded(Exception):
    """The consumer group has another generation, so this worker may not commit its positions."""

    def __init__(self, *, sent: bool = False) -> None:
        """Say whether the records were sent all the same."""
        super().__init__("the generation of the group is over")
        self.sent = sent


class DeliveryFailed(Exception):
    """The broker refused; a new producer may be accepted."""

    def __init__(self, kind: str) -> None:
        """Name the error; never its text."""
        super().__init__(kind)
        self.kind = kind


def failure_of(error: BaseException) -> Unavailable | DeliveryFailed:
    """Return the failure that an error of a client amounts to."""
    return Unavailable(KAFKA) if isinstance(error, _AWAY) else DeliveryFailed(type(error).__name__)
