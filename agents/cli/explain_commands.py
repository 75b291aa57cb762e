"""The command ``explain``: why words of a note were replaced, or were not."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import POLICY, settings_from, whole_number
from deidstream.agents.cli.reading_arguments import NOTES, add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say

if TYPE_CHECKING:
    from deidstream.agents.settings import Settings


def add_explain(verbs: Verbs) -> None:
    """Add ``deidstream explain``."""
    verb = verbs.add_parser(
        "explain",
        help="say why words of a note were replaced, or were not",
        examples=[
            "deidstream explain notes.jsonl --word Tele --key-file root.key",
            "deidstream explain notes.jsonl --note n-17 --at 105",
        ],
    )
    verb.add_argument("notes", metavar="NOTES", type=Path, help=NOTES)
    add_reading(verb)
    place = verb.add_mutually_exclusive_group()
    at = "the word at this code point of the text, counted from 0"
    place.add_argument("--at", metavar="OFFSET", type=whole_number(), help=at)
    place.add_argument("--word", metavar="TEXT", help="a word, or several, wherever they stand")
    verb.add_argument("--note", metavar="ID", help="its note_id; default: every note of the file")
    verb.add_argument("--policy", metavar="NAME", help=POLICY)
    verb.add_argument("--key-file", metavar="F", help="root key file; default: a fresh key")
    verb.add_argument("--json", action="store_true", help="write a line of JSON for each note")
    verb.set_defaults(run=_explain)


def _explain(arguments: argparse.Namespace) -> int:
    flags = {
        "policy": arguments.policy,
        "key.file": arguments.key_file,
        # A policy on the command line is meant for every note.
        "policies_file": "" if arguments.policy else None,
    }
    return asyncio.run(_explain_file(arguments, settings_from(flags)))


async def _explain_file(arguments: argparse.Namespace, settings: "Settings") -> int:
    from deidstream.agents.explaining.print_explanation import (
        encode_explanation,
        print_explanation,
    )
    from deidstream.agents.note_files.explain_file import NoteChoice, explain_file
    from deidstream.agents.note_files.open_notes import open_notes
    from deidstream.agents.note_files.tally import DONE, SOME_QUARANTINED
    from deidstream.agents.runtime.policy_choice import choose_policies
    from deidstream.agents.runtime.root_keys import fresh_key
    from deidstream.models.explanation.explain_run import PlaceQuestion
    from deidstream.schemas.outcome import Failed

    source = open_notes(arguments.notes, reading_of(arguments))
    if not settings.key.file:
        say("no key file: a fresh key is used, so surrogates differ from those of other runs")
    choice = choose_policies(settings, root=None if settings.key.file else fresh_key())
    wanted = NoteChoice(PlaceQuestion(arguments.at, arguments.word), arguments.note)
    write = encode_explanation if arguments.json else print_explanation
    explained, code = 0, DONE
    async for note in explain_file(source, choice, wanted):
        sys.stdout.write(write(note))
        explained += 1
        code = SOME_QUARANTINED if isinstance(note.outcome, Failed) else code
    if not explained:
        say("no note of the file has what is asked for")
    return code
