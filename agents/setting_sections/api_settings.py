"""The settings of the interface."""

from dataclasses import dataclass

from deidstream.agents.setting_sections.setting_declaration import declare as _setting


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """The interface of ``deidstream serve`` (docs/api.md)."""

    host: str = _setting("Address of the interface", "127.0.0.1")
    port: int = _setting("Port of the interface; 0 takes any", 8000, 0)
    token: str = _setting("Token of the one client; empty: none, or those of the file", "")
    clients_file: str = _setting(
        "TOML file of clients with a token, rights and tenants each; empty: one client", ""
    )
    tls_certificate: str = _setting("File of the certificate shown to clients; empty: no TLS", "")
    tls_key: str = _setting("File of that certificate's key; empty: in the same file", "")
    tls_key_password: str = _setting("Password of that key", "")
    tls_client_ca: str = _setting(
        "File of the authorities whose certificates clients have to show; empty: none asked", ""
    )
    store: str = _setting(
        "redis: surrogates are shared with workers; memory: they go with the process", "redis"
    )
    policies: str = _setting(
        "Policies that a request may choose, comma separated; its tenant's is used otherwise", ""
    )
    replacements: bool = _setting(
        "Tell the one client, where it asks, which words of an output are surrogates",
        default=False,
    )
    presidio: bool = _setting("Offer the endpoints of Presidio", default=True)
    requests: int = _setting("Most requests in work, waiting ones included", 64, 1)
    client_requests: int = _setting("Most requests of one client in work", 32, 1)
    notes: int = _setting("Most notes or texts of a request", 256, 1)
    batch_notes: int = _setting("Most notes that are computed together", 16, 1)
    body_bytes: int = _setting("Longest body of a request", 5_000_000, 1)
    seconds: float = _setting("Longest time of a request; 0: no limit", 60.0, 0)
    drain_seconds: float = _setting("Longest wait for requests in work on SIGTERM", 20.0, 0)
