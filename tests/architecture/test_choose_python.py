"""The environment is made with the fastest Python 3.11 that can make one."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploy/choose_python.sh"


def install(folder: Path, name: str, answer: str) -> str:
    """Put an interpreter into a folder that answers the measurement so."""
    folder.mkdir(exist_ok=True)
    command = folder / name
    command.write_text(f"#!/bin/sh\n{answer}\n")
    command.chmod(0o755)
    return str(command)


def choose(*folders: Path) -> str:
    """Return what the script prints where PATH is some folders."""
    done = subprocess.run(  # noqa: S603 - a script of the project
        ["/bin/bash", str(SCRIPT)],
        env={"PATH": ":".join(map(str, folders))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_fastest_is_chosen(tmp_path: Path) -> None:
    install(tmp_path / "a", "python3", "echo 1000")
    install(tmp_path / "a", "python3.11", "echo 1000")
    fast = install(tmp_path / "b", "python3.11", "echo 1")
    assert choose(tmp_path / "a", tmp_path / "b") == fast


def test_one_that_is_hardly_faster_is_not_chosen(tmp_path: Path) -> None:
    first = install(tmp_path / "a", "python3", "echo 100")
    install(tmp_path / "b", "python3.11", "echo 90")
    assert choose(tmp_path / "a", tmp_path / "b") == first


@pytest.mark.parametrize("broken", ["exit 1", "echo no; exit 3"])
def test_one_that_cannot_make_an_environment_is_passed_over(tmp_path: Path, broken: str) -> None:
    install(tmp_path / "a", "python3", broken)
    sound = install(tmp_path / "b", "python3.11", "echo 1")
    assert choose(tmp_path / "a", tmp_path / "b") == sound


def test_without_any_the_error_is_that_of_python3(tmp_path: Path) -> None:
    install(tmp_path / "a", "python3", "exit 1")
    assert choose(tmp_path / "a") == "python3"


def test_a_real_interpreter_answers(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "python3").symlink_to(sys.executable)
    assert choose(folder) == str(folder / "python3")
