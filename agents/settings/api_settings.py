"""The settings of the interface."""

from dataclasses import dataclass
from typing import Literal

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.agents.settings.setting_forms import check_host, check_port
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """The interface of ``deidstream serve`` (docs/api.md)."""

    host: str = setting("Address of the interface", "127.0.0.1", form=check_host)
    port: int = setting("Port of the interface; 0 takes any", 8000, form=check_port)
    token: str = setting(
        "Token of the one client; empty: none, or those of the file", "", mask=hide
    )
    clients_file: str = setting(
        "TOML file of clients with a token, rights and tenants each; empty: one client",
        "",
        mask=show_file,
    )
    tls_certificate: str = setting(
        "File of the certificate shown to clients; empty: no TLS", "", mask=show_file
    )
    tls_key: str = setting(
        "File of that certificate's key; empty: in the same file", "", mask=show_file
    )
    tls_key_password: str = setting("Password of that key", "", mask=hide)
    tls_client_ca: str = setting(
        "File of the authorities whose certificates clients have to show; empty: none asked",
        "",
        mask=show_file,
    )
    store: Literal["redis", "memory"] = setting(
        "redis: surrogates are shared with workers; memory: they go with the process", "redis"
    )
    policies: str = setting(
        "Policies that a request may choose, comma separated; its tenant's is used otherwise", ""
    )
    replacements: bool = setting(
        "Tell the one client, where it asks, which words of an output are surrogates",
        default=False,
    )
    presidio: bool = setting("Offer the endpoints of Presidio", default=True)
    requests: int = setting("Most requests in work, waiting ones included", 64, 1)
    client_requests: int = setting("Most requests of one client in work", 32, 1)
    notes: int = setting("Most notes or texts of a request", 256, 1)
    batch_notes: int = setting("Most notes that are computed together", 16, 1)
    body_bytes: int = setting("Longest body of a request", 5_000_000, 1)
    seconds: float = setting("Longest time of a request; 0: no limit", 60.0, 0)
    drain_seconds: float = setting("Longest wait for requests in work on SIGTERM", 20.0, 0)
