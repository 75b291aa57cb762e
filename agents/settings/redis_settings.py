"""The settings of Redis: for surrogates and for reversible records."""

from dataclasses import dataclass
from typing import Final, Literal

from deidstream.agents.settings.setting_declaration import hide_keys, hide_user, setting
from deidstream.agents.settings.setting_forms import check_optional_redis_url, check_redis_url
from deidstream.agents.settings.tls_settings import TlsSettings
from deidstream.schemas.shown_file import show_file

RANDOM: Final = "random"
"""Value of ``redis.mode``: surrogates are drawn at random and exist only in Redis."""


@dataclass(frozen=True, slots=True)
class RedisSettings(TlsSettings):
    """Where surrogates are kept."""

    url: str = setting(
        "Redis URL", "redis://127.0.0.1:6379/0", form=check_redis_url, mask=hide_user
    )
    mode: Literal["prf", "random"] = setting(
        "prf: surrogates follow from the key; random: they exist only in Redis", "prf"
    )
    deployment: str = setting("Before every name in Redis; others have another one", "deid")
    replicas: int = setting(
        "Replicas that must have a new surrogate before its note goes on; 0: none", 0, 0
    )
    state: str = setting("Folder for the counts of claims; required in mode random", "")
    check_seconds: float = setting("How often Redis is checked; 0: only at the start", 30.0, 0)


@dataclass(frozen=True, slots=True)
class ReversibleSettings(TlsSettings):
    """Reversible records: off unless URL and key file are set (docs/reidentification.md)."""

    redis_url: str = setting(
        "Redis URL of reversible records, with a user of their own; empty: off",
        "",
        form=check_optional_redis_url,
        mask=hide_user,
    )
    key_file: str = setting(
        "File of their root key, not the one of surrogates; empty: off", "", mask=show_file
    )
    key_version: int = setting("Version of their root key", 1, 0)
    key_previous: str = setting(
        "Older root keys of records: VERSION=FILE, comma separated", "", mask=hide_keys
    )
    days: int = setting("Days after which a reversible record expires", 30, 1)
    hourly: int = setting(
        "Most surrogates of a tenant that may be re-identified in an hour", 100, 1
    )
    log: str = setting("Audit log of 'deidstream reidentify', which requires one", "")
