"""The command ``study``, which compares techniques on a corpus."""

import argparse
from pathlib import Path

from deidstream.agents.cli.arguments import whole_number
from deidstream.agents.cli.reading_arguments import add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs

MOST_EPOCHS = 1_000
QUICK_NOTES = 150


def add_study(verbs: Verbs) -> None:
    """Add ``deidstream study``."""
    verb = verbs.add_parser(
        "study",
        help="compare every technique by every measure, and write a page",
        description="Applies the techniques of four papers and the policies of deidstream, "
        "measures what each hides and what it keeps, and writes study.html and study.json. A study "
        "that was stopped goes on where it was. By default it reads the notes that come with "
        "deidstream. No file that it writes holds text of notes.",
        examples=(
            "deidstream study --quick --out study",
            "deidstream study --corpus notes.parquet --out study",
        ),
    )
    verb.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="made if absent")
    depth = verb.add_mutually_exclusive_group()
    depth.add_argument(
        "--quick", action="store_true", help="some minutes: at most 150 notes, drawn at random"
    )
    depth.add_argument(
        "--full",
        action="store_true",
        help="also learn vectors from the notes, for KNEO, and attack by sentence vectors",
    )
    notes = verb.add_mutually_exclusive_group()
    notes.add_argument(
        "--corpus",
        metavar="FILE",
        type=Path,
        help="notes as `deidstream deidentify` reads them; without spans, identifiers are planted",
    )
    notes.add_argument(
        "--mtsamples",
        metavar="FOLDER",
        type=Path,
        help="the collection MTSamples, with its classes",
    )
    add_reading(verb)
    verb.add_argument(
        "--notes", metavar="N", type=whole_number(1), help="draw so many notes at random"
    )
    verb.add_argument(
        "--techniques", metavar="NAME", nargs="+", default=[], help="names begin so; default: all"
    )
    verb.add_argument(
        "--measures", metavar="NAME", nargs="+", default=[], help="names begin so; default: all"
    )
    verb.add_argument(
        "--epochs",
        metavar="N",
        type=whole_number(1, MOST_EPOCHS),
        help="learn vectors from the notes in so many passes; default: none, with --full 10",
    )
    verb.add_argument("--seed", metavar="N", type=whole_number(), default=1, help="default: 1")
    verb.add_argument(
        "--wordnet", metavar="FOLDER", type=Path, help="WordNet's data files, for SyR"
    )
    verb.add_argument("--umls", metavar="MRCONSO.RRF", type=Path, help="names of UMLS, for CnR")
    verb.add_argument(
        "--encoder",
        metavar="FOLDER",
        action="append",
        default=[],
        help="a sentence-transformers checkpoint, for KNEO of sentences; may be given again",
    )
    verb.add_argument(
        "--spans",
        metavar="SPANS.jsonl",
        type=Path,
        action="append",
        default=[],
        help="spans that another de-identifier reported, for DeI; may be given again",
    )
    verb.add_argument("--pdf", metavar="CHROMIUM", help="a Chromium, which prints the page too")
    verb.set_defaults(run=_study)


def _study(arguments: argparse.Namespace) -> int:
    from deidstream.study.comparison.run_study import StudyRequest, run_study

    return run_study(
        StudyRequest(
            out=arguments.out,
            full=arguments.full,
            corpus=arguments.corpus,
            reading=reading_of(arguments),
            mtsamples=arguments.mtsamples,
            notes=arguments.notes or (QUICK_NOTES if arguments.quick else None),
            techniques=tuple(arguments.techniques),
            measures=tuple(arguments.measures),
            epochs=arguments.epochs,
            seed=arguments.seed,
            wordnet=arguments.wordnet,
            umls=arguments.umls,
            encoders=tuple(arguments.encoder),
            spans=tuple(arguments.spans),
            chromium=arguments.pdf,
        )
    )
