"""How every client of Kafka connects."""

import ssl
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiokafka.abc import AbstractTokenProvider

PLAINTEXT, TLS = "plaintext", "ssl"
SECURITIES = (PLAINTEXT, TLS, "sasl-plaintext", "sasl-ssl")
"""The security protocols of a Kafka listener."""
SCRAM_512, OAUTH, KERBEROS = "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", SCRAM_512, OAUTH, KERBEROS)
"""The mechanisms of SASL."""
REQUEST_BYTES = 16 * 2**20
"""Longest record that a producer sends; topics allow less."""
REQUEST_SECONDS = 15
"""Time that a broker has to answer a producer."""


@dataclass(frozen=True, slots=True)
class Sasl:
    """Who a client says that it is, and how it proves that."""

    mechanism: str
    user: str = ""
    password: str = field(default="", repr=False)
    tokens: "AbstractTokenProvider | None" = None
    """With ``OAUTHBEARER`` alone."""
    service: str = "kafka"
    """With ``GSSAPI`` alone: the name of the brokers' principal."""
    domain: str = ""
    """With ``GSSAPI`` alone: the host of the brokers' principal; empty: that of each broker."""

    def client_options(self) -> dict[str, Any]:
        """Return the options of an aiokafka client."""
        if self.mechanism == OAUTH:
            given: dict[str, Any] = {"sasl_oauth_token_provider": self.tokens}
        elif self.mechanism == KERBEROS:
            given = {"sasl_kerberos_service_name": self.service}
            given |= {"sasl_kerberos_domain_name": self.domain or None}
        else:
            given = {"sasl_plain_username": self.user, "sasl_plain_password": self.password}
        return {"sasl_mechanism": self.mechanism, **given}


@dataclass(frozen=True, slots=True)
class KafkaConnection:
    """Where a Kafka cluster is, and how it and its clients know each other."""

    brokers: str
    """Bootstrap servers, comma separated."""
    context: ssl.SSLContext | None = field(default=None, repr=False)
    """``None``: without TLS."""
    sasl: Sasl | None = None

    @property
    def security(self) -> str:
        """The security protocol, as Kafka spells it."""
        transport = "SSL" if self.context else "PLAINTEXT"
        return f"SASL_{transport}" if self.sasl else transport

    @property
    def has_principal(self) -> bool:
        """Whether Kafka may know a client by more than its address."""
        return bool(self.sasl or self.context)

    def client_options(self) -> dict[str, Any]:
        """Return the options of an aiokafka client: consumer, producer or admin."""
        return {
            "bootstrap_servers": self.brokers,
            "security_protocol": self.security,
            "ssl_context": self.context,
            **(self.sasl.client_options() if self.sasl else {}),
        }

    def producer_options(self) -> dict[str, Any]:
        """Return the options of an aiokafka producer: those of a client, and its limits."""
        return {
            **self.client_options(),
            "acks": "all",
            "max_request_size": REQUEST_BYTES,
            "request_timeout_ms": REQUEST_SECONDS * 1000,
        }
