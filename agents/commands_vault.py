"""``deidstream vault``: look at the vault, and forget a patient."""

import argparse
import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from deidstream.agents.keys import RootKeys
from deidstream.agents.lines import say
from deidstream.agents.reverse_check import look
from deidstream.agents.reverse_forget import Eraser
from deidstream.agents.reversible import losing
from deidstream.agents.settings import RANDOM, Settings
from deidstream.agents.settings_reader import read_settings
from deidstream.agents.vault import Watchman, said, watchman
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import MissingArtefact, Refused, Unavailable
from deidstream.stream.redis_checks import Fault

DONE, REFUSED = 0, 78
STILL_DERIVED = (
    "mode prf: the key still gives the same surrogates and shift for such a patient id; only the "
    "end of the key ends that (docs/vault.md)"
)
DRAWN_ANEW = "mode random: nothing can give these surrogates again; a later note gets others"

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
    forget.set_defaults(run=_forget)


def _check(_arguments: argparse.Namespace) -> int:
    settings = read_settings(os.environ)
    guard = watchman(settings, writes=False)
    found = asyncio.run(_faults(guard))
    say(said(found) or "redis: as it should be")
    say(f"reversible records: {asyncio.run(look(settings))}")
    return REFUSED if found & guard.fatal else DONE


async def _faults(guard: Watchman) -> frozenset[Fault]:
    try:
        return await guard.found()
    finally:
        await guard.store.close()


def _forget(arguments: argparse.Namespace) -> int:
    settings = read_settings(os.environ)
    patients = patient_ids(arguments.patient_id_file)
    gone, records = asyncio.run(_forgotten(settings, arguments.tenant, patients))
    say(f"{len(patients)} patients: {gone} values deleted")
    say(NOT_LOOKED_AT if records is None else f"reversible records: {records} deleted")
    say(DRAWN_ANEW if settings.redis.mode == RANDOM else STILL_DERIVED)
    say("snapshots, append-only files and backups of Redis keep them until they are written anew")
    return DONE


async def _forgotten(
    settings: Settings, tenant: str, patients: frozenset[str]
) -> tuple[int, int | None]:
    async with AsyncExitStack() as closing:
        # Whether all can be deleted is known before anything is.
        eraser = await Eraser.admitted(settings)
        if eraser:
            closing.push_async_callback(eraser.store.close)
        guard = watchman(settings, writes=False)
        closing.push_async_callback(guard.store.close)
        try:
            gone = await guard.store.forget(owners(guard.keys, tenant, patients))
            return gone, await _records_forgotten(eraser, tenant, patients) if eraser else None
        except (Refused, Unavailable):
            say(UNFINISHED)
            raise


async def _records_forgotten(eraser: Eraser, tenant: str, patients: frozenset[str]) -> int:
    gone = await eraser.forget(tenant, patients)
    if Fault.EVICTS in await losing(eraser.store):
        say(MAY_BE_LEFT)
    return gone


def owners(keys: RootKeys, tenant: str, patients: frozenset[str]) -> list[bytes]:
    """Under which names Redis may keep something of ``patients``: one for each key and patient."""
    rings = [Keyring(root, version, tenant) for version, root in keys.roots.items()]
    return [ring.owner(patient) for ring in rings for patient in sorted(patients)]


def patient_ids(file: Path) -> frozenset[str]:
    """Read patient ids, one a line, as they stand in the notes.

    Raises:
        MissingArtefact: The file cannot be read, or holds none.
    """
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{file}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    ids = frozenset(line.removesuffix("\r") for line in lines) - {""}
    if not ids:
        msg = f"{file}: holds no patient id"
        raise MissingArtefact(msg)
    return ids
