"""Looks at the Redis of reversible records, and at their keys, for whoever the settings name."""

from deidstream.agents.reidentification.record_writer import admit_writer, losing
from deidstream.agents.reidentification.reversible_keys import (
    NAMED,
    is_on,
    reverse_key_settings,
    reverse_keys,
    strangers,
)
from deidstream.agents.root_keys import RootKeys, exposure, key_files
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.redis_checks import REMEDY
from deidstream.stream.reverse import ReverseStore
from deidstream.stream.reverse_rights import may_forget, may_read, may_write

NOBODY = (
    "DEIDSTREAM_REVERSE_REDIS_URL: its user may neither write records, nor read them, nor forget "
    "patients: give it the rights of the one it is for"
)


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
    store = ReverseStore.connect(settings.reverse.redis_url)
    try:
        await store.ping()
        role = await _role(store, settings)
        # Who only writes cannot see under which keys the others have written.
        unknown = "" if role == "worker" else strangers(keys, await store.marks())
        faults = [REMEDY[fault] for fault in await losing(store)]
    finally:
        await store.close()
    if unknown:
        raise InvalidSettings(unknown)
    return _said(role, keys, [*_exposed(settings), *faults])


async def _role(store: ReverseStore, settings: Settings) -> str:
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
