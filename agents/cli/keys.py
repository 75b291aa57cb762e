"""``deidstream keys``: make a root key, make the next one, see whether the right ones are there."""

import argparse
import asyncio
import os
from pathlib import Path
from typing import Any

from deidstream.agents.lines import say
from deidstream.agents.redis_guard import connect_guard
from deidstream.agents.root_keys import (
    RootKeys,
    exposure,
    key_files,
    next_key,
    read_keys,
    write_key,
)
from deidstream.agents.settings import Settings
from deidstream.agents.settings_reader import read_settings

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


def add_keys(verbs: Any) -> None:  # noqa: ANN401 - argparse's type for it is private
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
    check.set_defaults(run=_check)


def _new(arguments: argparse.Namespace) -> int:
    write_key(arguments.file)
    say(f"wrote {arguments.file}; keep it apart from the data, and keep a copy")
    return DONE


def _rotate(arguments: argparse.Namespace) -> int:
    settings = read_settings(os.environ)
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


def _check(_arguments: argparse.Namespace) -> int:
    settings = read_settings(os.environ)
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
