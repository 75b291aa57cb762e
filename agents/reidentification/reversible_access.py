"""Access to reversible records: whether they are on, their keys, and what the Redis user may do."""

from collections.abc import Sequence

from deidstream.agents.root_keys import RootKeys, exposure, key_files, read_keys
from deidstream.agents.settings import KeySettings, ReverseSettings, Settings
from deidstream.models.reidentification.reversible_record import (
    made_by,
)
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.redis_checks import REMEDY, Fault, faults
from deidstream.stream.reversible_rights import (
    WRITER,
    address,
    can_see,
    may_forget,
    may_list,
    may_read,
    may_write,
)
from deidstream.stream.reversible_store import ReversibleStore

NAMED = "DEIDSTREAM_REVERSE_KEY"
"""How the settings of these keys begin."""
LOSING = frozenset(
    {Fault.EVICTS, Fault.VOLATILE, Fault.SNAPSHOTS_ONLY, Fault.LAX_SYNC, Fault.WRITES_FAIL}
)
"""Faults of a Redis by which records end before their days."""
NOBODY = (
    "DEIDSTREAM_REVERSE_REDIS_URL: its user may neither write records, nor read them, nor forget "
    "patients: give it the rights of the one it is for"
)


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


async def look(settings: Settings) -> str:
    """Say whose rights the user has, which keys there are, and what may end records early.

    Raises:
        InvalidSettings: A worker's user may read, the user may do nothing, or a key is a wrong one.
        MissingArtefact: A key cannot be read.
        Unavailable: Redis is away.
    """
    if not is_on(settings):
        return "off"
    keys = reverse_keys(settings)
    store = ReversibleStore.connect(settings.reverse.redis_url)
    try:
        await store.ping()
        role = await _role(store, settings)
        # Who only writes cannot see under which keys the others have written.
        unknown = "" if role == "worker" else strangers(keys, await store.marks())
        remedies = [REMEDY[fault] for fault in await losing(store)]
    finally:
        await store.close()
    if unknown:
        raise InvalidSettings(unknown)
    return _said(role, keys, [*_exposed(settings), *remedies])


async def _role(store: ReversibleStore, settings: Settings) -> str:
    if await may_write(store):
        await admit_writer(store, settings)
        return "worker"
    if await may_read(store):
        return "reidentify"
    if await may_forget(store):
        return "vault forget"
    raise InvalidSettings(NOBODY)


def _exposed(settings: Settings) -> list[str]:
    files = key_files(reverse_key_settings(settings.reverse), NAMED)
    return [f"key version {v} is {open_to}" for v, f in files.items() if (open_to := exposure(f))]


def _said(role: str, keys: RootKeys, wrong: list[str]) -> str:
    kept = f"on, for '{role}'; key version {keys.version}, {len(keys.roots) - 1} before it"
    return f"{kept}; to be looked at: {', '.join(wrong) or 'nothing'}"


async def admit_writer(store: ReversibleStore, settings: Settings) -> None:
    """Make sure that a worker can write records, and can read none by either of its users.

    Raises:
        InvalidSettings: It cannot write, or it can read.
        Unavailable: Redis is away.
    """
    await store.ping()
    if not await may_write(store):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may not write records; "
        raise InvalidSettings(msg + f"give it: {WRITER}")
    if await may_read(store) or await may_list(store):
        msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may read what it writes; "
        raise InvalidSettings(msg + f"give it: {WRITER}")
    await _refuse_reading(store, settings)


async def losing(store: ReversibleStore) -> list[Fault]:
    """By which faults this Redis may lose records; nothing where it does not let this user see.

    Raises:
        Unavailable: Redis is away.
    """
    return sorted(LOSING & set(await faults(store.client)))


async def _refuse_reading(writer: ReversibleStore, settings: Settings) -> None:
    """Refuse a worker whose other Redis user, that of surrogates, could read the records."""
    one, other = address(settings.redis.url), address(settings.reverse.redis_url)
    store = ReversibleStore.connect(settings.redis.url, other.database)
    try:
        # One server may have two names, so what the URLs say is not enough.
        same = one.server == other.server
        if await can_see(store, writer) or (same and await may_read(store)):
            msg = "DEIDSTREAM_REDIS_URL: its user may read deid:rv:*, which only re-identification"
            raise InvalidSettings(msg + " may; give it ~deid:of:* and what else it needs, no more")
    finally:
        await store.close()
