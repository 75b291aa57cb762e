"""Log what other libraries log in our own words, and each kind seldom.

Their messages may quote keys, values or exceptions, so none is ever written. A record is recognised
by its logger, the function that logs, and how its message template begins; the template is a
constant of the library, without what is filled in.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class ThirdPartyEvent(StrEnum):
    """What a third party has to say: a closed list."""

    KAFKA_UNREACHABLE = "kafka-unreachable"
    KAFKA_LOGIN_REFUSED = "kafka-login-refused"
    COORDINATOR_MOVED = "kafka-coordinator-moved"
    REBALANCING = "kafka-rebalancing"
    SESSION_LOST = "kafka-session-lost"
    COMMIT_FAILED = "kafka-commit-failed"
    TOPIC_MISSING = "kafka-topic-missing"
    NOT_PERMITTED = "kafka-not-permitted"
    OUTPUT_REFUSED = "kafka-output-refused"
    NOTHING_FETCHED = "kafka-nothing-fetched"
    CONSUMER_CRASHED = "consumer-crashed"
    UNKNOWN = "third-party"


@dataclass(frozen=True, slots=True)
class Wording:
    """Which records of a library one event stands for."""

    logger: str
    """How the name of the logger begins."""
    function: str
    begins: str
    """How the message template begins; empty: any."""
    event: ThirdPartyEvent


_CLIENT, _CLUSTER, _FAUST = "aiokafka", "aiokafka.cluster", "faust"
_GROUP = "aiokafka.consumer.group_coordinator"
_FETCH, _SEND = "aiokafka.consumer.fetcher", "aiokafka.producer.sender"
_DRIVER = "faust.transport.drivers.aiokafka"
_E = ThirdPartyEvent
_SERVICE = re.compile(r"^\[\^[^]]*\]: ")
"""What Faust writes before its templates: the name of a service."""

WORDINGS = (
    Wording(_CLIENT, "bootstrap", "Unable connect to", _E.KAFKA_UNREACHABLE),
    Wording(_CLIENT, "bootstrap", "Unable to request metadata", _E.KAFKA_UNREACHABLE),
    Wording(_CLIENT, "_metadata_update", "Unable to", _E.KAFKA_UNREACHABLE),
    Wording(_CLIENT, "_get_conn", "Unable connect to", _E.KAFKA_UNREACHABLE),
    Wording(_GROUP, "_send_req", "Error sending", _E.KAFKA_UNREACHABLE),
    Wording(_GROUP, "_do_heartbeat", "Heartbeat send request failed", _E.KAFKA_UNREACHABLE),
    Wording(_FETCH, "_proc_fetch_request", "Failed fetch messages", _E.KAFKA_UNREACHABLE),
    Wording(_FETCH, "_update_fetch_positions", "Failed fetch offsets", _E.KAFKA_UNREACHABLE),
    Wording(_SEND, "do", "Cannot send", _E.KAFKA_UNREACHABLE),
    Wording(_SEND, "do", "Could not send", _E.KAFKA_UNREACHABLE),
    Wording(_CLUSTER, "update_metadata", "No broker metadata", _E.KAFKA_UNREACHABLE),
    Wording(_GROUP, "coordinator_dead", "Marking the coordinator", _E.COORDINATOR_MOVED),
    Wording(_GROUP, "ensure_coordinator_known", "Group Coordinator", _E.COORDINATOR_MOVED),
    Wording(_GROUP, "_do_heartbeat", "Heartbeat failed for group %s: coord", _E.COORDINATOR_MOVED),
    Wording(_GROUP, "_do_heartbeat", "Heartbeat failed for group %s because", _E.REBALANCING),
    Wording(_GROUP, "_do_heartbeat", "Heartbeat failed for group %s: gener", _E.SESSION_LOST),
    Wording(_GROUP, "_do_heartbeat", "Heartbeat failed: local member_id", _E.SESSION_LOST),
    Wording(_GROUP, "_heartbeat_routine", "Heartbeat session expired", _E.SESSION_LOST),
    Wording(_GROUP, "_do_commit_offsets", "OffsetCommit failed for unauth", _E.NOT_PERMITTED),
    Wording(_GROUP, "_do_commit_offsets", "OffsetCommit failed", _E.COMMIT_FAILED),
    Wording(_GROUP, "_on_join_prepare", "OffsetCommit failed", _E.COMMIT_FAILED),
    Wording(_GROUP, "__coordination_routine", "Failed to commit", _E.COMMIT_FAILED),
    Wording(_DRIVER, "_commit", "Committing raised", _E.COMMIT_FAILED),
    Wording(_DRIVER, "_commit", "Got exception", _E.COMMIT_FAILED),
    Wording(_CLUSTER, "update_metadata", "Topic %s not found", _E.TOPIC_MISSING),
    Wording(_CLUSTER, "update_metadata", "Topic %s is not available", _E.TOPIC_MISSING),
    Wording(_CLUSTER, "update_metadata", "Topic %s is not authorized", _E.NOT_PERMITTED),
    Wording(_FETCH, "_proc_fetch_request", "Not authorized", _E.NOT_PERMITTED),
    Wording(_SEND, "do", "Got error produce", _E.OUTPUT_REFUSED),
    Wording(_SEND, "handle_response", "Got error produce", _E.OUTPUT_REFUSED),
    Wording(_DRIVER, "_log_slow_processing", "", _E.NOTHING_FETCHED),
    Wording(_FAUST, "crash", "Crashed reason", _E.CONSUMER_CRASHED),
)
"""In order: the first that fits counts."""


_LOGIN = frozenset(
    {
        "AuthenticationFailedError",
        "AuthenticationMethodNotSupported",
        "IllegalSaslStateError",
        "SSLError",
        "SaslAuthenticationFailed",
        "UnsupportedSaslMechanismError",
    }
)
"""Errors of a refused login, by name: every command logs, and few of them need Kafka's client."""


def name_event(record: logging.LogRecord) -> ThirdPartyEvent:
    """Return what a record of a third party means; one that has been named keeps its event."""
    if isinstance(record.msg, ThirdPartyEvent):
        return record.msg
    errors = record.args if isinstance(record.args, tuple) else ()
    if any(_LOGIN & {kind.__name__ for kind in type(error).__mro__} for error in errors):
        return ThirdPartyEvent.KAFKA_LOGIN_REFUSED
    template = _SERVICE.sub("", record.msg) if isinstance(record.msg, str) else ""
    fitting = (
        wording.event
        for wording in WORDINGS
        if record.funcName == wording.function
        and record.name.startswith(wording.logger)
        and template.startswith(wording.begins)
    )
    return next(fitting, ThirdPartyEvent.UNKNOWN)


@dataclass(slots=True)
class Repetitions:
    """Lets the first of equal events through, and then one for each period, with their count."""

    seconds: float = 60.0
    clock: Callable[[], float] = time.monotonic
    _held: dict[str, "_Held"] = field(default_factory=dict[str, "_Held"])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, kind: str) -> int:
        """Return how many events a line now stands for; 0: write none."""
        now = self.clock()
        with self._lock:
            held = self._held.get(kind)
            if held is None:
                self._held[kind] = _Held(now)
                return 1
            held.count += 1
            return held.release(now) if now - held.since >= self.seconds else 0

    def forget(self) -> None:
        """Start over: the next event of each kind comes at once."""
        with self._lock:
            self._held.clear()

    def rest(self) -> Iterator[tuple[str, int]]:
        """Yield the kinds that were held back and whose period is over, with their counts.

        A kind that has been silent for a period is forgotten, so that its next event comes at once.
        """
        now = self.clock()
        with self._lock:
            over = [k for k, held in self._held.items() if now - held.since >= self.seconds]
            counts = [(kind, self._held[kind].release(now)) for kind in over]
            for kind, count in counts:
                if not count:
                    del self._held[kind]
        yield from ((kind, count) for kind, count in counts if count)


@dataclass(slots=True)
class _Held:
    since: float
    count: int = 0

    def release(self, now: float) -> int:
        count, self.count, self.since = self.count, 0, now
        return count
