"""``deidstream i2b2``: its flags, and which module does the work."""

import argparse
from pathlib import Path
from typing import Any

Verbs = Any
"""argparse's own type for a set of sub-commands is private."""


def add_i2b2(verbs: Verbs) -> None:
    """``deidstream i2b2 import``, ``deidstream i2b2 export`` and ``deidstream i2b2 score``."""
    inner = verbs.add_parser(
        "i2b2", help="read, write and score i2b2/UTHealth 2014 files"
    ).add_subparsers(required=True, metavar="VERB")
    _add_import(inner)
    _add_export(inner)
    _add_score(inner)


def _add_import(inner: Verbs) -> None:
    verb = inner.add_parser(
        "import",
        help="make labelled notes of a folder of XML files",
        description="Lossy: OTHER is dropped, ROOM and DEPARTMENT become HOSPITAL, repeated tags "
        "become one, overlapping tags are united; ids and comments of tags are lost. Counts are "
        "said. The command score reads the XML itself and loses nothing.",
    )
    verb.add_argument("folder", metavar="FOLDER", type=Path, help="NNN-NN.xml, one a note")
    verb.add_argument("--out", metavar="GOLD.jsonl", type=Path, required=True)
    verb.set_defaults(run=_import)


def _add_export(inner: Verbs) -> None:
    verb = inner.add_parser(
        "export",
        help="write labelled notes, or what was found in them, as XML files",
        description="Notes whose ids have not the form NNN-NN are numbered, and FOLDER.names.jsonl "
        "says which is which. Lost are scores and sources of spans and all but the text of notes.",
    )
    verb.add_argument("gold", metavar="GOLD.jsonl", type=Path, help="labelled notes")
    verb.add_argument(
        "--predictions", metavar="SPANS.jsonl", type=Path, help="write these spans, not the gold"
    )
    verb.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="new or empty")
    verb.set_defaults(run=_export)


def _add_score(inner: Verbs) -> None:
    verb = inner.add_parser("score", help="print every cell that the 2014 scripts count")
    verb.add_argument("gold", metavar="GOLD_FOLDER", type=Path)
    verb.add_argument("system", metavar="SYSTEM_FOLDER", type=Path)
    verb.add_argument("--json", metavar="FILE", type=Path, help="every cell, for machines")
    verb.set_defaults(run=_score)


def _import(arguments: argparse.Namespace) -> int:
    from deidstream.agents.evaluation.i2b2_exchange import import_i2b2  # noqa: PLC0415 - so that --help is quick

    return import_i2b2(arguments.folder, arguments.out)


def _export(arguments: argparse.Namespace) -> int:
    from deidstream.agents.evaluation.i2b2_exchange import export_i2b2  # noqa: PLC0415 - so that --help is quick

    return export_i2b2(arguments.gold, arguments.predictions, arguments.out)


def _score(arguments: argparse.Namespace) -> int:
    from deidstream.agents.evaluation.i2b2_exchange import score_folders  # noqa: PLC0415 - so that --help is quick

    return score_folders(arguments.gold, arguments.system, arguments.json)
