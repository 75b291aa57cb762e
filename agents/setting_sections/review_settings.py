"""The settings of the review page."""

from dataclasses import dataclass

from deidstream.agents.setting_sections.setting_declaration import declare as _setting


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """The review page (docs/review.md)."""

    host: str = _setting("Address of the review page", "127.0.0.1")
    port: int = _setting("Port of the review page; 0 takes any", 8090, 0)
    folder: str = _setting(
        "Folder of its users, audit log and saved policies; empty: ~/.deidstream/review", ""
    )
    tls_certificate: str = _setting("File of its certificate, in PEM; empty: no TLS", "")
    tls_key: str = _setting("File of that certificate's key; empty: in the same file", "")
    tls_key_password: str = _setting("Password of that key", "")
    idle_minutes: float = _setting("A login ends after this long without a request", 15.0, 1)
    keep_minutes: float = _setting(
        "A work list is forgotten this long after its last use", 240.0, 1
    )
    most_characters: int = _setting(
        "Characters of originals that are held in memory in all", 50_000_000, 1
    )
    quarantine: bool = _setting("Offer the notes in quarantine, read from Kafka", default=False)
    risk: bool = _setting("Offer the red and yellow notes, read from Kafka", default=False)
    oidc_issuer: str = _setting("OIDC issuer by which users may log in; empty: passwords only", "")
    oidc_client: str = _setting("Client id of the page at the issuer", "")
    oidc_secret: str = _setting("Client secret there; empty: a public client", "")
    oidc_url: str = _setting("Address at which browsers reach the page, for the issuer", "")
    oidc_claim: str = _setting("Claim of the ID token that names roles", "roles")
    oidc_reviewer: str = _setting("Value of the claim for reviewers", "deid-reviewer")
    oidc_reader: str = _setting("Value of the claim for readers", "deid-reader")
