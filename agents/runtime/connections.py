"""Make the connections that the settings describe."""

import importlib.util
import re
import ssl
from collections.abc import Iterator
from pathlib import Path

from aiokafka.abc import AbstractTokenProvider

from deidstream.agents.settings import (
    KafkaSettings,
    RedisSettings,
    ReversibleSettings,
    Settings,
    TlsSettings,
)
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.kafka.connection import KERBEROS, OAUTH, KafkaConnection, Sasl
from deidstream.stream.kafka.diagnosis import KAFKA_TLS
from deidstream.stream.kafka.oauth_tokens import EndpointTokens, FileTokens
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.redis.redis_url import read_redis_url
from deidstream.stream.redis.reversible_store import ReversibleStore
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from deidstream.stream.redis.watermark import Watermark
from deidstream.stream.tls import TlsFiles

REDIS_TLS = "DEIDSTREAM_REDIS_TLS"
"""Prefix of the settings of TLS to Redis."""


def kafka_connection(settings: KafkaSettings) -> KafkaConnection:
    """Return how clients of Kafka connect.

    Raises:
        InvalidSettings: Settings of access are missing, contradict each other, have no effect, or
            name files that cannot be read.
    """
    if mistakes := sorted(_access_mistakes(settings)):
        raise InvalidSettings("\n".join(mistakes))
    encrypted, signed_in = settings.security.endswith("ssl"), settings.security.startswith("sasl")
    context = tls_files(settings, KAFKA_TLS).context() if encrypted else None
    return KafkaConnection(settings.brokers, context, _sasl(settings) if signed_in else None)


def tls_files(settings: TlsSettings, named: str) -> TlsFiles:
    """Return the files of TLS that a section of the settings names."""
    return TlsFiles(
        named,
        settings.tls_ca,
        settings.tls_certificate,
        settings.tls_key,
        settings.tls_key_password,
        settings.tls_check_hostname,
    )


def _sasl(settings: KafkaSettings) -> Sasl:
    return Sasl(
        settings.sasl,
        settings.user,
        settings.password,
        _tokens(settings) if settings.sasl == OAUTH else None,
        settings.kerberos_service,
        settings.kerberos_domain,
    )


def _tokens(settings: KafkaSettings) -> AbstractTokenProvider:
    if settings.token_file:
        return FileTokens(Path(settings.token_file))
    # The endpoint may be one of this site or a public one: both authorities are trusted for it.
    context = ssl.create_default_context()
    if settings.tls_ca:
        context.load_verify_locations(settings.tls_ca)
    named = settings.user, settings.password
    return EndpointTokens(settings.token_url, *named, settings.token_scope, context)


def _access_mistakes(settings: KafkaSettings) -> Iterator[str]:
    if not settings.security.endswith("ssl") and tls_files(settings, KAFKA_TLS).any_given():
        yield f"{KAFKA_TLS}_*: have no effect with DEIDSTREAM_KAFKA_SECURITY={settings.security}"
    if settings.security.startswith("sasl"):
        yield from _sasl_mistakes(settings)
    else:
        for name in ("user", "password", "token_file", "token_url", "token_scope"):
            if getattr(settings, name):
                yield _without_effect(name, f"DEIDSTREAM_KAFKA_SECURITY={settings.security}")


def _sasl_mistakes(settings: KafkaSettings) -> Iterator[str]:
    mechanism = f"DEIDSTREAM_KAFKA_SASL={settings.sasl}"
    if settings.sasl == KERBEROS and importlib.util.find_spec("gssapi") is None:
        yield f"{mechanism}: needs the gssapi library: pip install gssapi"
    if settings.sasl == OAUTH and bool(settings.token_file) == bool(settings.token_url):
        yield f"{mechanism}: set one of DEIDSTREAM_KAFKA_TOKEN_FILE and _TOKEN_URL"
    wanted = _wanted(settings)
    for name in ("user", "password", "token_file", "token_url", "token_scope"):
        given = bool(getattr(settings, name))
        if given and name not in wanted:
            yield _without_effect(name, mechanism)
        if not given and wanted.get(name):
            yield f"DEIDSTREAM_KAFKA_{name.upper()}: {mechanism} needs it"


def _wanted(settings: KafkaSettings) -> dict[str, bool]:
    # Whether a setting that has an effect must be given.
    if settings.sasl == KERBEROS:
        return {}
    if settings.sasl != OAUTH:
        return {"user": True, "password": True}
    endpoint = {"user": True, "password": True, "token_scope": False, "token_url": False}
    return {"token_file": False, **(endpoint if settings.token_url else {})}


def _without_effect(name: str, other: str) -> str:
    return f"DEIDSTREAM_KAFKA_{name.upper()}: has no effect with {other}"


def connect_store(
    settings: RedisSettings, watermark: Watermark | None = None
) -> RedisSurrogateStore:
    """Prepare the store of surrogates; nothing is sent yet.

    Raises:
        InvalidSettings: Settings of Redis are wrong.
    """
    if not re.fullmatch("[A-Za-z0-9._-]+", settings.deployment):
        msg = "DEIDSTREAM_REDIS_DEPLOYMENT: must be letters, digits, '.', '_' and '-'"
        raise InvalidSettings(msg)
    context, deployment = _redis_context(settings, settings.url, REDIS_TLS), settings.deployment
    return RedisSurrogateStore.connect(
        settings.url,
        watermark,
        context=context,
        deployment=deployment,
        replicas=settings.replicas,
    )


def connect_reversible(settings: ReversibleSettings) -> ReversibleStore:
    """Prepare the store of reversible records; nothing is sent yet.

    Raises:
        InvalidSettings: Settings of its Redis are wrong.
    """
    context = _redis_context(settings, settings.redis_url, "DEIDSTREAM_REVERSE_TLS")
    return ReversibleStore.connect(settings.redis_url, context=context)


def connect_as_surrogate_user(settings: RedisSettings, database: int) -> ReversibleStore:
    """Prepare a client of a database of reversible records, as the user of surrogates.

    Raises:
        InvalidSettings: Settings of Redis are wrong.
    """
    context = _redis_context(settings, settings.url, REDIS_TLS)
    return ReversibleStore.connect(settings.url, database, context=context)


def _redis_context(settings: TlsSettings, url: str, named: str) -> ssl.SSLContext | None:
    files = tls_files(settings, named)
    try:
        encrypted = read_redis_url(url).encrypted
    except ValueError:
        # Who connects refuses the URL, and says what is wrong with it.
        return None
    if encrypted:
        return files.context()
    if files.any_given():
        msg = f"{named}_*: have no effect with a URL that does not begin with rediss://"
        raise InvalidSettings(msg)
    return None


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
        patients=kafka.patients_topic,
        sample=kafka.sample_topic if kafka.sample_share else None,
    )
