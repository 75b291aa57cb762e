"""The settings of the review page."""

from dataclasses import dataclass

from deidstream.agents.settings.setting_declaration import hide, setting
from deidstream.agents.settings.setting_forms import check_host, check_port
from deidstream.schemas.shown_file import show_file


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """The review page (docs/review.md)."""

    host: str = setting("Address of the review page", "127.0.0.1", form=check_host)
    port: int = setting("Port of the review page; 0 takes any", 8090, form=check_port)
    folder: str = setting(
        "Folder of its users, audit log, saved policies and saved lists; empty: "
        "~/.deidstream/review",
        "",
    )
    tls_certificate: str = setting(
        "File of its certificate, in PEM; empty: no TLS", "", mask=show_file
    )
    tls_key: str = setting(
        "File of that certificate's key; empty: in the same file", "", mask=show_file
    )
    tls_key_password: str = setting("Password of that key", "", mask=hide)
    idle_minutes: float = setting("A login ends after this long without a request", 15.0, 1)
    keep_minutes: float = setting(
        "A work list that is not saved is forgotten this long after its last use", 240.0, 1
    )
    saved_days: float = setting(
        "Days for which a work list is saved after it was made, with its originals, encrypted "
        "under the root key; 0: lists are in memory alone",
        0.0,
        0,
    )
    most_characters: int = setting(
        "Characters of originals that are held in memory in all", 50_000_000, 1
    )
    quarantine: bool = setting("Offer the notes in quarantine, read from Kafka", default=False)
    risk: bool = setting("Offer the red and yellow notes, read from Kafka", default=False)
    oidc_issuer: str = setting("OIDC issuer by which users may log in; empty: passwords only", "")
    oidc_client: str = setting("Client id of the page at the issuer", "")
    oidc_secret: str = setting("Client secret there; empty: a public client", "", mask=hide)
    oidc_url: str = setting("Address at which browsers reach the page, for the issuer", "")
    oidc_claim: str = setting("Claim of the ID token that names roles", "roles")
    oidc_reviewer: str = setting("Value of the claim for reviewers", "deid-reviewer")
    oidc_reader: str = setting("Value of the claim for readers", "deid-reader")
