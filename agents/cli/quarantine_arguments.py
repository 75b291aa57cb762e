"""Arguments of the quarantine commands: coordinates, times, names, and which dead letters."""

import argparse
import os
import re
import time
from datetime import UTC, datetime

from deidstream.agents.cli.arguments import whole_number
from deidstream.agents.quarantine.selection import Selection
from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.outcome import Coordinates

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_NAME = re.compile(r"[A-Za-z0-9._@-]{1,64}")


def coordinates(text: str) -> Coordinates:
    """Convert ``TOPIC/PARTITION/OFFSET``.

    Raises:
        ArgumentTypeError: The text has not that form.
    """
    topic, _, rest = text.partition("/")
    partition, _, offset = rest.partition("/")
    if not (topic and partition.isdecimal() and offset.isdecimal()):
        msg = "must be TOPIC/PARTITION/OFFSET, as 'quarantine list' prints it"
        raise argparse.ArgumentTypeError(msg)
    return Coordinates(topic, int(partition), int(offset))


def write_coordinates(source: Coordinates) -> str:
    """Return coordinates in the form that :func:`coordinates` reads."""
    return f"{source.topic}/{source.partition}/{source.offset}"


def point_in_time(text: str) -> float:
    """Convert a time as ISO 8601, or a duration before now such as ``90m``, to Unix seconds.

    Raises:
        ArgumentTypeError: The text is neither.
    """
    if (count := text[:-1]).isdecimal() and text[-1] in _UNITS:
        return time.time() - int(count) * _UNITS[text[-1]]
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        msg = "must be a time such as 2026-01-31T08:00, in UTC unless it says so, or 30m, 12h, 7d"
        raise argparse.ArgumentTypeError(msg) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def plain_name(text: str) -> str:
    """Accept a name or ticket number; nothing that could hold a sentence.

    Raises:
        ArgumentTypeError: The text has blanks or other signs, or is too long.
    """
    if not _NAME.fullmatch(text):
        msg = "must be up to 64 letters, digits, and ._@-"
        raise argparse.ArgumentTypeError(msg)
    return text


def user_name() -> str:
    """Return the name of the user who runs this process."""
    name = os.environ.get("USER", "")
    return name if _NAME.fullmatch(name) else f"uid-{os.getuid()}"


def add_filters(verb: argparse.ArgumentParser) -> None:
    """Add the arguments that select dead letters."""
    verb.add_argument(
        "--reason", choices=[str(reason) for reason in Reason], action="append", metavar="REASON"
    )
    verb.add_argument(
        "--stage", choices=[str(stage) for stage in Stage], action="append", metavar="STAGE"
    )
    verb.add_argument(
        "--since", metavar="TIME", type=point_in_time, default=0.0, help="ISO 8601, or 30m, 12h, 7d"
    )


def add_selection(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that changes dead letters: it must be asked for all."""
    verb.add_argument("places", nargs="*", type=coordinates, metavar="TOPIC/PARTITION/OFFSET")
    add_filters(verb)
    verb.add_argument("--all", action="store_true", help="all open dead letters")
    verb.add_argument(
        "--by", metavar="NAME", type=plain_name, default=user_name(), help="default: this user"
    )
    verb.add_argument("--case", metavar="ID", type=plain_name, help="number of your ticket")
    verb.add_argument("--dry-run", action="store_true", help="only say what would be done")
    verb.set_defaults(parser=verb)


def selection_from(arguments: argparse.Namespace, *, closed: bool = False) -> Selection:
    """Return what the arguments select."""
    return Selection(
        places=frozenset(getattr(arguments, "places", ())),
        reasons=frozenset(arguments.reason or ()),
        stages=frozenset(arguments.stage or ()),
        since_seconds=arguments.since,
        closed=closed,
    )


def require_selection(arguments: argparse.Namespace) -> None:
    """End with usage if nothing says which dead letters are meant."""
    given = (arguments.places, arguments.reason, arguments.stage, arguments.since, arguments.all)
    if not any(given):
        arguments.parser.error("say which: coordinates, --reason, --stage, --since or --all")


def add_most(verb: argparse.ArgumentParser) -> None:
    """Add the limit of what is printed."""
    verb.add_argument("--most", metavar="N", type=whole_number(1), help="print at most N")
