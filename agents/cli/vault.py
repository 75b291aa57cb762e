"""``deidstream vault``: look at the vault, and forget a patient."""

import argparse
import asyncio
import os
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from deidstream.agents.lines import say
from deidstream.agents.redis_guard import RedisGuard, connect_guard, said
from deidstream.agents.reidentification.check import look
from deidstream.agents.reidentification.forget import ReversibleEraser
from deidstream.agents.reidentification.record_writer import losing
from deidstream.agents.root_keys import RootKeys, read_keys
from deidstream.agents.settings import RANDOM, Settings
from deidstream.agents.settings_reader import read_settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import MissingArtefact, Refused, Unavailable, UntrustedStore
from deidstream.stream.mapping import RedisSurrogateStore
from deidstream.stream.redis_checks import Fault

DONE, REFUSED = 0, 78
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


def add_vault(verbs: Any) -> None:  # noqa: ANN401 - argparse's type for it is private
    """``deidstream vault check`` and ``deidstream vault forget``."""
    inner = verbs.add_parser("vault", help="look after what Redis keeps").add_subparsers(
        required=True
    )
    check = inner.add_parser("check", help="look whether this Redis may keep surrogates")
    check.set_defaults(run=_check)
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


def _check(_arguments: argparse.Namespace) -> int:
    settings = read_settings(os.environ)
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
    settings = read_settings(os.environ)
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
