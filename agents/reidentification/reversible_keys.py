"""Reversible records: whether they are on, and the root keys that are theirs alone."""

from collections.abc import Sequence

from deidstream.agents.root_keys import RootKeys, read_keys
from deidstream.agents.settings import KeySettings, ReverseSettings, Settings
from deidstream.models.reidentification.reversible_record import made_by
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.reverse_rights import address

NAMED = "DEIDSTREAM_REVERSE_KEY"
"""How the settings of these keys begin."""


def is_on(settings: Settings) -> bool:
    """Tell whether reversible records are asked for.

    Raises:
        InvalidSettings: One of the two settings that switch them on is there alone.
    """
    reverse = settings.reverse
    if bool(reverse.redis_url) != bool(reverse.key_file):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL and DEIDSTREAM_REVERSE_KEY_FILE: set both or neither"
        raise InvalidSettings(msg)
    return bool(reverse.redis_url)


def reverse_keys(settings: Settings) -> RootKeys:
    """Read the root keys of reversible records.

    Raises:
        InvalidSettings: One is a key of surrogates, or the Redis user or database is theirs.
        MissingArtefact: A key cannot be read.
    """
    keys = read_keys(reverse_key_settings(settings.reverse), NAMED)
    mistakes = _shared(settings.redis.url, settings.reverse.redis_url)
    others = set(read_keys(settings.key).roots.values()) if settings.key.file else set[bytes]()
    if others & set(keys.roots.values()):
        mistakes.append(f"{NAMED}_FILE: holds a key of surrogates; make one of its own")
    if mistakes:
        raise InvalidSettings("\n".join(mistakes))
    return keys


def reverse_key_settings(reverse: ReverseSettings) -> KeySettings:
    """What names the files of these keys, in the form of those of surrogates."""
    return KeySettings(reverse.key_file, reverse.key_version, reverse.key_previous)


def strangers(keys: RootKeys, marks: Sequence[bytes]) -> str:
    """Say under which keys records are kept that are not among these; empty where all are."""
    unknown = [m for m in marks if not any(made_by(root, m) for root in keys.roots.values())]
    versions = sorted({mark.partition(b":")[0].decode("ascii", "replace") for mark in unknown})
    if not versions:
        return ""
    return (
        f"reversible records of key version {', '.join(versions)} are kept, and no key here opens "
        f"them: see {NAMED}_FILE, _VERSION and _PREVIOUS"
    )


def _shared(surrogates: str, records: str) -> list[str]:
    one, other = address(surrogates), address(records)
    mistakes: list[str] = []
    if not other.user:
        mistakes.append("DEIDSTREAM_REVERSE_REDIS_URL: must name a Redis user of its own")
    if one.server == other.server:
        same = {"user": one.user == other.user, "database": one.database == other.database}
        mistakes += [
            f"DEIDSTREAM_REVERSE_REDIS_URL: has the same {what} as DEIDSTREAM_REDIS_URL"
            for what, shared in same.items()
            if shared
        ]
    return mistakes
