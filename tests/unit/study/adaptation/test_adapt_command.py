"""``deidstream adapt``: from files of a made-up hospital to outputs, and back."""

import asyncio
from pathlib import Path

import orjson
import pytest
from adaptation.made_up_hospital import write_files

from deidstream.agents.cli.main import main
from deidstream.agents.doctor.examination import describe_adaptation
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import read_settings
from deidstream.agents.settings.adaptation import FACTS, VERSIONS, read_in_force
from deidstream.schemas.errors import InvalidSettings
from deidstream.study.adaptation.write_version import undo

POLICY = """technique = "surrogate"
recognizers = ["rules", "dictionary", "known"]

[patterns.tray]
pattern = 'tray \\\\d'
label = "IDNUM"
"""


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hospital")
    write_files(folder, notes=60, marked=40, seed=3)
    write_key(folder / "root.key")
    return folder


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(POLICY.replace("\\\\", "\\"))
    return path


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


def test_more_is_found_and_undone_to_the_byte(
    hospital: Path,
    tmp_path: Path,
    policy: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = tmp_path / "site"
    monkeypatch.setenv("DEIDSTREAM_POLICY", str(policy))
    before = deidentify(hospital, tmp_path / "before.jsonl")
    assert make(hospital, site, policy) == 0
    said = capsys.readouterr().err
    assert r"(learnt): CDI/\d{2}/\d{5}(?:K|L|M|W)" in said
    assert "pattern tray (of the policy)" in said
    assert "WARNING: more than one place in twenty" in said

    (version,) = read_in_force(site)
    facts = orjson.loads((site / VERSIONS / version / FACTS).read_bytes())
    apart = facts["apart"]
    assert apart["after"]["direct_recall"] > apart["before"]["direct_recall"] + 0.1
    assert apart["changes"]["lost"] == 0
    assert facts["marked"]["apart"] == apart["after"]["notes"]

    monkeypatch.setenv("DEIDSTREAM_ADAPTATION", str(site))
    after = deidentify(hospital, tmp_path / "after.jsonl")
    assert after != before
    records = [orjson.loads(line) for line in after.splitlines()]
    assert {one["policy"]["sha256"] for one in records} == {facts["policy_sha256"]}
    # Ids and surrogates do not depend on what was learnt.
    assert records[0]["patient_id"] == orjson.loads(before.splitlines()[0])["patient_id"]

    assert main(["adapt", "undo", str(site)]) == 0
    assert deidentify(hospital, tmp_path / "undone.jsonl") == before


def test_the_same_files_make_the_same_version_and_nothing_of_notes_is_told(
    hospital: Path, tmp_path: Path, policy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        assert make(hospital, tmp_path / name, policy, "--not-in-force") == 0
        assert read_in_force(tmp_path / name) == []
    versions = [
        [path.name for path in (tmp_path / name / VERSIONS).iterdir()] for name in ("one", "two")
    ]
    assert versions[0] == versions[1]
    said = capsys.readouterr().err
    for line in (hospital / "marked.jsonl").read_bytes().splitlines():
        note = orjson.loads(line)
        names = [s for s in note["spans"] if s["type"] in {"PATIENT", "MEDICALRECORD"}]
        assert not any(note["text"][s["start"] : s["end"]] in said for s in names)
    assert main(["adapt", "apply", str(tmp_path / "one"), versions[0][0]]) == 0
    assert main(["adapt", "show", str(tmp_path / "one")]) == 0
    assert "(in force)" in capsys.readouterr().err


def test_the_doctor_says_what_is_in_force(hospital: Path, tmp_path: Path, policy: Path) -> None:
    site = tmp_path / "site"
    environment = {"DEIDSTREAM_ADAPTATION": str(site), "DEIDSTREAM_POLICY": str(policy)}

    def examine() -> str:
        return asyncio.run(describe_adaptation(read_settings(environment)))

    assert make(hospital, site, policy) == 0
    (version,) = read_in_force(site)
    assert examine().startswith(version[:12])
    policy.write_text(policy.read_text() + '\n[operators]\nAGE = "redact"\n')
    with pytest.raises(InvalidSettings, match="was changed since"):
        examine()
    assert read_settings(environment).policy
    undo(site)
    assert examine() == f"none of {site} is in force"
    with pytest.raises(InvalidSettings, match="nothing is in force"):
        undo(site)


def test_what_cannot_be_adapted_is_refused(hospital: Path, tmp_path: Path, policy: Path) -> None:
    assert main(["adapt", "make", str(tmp_path / "s")]) == 78
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert make(hospital, tmp_path / "full", policy) == 78
    policy.write_text('technique = "redact"\nrecognizers = ["rules"]\n')
    assert make(hospital, tmp_path / "s", policy) == 78
