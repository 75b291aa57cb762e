"""``deidstream evaluate``: its flags, and which module does the work."""

import argparse
from pathlib import Path
from typing import Any

Verbs = Any
"""argparse's own type for a set of sub-commands is private."""


def add_evaluate(verbs: Verbs) -> None:
    """``deidstream evaluate``."""
    verb = verbs.add_parser("evaluate", help="score what is found against labelled notes")
    verb.add_argument("gold", metavar="GOLD.jsonl", type=Path, help="labelled notes")
    scored = verb.add_mutually_exclusive_group()
    scored.add_argument("--policy", metavar="NAME", help="shipped policy, or path of a policy file")
    scored.add_argument(
        "--predictions", metavar="SPANS.jsonl", type=Path, help="score these spans instead"
    )
    verb.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    verb.add_argument("--html", metavar="FILE", type=Path, help="one page to look at")
    verb.add_argument(
        "--errors", metavar="FILE", type=Path, help="every error, with the TEXT of the notes around"
    )
    verb.add_argument("--with-text", action="store_true", help="errors with text in the page too")
    verb.add_argument("--errors-of", metavar="RECOGNIZER", help="default: all together")
    verb.add_argument("--context", metavar="N", type=_count, default=40, help="characters: 40")
    verb.set_defaults(run=_evaluate)


def _evaluate(arguments: argparse.Namespace) -> int:
    from deidstream.agents.evaluation.wiring import Wanted, run_evaluate  # noqa: PLC0415 - loads models

    return run_evaluate(
        Wanted(
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


def _count(text: str) -> int:
    if not text.isdecimal():
        msg = "not a number of characters"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
