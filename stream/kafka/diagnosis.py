"""Find out why no client can connect to Kafka: aiokafka logs the reason and raises another one."""

import asyncio
from typing import Any

from aiokafka.conn import AIOKafkaConnection, collect_hosts
from aiokafka.errors import (
    IllegalSaslStateError,
    KafkaConnectionError,
    KafkaError,
    SaslAuthenticationFailed,
    UnsupportedSaslMechanismError,
)
from aiokafka.protocol.metadata import MetadataRequest

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.oauth_tokens import TokenUnavailable
from deidstream.stream.tls import describe_tls_failure

KAFKA_TLS = "DEIDSTREAM_KAFKA_TLS"
"""Prefix of the settings of TLS to Kafka."""
_MILLISECONDS = 5_000
_CLOSING_SECONDS = 0.2
_OTHER_LISTENER = (
    "kafka (it closes the connection: does DEIDSTREAM_KAFKA_SECURITY match its listener?)"
)


async def check_token(connection: KafkaConnection) -> None:
    """Check that Kafka accepts the token of OAUTHBEARER; do nothing with other mechanisms.

    aiokafka does not read the answer to a token, and takes the error for a cluster of no brokers.

    Raises:
        Unavailable: Kafka is unavailable.
        InvalidSettings: There is no token, or Kafka does not accept it.
    """
    if connection.sasl and connection.sasl.tokens and (fault := await _find_fault(connection)):
        raise fault


async def diagnose(connection: KafkaConnection) -> Unavailable | InvalidSettings:
    """Try each broker once and return what to raise: settings to change, or Kafka is away."""
    return await _find_fault(connection) or Unavailable("kafka")


async def _find_fault(connection: KafkaConnection) -> Unavailable | InvalidSettings | None:
    options = connection.client_options()
    found: Unavailable | None = None
    for host, port, _ in collect_hosts(options.pop("bootstrap_servers")):
        try:
            await _try_broker(host, port, options)
        except (KafkaError, OSError, TimeoutError) as error:
            if refusal := _describe(error, connection):
                return InvalidSettings(refusal)
            other = isinstance(error, KafkaConnectionError | ConnectionResetError)
            found = Unavailable(_OTHER_LISTENER if other else "kafka")
        else:
            return None
    return found


async def _try_broker(host: str, port: int, options: dict[str, Any]) -> None:
    connection = AIOKafkaConnection(host, port, request_timeout_ms=_MILLISECONDS, **options)
    try:
        await connection.connect()
        answer: Any = await _ask_for_brokers(connection)
    finally:
        # Nothing comes of it where there was no connection.
        if closed := connection.close():
            await asyncio.wait([closed], timeout=_CLOSING_SECONDS)
    if answer is None or not answer.brokers:
        raise SaslAuthenticationFailed if "sasl_mechanism" in options else KafkaConnectionError


async def _ask_for_brokers(connection: AIOKafkaConnection) -> object:
    try:
        return await connection.send(MetadataRequest([]))
    except KafkaConnectionError:
        return None


def _describe(error: Exception, connection: KafkaConnection) -> str | None:
    sasl = connection.sasl
    if isinstance(error, TokenUnavailable):
        return str(error.args[0])
    if isinstance(error, SaslAuthenticationFailed) and sasl:
        what = "the token" if sasl.tokens else "the user or the password"
        return f"DEIDSTREAM_KAFKA_SASL={sasl.mechanism}: Kafka does not accept {what}"
    if isinstance(error, UnsupportedSaslMechanismError | IllegalSaslStateError) and sasl:
        return f"DEIDSTREAM_KAFKA_SASL={sasl.mechanism}: Kafka does not offer this mechanism"
    return describe_tls_failure(error, "Kafka", KAFKA_TLS)
