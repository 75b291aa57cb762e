"""Commands of the service are listed; those of other distributions are found by entry points."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from deidstream.agents.cli import main as command_line
from deidstream.agents.cli.main import COMMANDS, GROUP, collect_commands, main, parser

OWN = [name for name, add in COMMANDS.items() if add is not None]


def found(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    """Let these entry points be the only ones."""
    every = EntryPoints(EntryPoint(name, value, GROUP) for name, value in points.items())

    def entry_points(group: str) -> EntryPoints:
        return every.select(group=group)

    monkeypatch.setattr(command_line, "entry_points", entry_points)


def test_every_command_of_the_study_is_installed_here_and_in_its_place() -> None:
    assert list(collect_commands()) == list(COMMANDS)


def test_without_the_study_its_commands_say_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(monkeypatch)
    assert list(collect_commands()) == OWN
    assert "evaluate" not in parser().format_help()
    assert main(["evaluate", "--json", "figures.json"]) == 78
    said = "deidstream: evaluate needs the extra \"study\": pip install 'deidstream[study]'\n"
    assert capsys.readouterr().err == said


def test_an_entry_point_replaces_no_command_and_a_further_one_comes_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add = "deidstream.agents.cli.completion_commands:add_completion"
    found(
        monkeypatch, worker=add, another=add, bench="deidstream.study.cli.bench_commands:add_bench"
    )
    commands = collect_commands()
    assert commands["worker"] is COMMANDS["worker"]
    assert list(commands) == [
        *OWN[: OWN.index("vault") + 1],
        "bench",
        *OWN[OWN.index("policy") :],
        "another",
    ]
