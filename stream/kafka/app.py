"""Build the Faust app: raw bytes, our own acknowledgements, no web server, no tables."""

from dataclasses import dataclass

import faust
from faust.types import AppT

from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.faust_access import faust_options


@dataclass(frozen=True, slots=True)
class AppSettings:
    """Settings of the Faust app."""

    connection: KafkaConnection
    group: str
    buffer_notes: int
    """Messages held in memory for the agent; about twice a batch."""
    session_seconds: float


class _App(faust.App):
    def _create_directories(self) -> None:
        # Faust would make folders for tables; there are none, and nothing is to be left behind.
        pass


def build_app(settings: AppSettings) -> AppT:
    """Build the app. Faust declares no topics: a worker creates or checks them itself."""
    return _App(
        settings.group,
        **faust_options(settings.connection),
        autodiscover=False,
        broker_commit_interval=0.5,
        broker_heartbeat_interval=settings.session_seconds / 6,
        broker_max_poll_records=settings.buffer_notes,
        broker_request_timeout=max(90.0, settings.session_seconds + 30),
        broker_session_timeout=settings.session_seconds,
        consumer_auto_offset_reset="earliest",
        # How soon new partitions, and an input topic that was made anew, are noticed.
        consumer_metadata_max_age_ms=15_000,
        key_serializer="raw",
        producer_acks=-1,
        store="memory://",
        stream_buffer_maxsize=settings.buffer_notes,
        stream_wait_empty=False,
        topic_allow_declare=False,
        topic_disable_leader=True,
        value_serializer="raw",
        web_enabled=False,
    )
