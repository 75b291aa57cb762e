"""Make the connections that the settings describe."""

from deidstream.agents.settings import KafkaSettings, Settings
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics


def kafka_connection(settings: KafkaSettings) -> KafkaConnection:
    """Return how clients of Kafka connect."""
    return KafkaConnection(settings.brokers)


def topics_of(settings: Settings) -> Topics:
    """Return the topics that the settings name."""
    kafka = settings.kafka
    audit = kafka.audit_topic if kafka.audit else None
    return Topics(
        raw=kafka.raw_topic,
        anonymized=kafka.anonymized_topic,
        risk=kafka.risk_topic,
        quarantine=kafka.quarantine_topic,
        audit=audit,
    )
