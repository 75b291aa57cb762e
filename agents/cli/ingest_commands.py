"""The commands that take messages of other systems into the input topic."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say

if TYPE_CHECKING:
    from deidstream.agents.feeds.file_sender import SendTally


def add_ingest(verbs: Verbs) -> None:
    """Add ``deidstream ingest``."""
    help_text = "take messages of other systems into the input topic"
    kinds = verbs.add_group("ingest", help=help_text, metavar="KIND")
    _add_mllp(kinds)
    _add_hl7(kinds)
    _add_fhir(kinds)


def _add_mllp(kinds: Verbs) -> None:
    mllp = kinds.add_parser("mllp", help="listen for HL7 v2 messages until stopped (docs/hl7.md)")
    mllp.set_defaults(run=_ingest_mllp)


def _ingest_mllp(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.feeds.ingest_mllp import run_mllp
    from deidstream.stream.observing.logs import configure

    settings = settings_from()
    configure(settings.worker.log_level)
    return asyncio.run(run_mllp(settings))


def _add_hl7(kinds: Verbs) -> None:
    hl7 = kinds.add_parser(
        "hl7",
        help="send the messages of HL7 v2 files (docs/hl7.md)",
        examples=["deidstream ingest hl7 night.hl7"],
    )
    hl7.add_argument("files", metavar="FILE", nargs="+", type=Path, help="messages or batches")
    hl7.add_argument("--skip", metavar="N", type=int, default=0, help="records not to send")
    hl7.set_defaults(run=_ingest_hl7)


def _ingest_hl7(arguments: argparse.Namespace) -> int:
    from deidstream.agents.feeds.file_sender import SendTally
    from deidstream.agents.feeds.ingest_hl7 import ingest_hl7

    settings, sent, skip = settings_from(), SendTally(), arguments.skip
    try:
        tally = asyncio.run(ingest_hl7(arguments.files, settings, skip=skip, sent=sent))
    finally:
        _say_sent(sent, skip, settings.kafka.raw_topic)
    say(f"{tally.taken} messages taken, {tally.refused.total()} refused")
    for place in tally.places:
        say(place)
    if (more := tally.refused.total() - len(tally.places)) > 0:
        say(f"and {more} more")
    if sent.oversize:
        say(f"{sent.oversize} are larger than the topic accepts and were not sent")
    return 1 if sent.oversize or tally.refused else 0


def _say_sent(sent: "SendTally", skip: int, topic: str) -> None:
    # Whatever ends the command, its user knows where to go on.
    done = skip + sent.sent + sent.oversize
    say(f"{sent.sent} records sent to {topic}; to go on: --skip {done}")


def _add_fhir(kinds: Verbs) -> None:
    fhir = kinds.add_parser(
        "fhir",
        help="send the resources of NDJSON files (docs/fhir.md)",
        examples=["deidstream ingest fhir Patient.ndjson DocumentReference.ndjson"],
    )
    fhir.add_argument("files", metavar="FILE", nargs="+", type=Path, help="one resource a line")
    fhir.add_argument("--tenant", metavar="NAME", default="default", help="whose notes they are")
    fhir.add_argument("--skip", metavar="N", type=int, default=0, help="records not to send")
    fhir.set_defaults(run=_ingest_fhir)


def _ingest_fhir(arguments: argparse.Namespace) -> int:
    from deidstream.agents.feeds.file_sender import SendTally
    from deidstream.agents.feeds.ingest_fhir import ingest_fhir
    from deidstream.agents.feeds.person_index import LONGEST_LINE

    settings, sent, skip = settings_from(), SendTally(), arguments.skip
    sending = ingest_fhir(arguments.files, settings, tenant=arguments.tenant, skip=skip, sent=sent)
    try:
        tally = asyncio.run(sending)
    finally:
        _say_sent(sent, skip, settings.kafka.raw_topic)
    counts = (f"{count} {name}" for name, count in sorted((tally.taken + tally.skipped).items()))
    say(", ".join(counts) or "nothing to send")
    if tally.skipped:
        say(f"{tally.skipped.total()} resources are of types that are not read, and were not sent")
    if sent.oversize:
        say(f"{sent.oversize} are larger than the topic accepts and were not sent")
    if tally.overlong:
        say(f"{tally.overlong} lines are longer than {LONGEST_LINE // 1_000_000} MB, not read")
    return 1 if sent.oversize or tally.overlong else 0
