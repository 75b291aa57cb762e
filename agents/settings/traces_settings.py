"""The settings of traces."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.agents.settings.setting_forms import check_share, check_web_address
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class TracesSettings:
    """Where a worker sends traces (docs/tracing.md); files in PEM."""

    endpoint: str = setting(
        "Address of an OTLP receiver over HTTP, with its path (/v1/traces); empty: none",
        "",
        form=check_web_address,
    )
    share: float = setting(
        "Share that is traced of the notes whose sender traces none", 1.0, 0, form=check_share
    )
    token: str = setting("Token that the receiver asks for; empty: none", "", mask=hide)
    tls_ca: str = setting(
        "File of the authorities trusted for it; empty: the usual ones", "", mask=show_file
    )
    tls_certificate: str = setting(
        "File of the certificate shown to it; empty: none", "", mask=show_file
    )
    tls_key: str = setting(
        "File of that certificate's key; empty: in the same file", "", mask=show_file
    )
