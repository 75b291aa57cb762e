"""Access to reversible records: whether they are on, their keys, and what the Redis user may do."""

from collections.abc import Sequence

from deidstream.agents.runtime.connections import connect_as_surrogate_user, connect_reversible
from deidstream.agents.runtime.root_keys import RootKeys, describe_exposure, key_files, read_keys
from deidstream.agents.settings import KeySettings, ReversibleSettings, Settings
from deidstream.models.reidentification.reversible_record import (
    matches_mark,
)
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.redis.redis_checks import REMEDY, Fault, faults
from deidstream.stream.redis.reversible_rights import (
    WRITER,
    address,
    can_see,
    may_forget,
    may_list,
    may_read,
    may_write,
)
from deidstream.stream.redis.reversible_store import ReversibleStore

NAMED = "DEIDSTREAM_REVERSE_KEY"
"""Prefix of the settings that name these keys."""
LOSING = frozenset(
    {Fault.EVICTS, Fault.VOLATILE, Fault.SNAPSHOTS_ONLY, Fault.LAX_SYNC, Fault.WRITES_FAIL}
)
"""Faults of Redis that may delete records before they expire."""
NOBODY = (
    "DEIDSTREAM_REVERSE_REDIS_URL: its user may neither write records, nor read them, nor forget "
    "patients; give it the rights of one of these roles"
)


def records_are_on(settings: Settings) -> bool:
    """Return whether reversible records are switched on.

    Raises:
        InvalidSettings: Only one of the two settings that switch them on is set.
    """
    reverse = settings.reverse
    if bool(reverse.redis_url) != bool(reverse.key_file):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL and DEIDSTREAM_REVERSE_KEY_FILE: set both or neither"
        raise InvalidSettings(msg)
    return bool(reverse.redis_url)


def reversible_keys(settings: Settings) -> RootKeys:
    """Read the root keys of reversible records.

    Raises:
        InvalidSettings: A key, the Redis user or the database is also used for surrogates.
        MissingArtefact: A key cannot be read.
    """
    keys = read_keys(reversible_key_settings(settings.reverse), NAMED)
    mistakes = _find_shared_access(settings.redis.url, settings.reverse.redis_url)
    others = set(read_keys(settings.key).roots.values()) if settings.key.file else set[bytes]()
    if others & set(keys.roots.values()):
        mistakes.append(f"{NAMED}_FILE: holds a key of surrogates; make a separate one")
    if mistakes:
        raise InvalidSettings("\n".join(mistakes))
    return keys


def reversible_key_settings(reverse: ReversibleSettings) -> KeySettings:
    """Return the settings of these keys in the form of the settings of surrogate keys."""
    return KeySettings(reverse.key_file, reverse.key_version, reverse.key_previous)


def describe_unknown_keys(keys: RootKeys, marks: Sequence[bytes]) -> str:
    """Return a sentence on key versions of stored records that ``keys`` lacks; ``""`` if none."""
    unknown = [m for m in marks if not any(matches_mark(root, m) for root in keys.roots.values())]
    versions = sorted({mark.partition(b":")[0].decode("ascii", "replace") for mark in unknown})
    if not versions:
        return ""
    return (
        f"reversible records of key version {', '.join(versions)} are stored, and no key opens "
        f"them: see {NAMED}_FILE, _VERSION and _PREVIOUS"
    )


def _find_shared_access(surrogates: str, records: str) -> list[str]:
    one, other = address(surrogates), address(records)
    mistakes: list[str] = []
    if not other.user:
        mistakes.append("DEIDSTREAM_REVERSE_REDIS_URL: must name a separate Redis user")
    if one.server == other.server:
        same = {"user": one.user == other.user, "database": one.database == other.database}
        mistakes += [
            f"DEIDSTREAM_REVERSE_REDIS_URL: has the same {what} as DEIDSTREAM_REDIS_URL"
            for what, shared in same.items()
            if shared
        ]
    return mistakes


async def describe_access(settings: Settings) -> str:
    """Describe the role of the Redis user, the keys, and faults that may delete records early.

    Raises:
        InvalidSettings: The rights of the user fit no role, or a key is wrong.
        MissingArtefact: A key cannot be read.
        Unavailable: Redis cannot be reached.
    """
    if not records_are_on(settings):
        return "off"
    keys = reversible_keys(settings)
    store = connect_reversible(settings.reverse)
    try:
        await store.ping()
        role = await _find_role(store, settings)
        # A user that only writes cannot see the keys of other writers.
        unknown = "" if role == "worker" else describe_unknown_keys(keys, await store.marks())
        remedies = [REMEDY[fault] for fault in await find_loss_faults(store)]
    finally:
        await store.close()
    if unknown:
        raise InvalidSettings(unknown)
    return _describe(role, keys, [*_describe_exposed_keys(settings), *remedies])


async def _find_role(store: ReversibleStore, settings: Settings) -> str:
    if await may_write(store):
        await admit_writer(store, settings)
        return "worker"
    if await may_read(store):
        return "reidentify"
    if await may_forget(store):
        return "vault forget"
    raise InvalidSettings(NOBODY)


def _describe_exposed_keys(settings: Settings) -> list[str]:
    files = key_files(reversible_key_settings(settings.reverse), NAMED)
    return [
        f"key version {v} is {open_to}"
        for v, f in files.items()
        if (open_to := describe_exposure(f))
    ]


def _describe(role: str, keys: RootKeys, wrong: list[str]) -> str:
    kept = f"on, for '{role}'; key version {keys.version}, {len(keys.roots) - 1} older"
    return f"{kept}; faults: {', '.join(wrong) or 'none'}"


async def admit_writer(store: ReversibleStore, settings: Settings) -> None:
    """Check that a worker can write records, and that neither of its users can read them.

    Raises:
        InvalidSettings: It may not write, or it may read.
        Unavailable: Redis cannot be reached.
    """
    await store.ping()
    if not await may_write(store):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may not write records; "
        raise InvalidSettings(msg + f"give it: {WRITER}")
    if await may_read(store) or await may_list(store):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may read what it writes; "
        raise InvalidSettings(msg + f"give it: {WRITER}")
    await _refuse_reading(store, settings)


async def find_loss_faults(store: ReversibleStore) -> list[Fault]:
    """Return the faults by which Redis may lose records; none if this user may not see them.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    return sorted(LOSING & set(await faults(store.client)))


async def _refuse_reading(writer: ReversibleStore, settings: Settings) -> None:
    """Refuse a worker whose Redis user of surrogates could read the records."""
    one, other = address(settings.redis.url), address(settings.reverse.redis_url)
    store = connect_as_surrogate_user(settings.redis, other.database)
    try:
        # One server may have two names, so comparing the URLs is not enough.
        same = one.server == other.server
        if await can_see(store, writer) or (same and await may_read(store)):
            msg = "DEIDSTREAM_REDIS_URL: its user may read deid:rv:*, which only re-identification"
            raise InvalidSettings(msg + " may; give it no more than the rights in docs/vault.md")
    finally:
        await store.close()
