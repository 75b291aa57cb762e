"""TLS of a server: its certificate, and whether clients have to show one."""

import ssl
from dataclasses import dataclass, field

from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class ServerTls:
    """Files in PEM."""

    named: str
    """Prefix of the settings that name these files, for error messages."""
    certificate: str = ""
    """Certificate of this server, and those between it and its authority; empty: no TLS."""
    key: str = ""
    """Its private key; empty: in the file of the certificate."""
    key_password: str = field(default="", repr=False)
    client_ca: str = ""
    """Authorities whose certificates clients have to show; empty: none is asked for."""

    def context(self) -> ssl.SSLContext | None:
        """Read the files; ``None`` without a certificate.

        Raises:
            InvalidSettings: A file cannot be read, or is not what its setting says.
        """
        if not self.certificate:
            if self.key or self.client_ca:
                msg = f"{self.named}_TLS_CERTIFICATE: without it the other TLS files have no effect"
                raise InvalidSettings(msg)
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            # Without a password of ours, OpenSSL would ask for one at the terminal.
            context.load_cert_chain(self.certificate, self.key or None, self.key_password.encode)
        except (OSError, ssl.SSLError, ValueError) as error:
            raise InvalidSettings(self._say("CERTIFICATE", self.certificate, error)) from None
        if self.client_ca:
            context.verify_mode = ssl.CERT_REQUIRED
            try:
                context.load_verify_locations(self.client_ca)
            except (OSError, ssl.SSLError) as error:
                raise InvalidSettings(self._say("CLIENT_CA", self.client_ca, error)) from None
        return context

    def _say(self, name: str, file: str, error: Exception) -> str:
        shown, kind = show_file(file), type(error).__name__
        return f"{self.named}_TLS_{name}: {shown} cannot be read as PEM ({kind})"
