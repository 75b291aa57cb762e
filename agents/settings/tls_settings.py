"""The settings of TLS to a server."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """TLS to a server; files in PEM."""

    tls_ca: str = setting(
        "File of the authorities trusted for it; empty: the system's", "", mask=show_file
    )
    tls_certificate: str = setting(
        "File of the certificate shown to it; empty: none", "", mask=show_file
    )
    tls_key: str = setting(
        "File of that certificate's key; empty: in the same file", "", mask=show_file
    )
    tls_key_password: str = setting("Password of that key", "", mask=hide)
    tls_check_hostname: bool = setting("Compare its name with its certificate", default=True)
