"""The commands ``evaluate``, ``i2b2`` and ``simulate``, which measure."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from deidstream.agents.cli.arguments import POLICY, settings_from, shares, whole_number
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel


def add_evaluate(verbs: Verbs) -> None:
    """Add ``deidstream evaluate``."""
    verb = verbs.add_parser("evaluate", help="compare detected spans with labelled notes")
    verb.add_argument(
        "gold",
        metavar="GOLD",
        type=Path,
        help="labelled notes: JSONL, or a table (CSV, TSV, Parquet, Delta) with a column spans",
    )
    scored = verb.add_mutually_exclusive_group()
    scored.add_argument("--policy", metavar="NAME", help=POLICY)
    scored.add_argument(
        "--predictions", metavar="SPANS.jsonl", type=Path, help="score these spans instead"
    )
    verb.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    verb.add_argument("--html", metavar="FILE", type=Path, help="a report page")
    verb.add_argument(
        "--errors", metavar="FILE", type=Path, help="every error, with TEXT of the notes around it"
    )
    verb.add_argument("--with-text", action="store_true", help="errors with text in the page too")
    verb.add_argument("--errors-of", metavar="RECOGNIZER", help="default: all together")
    verb.add_argument(
        "--context", metavar="N", type=whole_number(), default=40, help="characters: 40"
    )
    verb.set_defaults(run=_evaluate)


def _evaluate(arguments: argparse.Namespace) -> int:
    from deidstream.study.evaluation.run_evaluation import EvaluationRequest, run_evaluate

    return run_evaluate(
        EvaluationRequest(
            gold=arguments.gold,
            policy=arguments.policy,
            predictions=arguments.predictions,
            json=arguments.json,
            html=arguments.html,
            errors=arguments.errors,
            with_text=arguments.with_text,
            errors_of=arguments.errors_of,
            context=arguments.context,
        )
    )


def add_i2b2(verbs: Verbs) -> None:
    """Add ``deidstream i2b2 import``, ``deidstream i2b2 export`` and ``deidstream i2b2 score``."""
    inner = verbs.add_group("i2b2", help="read, write and score i2b2/UTHealth 2014 files")
    _add_import(inner)
    _add_export(inner)
    _add_score(inner)


def _add_import(inner: Verbs) -> None:
    verb = inner.add_parser(
        "import",
        help="make labelled notes of a folder of XML files",
        description="Lossy: OTHER is dropped, ROOM and DEPARTMENT become HOSPITAL, repeated tags "
        "become one, overlapping tags are united; ids and comments of tags are lost. Counts are "
        "reported. The command score reads the XML itself and loses nothing.",
    )
    verb.add_argument("folder", metavar="FOLDER", type=Path, help="NNN-NN.xml, one a note")
    verb.add_argument("--out", metavar="GOLD.jsonl", type=Path, required=True)
    verb.add_argument(
        "--policy", metavar="NAME", default="surrogate", help="types may be its own [labels] too"
    )
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
    verb.add_argument(
        "--own-labels",
        action="store_true",
        help="labels of your own as types, not the ones of the 28 that they are like",
    )
    verb.set_defaults(run=_export)


def _add_score(inner: Verbs) -> None:
    verb = inner.add_parser("score", help="print every cell that the 2014 scripts count")
    verb.add_argument("gold", metavar="GOLD_FOLDER", type=Path)
    verb.add_argument("system", metavar="SYSTEM_FOLDER", type=Path)
    verb.add_argument("--json", metavar="FILE", type=Path, help="every cell, for machines")
    verb.set_defaults(run=_score)


def _import(arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.policy_files import find_policy
    from deidstream.study.evaluation.i2b2_exchange import import_i2b2

    return import_i2b2(arguments.folder, arguments.out, find_policy(arguments.policy).labels)


def _export(arguments: argparse.Namespace) -> int:
    from deidstream.study.evaluation.i2b2_exchange import export_i2b2

    return export_i2b2(
        arguments.gold, arguments.predictions, arguments.out, own_labels=arguments.own_labels
    )


def _score(arguments: argparse.Namespace) -> int:
    from deidstream.study.evaluation.i2b2_exchange import score_folders

    return score_folders(arguments.gold, arguments.system, arguments.json)


MISSES = "0.005,0.01,0.02,0.05"
MOST_ROUNDS = 100_000


def add_simulate(verbs: Verbs) -> None:
    """Add ``deidstream simulate leaks`` and ``deidstream simulate misses``."""
    inner = verbs.add_group("simulate", help="estimate what policy choices cost")
    leaks = inner.add_parser("leaks", help="documents that give a leak away, by consistency scope")
    leaks.add_argument("notes", metavar="NOTES.jsonl", type=Path, help="labelled notes")
    leaks.add_argument("--misses", metavar="SHARES", type=shares, default=shares(MISSES))
    leaks.add_argument("--seed", metavar="N", type=int, default=0)
    leaks.add_argument(
        "--rounds", metavar="N", type=whole_number(1, MOST_ROUNDS), default=50, help="default: 50"
    )
    leaks.add_argument(
        "--label",
        metavar="LABEL",
        choices=list(map(str, PhiLabel)),
        action="append",
        help="count this one; may be given again; default: all but DATE and AGE",
    )
    leaks.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    leaks.set_defaults(run=_leaks)
    misses = inner.add_parser(
        "misses",
        help="overlooked identifiers that each policy leaves in its outputs",
        description="Lets recognition overlook one labelled direct identifier at a time, finds all "
        "others, and looks for it in what leaves: under surrogates, and under KNEO.",
    )
    misses.add_argument("notes", metavar="NOTES.jsonl", type=Path, help="labelled notes")
    misses.add_argument(
        "--policy", metavar="NAME", action="append", help=f"{POLICY}; more than one"
    )
    misses.add_argument(
        "--most", metavar="N", type=whole_number(1), default=600, help="identifiers: 600"
    )
    misses.add_argument("--seed", metavar="N", type=int, default=0)
    misses.add_argument("--json", metavar="FILE", type=Path, help="every count, for machines")
    misses.set_defaults(run=_misses)


def _misses(arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.lines import write_whole
    from deidstream.study.survival.run_survival import (
        POLICIES,
        SurvivalRequest,
        encode_survival,
        measure_survival,
        read_notes,
        write_survival,
    )

    where: Path | None = arguments.json
    _refuse_missing_folder(where)
    policies = tuple(arguments.policy or POLICIES)
    request = SurvivalRequest(arguments.notes, policies, arguments.most, arguments.seed)
    notes, unread = read_notes(arguments.notes)
    survivals = measure_survival(settings_from(), request, notes)
    sys.stdout.write(write_survival(survivals))
    if where is not None:
        write_whole(where, encode_survival(request, survivals))
    return _say_unread(unread)


def _refuse_missing_folder(where: Path | None) -> None:
    if where is not None and not where.parent.is_dir():
        msg = f"{where}: cannot be written: there is no such folder"
        raise MissingArtefact(msg)


def _say_unread(unread: Mapping[str, int]) -> int:
    """Say which lines are no labelled notes; return the exit status."""
    for reason, count in sorted(unread.items()):
        say(f"lines that are not a labelled note: {count} x {reason}")
    return 1 if unread else 0


def _leaks(arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.lines import write_whole
    from deidstream.study.evaluation.leak_simulation import (
        encode_simulation,
        run_simulation,
        write_tables,
    )
    from deidstream.study.scoring.leakage import Trial

    where: Path | None = arguments.json
    _refuse_missing_folder(where)
    trial = Trial(arguments.misses, arguments.rounds, arguments.seed)
    labels = None if arguments.label is None else [PhiLabel(name) for name in arguments.label]
    simulation = run_simulation(arguments.notes, trial, labels)
    sys.stdout.write(write_tables(simulation))
    if where is not None:
        write_whole(where, encode_simulation(simulation))
    return _say_unread(simulation.unread)
