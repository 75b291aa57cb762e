"""The command ``attack``, which looks for originals in outputs as an attacker would."""

import argparse
from pathlib import Path

from deidstream.agents.cli.arguments import Verbs

_LIKENESSES = {
    "jaccard": "by the words that two notes share",
    "tfidf": "by words, rare ones first",
    "dense": "by the mean vector of their sentences",
}
_ORDER = "Line n of OUTPUTS belongs to line n of ORIGINALS, unless --pairs says otherwise."


def add_attack(verbs: Verbs) -> None:
    """``deidstream attack``."""
    inner = verbs.add_parser(
        "attack", help="find what outputs give away of their originals, and count how often"
    ).add_subparsers(required=True, metavar="ATTACK", dest="attack")
    for name, what in _LIKENESSES.items():
        _add_likeness(inner, name, what)
    align = _add_likeness(
        inner, "align", "by the sentence of the original that is nearest to each of its sentences"
    )
    align.add_argument(
        "--by",
        choices=("vectors", "words"),
        default="vectors",
        help="how sentences are compared: by the vectors of the embedder (default), or by words",
    )
    align.set_defaults(run=_attack_by_alignment)
    _add_parrot(inner)


def _add_likeness(inner: Verbs, name: str, what: str) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = inner.add_parser(
        name,
        help=f"compare {what}",
        description=f"Compares each output with all originals {what}. {_ORDER}",
    )
    _add_files(verb)
    _add_candidates(verb)
    _add_pairs(verb)
    _add_reports(verb, plot="found@k over k")
    verb.set_defaults(run=_attack_by_likeness)
    return verb


def _add_parrot(inner: Verbs) -> None:
    verb = inner.add_parser(
        "parrot",
        help="tell surrogates from originals by their letters",
        description="Trains a classifier to tell the identifiers of ORIGINALS from what stands in "
        "their place in OUTPUTS, and tests it on other patients: whoever can tell them apart sees "
        f"which identifiers were overlooked. ORIGINALS hold gold spans. {_ORDER}",
    )
    _add_files(verb)
    either = verb.add_mutually_exclusive_group()
    _add_pairs(either)
    either.add_argument(
        "--audit",
        action="store_true",
        help="OUTPUTS is what `deidentify --audit` wrote: it says where surrogates stand, and "
        "ORIGINALS need no gold spans",
    )
    _add_reports(verb, plot="AUC by label")
    verb.set_defaults(run=_attack_by_parrot)


def _add_files(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "originals", metavar="ORIGINALS.jsonl", type=Path, help="notes that were de-identified"
    )
    verb.add_argument("outputs", metavar="OUTPUTS.jsonl", type=Path, help="what they became")


def _add_candidates(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--candidates", metavar="MORE.jsonl", type=Path, help="further notes beside the originals"
    )


def _add_pairs(verb: "argparse._ActionsContainer") -> None:
    verb.add_argument(
        "--pairs", metavar="FILE", type=Path, help="lines: id of an output, tab, id of its original"
    )


def _add_reports(verb: argparse.ArgumentParser, *, plot: str) -> None:
    verb.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    verb.add_argument("--plot", metavar="FILE.svg", type=Path, help=plot)


def _attack_by_likeness(arguments: argparse.Namespace) -> int:
    return _compare_notes(arguments, arguments.attack)


def _attack_by_alignment(arguments: argparse.Namespace) -> int:
    return _compare_notes(arguments, "align" if arguments.by == "vectors" else "align-words")


def _compare_notes(arguments: argparse.Namespace, likeness: str) -> int:
    from deidstream.agents.attack.attack_notes import AttackFiles
    from deidstream.agents.attack.findings import Destination
    from deidstream.agents.attack.likeness import Likeness
    from deidstream.agents.attack.run_attack import run_attack

    files = AttackFiles(
        arguments.originals, arguments.outputs, arguments.candidates, arguments.pairs
    )
    destination = Destination(arguments.json, arguments.plot)
    return run_attack(Likeness(likeness), files, destination)


def _attack_by_parrot(arguments: argparse.Namespace) -> int:
    from deidstream.agents.attack.attack_notes import AttackFiles
    from deidstream.agents.attack.findings import Destination
    from deidstream.agents.attack.run_parrot import run_parrot

    files = AttackFiles(arguments.originals, arguments.outputs, pairs=arguments.pairs)
    destination = Destination(arguments.json, arguments.plot)
    return run_parrot(files, destination, audit=arguments.audit)
