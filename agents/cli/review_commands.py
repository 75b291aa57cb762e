"""The commands ``review`` and ``review users``."""

import argparse
import asyncio
import getpass
import sys
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say

if TYPE_CHECKING:
    from deidstream.agents.review.users import UserFile

DONE, NOT_THERE = 0, 1


def add_review(verbs: Verbs) -> None:
    """Add ``deidstream review``."""
    verb = verbs.add_parser("review", help="serve the page on which notes are reviewed")
    verb.add_argument("--port", type=int, metavar="N", help="default: DEIDSTREAM_REVIEW_PORT")
    verb.set_defaults(run=_review)
    inner = Verbs.of(verb, "WHAT", required=False)
    users = inner.add_group("users", help="who may log in with a password")
    add = users.add_parser(
        "add",
        help="add a user, or give one another password or role",
        examples=["deidstream review users add alice --role reader"],
    )
    add.add_argument("name", metavar="NAME")
    add.add_argument(
        "--role",
        choices=("reviewer", "reader"),
        default="reviewer",
        help="a reader sees outputs and risk, no originals; default: reviewer",
    )
    add.add_argument("--password-stdin", action="store_true", help="read the password from stdin")
    add.set_defaults(run=_add)
    remove = users.add_parser("remove", help="remove a user")
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove)
    users.add_parser("list", help="list users and roles").set_defaults(run=_list)


def _review(arguments: argparse.Namespace) -> int:
    from deidstream.agents.review.run_review import run_review

    settings = settings_from({"review.port": arguments.port})
    say("loading models")

    def tell(url: str) -> None:
        say(f"the review page is at {url}")

    asyncio.run(run_review(settings, listening=tell))
    return DONE


def _file() -> "UserFile":
    from deidstream.agents.review.run_review import review_folder
    from deidstream.agents.review.users import UserFile

    return UserFile(review_folder(settings_from(safe=False).review).users)


def _add(arguments: argparse.Namespace) -> int:
    from deidstream.agents.review.users import ReviewRole, ReviewUser

    file = _file()
    if arguments.password_stdin:
        password = sys.stdin.readline().rstrip("\n")
    else:
        password = getpass.getpass(f"Password of {arguments.name} (10 characters or more): ")
        if getpass.getpass("Once more: ") != password:
            say("the two passwords differ")
            return NOT_THERE
    file.add(ReviewUser(arguments.name, ReviewRole(arguments.role)), password)
    say(f"{arguments.name} may log in as {arguments.role} ({file.path})")
    return DONE


def _remove(arguments: argparse.Namespace) -> int:
    if _file().remove(arguments.name):
        return DONE
    say("there is no such user")
    return NOT_THERE


def _list(_arguments: argparse.Namespace) -> int:
    for name, record in _file().read().items():
        sys.stdout.write(f"{name}\t{record.role}\n")
    return DONE
