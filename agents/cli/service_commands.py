"""The commands that run, feed, read and check the service."""

import argparse
import asyncio
import contextlib
import os
import sys
from pathlib import Path
from typing import NoReturn

import orjson

from deidstream.agents.cli.arguments import settings_from, whole_number
from deidstream.agents.cli.reading_arguments import NOTES, add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import count_notes, say
from deidstream.agents.settings import HttpSettings, ReviewSettings, list_settings


def add_demo(verbs: Verbs) -> None:
    """Add ``deidstream demo``."""
    verb = verbs.add_parser(
        "demo",
        help="run the whole service on this machine, with fictional notes",
        examples=["deidstream demo", "deidstream demo --forever --policy safe-harbor"],
    )
    for option, port, page in (
        ("--port", HttpSettings().port, "operations page"),
        ("--review-port", ReviewSettings().port, "review page (with --forever)"),
    ):
        verb.add_argument(
            option,
            type=whole_number(0, 65_535),
            default=port,
            metavar="N",
            help=f"port of the {page}; if it is taken, a free one; default: {port}",
        )
    verb.add_argument("--forever", action="store_true", help="feed until interrupted")
    verb.add_argument("--policy", metavar="NAME", default="surrogate", help="policy to show")
    verb.set_defaults(run=_demo)


def _demo(arguments: argparse.Namespace) -> int:
    from deidstream.agents.demo.demo import run_demo
    from deidstream.agents.demo.demo_ports import DemoPorts

    ports = DemoPorts.choose(arguments.port, arguments.review_port)
    return asyncio.run(run_demo(policy=arguments.policy, forever=arguments.forever, ports=ports))


def add_worker(verbs: Verbs) -> None:
    """Add ``deidstream worker``."""
    verb = verbs.add_parser(
        "worker",
        help="de-identify notes from Kafka until stopped",
        examples=["deidstream worker", "deidstream worker --processes 4"],
    )
    verb.add_argument(
        "--processes",
        type=read_processes,
        default=1,
        metavar="N",
        help="workers that share the cores, one a core where N is 0; default: 1",
    )
    verb.set_defaults(run=_worker, end=exit_now)


def read_processes(text: str) -> int:
    """Read how many workers are asked for; 0 stands for one a core.

    Raises:
        ArgumentTypeError: It is no whole number from 0 on.
    """
    return whole_number()(text) or os.cpu_count() or 1


def _worker(arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.worker import run_worker
    from deidstream.stream.observing.logs import configure

    settings = settings_from()
    if arguments.processes > 1:
        from deidstream.agents.cli.worker_processes import plan_environments, run_workers

        own = plan_environments(settings, arguments.processes, os.cpu_count() or 1)
        return asyncio.run(run_workers(own))
    configure(settings.worker.log_level)
    return asyncio.run(run_worker(settings))


def exit_now(code: int) -> NoReturn:
    """End the process without waiting for threads whose results are not needed."""
    for stream in (sys.stdout, sys.stderr):
        # The reader may have closed it.
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)


def add_produce(verbs: Verbs) -> None:
    """Add ``deidstream produce``."""
    verb = verbs.add_parser(
        "produce",
        help="send the notes of a file to the input topic",
        examples=[
            "deidstream produce notes.jsonl",
            "deidstream produce archive.parquet --columns text=BODY",
        ],
    )
    verb.add_argument("notes", metavar="NOTES", type=Path, help=NOTES)
    add_reading(verb)
    verb.set_defaults(run=_produce)


def _produce(arguments: argparse.Namespace) -> int:
    from deidstream.agents.demo.feed import produce
    from deidstream.agents.feeds.file_sender import SendTally
    from deidstream.agents.note_files.open_notes import open_notes
    from deidstream.agents.runtime.connections import kafka_connection

    kafka, tally = settings_from().kafka, SendTally()
    try:
        source = open_notes(arguments.notes, reading_of(arguments))
        asyncio.run(produce(source, kafka_connection(kafka), kafka.raw_topic, tally))
    finally:
        # Whatever ends the command, the sender knows where to go on.
        say(f"{count_notes(tally.sent)} sent to {kafka.raw_topic}")
        if tally.oversize:
            say(f"{tally.oversize} are larger than the topic accepts and were not sent")
        if tally.unread:
            say(f"{tally.unread} cannot be read and were not sent")
    return 1 if tally.oversize or tally.unread else 0


def add_consume(verbs: Verbs) -> None:
    """Add ``deidstream consume``."""
    verb = verbs.add_parser(
        "consume",
        help="write the output topics to stdout",
        examples=[
            "deidstream consume --follow",
            "deidstream consume --topic risk --topic quarantine --most 10",
        ],
    )
    topics = ("anonymized", "risk", "quarantine", "audit")
    verb.add_argument(
        "--topic",
        choices=topics,
        action="append",
        help="may be given more than once; default: anonymized",
    )
    verb.add_argument("--most", metavar="N", type=whole_number(1), help="stop after N records")
    verb.add_argument("--follow", action="store_true", help="wait for more")
    verb.set_defaults(run=_consume)


def _consume(arguments: argparse.Namespace) -> int:
    from deidstream.agents.demo.feed import consume
    from deidstream.agents.runtime.connections import kafka_connection

    kafka = settings_from().kafka
    names = [getattr(kafka, f"{topic}_topic") for topic in arguments.topic or ["anonymized"]]
    connection = kafka_connection(kafka)
    asyncio.run(consume(connection, names, most=arguments.most, follow=arguments.follow))
    return 0


def add_topics(verbs: Verbs) -> None:
    """Add ``deidstream topics create``."""
    inner = verbs.add_group("topics", help="manage the topics")
    inner.add_parser("create", help="create missing topics").set_defaults(run=_topics)


def _topics(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.connections import kafka_connection, topics_of
    from deidstream.stream.kafka.topics import create_topics

    settings = settings_from()
    kafka = settings.kafka
    made = asyncio.run(
        create_topics(
            kafka_connection(kafka),
            topics_of(settings),
            partitions=kafka.partitions,
            replication=kafka.replication,
        )
    )
    say("\n".join(f"created {name}" for name in made) or "all topics exist")
    return 0


def add_config(verbs: Verbs) -> None:
    """Add ``deidstream config check`` and ``deidstream config show``."""
    inner = verbs.add_group("config", help="check or print the settings")
    inner.add_parser("check", help="read settings and policy").set_defaults(run=_config_check)
    inner.add_parser("show", help="print every setting").set_defaults(run=_config_show)


def _config_check(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.policy_files import describe_otherwise, read_policies

    settings = settings_from()
    policies = read_policies(settings)
    for policy in {p.sha256: p for p in policies.values()}.values():
        say(f"settings are valid; policy {policy.name} is valid ({policy.sha256[:12]})")
    if otherwise := describe_otherwise(settings, policies):
        say(otherwise)
    return 0


def _config_show(_arguments: argparse.Namespace) -> int:
    for variable, value in list_settings(settings_from(safe=False)).items():
        sys.stdout.write(f"{variable}={value}\n")
    return 0


def add_doctor(verbs: Verbs) -> None:
    """Add ``deidstream doctor``."""
    verb = verbs.add_parser(
        "doctor", help="check what a worker needs, and interfaces that are set up"
    )
    verb.set_defaults(run=_doctor)


def _doctor(_arguments: argparse.Namespace) -> int:
    return asyncio.run(_examine())


async def _examine() -> int:
    from deidstream.agents.doctor.examination import Finding, examine, verdict

    findings: list[Finding] = []
    async for finding in examine(settings_from(safe=False)):
        findings.append(finding)
        sys.stdout.write(
            f"{'ok  ' if finding.good else 'FAIL'} {finding.name}: {finding.message}\n"
        )
        if not finding.good:
            sys.stdout.write(f"     {finding.remedy}\n")
        sys.stdout.flush()
    return verdict(findings)


def add_schemas(verbs: Verbs) -> None:
    """Add ``deidstream schemas export`` and ``deidstream schemas dictionary``."""
    inner = verbs.add_group("schemas", help="the formats of records")
    export = inner.add_parser("export", help="write JSON Schema files")
    export.add_argument("--out", metavar="DIR", type=Path, default=Path("schemas/json"))
    export.set_defaults(run=_schemas_export)
    dictionary = inner.add_parser("dictionary", help="write the data dictionary")
    dictionary.add_argument("--out", metavar="FILE", type=Path, help="default: stdout")
    dictionary.set_defaults(run=_schemas_dictionary)


def _schemas_dictionary(arguments: argparse.Namespace) -> int:
    from deidstream.schemas.data_dictionary import write_dictionary

    if arguments.out is None:
        sys.stdout.write(write_dictionary())
    else:
        arguments.out.write_text(write_dictionary())
    return 0


def _schemas_export(arguments: argparse.Namespace) -> int:
    from deidstream.models.policy.declaration import policy_schema
    from deidstream.schemas.contracts import CONTRACTS

    arguments.out.mkdir(parents=True, exist_ok=True)
    for topic, schema in [*CONTRACTS.items(), ("policy", policy_schema())]:
        text = orjson.dumps(schema, option=orjson.OPT_INDENT_2) + b"\n"
        (arguments.out / f"{topic}.schema.json").write_bytes(text)
    return 0
