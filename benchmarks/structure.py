"""How the source is arranged: sizes, layers, duplicate names, wording, and the walk of a note.

    python benchmarks/structure.py [ROOT] [--before OTHER] [--json] [--list] [--no-walk]

Measures the checkout at ROOT (this one without it), and beside it the one at OTHER. Nothing of a
checkout is imported but for the walk, which runs one note through it in a process of its own.
``code_graph``, ``code_words`` and ``note_walk`` say what is counted.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import code_words as words
from code_graph import Source, count_arrows, cycles, floors
from note_walk import moves, walk_apart
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parents[1]

Record = dict[str, int]


@dataclass(frozen=True, slots=True)
class Measured:
    """One checkout."""

    counts: Record
    lists: Mapping[str, object]
    """What was counted, where a list helps to shorten it."""


def measure(root: Path, *, walked: bool) -> Measured:
    """Measure the checkout at ``root``."""
    source = Source(root)
    lists: dict[str, object] = {}
    counts = _sizes(source) | _graph(source, lists) | _wording(source, lists)
    if walked:
        calls = walk_apart(root)
        counts |= {f"moves in {stage}": len(moves(found)) for stage, found in calls.items()}
        counts["moves in all stages"] = sum(len(moves(found)) for found in calls.values())
        counts["calls between rooms"] = sum(map(len, calls.values()))
        lists["calls between rooms"] = {stage: sorted(found) for stage, found in calls.items()}
    return Measured(counts, lists)


def _sizes(source: Source) -> Record:
    return {
        "modules": len(source.modules),
        "lines": sum(module.text.count("\n") for module in source.modules),
        "lines of the longest module": max(m.text.count("\n") for m in source.modules),
        "entries at the root of models": len(source.entries()),
        "modules in the largest folder": max(source.folders().values()),
    }


def _graph(source: Source, lists: dict[str, object]) -> Record:
    rooms, packages = source.between("room"), source.between("package")
    lists["modules with one importer"] = source.one_importer()
    lists["package cycles"] = cycles(packages)
    lists["duplicate file names"] = source.duplicate_files()
    lists["duplicate class names"] = source.duplicate_classes()
    return {
        "modules with one importer": len(source.one_importer()),
        "rooms": len(rooms),
        "arrows between rooms": count_arrows(rooms),
        "floors of rooms": floors(rooms),
        "packages": len(packages),
        "arrows between packages": count_arrows(packages),
        "floors of packages": floors(packages),
        "floors of modules": floors(source.imports),
        "package cycles": len(cycles(packages)),
        "duplicate file names": len(source.duplicate_files()),
        "duplicate class names": len(source.duplicate_classes()),
    }


def _wording(source: Source, lists: dict[str, object]) -> Record:
    texts = list(words.docstrings(source.modules))
    names = words.function_names(source.modules)
    strong, weak = words.having(texts, words.STRONG), words.having(texts, words.WEAK)
    remarks = words.having(words.comments(source.modules), words.STRONG | words.WEAK)
    lists["mannered docstrings"] = strong
    lists["docstrings to look at"] = weak
    lists["mannered comments"] = remarks
    lists["participle names"] = sorted(words.participles(names))
    lists["vague words"] = words.vague_words(names)
    return {
        "functions": len(names),
        "participle names": len(words.participles(names)),
        "vague words in several packages": len(words.vague_words(names)),
        "docstrings": len(texts),
        "mannered docstrings": sum(map(len, strong.values())),
        "docstrings to look at": sum(map(len, weak.values())),
        "mannered comments": sum(map(len, remarks.values())),
    }


def main() -> None:
    """Print a table or a record."""
    arguments = _arguments()
    roots: dict[str, Path] = {"before": arguments.before} if arguments.before else {}
    roots["now"] = arguments.root
    found = {name: measure(root, walked=arguments.walk) for name, root in roots.items()}
    if arguments.json:
        record = {name: measured.counts for name, measured in found.items()}
        print(json.dumps(record, indent=2))
    else:
        Console().print(_table(found))
    if arguments.list:
        print(json.dumps(found["now"].lists, indent=2))


def _table(found: Mapping[str, Measured]) -> Table:
    table = Table("measured", title="Structure of agents, models, schemas, stream")
    for name in found:
        table.add_column(name, justify="right")
    for row in found["now"].counts:
        table.add_row(row, *(f"{measured.counts[row]:,}" for measured in found.values()))
    return table


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])  # type: ignore[union-attr]
    parser.add_argument("root", nargs="?", type=Path, default=HERE)
    parser.add_argument("--before", type=Path, help="another checkout, to compare with")
    parser.add_argument("--json", action="store_true", help="print counts alone, as JSON")
    parser.add_argument("--list", action="store_true", help="print what was counted, too")
    parser.add_argument("--no-walk", dest="walk", action="store_false", help="run nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
