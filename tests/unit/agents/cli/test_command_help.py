"""Help of commands says what they do, and its examples are commands."""

# pyright: reportPrivateUsage=false

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from deidstream.agents.cli.main import parser

ROOT = parser()


def commands(verb: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Every command below another one."""
    for action in verb._actions:  # noqa: SLF001 - argparse lists its commands nowhere else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for inner in action.choices.values():
                yield inner
                yield from commands(inner)


def test_every_command_says_what_it_does() -> None:
    found = list(commands(ROOT))
    assert len(found) > 40
    for verb in found:
        assert verb.description, verb.prog
        assert re.fullmatch(r"\S.*\.", verb.description, re.DOTALL), verb.prog
        assert not verb.description.endswith(".."), verb.prog
        assert verb.description.split("\n")[0] in verb.format_help().replace("\n", " ")[:2_000]


def examples(verb: argparse.ArgumentParser) -> list[str]:
    return (verb.epilog or "").splitlines()[1:]


@pytest.mark.parametrize(
    "verb", [each for each in (ROOT, *commands(ROOT)) if each.epilog], ids=lambda verb: verb.prog
)
def test_examples_are_commands_and_are_shown(verb: argparse.ArgumentParser) -> None:
    assert examples(verb)
    for line in examples(verb):
        assert f"\n{line}\n" in verb.format_help()
        inside = re.sub(r"source <\((.*)\)", r"\1", line)
        name, *given = shlex.split(inside)
        assert name == "deidstream"
        assert ROOT.parse_args(given).run
        assert len(line.strip()) <= 80


def test_many_commands_have_examples() -> None:
    assert sum(bool(each.epilog) for each in commands(ROOT)) > 12
