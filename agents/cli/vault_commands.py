"""The commands of keys, and of the vault that they open."""

import argparse
import asyncio
import os
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.root_keys import (
    RootKeys,
    describe_exposure,
    key_files,
    name_wrapping,
    next_key,
    read_keys,
    write_key,
)
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import RANDOM, Settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import MissingArtefact, Refused, Unavailable, UntrustedStore
from deidstream.schemas.model_pins import SHORTEST, show_pins

if TYPE_CHECKING:
    from deidstream.agents.runtime.guards.redis_guard import RedisGuard
    from deidstream.agents.runtime.reversible_writer import ReversibleEraser
    from deidstream.stream.redis.redis_checks import Fault

DONE, USAGE, REFUSED = 0, 64, 78
CONSEQUENCES = {
    "prf": """\
- Later notes get other surrogates and other date shifts: the notes of a patient from before and
  after the change can no longer be joined.
- A note never mixes keys, but workers with different keys mix the notes of a patient: stop all
  workers, then start all.""",
    "random": """\
- Surrogates stay the same: their names in Redis come from the oldest key that is set; new values
  are sealed by the new key.
- What was made under a key that DEIDSTREAM_KEY_PREVIOUS no longer lists cannot be read and is drawn
  again.""",
}
"""Consequences of a new key for later notes, by the mode of the vault."""
LOCKED_OUT = "does NOT open what Redis holds under this version: Redis was filled under another key"
STILL_DERIVED = (
    "mode prf: the key still gives the same surrogates and shift for these patient ids; only "
    "destroying the key prevents that (docs/vault.md)"
)
DRAWN_ANEW = "mode random: these surrogates cannot be made again; later notes get others"
KEPT_ELSEWHERE = (
    "snapshots, append-only files and backups of Redis keep them until they are rewritten"
)
NOTHING_KEPT = (
    "Redis has nothing of them under these keys: are tenant, database and patient ids correct?"
)
NOT_LOOKED_AT = (
    "reversible records: not checked: DEIDSTREAM_REVERSE_REDIS_URL and _KEY_FILE are not set "
    "here; if workers write records, these patients are not forgotten (docs/reidentification.md)"
)
MAY_BE_LEFT = (
    "reversible records: their Redis evicts keys, so unlisted records may remain until they "
    "expire; set maxmemory-policy noeviction (docs/reidentification.md)"
)
NOTHING_PINNED = "no engine is stored: the first worker stores those that it chooses"
RELEASED = "released: the next worker stores what it chooses; one that still runs stores its own"
UNFINISHED = "these patients are NOT forgotten: some of their data may remain; run this again"


def add_keys(verbs: Verbs) -> None:
    """Add ``deidstream keys new``, ``rotate`` and ``check``."""
    inner = verbs.add_group("keys", help="make and replace root keys")
    new = inner.add_parser(
        "new",
        help="write a fresh root key to a new file",
        examples=["deidstream keys new root.key"],
    )
    new.add_argument("file", type=Path)
    new.add_argument(
        "--wrapped-by",
        metavar="KEY",
        default="",
        help="key of a service that wraps it, as an address (docs/security/keys.md)",
    )
    new.set_defaults(run=_new)
    rotate = inner.add_parser("rotate", help="write the next root key beside the one in force")
    rotate.add_argument(
        "--yes", action="store_true", help="confirm the consequences and write the key"
    )
    rotate.set_defaults(run=_rotate)
    check = inner.add_parser(
        "check", help="check key files, and whether they open what Redis holds"
    )
    check.set_defaults(run=_check_keys)


def _new(arguments: argparse.Namespace) -> int:
    write_key(arguments.file, arguments.wrapped_by)
    where = "keep a copy, and the key that wraps it" if arguments.wrapped_by else "keep a copy"
    say(f"wrote {arguments.file}; store it away from the data, and {where}")
    return DONE


def _rotate(arguments: argparse.Namespace) -> int:
    settings = settings_from()
    file, named = next_key(settings.key)
    say(f"consequences of the next key in mode {settings.redis.mode}:")
    say(CONSEQUENCES[settings.redis.mode])
    if not arguments.yes:
        say("nothing was written; add --yes to write the key")
        return USAGE
    write_key(file, name_wrapping(settings.key.file))
    say(f"wrote {file}; to put it in force, set:")
    say("\n".join(f"{name}={value}" for name, value in named.items()))
    return DONE


def _check_keys(_arguments: argparse.Namespace) -> int:
    settings = settings_from(safe=False)
    keys, files = read_keys(settings.key), key_files(settings.key)
    exposed = {version: describe_exposure(file) for version, file in files.items()}
    for version, file in files.items():
        say(f"version {version}{' (in force)' if version == keys.version else ''}: {file}")
        say(f"- {exposed[version] or 'only its owner may read it'}")
        if address := name_wrapping(file):
            say(f"- wrapped by {address}")
    verdicts = asyncio.run(_check_against_redis(settings, keys))
    for version, verdict in verdicts.items():
        say(f"version {version} {verdict}")
    return REFUSED if any(exposed.values()) or LOCKED_OUT in verdicts.values() else DONE


async def _check_against_redis(settings: Settings, keys: RootKeys) -> dict[int, str]:
    from deidstream.agents.runtime.guards.redis_guard import connect_guard

    guard = connect_guard(settings, writes=False)
    try:
        shut = await guard.find_wrong_keys()
        held = {version: await guard.store.canary(version) for version in keys.roots}
    finally:
        await guard.store.close()
    return {version: _describe_key(version in shut, held[version]) for version in keys.roots}


def _describe_key(shut: bool, held: bytes | None) -> str:  # noqa: FBT001 - both come from one check
    if shut:
        return LOCKED_OUT
    return "opens what Redis holds" if held else "has not been used with this Redis"


def add_vault(verbs: Verbs) -> None:
    """Add ``deidstream vault check``, ``engines`` and ``forget``."""
    inner = verbs.add_group("vault", help="check Redis, or forget a patient")
    check = inner.add_parser("check", help="check whether Redis may keep surrogates")
    check.set_defaults(run=_check_vault)
    engines = inner.add_parser(
        "engines",
        help="show how precisely all workers compute models, or let them choose anew",
        examples=["deidstream vault engines", "deidstream vault engines --release"],
    )
    engines.add_argument(
        "--release",
        action="store_true",
        help="forget it: the next worker chooses; stop all workers before",
    )
    engines.set_defaults(run=_show_engines)
    forget = inner.add_parser("forget", help="delete everything stored for patients")
    forget.add_argument(
        "--patient-id-file", metavar="F", type=Path, required=True, help="patient ids, one a line"
    )
    forget.add_argument(
        "--tenant", metavar="NAME", default="default", help="tenant of the patients"
    )
    forget.add_argument(
        "--lost-keys",
        action="store_true",
        help="continue although keys under which Redis was filled are lost",
    )
    forget.set_defaults(run=_forget)


def _check_vault(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.guards.redis_guard import connect_guard, describe_faults
    from deidstream.agents.runtime.reversible_access import describe_access

    settings = settings_from()
    guard = connect_guard(settings, writes=False)
    found, unnamed = asyncio.run(_check_redis(guard))
    say(describe_faults(found) or "redis: no faults")
    if unnamed:
        say(describe_unnamed(unnamed) + ": add it to DEIDSTREAM_KEY_PREVIOUS, unless it is lost")
    say(f"reversible records: {asyncio.run(describe_access(settings))}")
    return REFUSED if found & guard.fatal else DONE


async def _check_redis(guard: "RedisGuard") -> "tuple[frozenset[Fault], tuple[int, ...]]":
    try:
        return await guard.find_faults(), await guard.find_unnamed_versions()
    finally:
        await guard.store.close()


def _show_engines(arguments: argparse.Namespace) -> int:
    stored = asyncio.run(_read_engines(settings_from(), release=arguments.release))
    for digest, precision in sorted(stored.items()):
        say(f"model {digest[:SHORTEST]}: {precision}")
    say(f"DEIDSTREAM_MODEL_PINS={show_pins(stored)}" if stored else NOTHING_PINNED)
    if arguments.release:
        say(RELEASED)
    return DONE


async def _read_engines(settings: Settings, *, release: bool) -> dict[str, str]:
    from deidstream.agents.runtime.connections import connect_store

    store = connect_store(settings.redis)
    try:
        stored = await store.pin_precisions({})
        if release:
            await store.release_precisions()
        return stored
    finally:
        await store.close()


def _forget(arguments: argparse.Namespace) -> int:
    settings = settings_from()
    patients = patient_ids(arguments.patient_id_file)
    forgetting = _forget_patients(
        settings, arguments.tenant, patients, lost_keys=arguments.lost_keys
    )
    gone, records = asyncio.run(forgetting)
    say(f"{len({each.strip() for each in patients})} patients: {gone} values deleted")
    say(NOT_LOOKED_AT if records is None else f"reversible records: {records} deleted")
    say(_describe_remains(settings) if gone else NOTHING_KEPT)
    return DONE


def _describe_remains(settings: Settings) -> str:
    drawn = DRAWN_ANEW if settings.redis.mode == RANDOM else STILL_DERIVED
    return f"{drawn}\n{KEPT_ELSEWHERE}"


async def _forget_patients(
    settings: Settings, tenant: str, patients: frozenset[str], *, lost_keys: bool
) -> tuple[int, int | None]:
    from deidstream.agents.runtime.connections import connect_store
    from deidstream.agents.runtime.guards.redis_guard import RedisGuard
    from deidstream.agents.runtime.reversible_writer import ReversibleEraser

    async with AsyncExitStack() as closing:
        # Rights and keys are checked before anything is deleted.
        eraser = await ReversibleEraser.connect(settings)
        if eraser:
            closing.push_async_callback(eraser.store.close)
        keys, store = read_keys(settings.key), connect_store(settings.redis)
        closing.push_async_callback(store.close)
        await refuse_other_keys(RedisGuard(store, keys, random=False), lost_keys=lost_keys)
        try:
            gone = await store.forget(owners(keys, tenant, patients))
            return gone, await _forget_records(eraser, tenant, patients) if eraser else None
        except (Refused, Unavailable):
            say(UNFINISHED)
            raise


async def _forget_records(eraser: "ReversibleEraser", tenant: str, patients: frozenset[str]) -> int:
    from deidstream.agents.runtime.reversible_access import find_loss_faults
    from deidstream.stream.redis.redis_checks import Fault

    gone = await eraser.forget(tenant, patients)
    if Fault.EVICTS in await find_loss_faults(eraser.store):
        say(MAY_BE_LEFT)
    return gone


async def refuse_other_keys(guard: "RedisGuard", *, lost_keys: bool) -> None:
    """Refuse to forget patients if the keys do not reach everything in Redis.

    Raises:
        UntrustedStore: A key does not open the canary of its version, or Redis was filled under
            a version that no setting names, and ``lost_keys`` is false.
        Unavailable: Redis cannot be reached, or this user may not read ``deid:key:*``.
    """
    from deidstream.agents.runtime.guards.redis_guard import describe_faults
    from deidstream.stream.redis.redis_checks import Fault

    wrong, unnamed = await guard.find_wrong_keys(), await guard.find_unnamed_versions()
    if wrong:
        msg = f"{describe_faults([Fault.OTHER_KEY])}; nothing was deleted"
        raise UntrustedStore(msg)
    if unnamed and not lost_keys:
        msg = f"{describe_unnamed(unnamed)}; nothing was deleted (--lost-keys if it is lost)"
        raise UntrustedStore(msg)


def describe_unnamed(versions: Iterable[int]) -> str:
    """Say that Redis was filled under keys that no setting names."""
    listed = ", ".join(map(str, versions))
    return f"redis: filled under key version {listed}, which no setting names"


def owners(keys: RootKeys, tenant: str, patients: frozenset[str]) -> list[bytes]:
    """Return the owners of the patients' data in Redis: one for each key and patient."""
    rings = [Keyring(root, version, tenant) for version, root in keys.roots.items()]
    return [ring.owner(patient) for ring in rings for patient in sorted(patients)]


def patient_ids(file: Path) -> frozenset[str]:
    """Read patient ids, one a line, both as written and without outer blanks.

    Raises:
        MissingArtefact: The file cannot be read or has no ids.
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
        msg = f"{file}: contains no patient id"
        raise MissingArtefact(msg)
    return ids
