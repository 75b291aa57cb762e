"""The command ``probe``: a known note through the whole path."""

import argparse
import asyncio

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say


def add_probe(verbs: Verbs) -> None:
    """Add ``deidstream probe``."""
    verb = verbs.add_parser(
        "probe",
        help="send a known note through Kafka and the workers, and check its output",
        examples=["deidstream probe", "deidstream probe --every 60"],
    )
    verb.add_argument(
        "--every",
        metavar="SECONDS",
        type=_seconds,
        help="go on until interrupted, and serve metrics at the ops server's address",
    )
    verb.add_argument("--wait", metavar="SECONDS", type=_seconds, default=30.0, help="default: 30")
    verb.add_argument("--tenant", metavar="T", default="default", help="whose policy it is under")
    verb.set_defaults(run=_probe)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        msg = "must be a number of seconds above 0"
        raise argparse.ArgumentTypeError(msg)
    return seconds


def _probe(arguments: argparse.Namespace) -> int:
    from deidstream.agents.doctor.probe_note import ProbeResult
    from deidstream.agents.doctor.run_probe import probe_forever, probe_once
    from deidstream.stream.observing.logs import configure

    settings = settings_from()
    if arguments.every:
        configure(settings.worker.log_level)
        asyncio.run(probe_forever(settings, arguments.wait, arguments.tenant, arguments.every))
    outcome = asyncio.run(probe_once(settings, arguments.wait, arguments.tenant))
    line = f"probe: {outcome.result} after {outcome.seconds:.2f} s"
    say(f"{line}: {outcome.why}" if outcome.why else line)
    return 0 if outcome.result is ProbeResult.OK else 1
