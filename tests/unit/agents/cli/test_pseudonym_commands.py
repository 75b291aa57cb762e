"""``deidstream pseudonym``: what the outputs hold in the place of an id."""

import io
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.audit_log import check_log
from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import note_pseudonym, patient_pseudonym

ROOT = bytes(range(32))
OLDER = bytes(range(32, 64))


@pytest.fixture(autouse=True)
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, root in (("key", ROOT), ("older", OLDER)):
        (tmp_path / name).write_text(root.hex())
        (tmp_path / name).chmod(0o600)
    monkeypatch.setenv("DEIDSTREAM_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("DEIDSTREAM_KEY_VERSION", "2")
    monkeypatch.setenv("DEIDSTREAM_KEY_PREVIOUS", f"1={tmp_path / 'older'}")


def test_it_prints_what_outputs_hold(capsys: pytest.CaptureFixture[str]) -> None:
    ring = Keyring(ROOT, 2, "default")
    assert main(["pseudonym", "note", "n1", "n2"]) == 0
    expected = [note_pseudonym(ring, each) for each in ("n1", "n2")]
    assert capsys.readouterr().out.split() == expected
    assert main(["pseudonym", "patient", "p1"]) == 0
    assert capsys.readouterr().out.split() == [patient_pseudonym(ring, "p1")]


def test_tenant_release_and_older_key_count(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--tenant", "mercy", "--release", "study 7", "--key-version", "1"]
    assert main(["pseudonym", "patient", "p1", *words]) == 0
    expected = patient_pseudonym(Keyring(OLDER, 1, "mercy"), "p1", "study 7")
    assert capsys.readouterr().out.split() == [expected]


def test_the_release_is_that_of_the_policy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "own.toml"
    policy.write_text(
        'technique = "redact"\nrecognizers = ["rules"]\n[release]\nname = "r1"\nids = "own"\n'
    )
    monkeypatch.setenv("DEIDSTREAM_POLICY", str(policy))
    assert main(["pseudonym", "note", "n1"]) == 0
    assert capsys.readouterr().out.split() == [
        note_pseudonym(Keyring(ROOT, 2, "default"), "n1", "r1")
    ]


def test_ids_come_from_stdin_and_blank_lines_stay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n1\r\n\nn 2\n"))
    assert main(["pseudonym", "note"]) == 0
    ring = Keyring(ROOT, 2, "default")
    expected = [note_pseudonym(ring, "n1"), "", note_pseudonym(ring, "n 2")]
    assert capsys.readouterr().out.splitlines() == expected


def test_a_log_gets_the_pseudonym_and_never_the_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "audit.log"
    monkeypatch.setenv("DEIDSTREAM_REVERSE_LOG", str(log))
    assert main(["pseudonym", "patient", "Zyxwv", "--by", "a.jones", "--case", "T-1"]) == 0
    printed = capsys.readouterr().out.strip()
    said = log.read_text()
    assert printed in said
    assert '"by":"a.jones","case":"T-1"' in said
    assert "Zyxwv" not in said
    assert check_log(log).startswith("1 records, whole")


def test_a_key_that_is_not_kept_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pseudonym", "note", "n1", "--key-version", "7"]) == 78
    assert "version 7" in capsys.readouterr().err
