"""The settings of TLS to a server."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide, setting


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """TLS to a server; files in PEM."""

    tls_ca: str = setting("File of the authorities trusted for it; empty: the system's", "")
    tls_certificate: str = setting("File of the certificate shown to it; empty: none", "")
    tls_key: str = setting("File of that certificate's key; empty: in the same file", "")
    tls_key_password: str = setting("Password of that key", "", mask=hide)
    tls_check_hostname: bool = setting("Compare its name with its certificate", default=True)
