"""Times this project and its peers in turns on the same notes, and scores what they find.

    python benchmarks/peers/compare.py GOLD.jsonl [--rounds 3] [--minutes 8] [--record]

Every tool is a process that is loaded once and has answered once before the clock runs. In a round
each tool gets all the notes, some at a turn; who begins changes from turn to turn. With
``--record`` the figures go to ``results.json`` and the tables of ``README.md`` beside this file.
"""

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / "recognition"), str(Path(__file__).parents[1])]

from entrants import list_entrants
from measure import Entrant
from results import describe_run, write_results
from systems import Notes, measure_systems
from tables import make_tables, replace_tables
from turns import Contest

from deidstream.schemas.labelled import decode_labelled

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache" / "peers"
TURN_NOTES = 45
"""Notes of a turn: three turns are the 135 notes that come with deidstream."""
SCORING_SECONDS = 20
"""What is left of the time for the scores and tables."""
CORE_HOUR = 0.04
"""US dollars for an hour of one core; what it costs depends on who is asked."""


def main() -> int:
    begun = time.monotonic()
    arguments = parse()
    with tempfile.TemporaryDirectory() as folder:
        notes = read_notes(arguments.gold, arguments.notes, Path(folder) / "gold.jsonl")
        with closing(Contest.open(chosen(arguments), arguments.environments)) as contest:
            contest.warm_up(notes.texts[: arguments.turn_notes])
            rounds = run_rounds(contest, notes.texts, arguments, begun)
            turns_a_round = math.ceil(len(notes.notes) / arguments.turn_notes)
            systems = measure_systems(contest, notes, turns_a_round)
    run = describe_run(arguments, rounds, notes, contest.absent)
    tables = make_tables(run, systems)
    print(tables)
    if arguments.record:
        write_results(run, systems, HERE / "results.json")
        replace_tables(HERE / "README.md", tables)
    return 0 if systems else 1


def read_notes(gold: Path, most: int | None, copy: Path) -> Notes:
    """Read the first notes of a file, and copy their lines for the scorer."""
    lines = gold.read_bytes().splitlines(keepends=True)[:most]
    copy.write_bytes(b"".join(lines))
    return Notes(copy, [decode_labelled(line).note for line in lines])


def chosen(arguments: argparse.Namespace) -> list[Entrant]:
    """List the entrants that are asked for, in the order of the list of all.

    Raises:
        SystemExit: There is none of a name.
    """
    every = list_entrants(arguments.environments, arguments.threads)
    names = arguments.only or list(every)
    unknown = set(names) - set(every)
    if unknown:
        sys.exit(f"no {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    return [entrant for name, entrant in every.items() if name in names]


def run_rounds(
    contest: Contest, texts: Sequence[str], arguments: argparse.Namespace, begun: float
) -> int:
    """Run the rounds that there is time for, one at least; return how many."""
    end = begun + 60 * arguments.minutes - SCORING_SECONDS
    longest = 0.0
    for number in range(arguments.rounds):
        start = time.monotonic()
        if number and start + longest > end:
            return number
        sys.stderr.write(f"round {number + 1} begins after {start - begun:.0f} s\n")
        contest.run_round(texts, arguments.turn_notes, first=number)
        longest = max(longest, time.monotonic() - start)
    return int(arguments.rounds)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time this project and peers on the same notes.")
    parser.add_argument("gold", metavar="GOLD.jsonl", type=Path, help="labelled notes")
    parser.add_argument("--rounds", type=int, default=3, help="most")
    parser.add_argument("--minutes", type=float, default=8.0, help="most, all in all")
    parser.add_argument("--notes", type=int, metavar="N", help="the first N alone")
    parser.add_argument("--turn-notes", type=int, default=TURN_NOTES, metavar="N")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each tool's models")
    parser.add_argument("--only", type=lambda names: names.split(","), metavar="NAMES")
    parser.add_argument("--core-hour", type=float, default=CORE_HOUR, metavar="PRICE")
    parser.add_argument("--record", action="store_true", help="write results.json and README.md")
    parser.add_argument("--environments", metavar="FOLDER", type=Path, default=CACHE)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
