"""The arguments of commands that read notes: where they are, and how they are read."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deidstream.agents.note_files.open_notes import Reading

NOTES = (
    "JSONL of notes.raw records, a JSON list, CSV, TSV, Parquet, Delta, or a folder of txt, docx, "
    "pdf, rtf, html or xml (CDA); .gz and .zst are unpacked; - is stdin"
)
_FORMS = ("jsonl", "json", "csv", "tsv", "parquet", "delta", "folder")
_ENCODINGS = ("utf-8", "cp1252")


def add_reading(verb: argparse.ArgumentParser) -> None:
    """Add how notes are read."""
    verb.add_argument("--format", choices=_FORMS, help="default: as the name says, else jsonl")
    verb.add_argument(
        "--columns",
        metavar="FIELD=COLUMN,...",
        type=_columns,
        default={},
        help="columns of note_id, patient_id, text, tenant, note_type, language, authored_at, "
        "status, version, source_time, correlation; @FILE: one on each line of a file; "
        "default: guessed by name",
    )
    verb.add_argument(
        "--encoding", choices=_ENCODINGS, help="of CSV and TSV; rows that are not are quarantined"
    )
    verb.add_argument(
        "--patients",
        choices=("file", "folder"),
        default="file",
        help="what is about one patient in a folder of files; default: file",
    )


def reading_of(arguments: argparse.Namespace) -> "Reading":
    """Return how the notes of a command are read."""
    from deidstream.agents.note_files.open_notes import (  # noqa: PLC0415  --help needs none of it
        InputForm,
        Reading,
    )

    return Reading(
        form=InputForm(arguments.format) if arguments.format else None,
        columns=arguments.columns,
        encoding=arguments.encoding,
        keep=arguments.keep if "keep" in arguments else (),
        by_folder=arguments.patients == "folder",
    )


def add_keep(verb: argparse.ArgumentParser) -> None:
    """Add which columns of the input the output has too."""
    verb.add_argument(
        "--keep",
        metavar="COLUMN,...",
        type=lambda text: tuple(text.split(",")),
        default=(),
        help="columns of the input that a table of outputs has too, as they are: PHI in them stays",
    )


def _columns(text: str) -> dict[str, str]:
    """Read ``FIELD=COLUMN,FIELD=COLUMN``, or a file with one on each line: ``@FILE``.

    Raises:
        ArgumentTypeError: A part is something else, or the file cannot be read.
    """
    found: dict[str, str] = {}
    for part in _read_lines(text[1:]) if text.startswith("@") else text.split(","):
        name, _, column = part.partition("=")
        if not (name and column):
            msg = "must be FIELD=COLUMN,FIELD=COLUMN such as note_id=ID,text=BODY"
            raise argparse.ArgumentTypeError(msg)
        found[name.strip()] = column
    return found


def _read_lines(name: str) -> list[str]:
    """Return the lines of a file, without empty ones and those that begin with ``#``."""
    try:
        lines = [line.strip() for line in Path(name).read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{name} cannot be read: {type(error).__name__}"
        raise argparse.ArgumentTypeError(msg) from None
    return [line for line in lines if line and not line.startswith("#")]
