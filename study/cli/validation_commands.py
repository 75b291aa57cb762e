"""The command ``validate``: the guided way to evidence on a site's own notes."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import settings_from, share, whole_number
from deidstream.agents.cli.reading_arguments import NOTES, add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say

if TYPE_CHECKING:
    from deidstream.study.validation.site.validation_folder import ValidationFolder

_KEY = "root key file; default: that of the settings"


def add_validate(verbs: Verbs) -> None:
    """Add ``deidstream validate``."""
    inner = verbs.add_group("validate", help="prove on your own notes how many outputs leak")
    _add_plan(inner)
    _add_sample(inner)
    _add_follow(inner)
    _add_read(inner)
    _add_report(inner)
    verify = inner.add_parser("verify", help="check the signature and the files of a pack")
    verify.add_argument("pack", metavar="PACK", type=Path)
    verify.set_defaults(run=_verify)


def _add_plan(inner: Verbs) -> None:
    verb = inner.add_parser(
        "plan",
        help="say what is to be proved, and how many notes must be read for it",
        description="What is not stated is asked for at a terminal.",
        examples=["deidstream validate plan V --notes 0.01 --readers anna,ben --adjudicator cleo"],
    )
    _folder_argument(verb)
    verb.add_argument("--notes", metavar="SHARE", type=share, help="of notes that leak at most")
    verb.add_argument("--identifiers", metavar="SHARE", type=share, help="that leak at most")
    verb.add_argument("--confidence", metavar="SHARE", type=share, help="default: 0.95")
    verb.add_argument("--kinds", choices=("any", "direct"), help="what counts; default: any")
    verb.add_argument(
        "--allow", metavar="N", type=whole_number(), help="leaking notes that still prove it: 2"
    )
    verb.add_argument("--readers", metavar="NAME,NAME", type=_names, default=())
    verb.add_argument("--adjudicator", metavar="NAME", help="decides where readers differ")
    verb.add_argument(
        "--controls",
        metavar="SHARE",
        type=share,
        default=0.05,
        help="found, and shown as plain text",
    )
    verb.add_argument(
        "--strata", metavar="FACT,...", type=_names, default=("level",), help="default: level"
    )
    verb.add_argument(
        "--more", metavar="LEVEL=N,...", type=_factors, help="default: red=4,yellow=2"
    )
    verb.add_argument(
        "--standing", action="store_true", help="of what workers draw from a stream, for ever"
    )
    verb.set_defaults(run=_plan)


def _add_sample(inner: Verbs) -> None:
    verb = inner.add_parser(
        "sample",
        help="draw the notes that are read, by key",
        examples=[
            "deidstream validate sample V n --outputs o.jsonl --risk r.jsonl --audit a.jsonl"
        ],
    )
    _folder_argument(verb)
    verb.add_argument("originals", metavar="NOTES", type=Path, help=NOTES)
    verb.add_argument("--outputs", metavar="OUT.jsonl", type=Path, required=True)
    verb.add_argument("--risk", metavar="RISK.jsonl", type=Path, required=True)
    verb.add_argument("--audit", metavar="AUDIT.jsonl", type=Path, required=True)
    verb.add_argument("--key-file", metavar="F", help=_KEY)
    verb.add_argument(
        "--keep", metavar="COLUMN,...", type=_names, default=(), help="further facts of a note"
    )
    add_reading(verb)
    verb.set_defaults(run=_sample)


def _add_follow(inner: Verbs) -> None:
    verb = inner.add_parser(
        "follow",
        help="fetch what workers drew for a standing sample, and show what was found",
        description="Run it again and again, such as every hour. Workers draw the share of "
        "DEIDSTREAM_KAFKA_SAMPLE_SHARE; their operations page shows the bounds.",
        examples=["deidstream validate follow V --key-file root.key"],
    )
    _folder_argument(verb)
    verb.add_argument("--key-file", metavar="F", help=_KEY)
    verb.set_defaults(run=_follow)


def _add_read(inner: Verbs) -> None:
    verb = inner.add_parser(
        "read",
        help="serve the page on which the readers mark what was missed",
        description="Readers and adjudicator log in as users of the review page "
        "(deidstream review users add NAME).",
    )
    _folder_argument(verb)
    verb.add_argument("--port", type=int, metavar="N", help="default: DEIDSTREAM_REVIEW_PORT")
    verb.set_defaults(run=_read)


def _add_report(inner: Verbs) -> None:
    verb = inner.add_parser(
        "report",
        help="write the evidence pack and sign it",
        examples=["deidstream validate report VALIDATION --out PACK --key-file root.key"],
    )
    _folder_argument(verb)
    verb.add_argument("--out", metavar="PACK", type=Path, required=True, help="a folder")
    verb.add_argument("--key-file", metavar="F", help=_KEY)
    verb.add_argument("--pdf", metavar="CHROMIUM", help="a Chromium, which prints the page too")
    verb.set_defaults(run=_report)


def _folder_argument(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("folder", metavar="VALIDATION", type=Path, help="folder of this validation")


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


def _factors(text: str) -> dict[str, float]:
    """Read ``red=4,yellow=2``.

    Raises:
        ArgumentTypeError: A part is something else.
    """
    found: dict[str, float] = {}
    for part in _names(text):
        level, _, factor = part.partition("=")
        if level not in {"red", "yellow", "green"} or not factor.replace(".", "", 1).isdecimal():
            msg = "must be LEVEL=N,LEVEL=N such as red=4,yellow=2"
            raise argparse.ArgumentTypeError(msg)
        found[level] = float(factor)
    return found


def _folder(arguments: argparse.Namespace) -> "ValidationFolder":
    from deidstream.study.validation.site.validation_folder import ValidationFolder

    return ValidationFolder(arguments.folder)


def _plan(arguments: argparse.Namespace) -> int:
    from deidstream.study.validation.make_plan import PlanRequest, make_plan

    wanted = PlanRequest(
        notes=arguments.notes,
        identifiers=arguments.identifiers,
        confidence=arguments.confidence,
        kinds=arguments.kinds,
        allowed=arguments.allow,
        readers=arguments.readers,
        adjudicator=arguments.adjudicator,
        controls=arguments.controls,
        strata=arguments.strata,
        more=arguments.more,
        is_standing=arguments.standing,
    )
    return make_plan(_folder(arguments), wanted)


def _sample(arguments: argparse.Namespace) -> int:
    from deidstream.study.validation.site.population import PopulationFiles
    from deidstream.study.validation.take_sample import take_sample

    files = PopulationFiles(
        arguments.originals,
        arguments.outputs,
        arguments.risk,
        arguments.audit,
        reading_of(arguments),
    )
    return take_sample(_folder(arguments), files, settings_from({"key.file": arguments.key_file}))


def _follow(arguments: argparse.Namespace) -> int:
    from deidstream.study.validation.follow_stream import follow_stream

    return follow_stream(_folder(arguments), settings_from({"key.file": arguments.key_file}))


def _read(arguments: argparse.Namespace) -> int:
    import asyncio

    from deidstream.study.validation.reading.run_reading import run_reading

    settings = settings_from({"review.port": arguments.port})

    def tell(url: str) -> None:
        say(f"the reading page is at {url}")

    asyncio.run(run_reading(_folder(arguments), settings, listening=tell))
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from deidstream.study.validation.write_report import write_report

    settings = settings_from({"key.file": arguments.key_file})
    return write_report(_folder(arguments), arguments.out, settings, arguments.pdf)


def _verify(arguments: argparse.Namespace) -> int:
    from deidstream.study.validation.write_report import verify_pack

    return verify_pack(arguments.pack)
