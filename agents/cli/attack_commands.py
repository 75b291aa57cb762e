"""The command ``attack``, which matches outputs with their originals."""

import argparse
from pathlib import Path

from deidstream.agents.cli.arguments import Verbs

_LIKENESSES = {
    "jaccard": "by the words that two notes share",
    "tfidf": "by words, rare ones first",
    "dense": "by the mean vector of their sentences",
}


def add_attack(verbs: Verbs) -> None:
    """``deidstream attack``."""
    inner = verbs.add_parser(
        "attack", help="find the originals of de-identified notes, and count how often"
    ).add_subparsers(required=True, metavar="ATTACK", dest="likeness")
    for name, what in _LIKENESSES.items():
        _add_likeness(inner, name, what)


def _add_likeness(inner: Verbs, name: str, what: str) -> None:
    verb = inner.add_parser(
        name,
        help=f"compare {what}",
        description=f"Compares each output with all originals {what}. Line n of OUTPUTS belongs to "
        "line n of ORIGINALS, unless --pairs says otherwise.",
    )
    verb.add_argument(
        "originals", metavar="ORIGINALS.jsonl", type=Path, help="notes that were de-identified"
    )
    verb.add_argument("outputs", metavar="OUTPUTS.jsonl", type=Path, help="what they became")
    verb.add_argument(
        "--candidates", metavar="MORE.jsonl", type=Path, help="further notes beside the originals"
    )
    verb.add_argument(
        "--pairs", metavar="FILE", type=Path, help="lines: id of an output, tab, id of its original"
    )
    verb.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    verb.add_argument("--plot", metavar="FILE.svg", type=Path, help="found@k over k")
    verb.set_defaults(run=_attack)


def _attack(arguments: argparse.Namespace) -> int:
    from deidstream.agents.attack.attack_notes import AttackFiles
    from deidstream.agents.attack.run_attack import AttackRequest, Likeness, run_attack

    files = AttackFiles(
        arguments.originals, arguments.outputs, arguments.candidates, arguments.pairs
    )
    return run_attack(
        AttackRequest(Likeness(arguments.likeness), files, arguments.json, arguments.plot)
    )
