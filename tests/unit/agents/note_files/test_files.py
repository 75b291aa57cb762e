"""The file commands: what they may write over."""

import json
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.note_files.files import Files
from deidstream.schemas.errors import InvalidSettings
from support.tenants import RULES


def files(folder: Path, *names: str) -> Files:
    return Files(*(folder / name for name in names))


def test_outputs_of_their_own_are_written(tmp_path: Path) -> None:
    given = files(tmp_path, "in", "out", "risk", "audit", "quarantine")
    assert given.outputs() == (given.out, given.risk, given.audit, given.quarantine)


@pytest.mark.parametrize(
    "names", [("in", "in"), ("in", "out", "in"), ("in", "out", "x", "out"), ("in", "./x/../in")]
)
def test_one_file_is_not_two(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "x").mkdir(exist_ok=True)
    (tmp_path / "in").touch()
    with pytest.raises(InvalidSettings, match="different files"):
        files(tmp_path, *names).outputs()


def test_a_link_to_the_input_is_the_input(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    (tmp_path / "soft").symlink_to(tmp_path / "in")
    (tmp_path / "hard").hardlink_to(tmp_path / "in")
    for name in ("soft", "hard"):
        with pytest.raises(InvalidSettings, match="different files"):
            files(tmp_path, "in", name).outputs()


def test_a_device_may_be_written_to_twice(tmp_path: Path) -> None:
    assert len(Files(tmp_path / "in", Path("/dev/null"), Path("/dev/null")).outputs()) == 2


def test_outputs_are_not_put_among_the_inputs(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    assert files(tmp_path, "in", "out").outputs()
    with pytest.raises(InvalidSettings, match="folder of the input"):
        files(tmp_path, "in", "in/out").outputs()


RESOURCE = {"resourceType": "Patient", "id": "x", "name": [{"family": "Vanterpool"}]}


def words_on_resource(folder: Path) -> list[str]:
    notes, policy = folder / "in", folder / "policy.toml"
    notes.write_text(f"{json.dumps(RESOURCE)}\n")
    policy.write_text(RULES.format("redact"))
    return [str(notes), "--policy", str(policy), "--out", str(folder / "out")]


def test_a_resource_has_an_audit_record(tmp_path: Path) -> None:
    words = ["deidentify", *words_on_resource(tmp_path), "--audit", str(tmp_path / "audit")]
    assert main(words) == 0
    (record,) = map(json.loads, (tmp_path / "audit").read_text().splitlines())
    assert record["note_id"] == "Patient/x"
    assert [each["label"] for each in record["replacements"]]


def test_resources_come_out_as_ndjson_and_other_notes_do_not(tmp_path: Path) -> None:
    words, resources = words_on_resource(tmp_path), tmp_path / "resources.ndjson"
    note = {"note_id": "1", "patient_id": "x", "text": "Mr. Vanterpool is well."}
    lines = [RESOURCE, note, {"resourceType": "Nothing"}, {**RESOURCE, "id": "y"}]
    (tmp_path / "in").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert main(["deidentify", *words, "--resources", str(resources)]) == 1
    made = [json.loads(line) for line in resources.read_text().splitlines()]
    records = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert made == [each["resource"] for each in records if "resource" in each]
    assert [each["resourceType"] for each in made] == ["Patient", "Patient"]
    assert "Vanterpool" not in resources.read_text()
    assert main(["deidentify", *words, "--resources", words[-1]]) == 78


def test_the_spans_of_a_resource_are_detected(tmp_path: Path) -> None:
    assert main(["detect", *words_on_resource(tmp_path)]) == 0
    (found,) = map(json.loads, (tmp_path / "out").read_text().splitlines())
    assert found["note_id"] == "Patient/x"
    assert found["spans"]


CSV = "ID,PAT,BODY\n7,1,Mr. Vanterpool left.\n8,1,\n9,1,Mr. Vanterpool slept.\n"


@pytest.mark.parametrize("command", ["deidentify", "detect"])
def test_a_table_is_read_by_its_columns(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = words_on_resource(tmp_path)
    (tmp_path / "in").write_text(CSV)
    words += ["--format", "csv"]
    assert main([command, *words]) == 78
    assert "patient_id" in capsys.readouterr().err
    words += ["--columns", "patient_id=PAT"]
    words[words.index("--out") + 1] = str(tmp_path / "out.jsonl")
    assert main([command, *words]) == 1
    said = capsys.readouterr().err
    assert "columns: note_id=ID, patient_id=PAT, text=BODY" in said
    assert "1 x EMPTY_TEXT at decode, field text (first in row 2)" in said
    assert "Vanterpool" not in said
    written = (tmp_path / "out.jsonl").read_text().splitlines()
    assert len(written) == 2
    if command == "detect":
        assert [json.loads(line)["note_id"] for line in written] == ["7", "9"]


def test_the_input_is_not_written_over(tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"note_id": "n", "patient_id": "p", "text": "Mr. Vanterpool left."}\n')
    before = notes.read_bytes()
    assert main(["detect", str(notes), "--out", str(notes)]) == 78
    assert notes.read_bytes() == before
