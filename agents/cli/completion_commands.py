"""The command ``completion``: a script by which a shell completes commands and flags."""

import argparse
import sys

from deidstream.agents.cli.verbs import Verbs

SHELLS = ("bash", "zsh")


def add_completion(verbs: Verbs) -> None:
    """Add ``deidstream completion``."""
    verb = verbs.add_parser(
        "completion",
        help="print a script that completes commands in a shell",
        examples=["deidstream completion bash", "source <(deidstream completion bash)"],
    )
    verb.add_argument("shell", choices=SHELLS, help="load it with: source <(…)")
    verb.set_defaults(run=_completion)


def _completion(arguments: argparse.Namespace) -> int:
    import shtab

    # Where a path is due, bash and zsh complete files by themselves.
    sys.stdout.write(shtab.complete(arguments.root, arguments.shell))
    return 0
