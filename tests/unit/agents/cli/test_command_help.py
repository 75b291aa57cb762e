"""Help of commands says what they do, and its examples are commands."""

# pyright: reportPrivateUsage=false

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from deidstream.agents.cli.command_help import EXAMPLES
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


@pytest.mark.parametrize("words", EXAMPLES)
def test_examples_are_commands_and_are_shown(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        ROOT.parse_args([*words.split(), "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for line in EXAMPLES[words]:
        assert f"\n  {line}\n" in shown
        inside = re.sub(r"source <\((.*)\)", r"\1", line)
        name, *given = shlex.split(inside)
        assert name == "deidstream"
        assert ROOT.parse_args(given).run
        assert len(line) <= 80
