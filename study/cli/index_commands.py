"""The command ``index``: build a pool of sentences for KNEO, and look at one."""

import argparse
from pathlib import Path

from deidstream.agents.cli.arguments import settings_from, whole_number
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say


def add_index(verbs: Verbs) -> None:
    """Add ``deidstream index``."""
    inner = verbs.add_group("index", help="build a KNEO index, or inspect one")
    _add_build(inner)
    _add_inspect(inner)


def _add_build(inner: Verbs) -> None:
    build = inner.add_parser(
        "build",
        help="from notes that are already de-identified",
        description="Reads notes that are already de-identified, finds PHI in them again, and "
        "admits the sentences that nothing speaks against; all others are counted by the reason. "
        "Labels such as [DATE] become slots. A build that was stopped goes on where it was.",
    )
    build.add_argument(
        "sources",
        metavar="IN",
        type=Path,
        nargs="+",
        help="notes.anonymized records, lines with note_id, patient_id and text, or a folder of "
        ".txt files",
    )
    build.add_argument("--out", metavar="DIR", type=Path, required=True)
    build.add_argument(
        "--donor",
        choices=("auto", "record", "keyed", "file", "folder", "none"),
        default="auto",
        help="whose sentences they are: patient_id as it is (record), its pseudonym under the root "
        "key (keyed), the text file or its folder, or nobody's; auto: record or file",
    )
    build.add_argument(
        "--min-donors",
        metavar="K",
        type=whole_number(1),
        default=1,
        help="admit a sentence only if it stands in notes of so many patients: 1",
    )
    build.add_argument(
        "--storage",
        choices=("auto", "fp16", "int8"),
        default="auto",
        help="how vectors are kept; auto: int8 from 200,000 sentences on",
    )
    build.add_argument("--strict", action="store_true", help="refuse input that cannot be read")
    build.add_argument(
        "--fresh", action="store_true", help="take nothing over from a stopped build"
    )
    build.set_defaults(run=_build)


def _build(arguments: argparse.Namespace) -> int:
    from deidstream.models.kneo.vector_store import Storage
    from deidstream.study.corpus.read_corpus import Donor
    from deidstream.study.pools.build_index import IndexPlan, build

    plan = IndexPlan(
        sources=arguments.sources,
        out=arguments.out,
        donor=Donor(arguments.donor),
        min_donors=arguments.min_donors,
        storage=Storage(arguments.storage),
        strict=arguments.strict,
        fresh=arguments.fresh,
    )
    digest = build(plan, settings_from())
    say(f"built {plan.out} ({digest[:12]}); use it by DEIDSTREAM_MODEL_INDEX={plan.out}")
    return 0


def _add_inspect(inner: Verbs) -> None:
    inspect = inner.add_parser(
        "inspect",
        help="check an index, and show its size, sources, repeats and distances",
        description="Checks every file of an index against its checksum, and shows what it holds. "
        "No sentence is shown unless asked for.",
    )
    inspect.add_argument(
        "folder", metavar="DIR", type=Path, nargs="?", help="default: the index of the settings"
    )
    inspect.add_argument(
        "--plot", metavar="FILE.svg", type=Path, help="distances to the nearest other sentence"
    )
    inspect.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    inspect.add_argument(
        "--show",
        metavar="N",
        type=whole_number(),
        default=0,
        help="show the TEXT of so many sentences: de-identified text of patients",
    )
    inspect.set_defaults(run=_inspect)


def _inspect(arguments: argparse.Namespace) -> int:
    from deidstream.agents.runtime.load_models import find_index
    from deidstream.study.pools.inspect_index import (
        inspect_index,
        show_index,
        write_plot,
        write_record,
    )

    inspected = inspect_index(arguments.folder or find_index(settings_from()))
    show_index(inspected, arguments.show)
    if arguments.json:
        write_record(inspected, arguments.json)
    if arguments.plot:
        write_plot(inspected, arguments.plot)
    return 0
