"""Certificates of a test, from an authority of its own, in files as servers and clients read."""

import datetime as dt
import ipaddress
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.x509.oid import NameOID

from support.ports import LOOPBACK

_DAY = dt.timedelta(days=1)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


@dataclass(frozen=True, slots=True)
class Authority:
    """Signs certificates; its own is ``ca.pem`` of its folder."""

    folder: Path
    name: str = "test authority"
    key: EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1()), repr=False
    )

    def __post_init__(self) -> None:
        """Write its own certificate."""
        self.folder.mkdir(parents=True, exist_ok=True)
        builder = _dated(self._builder(self.name), 365).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        usage = x509.KeyUsage(
            digital_signature=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        public = self.key.public_key()
        built = builder.public_key(public).add_extension(usage, critical=True)
        identified = built.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(public), critical=False
        )
        signed = identified.sign(self.key, hashes.SHA256())
        self.ca.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    @property
    def ca(self) -> Path:
        """Its certificate."""
        return self.folder / "ca.pem"

    def issue(
        self, name: str, *, hosts: Sequence[str] = (LOOPBACK,), days: int = 30, password: str = ""
    ) -> Path:
        """Write a key and its certificate to one file; with fewer than no days, it has expired.

        Args:
            name: Its common name, and the name of the file.
            hosts: The addresses and names it is for.
            days: How long it is valid.
            password: Of the key; empty: none.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        names = [_general(host) for host in hosts]
        builder = _dated(self._builder(name), days).public_key(key.public_key())
        built = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        identified = built.add_extension(identifier, critical=False)
        signed = identified.sign(self.key, hashes.SHA256())
        locked = serialization.BestAvailableEncryption(password.encode()) if password else None
        made = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            locked or serialization.NoEncryption(),
        )
        file = self.folder / f"{name}.pem"
        file.write_bytes(made + signed.public_bytes(serialization.Encoding.PEM))
        file.chmod(0o600)
        return file

    def _builder(self, name: str) -> x509.CertificateBuilder:
        builder = x509.CertificateBuilder().subject_name(_named(name))
        return builder.issuer_name(_named(self.name)).serial_number(x509.random_serial_number())


def _dated(builder: x509.CertificateBuilder, days: int) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    starts = now - (2 - min(days, 0)) * _DAY
    return builder.not_valid_before(starts).not_valid_after(now + days * _DAY)


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def distrust() -> ssl.SSLCertVerificationError:
    """An error as OpenSSL makes it of a certificate whose authority is not trusted."""
    error = ssl.SSLCertVerificationError(1, "of another authority")
    error.verify_code, error.reason = 19, "CERTIFICATE_VERIFY_FAILED"
    return error
