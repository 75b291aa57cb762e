"""The commands ``policy list``, ``check``, ``show`` and ``diff``."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import POLICY, settings_from
from deidstream.agents.cli.reading_arguments import add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say
from deidstream.schemas.errors import MissingArtefact

if TYPE_CHECKING:
    from deidstream.schemas.policy import Policy


def add_policy(verbs: Verbs) -> None:
    """Add ``deidstream policy``."""
    inner = verbs.add_group("policy", help="list, check, show and compare policies")
    inner.add_parser("list", help="the shipped policies").set_defaults(run=_list)
    check = inner.add_parser("check", help="report every mistake of a policy file")
    check.add_argument("file", metavar="FILE", help="policy file; its lists are checked too")
    check.set_defaults(run=_check)
    show = inner.add_parser("show", help="what a policy does with each label")
    show.add_argument("name", metavar="NAME", help=POLICY)
    show.set_defaults(run=_show)
    _add_diff(inner)


def _add_diff(inner: Verbs) -> None:
    diff = inner.add_parser("diff", help="what would change from one policy to another")
    diff.add_argument("first", metavar="A", help=POLICY)
    diff.add_argument("second", metavar="B", help=POLICY)
    diff.add_argument("--sample", metavar="NOTES", type=Path, required=True)
    add_reading(diff)
    diff.add_argument("--json", metavar="FILE", type=Path, help="every changed note, for machines")
    diff.add_argument("--with-text", action="store_true", help="show the TEXT of what changes")
    diff.set_defaults(run=_diff)


def _list(_arguments: argparse.Namespace) -> int:
    from deidstream.models.policy.reader import read_shipped_policy
    from deidstream.models.policy.shipped import list_policies

    for name in list_policies():
        policy = read_shipped_policy(name)
        sys.stdout.write(f"{name:14}{policy.technique:18}{policy.sha256[:12]}\n")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from deidstream.agents.policy_review.show import notices
    from deidstream.agents.runtime.policy_files import PolicyFiles, policy_path

    policy, path = _read_policy(arguments.file), policy_path(arguments.file)
    say(f"policy {policy.name} is valid ({policy.sha256[:12]})")
    for notice in notices(PolicyFiles.gather(path), policy) if path else ():
        say(notice)
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from deidstream.agents.policy_review.show import show

    sys.stdout.write(show(_read_policy(arguments.name)))
    return 0


def _read_policy(name: str) -> "Policy":
    """Read a policy and make its operators, which check what each label can become."""
    from deidstream.agents.runtime.policy_files import find_policy
    from deidstream.models.operators.table import operators

    policy = find_policy(name)
    operators(policy)
    return policy


def _diff(arguments: argparse.Namespace) -> int:
    # These import the model libraries, which --help must not wait for.
    from deidstream.agents.note_files.open_notes import open_notes
    from deidstream.agents.policy_review.diff import run_diff
    from deidstream.agents.policy_review.diff_report import encode_diff, write_diff
    from deidstream.agents.runtime.lines import write_whole

    where: Path | None = arguments.json
    if where is not None and not where.parent.is_dir():
        msg = f"{where}: cannot be written: no such folder"
        raise MissingArtefact(msg)
    settings = settings_from({"policy": arguments.first})
    policies = _read_policy(arguments.first), _read_policy(arguments.second)
    source = open_notes(arguments.sample, reading_of(arguments))
    diff = asyncio.run(run_diff(settings, policies, arguments.sample, source))
    sys.stdout.write(write_diff(diff, with_text=arguments.with_text))
    if where is not None:
        write_whole(where, encode_diff(diff, with_text=arguments.with_text))
        if arguments.with_text:
            say(f"{where} holds text of notes; protect it as you protect the notes")
    return 0
