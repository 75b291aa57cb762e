"""``deidstream export``: what it says before it reads anything."""

from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from support.ports import free_port


@pytest.mark.parametrize("url", ["", "host=db password=Zyxwv"])
def test_postgres_needs_a_url(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_EXPORT_POSTGRES_URL", url)
    assert main(["export", "postgres"]) == 78
    said = capsys.readouterr().err
    assert "postgresql://USER@HOST/DATABASE" in said
    assert "Zyxwv" not in said


def test_a_database_that_is_away_is_69_and_its_password_stays_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"postgresql://u:Zyxwv@127.0.0.1:{free_port()}/d?connect_timeout=2"
    monkeypatch.setenv("DEIDSTREAM_EXPORT_POSTGRES_URL", url)
    assert main(["export", "postgres"]) == 69
    assert "cannot reach postgres" in capsys.readouterr().err
    assert main(["config", "show"]) == 0
    said = capsys.readouterr()
    assert "Zyxwv" not in said.out + said.err


@pytest.mark.parametrize("kind", ["duckdb", "delta"])
def test_a_place_that_holds_something_else_is_refused(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "place"
    place.write_text("Zyxwv" * 5_000)
    assert main(["export", kind, str(place)]) == 78
    said = capsys.readouterr().err
    assert "cannot be opened" in said
    assert "Zyxwv" not in said
