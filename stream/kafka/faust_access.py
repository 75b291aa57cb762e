"""Give a Faust app the connection that all other clients have."""

from typing import TYPE_CHECKING, Any, cast

import faust
from faust.types.auth import CredentialsT

from deidstream.stream.kafka.connection import KERBEROS, OAUTH, KafkaConnection, Sasl

if TYPE_CHECKING:
    from aiokafka.abc import AbstractTokenProvider


def faust_options(connection: KafkaConnection) -> dict[str, Any]:
    """Return the options of a Faust app."""
    options: dict[str, Any] = {
        "broker": [f"kafka://{broker.strip()}" for broker in connection.brokers.split(",")]
    }
    if connection.sasl:
        options["broker_credentials"] = _credentials(connection, connection.sasl)
    elif connection.context:
        options["broker_credentials"] = faust.SSLCredentials(connection.context)
    return options


def _credentials(connection: KafkaConnection, sasl: Sasl) -> CredentialsT:
    context = connection.context
    if sasl.mechanism == OAUTH:
        tokens = cast("AbstractTokenProvider", sasl.tokens)
        return faust.auth.OAuthCredentials(oauth_cb=tokens, ssl_context=context)
    if sasl.mechanism == KERBEROS:
        return faust.GSSAPICredentials(
            kerberos_service_name=sasl.service,
            kerberos_domain_name=sasl.domain or None,
            ssl_context=context,
            mechanism=KERBEROS,
        )
    return faust.SASLCredentials(
        username=sasl.user,
        password=sasl.password,
        ssl_context=context,
        mechanism=sasl.mechanism,
    )
