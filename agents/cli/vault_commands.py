"""The commands of keys, and of the vault that they open."""

import argparse
import asyncio
import os
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path

from deidstream.agents.cli.arguments import Verbs, settings_from
from deidstream.agents.lines import say
from deidstream.agents.redis_guard import RedisGuard, connect_guard, said
from deidstream.agents.reidentification.reversible_access import look, losing
from deidstream.agents.reidentification.reversible_writer import ReversibleEraser
from deidstream.agents.root_keys import (
    RootKeys,
    exposure,
    key_files,
    next_key,
    read_keys,
    write_key,
)
from deidstream.agents.settings import RANDOM, Settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import MissingArtefact, Refused, Unavailable, UntrustedStore
from deidstream.stream.mapping import RedisSurrogateStore
from deidstream.stream.redis_checks import Fault

DONE, USAGE, REFUSED = 0, 64, 78
CONSEQUENCES = {
    "prf": """\
- Notes that come after it get other surrogates, and other shifts of their dates: what a patient had
  before and what it has after can no longer be joined.
- No note mixes keys. Workers of both keys, at work at once, mix a patient's notes: stop all, then
  start all.""",
    "random": """\
- Surrogates stay: their names are made by the oldest key that is kept; what is written after it is
  sealed by the new one.
- A key that DEIDSTREAM_KEY_PREVIOUS no longer names opens nothing: all that was made under it is
  drawn anew.""",
}
"""What a new key does to the notes after it, by the mode of the vault."""
LOCKED_OUT = "does NOT open what Redis holds under this version: another key was in force"
STILL_DERIVED = (
    "mode prf: the key still gives the same surrogates and shift for such a patient id; only the "
    "end of the key ends that (docs/vault.md)"
)
DRAWN_ANEW = "mode random: nothing can give these surrogates again; a later note gets others"
KEPT_ELSEWHERE = (
    "snapshots, append-only files and backups of Redis keep them until they are written anew"
)
NOTHING_KEPT = (
    "Redis keeps nothing of them under these keys: are tenant, database and ids those of the notes?"
)
NOT_LOOKED_AT = (
    "reversible records: not looked at, as DEIDSTREAM_REVERSE_REDIS_URL and _KEY_FILE are not set "
    "here; where workers have them, these patients are not forgotten (docs/reidentification.md)"
)
MAY_BE_LEFT = (
    "reversible records: their Redis evicts, so some may be left that nothing lists; they end by "
    "their days: set maxmemory-policy noeviction (docs/reidentification.md)"
)
UNFINISHED = "these patients are NOT forgotten: some of them may be there still; run this again"


def add_keys(verbs: Verbs) -> None:
    """``deidstream keys new``, ``rotate`` and ``check``."""
    inner = verbs.add_parser("keys", help="make and replace root keys").add_subparsers(
        required=True
    )
    new = inner.add_parser("new", help="write a fresh root key to a new file")
    new.add_argument("file", type=Path)
    new.set_defaults(run=_new)
    rotate = inner.add_parser("rotate", help="write the next root key beside the one in force")
    rotate.add_argument("--yes", action="store_true", help="the consequences are understood")
    rotate.set_defaults(run=_rotate)
    check = inner.add_parser("check", help="look at key files, and if they open what Redis has")
    check.set_defaults(run=_check_keys)


def _new(arguments: argparse.Namespace) -> int:
    write_key(arguments.file)
    say(f"wrote {arguments.file}; keep it apart from the data, and keep a copy")
    return DONE


def _rotate(arguments: argparse.Namespace) -> int:
    settings = settings_from()
    file, named = next_key(settings.key)
    say(f"the key after version {settings.key.version}, in mode {settings.redis.mode}:")
    say(CONSEQUENCES[settings.redis.mode])
    if not arguments.yes:
        say("nothing was written; say --yes to write the key")
        return USAGE
    write_key(file)
    say(f"wrote {file}; it is in force where these are set:")
    say("\n".join(f"{name}={value}" for name, value in named.items()))
    return DONE


def _check_keys(_arguments: argparse.Namespace) -> int:
    settings = settings_from()
    keys, files = read_keys(settings.key), key_files(settings.key)
    exposed = {version: exposure(file) for version, file in files.items()}
    for version, file in files.items():
        say(f"version {version}{' (in force)' if version == keys.version else ''}: {file}")
        say(f"- {exposed[version] or 'its owner alone may read it'}")
    verdicts = asyncio.run(_verdicts(settings, keys))
    for version, verdict in verdicts.items():
        say(f"version {version} {verdict}")
    return REFUSED if any(exposed.values()) or LOCKED_OUT in verdicts.values() else DONE


async def _verdicts(settings: Settings, keys: RootKeys) -> dict[int, str]:
    guard = connect_guard(settings, writes=False)
    try:
        shut = await guard.locked_out()
        held = {version: await guard.store.canary(version) for version in keys.roots}
    finally:
        await guard.store.close()
    return {version: _verdict(version in shut, held[version]) for version in keys.roots}


def _verdict(shut: bool, held: bytes | None) -> str:  # noqa: FBT001 - both from one look
    if shut:
        return LOCKED_OUT
    return "opens what Redis holds" if held else "is new to Redis"


def add_vault(verbs: Verbs) -> None:
    """``deidstream vault check`` and ``deidstream vault forget``."""
    inner = verbs.add_parser("vault", help="look after what Redis keeps").add_subparsers(
        required=True
    )
    check = inner.add_parser("check", help="look whether this Redis may keep surrogates")
    check.set_defaults(run=_check_vault)
    forget = inner.add_parser("forget", help="delete all that is kept of patients")
    forget.add_argument(
        "--patient-id-file", metavar="F", type=Path, required=True, help="patient ids, one a line"
    )
    forget.add_argument("--tenant", metavar="NAME", default="default", help="whose they are")
    forget.add_argument(
        "--lost-keys",
        action="store_true",
        help="go on although Redis was filled under keys now gone",
    )
    forget.set_defaults(run=_forget)


def _check_vault(_arguments: argparse.Namespace) -> int:
    settings = settings_from()
    guard = connect_guard(settings, writes=False)
    found, unnamed = asyncio.run(_faults(guard))
    say(said(found) or "redis: as it should be")
    if unnamed:
        say(told_unnamed(unnamed) + ": set DEIDSTREAM_KEY_PREVIOUS, unless that key is lost")
    say(f"reversible records: {asyncio.run(look(settings))}")
    return REFUSED if found & guard.fatal else DONE


async def _faults(guard: RedisGuard) -> tuple[frozenset[Fault], tuple[int, ...]]:
    try:
        return await guard.found(), await guard.unnamed()
    finally:
        await guard.store.close()


def _forget(arguments: argparse.Namespace) -> int:
    settings = settings_from()
    patients = patient_ids(arguments.patient_id_file)
    forgetting = _forgotten(settings, arguments.tenant, patients, lost_keys=arguments.lost_keys)
    gone, records = asyncio.run(forgetting)
    say(f"{len({each.strip() for each in patients})} patients: {gone} values deleted")
    say(NOT_LOOKED_AT if records is None else f"reversible records: {records} deleted")
    say(_what_follows(settings) if gone else NOTHING_KEPT)
    return DONE


def _what_follows(settings: Settings) -> str:
    drawn = DRAWN_ANEW if settings.redis.mode == RANDOM else STILL_DERIVED
    return f"{drawn}\n{KEPT_ELSEWHERE}"


async def _forgotten(
    settings: Settings, tenant: str, patients: frozenset[str], *, lost_keys: bool
) -> tuple[int, int | None]:
    async with AsyncExitStack() as closing:
        # Whether all can be deleted is known before anything is.
        eraser = await ReversibleEraser.connect(settings)
        if eraser:
            closing.push_async_callback(eraser.store.close)
        keys, store = read_keys(settings.key), RedisSurrogateStore.connect(settings.redis.url)
        closing.push_async_callback(store.close)
        await refuse_other_keys(RedisGuard(store, keys, random=False), lost_keys=lost_keys)
        try:
            gone = await store.forget(owners(keys, tenant, patients))
            return gone, await _records_forgotten(eraser, tenant, patients) if eraser else None
        except (Refused, Unavailable):
            say(UNFINISHED)
            raise


async def _records_forgotten(
    eraser: ReversibleEraser, tenant: str, patients: frozenset[str]
) -> int:
    gone = await eraser.forget(tenant, patients)
    if Fault.EVICTS in await losing(eraser.store):
        say(MAY_BE_LEFT)
    return gone


async def refuse_other_keys(guard: RedisGuard, *, lost_keys: bool) -> None:
    """Refuse to forget under keys that cannot name all that Redis has of a patient.

    Raises:
        UntrustedStore: A key does not open what Redis holds of its version, or Redis was filled
            under a version that is not named and not said to be lost.
        Unavailable: Redis is away, or this user may not read ``deid:key:*``.
    """
    wrong, unnamed = await guard.locked_out(), await guard.unnamed()
    if wrong:
        msg = f"{said([Fault.OTHER_KEY])}; nothing was deleted"
        raise UntrustedStore(msg)
    if unnamed and not lost_keys:
        msg = f"{told_unnamed(unnamed)}; nothing was deleted (--lost-keys, if it is gone for good)"
        raise UntrustedStore(msg)


def told_unnamed(versions: Iterable[int]) -> str:
    """Say that Redis was filled under keys that the settings do not name."""
    listed = ", ".join(map(str, versions))
    return f"redis: it was filled under key version {listed}, which no setting names"


def owners(keys: RootKeys, tenant: str, patients: frozenset[str]) -> list[bytes]:
    """Under which names Redis may keep something of ``patients``: one for each key and patient."""
    rings = [Keyring(root, version, tenant) for version, root in keys.roots.items()]
    return [ring.owner(patient) for ring in rings for patient in sorted(patients)]


def patient_ids(file: Path) -> frozenset[str]:
    """Read patient ids, one a line, as they stand in the notes, with and without outer blanks.

    Raises:
        MissingArtefact: The file cannot be read, or holds none.
    """
    try:
        lines = file.read_text("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        msg = f"{file}: must be UTF-8"
        raise MissingArtefact(msg) from None
    except OSError as error:
        msg = f"{file}: cannot be read: {os.strerror(error.errno or 0)}"
        raise MissingArtefact(msg) from None
    held = [line.removesuffix("\r") for line in lines if line.strip()]
    ids = frozenset((*held, *map(str.strip, held)))
    if not ids:
        msg = f"{file}: holds no patient id"
        raise MissingArtefact(msg)
    return ids
