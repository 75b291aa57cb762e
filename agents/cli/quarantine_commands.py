"""The commands ``quarantine list``, ``show``, ``replay`` and ``discard``."""

import argparse
import asyncio
import sys
from collections import Counter
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.cli.quarantine_arguments import (
    add_filters,
    add_most,
    add_selection,
    coordinates,
    plain_name,
    require_selection,
    selection_from,
    user_name,
    write_coordinates,
)
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.quarantine.selection import Entry, Selection
from deidstream.agents.runtime.terminal import say
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.quarantine_record import Action, Cause, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from deidstream.agents.settings import Settings
    from deidstream.stream.kafka.topic_reader import Bounds
    from deidstream.stream.kafka.transaction import TransactionalSender

DONE, SOME_LEFT = 0, 1
HANDLE = "quarantine"
"""Behind the consumer group, the transactional id of whoever replays or discards."""


def add_quarantine(verbs: Verbs) -> None:
    """Add ``deidstream quarantine``."""
    inner = verbs.add_group("quarantine", help="list, replay or discard failed notes")
    _add_list(inner)
    _add_show(inner)
    replay = inner.add_parser("replay", help="send the originals to the input topic again")
    add_selection(replay)
    replay.set_defaults(run=_replay)
    discard = inner.add_parser("discard", help="close dead letters without sending them again")
    add_selection(discard)
    discard.add_argument("--why", choices=[str(cause) for cause in Cause], required=True)
    discard.set_defaults(run=_discard)


def _add_list(inner: Verbs) -> None:
    verb = inner.add_parser(
        "list", help="list dead letters that are open", examples=["deidstream quarantine list"]
    )
    add_filters(verb)
    verb.add_argument("--closed", action="store_true", help="list replayed and discarded ones too")
    verb.add_argument("--json", action="store_true", help="one JSON object a line")
    add_most(verb)
    verb.set_defaults(run=_list)


def _add_show(inner: Verbs) -> None:
    verb = inner.add_parser("show", help="show one dead letter")
    verb.add_argument("place", type=coordinates, metavar="TOPIC/PARTITION/OFFSET")
    verb.add_argument(
        "--with-text", action="store_true", help="print the original, which is PHI; it is logged"
    )
    verb.add_argument("--force", action="store_true", help="print it even if stdout is no terminal")
    verb.add_argument("--by", metavar="NAME", type=plain_name, default=user_name())
    verb.add_argument("--case", metavar="ID", type=plain_name, help="number of your ticket")
    verb.set_defaults(run=_show)


def _list(arguments: argparse.Namespace) -> int:
    selection = selection_from(arguments, closed=arguments.closed)
    entries, bounds = asyncio.run(_read(settings_from(), selection))
    raw_topic = settings_from().kafka.raw_topic
    if entries and not arguments.json:
        # Not on stdout, so that a program that reads the lines reads lines alone.
        say("source  at  reason  stage  attempts  [field  position  correlation]  state")
    for entry in islice(entries, arguments.most):
        fields = _describe(entry, raw_topic, bounds)
        if arguments.json:
            sys.stdout.buffer.write(orjson.dumps(fields) + b"\n")
        else:
            sys.stdout.write("  ".join(str(fields[name]) for name in fields if fields[name]) + "\n")
    counts = Counter(str(entry.letter.reason) for entry in entries)
    for reason, count in counts.most_common():
        say(f"{count} x {reason}")
    return DONE


async def _read(
    settings: "Settings", selection: Selection
) -> "tuple[Sequence[Entry], Mapping[int, Bounds]]":
    from deidstream.agents.quarantine.ledger import read_ledger
    from deidstream.agents.runtime.connections import kafka_connection
    from deidstream.stream.kafka.topic_reader import TopicReader

    kafka, connection = settings.kafka, kafka_connection(settings.kafka)
    async with TopicReader.open(connection, kafka.quarantine_topic) as reader:
        ledger = await read_ledger(reader)
    async with TopicReader.open(connection, kafka.raw_topic) as raw:
        bounds = await raw.bounds()
    if ledger.foreign:
        say(f"{ledger.foreign} records of {kafka.quarantine_topic} are not of deidstream")
    for place in ledger.unknown(selection.places):
        say(f"{write_coordinates(place)}: has no dead letter")
    return list(ledger.select(selection)), bounds


def _describe(entry: Entry, raw_topic: str, bounds: "Mapping[int, Bounds]") -> dict[str, object]:
    from deidstream.agents.quarantine.originals import is_held

    letter, mark = entry.letter, entry.mark
    held = letter.source.topic != raw_topic or is_held(letter.source, raw_topic, bounds)
    return {
        "source": write_coordinates(letter.source),
        "at": datetime.fromtimestamp(entry.seconds, UTC).isoformat(timespec="seconds"),
        "reason": letter.reason,
        "stage": letter.stage,
        "attempts": letter.attempts,
        "field": letter.field,
        "position": letter.position,
        "correlation": letter.correlation,
        "original": None if held else "gone",
        "state": "open" if mark is None or entry.open else str(mark.action),
        **({"earlier" if entry.open else "mark": _write_mark(mark)} if mark else {}),
    }


def _write_mark(mark: Mark) -> str:
    details = (mark.why, f"case {mark.case}" if mark.case else None)
    return " ".join([f"by {mark.by} at {mark.at}", *(str(each) for each in details if each)])


def _show(arguments: argparse.Namespace) -> int:
    settings = settings_from()
    if arguments.with_text:
        _refuse_text(settings, force=arguments.force)
    selection = Selection(frozenset([arguments.place]), closed=True)
    entries, bounds = asyncio.run(_read(settings, selection))
    if not entries:
        return SOME_LEFT
    fields = _describe(entries[0], settings.kafka.raw_topic, bounds)
    for name, value in fields.items():
        if value is not None:
            sys.stdout.write(f"{name}: {value}\n")
    return _show_text(settings, entries[0], arguments) if arguments.with_text else DONE


def _refuse_text(settings: "Settings", *, force: bool) -> None:
    if not settings.quarantine.log:
        msg = "DEIDSTREAM_QUARANTINE_LOG: --with-text requires an audit log"
        raise InvalidSettings(msg)
    if not (sys.stdout.isatty() or force):
        msg = "--with-text prints PHI: stdout is not a terminal (--force prints it anyway)"
        raise InvalidSettings(msg)


def _show_text(settings: "Settings", entry: Entry, arguments: argparse.Namespace) -> int:
    from deidstream.agents.quarantine.reading import log_reading, printable

    log_reading(Path(settings.quarantine.log), entry.letter.source, arguments.by, arguments.case)
    original = asyncio.run(_original(settings, entry))
    if original is None:
        say("the original is gone")
        return SOME_LEFT
    sys.stdout.write(f"original, which is PHI:\n{printable(original)}\n")
    return DONE


async def _original(settings: "Settings", entry: Entry) -> bytes | None:
    from deidstream.agents.quarantine.originals import read_original
    from deidstream.agents.runtime.connections import kafka_connection
    from deidstream.stream.kafka.topic_reader import TopicReader

    topic = settings.kafka.raw_topic
    async with TopicReader.open(kafka_connection(settings.kafka), topic) as raw:
        return await read_original(raw, topic, entry)


def _mark(arguments: argparse.Namespace, action: Action, why: Cause | None = None) -> Mark:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Mark(action, arguments.by, at, why, arguments.case)


def _replay(arguments: argparse.Namespace) -> int:
    require_selection(arguments)
    return asyncio.run(_replay_selected(arguments, settings_from()))


async def _replay_selected(arguments: argparse.Namespace, settings: "Settings") -> int:
    from deidstream.agents.quarantine.replay import Replayer
    from deidstream.agents.runtime.connections import kafka_connection
    from deidstream.stream.kafka.topic_reader import TopicReader

    kafka, connection = settings.kafka, kafka_connection(settings.kafka)
    async with AsyncExitStack() as closing:
        sender = await _sender(settings, closing, dry=arguments.dry_run)
        entries, _ = await _read(settings, selection_from(arguments))
        raw = await closing.enter_async_context(TopicReader.open(connection, kafka.raw_topic))
        mark = _mark(arguments, Action.REPLAYED)
        replayer = Replayer(kafka.raw_topic, kafka.quarantine_topic, sender, mark)
        done = await replayer.replay(raw, entries)
    would = "would be sent" if arguments.dry_run else "sent"
    say(f"{done.found} of {len(entries)} originals {would} to {kafka.raw_topic} again")
    if done.gone:
        say(f"{done.gone} are gone: retention has deleted them; ask the sender, or discard them")
    if done.elsewhere:
        say(f"{done.elsewhere} come from another topic or a file, and were left alone")
    return SOME_LEFT if done.gone or done.elsewhere else DONE


async def _sender(
    settings: "Settings", closing: AsyncExitStack, *, dry: bool
) -> "TransactionalSender | None":
    from deidstream.agents.runtime.connections import kafka_connection
    from deidstream.stream.kafka.transaction import TransactionalSender

    if dry:
        return None
    # It locks out other operators before the list is read, so that nothing is sent twice.
    name = f"{settings.kafka.group}-{HANDLE}"
    opening = TransactionalSender.open(kafka_connection(settings.kafka), name)
    return await closing.enter_async_context(opening)


def _discard(arguments: argparse.Namespace) -> int:
    require_selection(arguments)
    return asyncio.run(_discard_selected(arguments, settings_from()))


async def _discard_selected(arguments: argparse.Namespace, settings: "Settings") -> int:
    from deidstream.agents.quarantine.replay import Replayer

    kafka = settings.kafka
    async with AsyncExitStack() as closing:
        sender = await _sender(settings, closing, dry=arguments.dry_run)
        entries, bounds = await _read(settings, selection_from(arguments))
        mark = _mark(arguments, Action.DISCARDED, Cause(arguments.why))
        if mark.why is Cause.GONE:
            entries = [
                e for e in entries if _describe(e, kafka.raw_topic, bounds)["original"] == "gone"
            ]
        await Replayer(kafka.raw_topic, kafka.quarantine_topic, sender, mark).discard(entries)
    say(f"{len(entries)} dead letters {'would be ' if arguments.dry_run else ''}discarded")
    return DONE
