"""Settings that are refused in production: a closed list."""

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from deidstream.agents.runtime.root_keys import key_files
from deidstream.agents.settings import KeySettings, Settings, secret_files, secrets_in_environment
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.http.own_hosts import is_loopback
from deidstream.stream.redis.redis_url import ENCRYPTED, read_redis_url

PRODUCTION = "prod"
"""Value of ``env``."""
_READABLE = stat.S_IRWXO | stat.S_IWGRP
"""A group may read a key file, since orchestrators give mounted secrets to one."""


def refuse_unsafe(settings: Settings, environment: Mapping[str, str]) -> None:
    """Refuse unsafe settings in production.

    Raises:
        InvalidSettings: Every unsafe setting, one a line.
    """
    if settings.env == PRODUCTION and (unsafe := find_unsafe(settings, environment)):
        head = "DEIDSTREAM_ENV=prod: these settings are unsafe in production"
        raise InvalidSettings("\n".join([head, *unsafe]))


def find_unsafe(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """List what is unsafe in production, whatever ``env`` is."""
    return [
        *_find_unsafe_kafka(settings),
        *_find_unsafe_redis(settings),
        *_find_unsafe_traces(settings),
        *_find_open_keys(settings),
        *_find_open_secrets(environment),
        *_find_unsafe_process(settings),
        *(
            f"{name}: is in the environment, where other processes may read it; put it into a "
            f"file and name that, by {name}_FILE where {name} itself is no name of a file"
            for name in secrets_in_environment(environment)
        ),
    ]


def _find_unsafe_kafka(settings: Settings) -> Iterator[str]:
    kafka = settings.kafka
    hosts = [broker.strip().rpartition(":")[0] for broker in kafka.brokers.split(",")]
    if not all(map(is_loopback, hosts)):
        if not kafka.security.endswith("ssl"):
            yield "DEIDSTREAM_KAFKA_SECURITY: notes would go over the network in the clear"
        if not (kafka.security.startswith("sasl") or kafka.tls_certificate):
            yield "DEIDSTREAM_KAFKA_SECURITY: neither SASL nor a certificate says who this is"
    if kafka.security.endswith("ssl") and not kafka.tls_check_hostname:
        yield "DEIDSTREAM_KAFKA_TLS_CHECK_HOSTNAME: any host with a certificate could pose as Kafka"
    endpoint = urlsplit(kafka.token_url)
    if endpoint.scheme == "http" and not is_loopback(endpoint.hostname or ""):
        yield "DEIDSTREAM_KAFKA_TOKEN_URL: the client's secret would go out in the clear"
    if kafka.create_topics and kafka.replication == 1:
        yield (
            "DEIDSTREAM_KAFKA_REPLICATION: a topic of one replica is lost with its broker; set 3, "
            "or create the topics yourself and set DEIDSTREAM_KAFKA_CREATE_TOPICS=false"
        )


def _find_unsafe_redis(settings: Settings) -> Iterator[str]:
    for name, url, checked in (
        ("DEIDSTREAM_REDIS", settings.redis.url, settings.redis.tls_check_hostname),
        ("DEIDSTREAM_REVERSE", settings.reverse.redis_url, settings.reverse.tls_check_hostname),
    ):
        variable = f"{name}_URL" if name == "DEIDSTREAM_REDIS" else f"{name}_REDIS_URL"
        if not url:
            continue
        where = read_redis_url(url)
        if not all(map(is_loopback, where.hosts)):
            if not where.encrypted:
                yield f"{variable}: it would go over the network in the clear; use {ENCRYPTED}"
            if not where.password:
                yield f"{variable}: names no user with a password"
        if where.encrypted and not checked:
            yield f"{name}_TLS_CHECK_HOSTNAME: any host with a certificate could pose as Redis"


def _find_unsafe_traces(settings: Settings) -> Iterator[str]:
    receiver = urlsplit(settings.traces.endpoint)
    if receiver.scheme == "http" and not is_loopback(receiver.hostname or ""):
        yield "DEIDSTREAM_TRACES_ENDPOINT: traces would go over the network in the clear"


def _find_open_keys(settings: Settings) -> Iterator[str]:
    reverse = settings.reverse
    records = KeySettings(reverse.key_file, reverse.key_version, reverse.key_previous)
    files = [*_files(settings.key), *_files(records), settings.kafka.tls_key]
    files += [settings.redis.tls_key, reverse.tls_key, settings.api.tls_key]
    files += [settings.mllp.tls_key, settings.review.tls_key, settings.traces.tls_key]
    for file in filter(None, files):
        if mode := find_open_mode(file):
            yield f"{file}: others may read this key (mode {mode}); run chmod 600"


def _find_open_secrets(environment: Mapping[str, str]) -> Iterator[str]:
    for name, file in secret_files(environment).items():
        if mode := find_open_mode(file):
            yield f"{name}: others may read its file (mode {mode}); run chmod 600"


def find_open_mode(file: str) -> str | None:
    """Return the mode of a file that others may access; ``None`` where it is safe or missing."""
    try:
        mode = Path(file).stat().st_mode
    except OSError:
        return None
    return f"{stat.S_IMODE(mode):04o}" if mode & _READABLE else None


def _files(settings: KeySettings) -> Iterator[str]:
    try:
        yield from key_files(settings).values()
    except InvalidSettings:
        yield settings.file


def _find_unsafe_process(settings: Settings) -> Iterator[str]:
    if settings.worker.log_level == "debug":
        yield "DEIDSTREAM_WORKER_LOG_LEVEL: debug is for development"
    if not is_loopback(settings.api.host) and not settings.api.tls_certificate:
        yield "DEIDSTREAM_API_TLS_CERTIFICATE: notes would go over the network in the clear"
    if settings.api.store == "memory":
        yield (
            "DEIDSTREAM_API_STORE: surrogates in memory differ from the workers' and are lost at "
            "the end of the process"
        )
    if not is_loopback(settings.mllp.host) and not settings.mllp.tls_certificate:
        yield "DEIDSTREAM_MLLP_TLS_CERTIFICATE: messages would go over the network in the clear"
    if not is_loopback(settings.http.host) and not settings.http.token:
        yield "DEIDSTREAM_HTTP_TOKEN: metrics would be open to whoever reaches this address"
