"""The command ``adapt``: a site's own words, numbers and marks in one guided step."""

import argparse
from pathlib import Path

from deidstream.agents.cli.arguments import POLICY, share
from deidstream.agents.cli.reading_arguments import NOTES, add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say

_MASTER = (
    "HL7 master files (MFN, ADT), FHIR resources (NDJSON, bundle), or CSV whose header has "
    "names such as given, family, name, ward, city, street, mrn, staff_id, or labels such as IDNUM"
)


def add_adapt(verbs: Verbs) -> None:
    """Add ``deidstream adapt``."""
    inner = verbs.add_group("adapt", help="learn a site's names, numbers and marks")
    _add_make(inner)
    show = inner.add_parser("show", help="list the versions with what was measured")
    _folder_argument(show)
    show.set_defaults(run=_show)
    apply = inner.add_parser("apply", help="put a version in force")
    _folder_argument(apply)
    apply.add_argument("version", metavar="VERSION")
    apply.set_defaults(run=_apply)
    undo = inner.add_parser(
        "undo",
        help="go back to the version before, or to none",
        examples=["deidstream adapt undo SITE"],
    )
    _folder_argument(undo)
    undo.set_defaults(run=_undo)


def _add_make(inner: Verbs) -> None:
    verb = inner.add_parser(
        "make",
        help="make a version of the site's files, measure it and put it in force",
        description="Nothing leaves the machine. Run it again with more files or marks. What is "
        "not stated is asked for at a terminal.",
        examples=[
            "deidstream adapt make SITE --master staff.hl7 wards.csv --marked m.jsonl",
            "deidstream adapt make SITE --master staff.ndjson --notes notes.jsonl",
        ],
    )
    _folder_argument(verb)
    verb.add_argument("--master", metavar="FILE", type=Path, nargs="+", default=[], help=_MASTER)
    verb.add_argument(
        "--marked",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=[],
        help="labelled notes, as of the review page; or folders with [[LABEL|text]]",
    )
    verb.add_argument("--notes", metavar="NOTES", type=Path, help=f"of the site: {NOTES}")
    verb.add_argument("--policy", help=f"what is adapted: {POLICY}; default: of the settings")
    verb.add_argument(
        "--recall",
        metavar="SHARE",
        type=share,
        default=0.99,
        help="of direct identifiers, for which thresholds are chosen: 0.99",
    )
    verb.add_argument(
        "--apart",
        metavar="SHARE",
        type=share,
        default=0.4,
        help="of the patients with marked notes, kept apart to measure: 0.4",
    )
    verb.add_argument("--no-teaching", action="store_true", help="leave the tagger as it is")
    verb.add_argument("--not-in-force", action="store_true", help="measure alone")
    add_reading(verb)
    verb.set_defaults(run=_make)


def _folder_argument(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("folder", metavar="SITE", type=Path, help="folder of this adaptation")


def _make(arguments: argparse.Namespace) -> int:
    from deidstream.study.adaptation.make_adaptation import AdaptRequest, make_adaptation
    from deidstream.study.adaptation.teach_tagger import Lesson

    return make_adaptation(
        AdaptRequest(
            arguments.folder,
            tuple(arguments.master),
            tuple(arguments.marked),
            arguments.notes,
            reading_of(arguments),
            arguments.policy,
            arguments.recall,
            arguments.apart,
            lesson=None if arguments.no_teaching else Lesson(),
            in_force=not arguments.not_in_force,
        )
    )


def _show(arguments: argparse.Namespace) -> int:
    from deidstream.study.adaptation.list_versions import list_versions

    say("\n".join(list_versions(arguments.folder)) or "there are no versions")
    return 0


def _apply(arguments: argparse.Namespace) -> int:
    from deidstream.study.adaptation.write_version import put_in_force

    put_in_force(arguments.folder, arguments.version)
    say(f"version {arguments.version} is in force; start again what runs")
    return 0


def _undo(arguments: argparse.Namespace) -> int:
    from deidstream.study.adaptation.write_version import undo

    left = undo(arguments.folder)
    now = f"version {left} is in force" if left else "no adaptation is in force"
    say(f"{now}; start again what runs")
    return 0
