"""TLS of a client: whom it trusts, and the certificate by which it is known."""

import ssl
from dataclasses import dataclass, field

from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.shown_file import show_file
from deidstream.stream.absence import causes_of

_WRONG_NAME = frozenset({62, 64})
"""OpenSSL's codes for a certificate of another host name or address."""
_EXPIRED, _NOT_YET = 10, 9
_WRONG_VERSION = "WRONG_VERSION_NUMBER"


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files in PEM, and whether the name of the server is compared with its certificate."""

    named: str
    """Prefix of the settings that name these files, for error messages."""
    ca: str = ""
    """Certificates of the authorities that are trusted; empty: those of the system."""
    certificate: str = ""
    """Certificate of this client, where the server asks for one."""
    key: str = ""
    """Its private key; empty: in the file of the certificate."""
    key_password: str = field(default="", repr=False)
    check_hostname: bool = True

    def any_given(self) -> bool:
        """Return whether anything differs from the default."""
        given = (self.ca, self.certificate, self.key, self.key_password)
        return any(given) or not self.check_hostname

    def context(self) -> ssl.SSLContext:
        """Read the files; where an authority is named, no other is trusted.

        Raises:
            InvalidSettings: A file cannot be read, or is not what its setting says.
        """
        if self.key and not self.certificate:
            msg = f"{self.named}_KEY: has no effect without {self.named}_CERTIFICATE"
            raise InvalidSettings(msg)
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
        except (OSError, ssl.SSLError) as error:
            msg = f"{self.named}_CA: {_say_unread(self.ca, error)} as certificates in PEM"
            raise InvalidSettings(msg) from None
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.check_hostname = self.check_hostname
        if self.certificate:
            self._load_certificate(context)
        return context

    def _load_certificate(self, context: ssl.SSLContext) -> None:
        try:
            # Without a password of ours, OpenSSL would ask for one at the terminal.
            password = self.key_password.encode
            context.load_cert_chain(self.certificate, self.key or None, password)
        except (OSError, ssl.SSLError, ValueError) as error:
            names = f"{self.named}_CERTIFICATE, {self.named}_KEY"
            msg = (
                f"{names}: {_say_unread(self.certificate, error)} as a certificate in PEM "
                f"and its key (is {self.named}_KEY_PASSWORD right?)"
            )
            raise InvalidSettings(msg) from None


def _say_unread(file: str, error: Exception) -> str:
    return f"{show_file(file)} cannot be read ({type(error).__name__})"


def describe_tls_failure(error: BaseException | None, service: str, named: str) -> str | None:
    """Return why a server and this client did not agree on TLS; ``None`` if that was not the cause.

    Args:
        error: What was raised; its causes are looked through too.
        service: The name of the server, such as ``Redis``.
        named: Prefix of the settings of TLS.
    """
    for cause in causes_of(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _describe_certificate(cause.verify_code, service, named)
        if isinstance(cause, ssl.SSLError) and cause.reason:
            return _describe_alert(cause.reason, service, named)
    return None


def _describe_certificate(code: int, service: str, named: str) -> str:
    if code in _WRONG_NAME:
        return f"{service}'s certificate is for another host name than the one in the setting"
    if code in {_EXPIRED, _NOT_YET}:
        when = "has expired" if code == _EXPIRED else "is not valid yet"
        return f"{service}'s certificate {when} (or the clock of this machine is wrong)"
    return f"{named}_CA: {service}'s certificate is from an authority that is not trusted"


def _describe_alert(reason: str, service: str, named: str) -> str | None:
    if _WRONG_VERSION in reason:
        return f"{service} does not speak TLS at this port"
    if "ALERT" in reason and ("CERTIFICATE" in reason or "UNKNOWN_CA" in reason):
        return f"{named}_CERTIFICATE: {service} does not accept it, or asks for one"
    return None
