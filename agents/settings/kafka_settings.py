"""The settings of Kafka."""

from dataclasses import dataclass
from typing import Final, Literal

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.agents.settings.setting_forms import check_brokers, check_group, check_topic
from deidstream.agents.settings.tls_settings import TlsSettings
from deidstream.schemas.shown_file import show_file

EXACTLY_ONCE: Final = "exactly-once"
AT_LEAST_ONCE: Final = "at-least-once"
"""Values of ``kafka.delivery`` (docs/delivery.md)."""


@dataclass(frozen=True, slots=True)
class KafkaSettings(TlsSettings):
    """Where notes come from and go to."""

    brokers: str = setting(
        "Bootstrap servers, comma separated", "127.0.0.1:9092", form=check_brokers
    )
    group: str = setting(
        "Consumer group; also the name of the Faust app", "deidstream", form=check_group
    )
    raw_topic: str = setting("Input topic", "notes.raw", form=check_topic)
    anonymized_topic: str = setting("Output topic of notes", "notes.anonymized", form=check_topic)
    risk_topic: str = setting("Output topic of risk levels", "notes.risk", form=check_topic)
    quarantine_topic: str = setting(
        "Output topic of failed notes' coordinates", "notes.quarantine", form=check_topic
    )
    audit_topic: str = setting(
        "Output topic of spans, when audit is on", "notes.audit", form=check_topic
    )
    patients_topic: str = setting(
        "Output topic of merged patients' pseudonyms", "notes.patients", form=check_topic
    )
    audit: bool = setting("Emit spans to the audit topic", default=False)
    sample_topic: str = setting(
        "Output topic of outputs that are drawn for readers", "notes.sample", form=check_topic
    )
    sample_share: float = setting("Share of the outputs that is drawn for readers; 0: none", 0.0, 0)
    create_topics: bool = setting("Create topics that are missing", default=True)
    partitions: int = setting("Partitions of a topic that is created", 4, 1)
    replication: int = setting("Replicas of a topic that is created", 1, 1)
    session_seconds: float = setting("A worker silent for this long loses its partitions", 30.0, 6)
    security: Literal["plaintext", "ssl", "sasl-plaintext", "sasl-ssl"] = setting(
        "How a worker talks to the brokers", "plaintext"
    )
    sasl: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI"] = setting(
        "How a worker says who it is", "SCRAM-SHA-512"
    )
    user: str = setting("User; with OAUTHBEARER and a token URL, the client's id", "")
    password: str = setting(
        "Password; with OAUTHBEARER and a token URL, the client's secret", "", mask=hide
    )
    token_file: str = setting(
        "File of an OAUTHBEARER token, read for each connection", "", mask=show_file
    )
    token_url: str = setting("OIDC endpoint that gives a client OAUTHBEARER tokens", "")
    token_scope: str = setting("Scope that is asked of the endpoint; empty: none", "")
    kerberos_service: str = setting("Name of the brokers' Kerberos principal", "kafka")
    kerberos_domain: str = setting("Host of that principal; empty: each broker's own", "")
    delivery: Literal["exactly-once", "at-least-once"] = setting(
        "exactly-once for readers of committed records, or at-least-once", EXACTLY_ONCE
    )
    transaction_seconds: float = setting("Longest time of a transaction", 15.0, 1)
