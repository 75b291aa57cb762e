"""The command ``pseudonym``: print the pseudonyms that outputs have in place of ids."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import settings_from, whole_number
from deidstream.agents.cli.quarantine_arguments import plain_name, user_name
from deidstream.agents.cli.verbs import Verbs
from deidstream.schemas.errors import InvalidSettings

if TYPE_CHECKING:
    from deidstream.agents.settings import Settings
    from deidstream.models.keyring import Keyring

CHUNK = 1_000
"""Ids that are logged, and then printed, together."""


def add_pseudonym(verbs: Verbs) -> None:
    """Add ``deidstream pseudonym note`` and ``deidstream pseudonym patient``."""
    inner = verbs.add_group(
        "pseudonym", help="print the pseudonyms of ids, for those who hold the key"
    )
    for kind in ("note", "patient"):
        verb = inner.add_parser(kind, help=f"pseudonyms of {kind} ids")
        verb.add_argument(
            "ids", nargs="*", metavar="ID", help="none: ids from stdin, one a line; they are PHI"
        )
        verb.add_argument("--tenant", metavar="T", default="default")
        verb.add_argument(
            "--release", metavar="R", help="default: that of the tenant's policy; '': shared ids"
        )
        verb.add_argument(
            "--key-version", metavar="N", type=whole_number(), help="default: the key in force"
        )
        verb.add_argument(
            "--key-file", metavar="F", help="root key file; default: DEIDSTREAM_KEY_FILE"
        )
        verb.add_argument("--by", metavar="NAME", type=plain_name, default=user_name())
        verb.add_argument("--case", metavar="ID", type=plain_name, help="number of your ticket")
        verb.set_defaults(run=_print_pseudonyms, kind=kind)


def _print_pseudonyms(arguments: argparse.Namespace) -> int:
    from deidstream.models.release_ids import note_pseudonym, patient_pseudonym

    settings = settings_from({"key.file": arguments.key_file})
    keyring = _keyring(settings, arguments)
    release = _release(settings, arguments)
    name: Callable[[Keyring, str, str], str] = (
        note_pseudonym if arguments.kind == "note" else patient_pseudonym
    )
    ids = iter(arguments.ids) if arguments.ids else _read_ids()
    while chunk := list(islice(ids, CHUNK)):
        # A blank line gives a blank line, so that line n of the output is that of id n.
        pseudonyms = [name(keyring, each, release) if each.strip() else "" for each in chunk]
        if settings.reverse.log:
            _log(Path(settings.reverse.log), arguments, release, pseudonyms)
        sys.stdout.writelines(f"{pseudonym}\n" for pseudonym in pseudonyms)
    return 0


def _read_ids() -> Iterator[str]:
    return (line.rstrip("\r\n") for line in sys.stdin)


def _keyring(settings: "Settings", arguments: argparse.Namespace) -> "Keyring":
    from deidstream.agents.runtime.root_keys import read_keys
    from deidstream.models.keyring import Keyring

    keys = read_keys(settings.key)
    version = keys.version if arguments.key_version is None else arguments.key_version
    if version not in keys.roots:
        msg = f"--key-version: the settings name no key of version {version}"
        raise InvalidSettings(msg)
    return Keyring(keys.roots[version], version, arguments.tenant)


def _release(settings: "Settings", arguments: argparse.Namespace) -> str:
    from deidstream.agents.runtime.policy_files import find_release, read_policies, read_tenants

    if arguments.release is not None:
        return str(arguments.release)
    policies = read_policies(settings)
    release = find_release(arguments.tenant, read_tenants(settings.policies_file), policies)
    if release is None:
        msg = "--tenant: has no policy; its notes are refused"
        raise InvalidSettings(msg)
    return release


def _log(log: Path, arguments: argparse.Namespace, release: str, pseudonyms: Sequence[str]) -> None:
    """Log who asked for which pseudonyms, before they are printed; never the ids."""
    from deidstream.agents.runtime.audit_log import open_log

    asked = {
        "action": "pseudonym",
        "kind": arguments.kind,
        "tenant": arguments.tenant,
        "release": release,
        "by": arguments.by,
        "case": arguments.case,
        # It looks up no token, so it does not count for the rate of re-identification.
        "token": "",
    }
    with open_log(log) as opened:
        opened.add([asked | {"pseudonym": each} for each in pseudonyms if each])
