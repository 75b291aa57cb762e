"""The command ``bench``, which measures speed."""

import argparse
from pathlib import Path

from deidstream.agents.cli.arguments import POLICY, settings_from, whole_number
from deidstream.agents.cli.verbs import Verbs

MOST_ROUNDS = 1_000


def add_bench(verbs: Verbs) -> None:
    """Add ``deidstream bench``."""
    verb = verbs.add_parser(
        "bench",
        help="measure how fast notes are processed",
        description="Measures how fast notes are processed, what each stage takes, "
        "and how near that is to the limit of the tagger's engine, which is measured by turns with "
        "it. docs/performance.md says what each figure means.",
    )
    verb.add_argument("--policy", metavar="NAME", help=POLICY)
    verb.add_argument(
        "--notes", metavar="FILE.jsonl", type=Path, help="notes.raw records; default: sample notes"
    )
    verb.add_argument(
        "--most", metavar="N", type=whole_number(1), help="take at most N of the notes"
    )
    verb.add_argument(
        "--batch", metavar="N", type=whole_number(1), help="notes taken at once: batch.notes"
    )
    verb.add_argument(
        "--rounds", metavar="N", type=whole_number(1, MOST_ROUNDS), default=3, help="default: 3"
    )
    verb.add_argument("--flame", metavar="FILE.svg", type=Path, help="draw where the time goes")
    verb.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    verb.add_argument(
        "--compare",
        metavar="FILE",
        type=Path,
        help="exit with 1 if the ratio to the engine is more than 15 %% below that of an earlier "
        "--json",
    )
    _add_worker_arguments(verb)
    verb.set_defaults(run=_bench)


def _add_worker_arguments(verb: argparse.ArgumentParser) -> None:
    worker = verb.add_argument_group("a whole worker")
    worker.add_argument(
        "--worker",
        action="store_true",
        help="measure a whole worker as a process of its own, and its latency under two loads",
    )
    worker.add_argument("--brokers", metavar="B", help="of Kafka; default: an in-memory broker")
    worker.add_argument("--redis", metavar="URL", help="default: an embedded Redis")
    worker.add_argument("--partitions", metavar="N", type=whole_number(1), default=4)
    worker.add_argument(
        "--load-seconds",
        metavar="S",
        type=whole_number(1),
        default=30,
        help="how long each load lasts: 30",
    )


def _bench(arguments: argparse.Namespace) -> int:
    from deidstream.study.bench.run_bench import BenchRequest, run_bench
    from deidstream.study.bench.worker_site import WorkerServices

    services = WorkerServices(arguments.brokers, arguments.redis, arguments.partitions)
    flags = {"policy": arguments.policy, "batch.notes": arguments.batch}
    return run_bench(
        BenchRequest(
            settings=settings_from(flags),
            notes=arguments.notes,
            most_notes=arguments.most,
            rounds=arguments.rounds,
            flame=arguments.flame,
            json=arguments.json,
            compare=arguments.compare,
            worker=services if arguments.worker else None,
            load_seconds=arguments.load_seconds,
        )
    )
