"""A real Kafka whose listeners ask who a client is, with certificates made for the test."""

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from confluent_kafka.admin._scram import (
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialAlteration,
    UserScramCredentialUpsertion,
)
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from support.certificates import Authority
from support.kafka import Kafka
from support.ports import LOOPBACK, free_port
from support.processes import wait_until

if TYPE_CHECKING:
    from concurrent.futures import Future

PASSWORD = "a password, of = signs and blanks"
USERS = ("ingest", "worker", "analytics", "operator", "replay", "review", "nobody")
AUDIENCE = "kafka"
OAUTH = "org.apache.kafka.common.security.oauthbearer"


@dataclass(slots=True)
class TokenIssuer:
    """Signs tokens that the broker can check."""

    key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(65537, 2048), repr=False
    )

    def write_keys(self, file: Path) -> None:
        """Write the public key as the broker reads it."""
        numbers = self.key.public_key().public_numbers()
        parts = {"n": numbers.n, "e": numbers.e}
        made = {name: _base64(number.to_bytes(256).lstrip(b"\0")) for name, number in parts.items()}
        key = {"kty": "RSA", "kid": "one", "alg": "RS256", "use": "sig", **made}
        file.write_text(json.dumps({"keys": [key]}))

    def token(self, user: str, *, seconds: float = 300) -> str:
        """A token for a user."""
        now = int(time.time())
        claims = {"sub": user, "aud": AUDIENCE, "iat": now - 60, "exp": int(now + seconds)}
        head = {"alg": "RS256", "kid": "one", "typ": "JWT"}
        body = ".".join(_base64(json.dumps(part).encode()) for part in (head, claims))
        signed = self.key.sign(body.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{body}.{_base64(signed)}"


def _base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass(slots=True)
class SecuredKafka:
    """The broker, its listeners by name, and what clients of it need."""

    kafka: Kafka
    authority: Authority
    issuer: TokenIssuer
    ports: Mapping[str, int]

    def brokers(self, listener: str) -> str:
        """The address of a listener."""
        return f"{LOOPBACK}:{self.ports[listener]}"

    def environment(self, listener: str, security: str, **more: str) -> dict[str, str]:
        """Settings of a client at a listener."""
        named = {f"DEIDSTREAM_KAFKA_{name.upper()}": value for name, value in more.items()}
        return {
            "DEIDSTREAM_KAFKA_BROKERS": self.brokers(listener),
            "DEIDSTREAM_KAFKA_SECURITY": security,
            **({"DEIDSTREAM_KAFKA_TLS_CA": str(self.authority.ca)} if "ssl" in security else {}),
            **named,
        }

    def signed_in(self, user: str, mechanism: str = "SCRAM-SHA-512") -> dict[str, str]:
        """Settings of a client that signs in with a password, over TLS."""
        more = {"sasl": mechanism, "user": user, "password": PASSWORD}
        return self.environment("signed", "sasl-ssl", **more)


LISTENERS = {
    "plain": "PLAINTEXT",
    "tls": "SSL",
    "mutual": "SSL",
    "expired": "SSL",
    "elsewhere": "SSL",
    "signed": "SASL_SSL",
    "signedplain": "SASL_PLAINTEXT",
}


@contextmanager
def running_secured_kafka(home: Path, **settings: str | int) -> Generator[SecuredKafka]:
    """Run a fresh broker in ``home``, an empty folder; what was started is stopped."""
    authority, issuer = Authority(home / "authority"), TokenIssuer()
    issuer.write_keys(home / "keys.json")
    ports = {name: free_port() for name in LISTENERS}
    kafka = Kafka(home, port=ports["plain"])
    kafka.settings = _settings(kafka, authority, ports, home) | settings
    kafka.java_options = (
        f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file://{home}/keys.json",
        f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.files={home}/keys.json",
    )
    kafka.format()
    try:
        kafka.start()
        _add_users(kafka)
        yield SecuredKafka(kafka, authority, issuer, ports)
    finally:
        kafka.stop()


def _settings(
    kafka: Kafka, authority: Authority, ports: Mapping[str, int], home: Path
) -> dict[str, str | int]:
    certificates = {
        "tls": authority.issue("broker"),
        "mutual": authority.issue("broker-mutual"),
        "signed": authority.issue("broker-signed"),
        "expired": authority.issue("broker-expired", days=-1),
        "elsewhere": authority.issue("broker-elsewhere", hosts=["elsewhere.example"]),
    }
    places = [f"{name.upper()}://{LOOPBACK}:{port}" for name, port in ports.items()]
    kinds = [f"{name.upper()}:{kind}" for name, kind in LISTENERS.items()]
    made: dict[str, str | int] = {
        "listeners": ",".join([*places, f"CONTROLLER://{LOOPBACK}:{kafka.controller}"]),
        "advertised.listeners": ",".join(places),
        "listener.security.protocol.map": ",".join([*kinds, "CONTROLLER:PLAINTEXT"]),
        "inter.broker.listener.name": "PLAIN",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(authority.ca),
        "ssl.keystore.type": "PEM",
        "ssl.principal.mapping.rules": "RULE:^CN=([^,]+).*$/$1/,DEFAULT",
        "listener.name.mutual.ssl.client.auth": "required",
    }
    for name, file in certificates.items():
        made[f"listener.name.{name}.ssl.keystore.location"] = str(file)
    for name in ("signed", "signedplain"):
        made |= _sasl_settings(f"listener.name.{name}", home)
    return made


def _sasl_settings(listener: str, home: Path) -> dict[str, str]:
    security = "org.apache.kafka.common.security"
    users = " ".join(f'user_{user}="{PASSWORD}"' for user in USERS)
    plain = f"{security}.plain.PlainLoginModule required {users};"
    scram = f"{security}.scram.ScramLoginModule required;"
    bearer = f"{listener}.oauthbearer.sasl"
    checks = f"{OAUTH}.OAuthBearerValidatorCallbackHandler"
    return {
        f"{listener}.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
        f"{listener}.plain.sasl.jaas.config": plain,
        f"{listener}.scram-sha-256.sasl.jaas.config": scram,
        f"{listener}.scram-sha-512.sasl.jaas.config": scram,
        f"{bearer}.jaas.config": f"{security}.oauthbearer.OAuthBearerLoginModule required;",
        f"{bearer}.server.callback.handler.class": checks,
        "sasl.oauthbearer.jwks.endpoint.url": f"file://{home}/keys.json",
        "sasl.oauthbearer.expected.audience": AUDIENCE,
        # Left to choose, Kafka 4.1 takes a validator that checks no signature.
        "sasl.oauthbearer.jwt.validator.class": f"{OAUTH}.BrokerJwtValidator",
    }


def _add_users(kafka: Kafka) -> None:
    admin = kafka.admin()
    kinds = (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)
    for kind in kinds:
        credential = ScramCredentialInfo(kind, 4096)
        wanted: list[UserScramCredentialAlteration] = [
            UserScramCredentialUpsertion(user, credential, PASSWORD.encode()) for user in USERS
        ]
        for done in admin.alter_user_scram_credentials(wanted).values():
            done.result(30)
    wait_until(lambda: _has_users(kafka), seconds=30)


def _has_users(kafka: Kafka) -> bool:
    admin = kafka.admin()
    said = cast("Future[dict[str, object]]", admin.describe_user_scram_credentials())
    return set(USERS) <= set(said.result(10))
