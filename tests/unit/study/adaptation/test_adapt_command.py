"""``deidstream adapt``: from files of a made-up hospital to outputs, and back."""

import asyncio
import io
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from adaptation.made_up_hospital import write_files

from deidstream.agents.cli.main import main
from deidstream.agents.doctor.examination import describe_adaptation
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import read_settings
from deidstream.agents.settings.adaptation import FACTS, VERSIONS, read_in_force
from deidstream.schemas.errors import InvalidSettings
from deidstream.study.adaptation.write_version import put_in_force, undo

POLICY = """technique = "surrogate"
recognizers = ["rules", "dictionary", "known"]

[patterns.tray]
pattern = 'tray \\d'
label = "IDNUM"
"""


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hospital")
    write_files(folder, notes=60, marked=40, seed=3)
    write_key(folder / "root.key")
    return folder


@pytest.fixture(scope="module")
def policy(hospital: Path) -> Path:
    path = hospital / "own.toml"
    path.write_text(POLICY)
    return path


@dataclass(frozen=True)
class Made:
    """A site that was adapted, its version not in force."""

    site: Path
    version: str
    said: str

    @property
    def facts(self) -> dict[str, Any]:
        content: dict[str, Any] = orjson.loads(
            (self.site / VERSIONS / self.version / FACTS).read_bytes()
        )
        return content


@pytest.fixture(scope="module")
def made(hospital: Path, policy: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    site, said = tmp_path_factory.mktemp("sites") / "site", io.StringIO()
    with redirect_stderr(said):
        assert make(hospital, site, policy, "--not-in-force") == 0
    assert read_in_force(site) == []
    (version,) = (site / VERSIONS).iterdir()
    return Made(site, version.name, said.getvalue())


def make(hospital: Path, site: Path, policy: Path, *more: str) -> int:
    files = (str(hospital / name) for name in ("staff.hl7", "places.ndjson", "numbers.csv"))
    notes = (
        "--marked",
        str(hospital / "marked.jsonl"),
        "--notes",
        str(hospital / "unmarked.jsonl"),
    )
    return main(
        ["adapt", "make", str(site), "--master", *files, *notes, "--policy", str(policy), *more]
    )


def deidentify(hospital: Path, out: Path) -> bytes:
    notes, key = str(hospital / "unmarked.jsonl"), str(hospital / "root.key")
    assert main(["deidentify", notes, "--out", str(out), "--key-file", key]) == 0
    return out.read_bytes()


def test_more_is_found_and_no_note_is_told(hospital: Path, made: Made) -> None:
    assert r"(learnt): CDI/\d{2}/\d{5}(?:K|L|M|W)" in made.said
    assert "pattern tray (of the policy)" in made.said
    assert "WARNING: more than one place in twenty" in made.said
    for marked in list_marked(hospital, "PATIENT", "MEDICALRECORD"):
        assert marked not in made.said
    apart = made.facts["apart"]
    assert apart["after"]["direct_recall"] > apart["before"]["direct_recall"] + 0.1
    assert apart["changes"]["lost"] == 0
    assert made.facts["marked"]["apart"] == apart["after"]["notes"]


@pytest.mark.slow  # the pipeline is loaded three times
def test_undo_gives_the_old_bytes(
    hospital: Path, made: Made, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEIDSTREAM_POLICY", str(policy))
    before = deidentify(hospital, tmp_path / "before.jsonl")
    monkeypatch.setenv("DEIDSTREAM_ADAPTATION", str(made.site))
    assert main(["adapt", "apply", str(made.site), made.version]) == 0
    after = deidentify(hospital, tmp_path / "after.jsonl")
    assert after != before
    records = [orjson.loads(line) for line in after.splitlines()]
    assert {one["policy"]["sha256"] for one in records} == {made.facts["policy_sha256"]}
    # Ids do not depend on what was learnt.
    assert records[0]["patient_id"] == orjson.loads(before.splitlines()[0])["patient_id"]
    assert main(["adapt", "undo", str(made.site)]) == 0
    assert deidentify(hospital, tmp_path / "undone.jsonl") == before


@pytest.mark.slow  # the notes are searched again
def test_the_same_files_make_the_same_version(
    hospital: Path, made: Made, policy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make(hospital, made.site, policy) == 0
    assert [path.name for path in (made.site / VERSIONS).iterdir()] == [made.version]
    capsys.readouterr()
    assert main(["adapt", "show", str(made.site)]) == 0
    assert "(in force)" in capsys.readouterr().err
    assert main(["adapt", "undo", str(made.site)]) == 0
    assert main(["adapt", "undo", str(made.site)]) == 78


def test_the_doctor_says_what_is_in_force(made: Made, policy: Path) -> None:
    environment = {"DEIDSTREAM_ADAPTATION": str(made.site), "DEIDSTREAM_POLICY": str(policy)}

    def examine() -> str:
        return asyncio.run(describe_adaptation(read_settings(environment)))

    assert examine() == f"none of {made.site} is in force"
    put_in_force(made.site, made.version)
    assert examine().startswith(made.version[:12])
    policy.write_text(POLICY + '\n[operators]\nAGE = "redact"\n')
    with pytest.raises(InvalidSettings, match="was changed since"):
        examine()
    policy.write_text(POLICY)
    undo(made.site)


def list_marked(hospital: Path, *labels: str) -> Iterator[str]:
    for line in (hospital / "marked.jsonl").read_bytes().splitlines():
        note = orjson.loads(line)
        for span in note["spans"]:
            if span["type"] in labels:
                yield note["text"][span["start"] : span["end"]]


def test_files_are_asked_for_at_a_terminal(
    hospital: Path, tmp_path: Path, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    answers = f"'{hospital / 'staff.hl7'}'\n\n\n"
    monkeypatch.setattr("sys.stdin", Terminal(answers))
    assert main(["adapt", "make", str(tmp_path / "site"), "--policy", str(policy)]) == 0
    (version,) = read_in_force(tmp_path / "site")
    facts = orjson.loads((tmp_path / "site" / VERSIONS / version / FACTS).read_bytes())
    assert facts["lists"].keys() == {"site_doctor"}
    assert "apart" not in facts


def test_what_cannot_be_adapted_is_refused(hospital: Path, tmp_path: Path, policy: Path) -> None:
    assert main(["adapt", "make", str(tmp_path / "s")]) == 78
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert make(hospital, tmp_path / "full", policy) == 78
    lacking = tmp_path / "lacking.toml"
    lacking.write_text('technique = "redact"\nrecognizers = ["rules"]\n')
    assert make(hospital, tmp_path / "s", lacking) == 78
