"""Try Kafka before a client starts: aiokafka logs why it cannot connect and raises another error.

An answer at the first address is not enough: a broker tells its clients by which addresses they
find it and the others, and these may be of a network that this machine is not in.
"""

import asyncio
import contextlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
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
from deidstream.stream.absence import describe_absence
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.oauth_tokens import TokenUnavailable
from deidstream.stream.tls import describe_tls_failure

KAFKA_TLS = "DEIDSTREAM_KAFKA_TLS"
"""Prefix of the settings of TLS to Kafka."""
SECONDS = 6.0
"""Time for all that is tried: with its own start, a command says within 10 s what fails."""
_CLOSING_SECONDS = 0.2
_OTHER_LISTENER = "it closes the connection: does DEIDSTREAM_KAFKA_SECURITY match its listener?"
_Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What came of trying one address."""

    brokers: Collection[_Address] = ()
    """The addresses that an answer names."""
    refusal: str = ""
    """What to change in the settings; empty: nothing."""
    why: str = ""
    """Why there is no answer; empty: there is one."""


async def check_access(connection: KafkaConnection) -> None:
    """Check that a broker answers, accepts this client, and is found by the address it names.

    All addresses are tried at once; one that answers is enough.

    Raises:
        Unavailable: No broker answers; the message names each address and why.
        InvalidSettings: Kafka and this client do not accept each other.
    """
    deadline = asyncio.get_running_loop().time() + SECONDS
    given = collect_hosts(connection.brokers)
    tried = await _try_all([(host, port) for host, port, _ in given], connection, deadline)
    _refuse(tried, "start Kafka, or set DEIDSTREAM_KAFKA_BROKERS")
    brokers = tried[-1].brokers
    if not {(host, port) for host, port, _ in given} & set(brokers):
        tried = await _try_all(list(brokers), connection, deadline)
        _refuse(tried, "Kafka names these addresses: correct advertised.listeners of its brokers")


def _refuse(tried: Sequence[_Attempt], remedy: str) -> None:
    if not tried[-1].why:
        return
    if refusals := [attempt.refusal for attempt in tried if attempt.refusal]:
        raise InvalidSettings(refusals[0])
    whys = "; ".join(attempt.why for attempt in tried)
    raise Unavailable("kafka", f"{whys}; {remedy}")  # noqa: EM101


async def _try_all(
    addresses: Collection[_Address], connection: KafkaConnection, deadline: float
) -> Sequence[_Attempt]:
    """Return the attempts up to the first that was answered, which is the last then."""
    trying = [asyncio.create_task(_try(each, connection, deadline)) for each in addresses]
    tried: list[_Attempt] = []
    try:
        for done in asyncio.as_completed(trying):
            tried.append(await done)
            if not tried[-1].why:
                break
    finally:
        for each in trying:
            each.cancel()
        await asyncio.wait(trying)
    return tried


async def _try(address: _Address, connection: KafkaConnection, deadline: float) -> _Attempt:
    host, port = address
    at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        async with asyncio.timeout_at(deadline):
            return _Attempt(await _ask_for_brokers(address, connection.client_options()))
    except (KafkaError, OSError, TimeoutError) as error:
        if refusal := _describe(error, connection):
            return _Attempt(refusal=f"{refusal} (at {at})", why=at)
        closed = isinstance(error, KafkaConnectionError | ConnectionResetError)
        return _Attempt(why=f"{at}: {_OTHER_LISTENER if closed else describe_absence(error)}")


async def _ask_for_brokers(address: _Address, options: dict[str, Any]) -> Collection[_Address]:
    options.pop("bootstrap_servers")
    connection = AIOKafkaConnection(*address, request_timeout_ms=int(SECONDS * 1_000), **options)
    answer: Any = None
    try:
        await connection.connect()
        with contextlib.suppress(KafkaConnectionError):
            answer = await connection.send(MetadataRequest([]))
    finally:
        # Nothing comes of it if there was no connection.
        if closed := connection.close():
            await asyncio.wait([closed], timeout=_CLOSING_SECONDS)
    if answer is None or not answer.brokers:
        raise SaslAuthenticationFailed if "sasl_mechanism" in options else KafkaConnectionError
    return [(str(broker[1]), int(broker[2])) for broker in answer.brokers]


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
