"""``deidstream corpus``: its flags, and which module does the work."""

import argparse
from pathlib import Path
from typing import Any

from deidstream.agents.lines import say

Verbs = Any
"""argparse's own type for a set of sub-commands is private."""

INJECTED = 6000


def add_corpus(verbs: Verbs) -> None:
    """``deidstream corpus``."""
    verb = verbs.add_parser("corpus", help="make the notes that a tagger is trained on")
    verb.add_argument(
        "--marked", metavar="FOLDER", type=Path, required=True, help="notes with [[LABEL|text]]"
    )
    verb.add_argument(
        "--labelled", metavar="FILE", type=Path, nargs="+", default=[], help="labelled notes"
    )
    verb.add_argument(
        "--data", metavar="FOLDER", type=Path, help="real prose and lists, for injected notes"
    )
    verb.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    verb.add_argument(
        "--varied", metavar="N", type=_count, default=6, help="copies of each written note: 6"
    )
    verb.add_argument(
        "--injected",
        metavar="N",
        type=_count,
        help=f"notes of real prose: {INJECTED} with --data, else none",
    )
    verb.add_argument(
        "--composed", metavar="N", type=_count, default=4000, help="notes of frames: 4000"
    )
    verb.add_argument(
        "--held-out-share",
        metavar="S",
        type=_share,
        default=0.08,
        help="share of the written notes kept apart: 0.08",
    )
    verb.add_argument("--seed", metavar="N", type=int, default=1)
    verb.set_defaults(run=_corpus)


def _corpus(arguments: argparse.Namespace) -> int:
    from deidstream.agents.training.build_corpus import CorpusPlan, make_corpus  # noqa: PLC0415 - loads models

    injected = arguments.injected
    if injected is None:
        injected = INJECTED if arguments.data else 0
    made, apart = make_corpus(
        CorpusPlan(
            marked=arguments.marked,
            labelled=tuple(arguments.labelled),
            data=arguments.data,
            out=arguments.out,
            varied=arguments.varied,
            injected=injected,
            composed=arguments.composed,
            held_out_share=arguments.held_out_share,
            seed=arguments.seed,
        )
    )
    say(f"{arguments.out}: {made} notes to learn from, {apart} kept apart")
    return 0


def _count(text: str) -> int:
    if not text.isdecimal():
        msg = "not a number of notes"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        msg = "not a share between 0 and 1"
        raise argparse.ArgumentTypeError(msg)
    return share
