"""The scripts of completion are what a shell can load, and they know every command."""

import shutil
import subprocess
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main


def printed(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def complete(script: Path, line: str) -> list[str]:
    """What bash offers after a line."""
    words = line.split(" ")
    before, last = words[-2], words[-1]
    asked = (
        f'source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMP_LINE="{line}"; '
        f'_shtab_deidstream deidstream "{last}" "{before}"; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run([bash, "-c", asked], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_and_flags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "deidstream.bash"
    script.write_text(printed("bash", capsys))
    assert complete(script, "deidstream serv") == ["serve"]
    assert complete(script, "deidstream serve --open") == ["--openapi"]
    assert complete(script, "deidstream completion ") == ["bash", "zsh"]


def test_zsh_gets_a_script_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed("zsh", capsys).startswith("#compdef deidstream")
