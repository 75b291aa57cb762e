"""``deidstream i2b2``: folders in, out and scored."""

import json
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main

TEXT = "Mr. Quillfeather ]]> saw Dr. Bo & Co on 2031-04-05.\nID 77-B\r\n"
GOLD = [
    {"start": 4, "end": 16, "type": "PATIENT"},
    {"start": 29, "end": 31, "type": "DOCTOR"},
    {"start": 40, "end": 50, "type": "DATE"},
    {"start": 55, "end": 59, "type": "IDNUM"},
]
FOUND = [
    {"start": 4, "end": 15, "label": "PATIENT", "score": 0.9},
    {"start": 40, "end": 50, "label": "DATE"},
]


def note(note_id: str, patient_id: str = "p1") -> dict[str, object]:
    return {"note_id": note_id, "patient_id": patient_id, "text": TEXT, "spans": GOLD}


def put(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return put(tmp_path / "gold.jsonl", note("110-01", "110"), note("110-02", "110"))


def cells(path: Path) -> dict[str, dict[str, object]]:
    return {cell["name"]: cell for cell in json.loads(path.read_text())["cells"]}


def test_export_and_import_give_the_same_notes(gold: Path, tmp_path: Path) -> None:
    folder, back = tmp_path / "xml", tmp_path / "back.jsonl"
    assert main(["i2b2", "export", str(gold), "--out", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["110-01.xml", "110-02.xml"]
    assert not (tmp_path / "xml.names.jsonl").exists()
    assert main(["i2b2", "import", str(folder), "--out", str(back)]) == 0
    given, made = (
        [json.loads(line) for line in path.read_text().splitlines()] for path in (gold, back)
    )
    for one, other in zip(given, made, strict=True):
        assert {key: other[key] for key in one} == one


def test_labels_of_a_site_are_written_and_read_with_its_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spans = [*GOLD[:3], GOLD[3] | {"type": "STUDY_NUMBER", "like": "IDNUM"}]
    gold = put(tmp_path / "gold.jsonl", note("110-01", "110") | {"spans": spans})
    policy = tmp_path / "site.toml"
    policy.write_text('extends = "surrogate"\n[labels]\nSTUDY_NUMBER = "IDNUM"\n')
    plain, own, back = tmp_path / "plain", tmp_path / "own", tmp_path / "back.jsonl"
    export = ["i2b2", "export", str(gold), "--out"]
    assert main([*export, str(plain)]) == 0
    assert main([*export, str(own), "--own-labels"]) == 0
    assert 'TYPE="IDNUM"' in (plain / "110-01.xml").read_text()
    assert '<ID id="P3" start="55"' in (own / "110-01.xml").read_text()
    assert 'TYPE="STUDY-NUMBER"' in (own / "110-01.xml").read_text()
    assert main(["i2b2", "import", str(own), "--out", str(back)]) == 78
    assert "--policy whose [labels]" in capsys.readouterr().err
    assert main(["i2b2", "import", str(own), "--out", str(back), "--policy", str(policy)]) == 0
    assert json.loads(back.read_text())["spans"] == spans


def test_predictions_are_scored_against_gold(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predictions = put(tmp_path / "spans.jsonl", {"note_id": "110-01", "spans": FOUND})
    ours, theirs, record = tmp_path / "gold", tmp_path / "found", tmp_path / "score.json"
    export = ["i2b2", "export", str(gold), "--out"]
    assert main([*export, str(ours)]) == 0
    assert main([*export, str(theirs), "--predictions", str(predictions)]) == 0
    assert "1 notes have no predictions" in capsys.readouterr().err
    assert main(["i2b2", "score", str(ours), str(theirs), "--json", str(record)]) == 0
    said = capsys.readouterr().out
    # One of four, two of four relaxed; nothing in the second note.
    (strict,) = (line.split() for line in said.splitlines() if line.endswith("  Strict"))
    assert strict[3:10] == ["1", "1", "7", "0.25", "(0.25)", "0.125", "(0.12)"]
    assert "Quillfeather" not in said
    relaxed = cells(record)["relaxed typed all"]
    assert relaxed["micro"] == pytest.approx({"precision": 1, "recall": 0.25, "f1": 0.4})
    assert relaxed["printed_as"] == "Relaxed"
    script, mended = (cells(record)[f"strict typed hipaa-{how}"] for how in ("script", "mended"))
    assert (script["false_negatives"], mended["false_negatives"]) == (3, 5)


def test_other_ids_are_numbered_and_told(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold.jsonl", note("a/../b"), note("c", "p2"))
    assert main(["i2b2", "export", str(gold), "--out", str(tmp_path / "xml")]) == 0
    assert sorted(path.name for path in (tmp_path / "xml").iterdir()) == [
        "001-01.xml",
        "002-01.xml",
    ]
    names = (tmp_path / "xml.names.jsonl").read_text().splitlines()
    assert json.loads(names[0]) == {"file": "001-01.xml", "note_id": "a/../b"}


def test_every_wrong_file_is_named_and_nothing_is_written(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "xml", tmp_path / "out.jsonl"
    main(["i2b2", "export", str(gold), "--out", str(folder)])
    for name, old, new in (
        ("110-01.xml", b'start="29"', b'start="28"'),
        ("110-02.xml", b'TYPE="DATE"', b'TYPE="Quillfeather"'),
    ):
        path = folder / name
        path.write_bytes(path.read_bytes().replace(old, new))
    capsys.readouterr()
    assert main(["i2b2", "import", str(folder), "--out", str(out)]) == 78
    said = capsys.readouterr().err
    assert said == "deidstream: 110-01.xml: tag P1 has another text than the note at [28, 31)\n"
    (folder / "110-01.xml").unlink()
    assert main(["i2b2", "import", str(folder), "--out", str(out)]) == 78
    said = capsys.readouterr().err
    assert "110-02.xml: the tag at [40, 50) has a TYPE" in said
    assert "Quillfeather" not in said
    assert not out.exists()


def test_losses_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "xml"
    folder.mkdir()
    tags = (
        '<OTHER id="P0" start="0" end="1" TYPE="OTHER"/><LOCATION start="1" end="2" TYPE="ROOM"/>'
    )
    (folder / "1-1.xml").write_text(f"<d><TEXT>abc</TEXT><TAGS>{tags}</TAGS></d>")
    assert main(["i2b2", "import", str(folder), "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().err
    assert "lost: 1 x OTHER dropped" in said
    assert "lost: 1 x ROOM became HOSPITAL" in said


def test_notes_of_one_folder_only_are_said_and_do_not_count(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = tmp_path / "gold", tmp_path / "found"
    for folder in (ours, theirs):
        main(["i2b2", "export", str(gold), "--out", str(folder)])
    (theirs / "110-02.xml").rename(theirs / "111-02.xml")
    capsys.readouterr()
    assert main(["i2b2", "score", str(ours), str(theirs)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("1 notes scored")
    assert "1 notes of gold have no file" in said.err
    assert "1 files of the system have no gold" in said.err


def test_what_cannot_be_scored_is_refused(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = tmp_path / "gold", tmp_path / "found"
    for folder in (ours, theirs):
        main(["i2b2", "export", str(gold), "--out", str(folder)])
    score = ["i2b2", "score", str(ours), str(theirs)]
    path = theirs / "110-01.xml"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"saw Dr", b"met Dr"))
    assert main(score) == 78
    assert "110-01.xml: its text is not that of gold" in capsys.readouterr().err
    path.write_bytes(whole)
    path.rename(theirs / "110-01foo.xml")
    assert main(score) == 78
    assert "several systems" in capsys.readouterr().err
    (theirs / "110-02foo.xml").write_bytes(whole)
    assert main(score) == 78
    assert "two files of one note" in capsys.readouterr().err
    assert main(["i2b2", "score", str(ours), str(tmp_path / "none")]) == 78
    assert main(["i2b2", "export", str(gold), "--out", str(ours)]) == 78
    assert "not empty" in capsys.readouterr().err


def test_a_note_that_xml_cannot_hold_is_refused_by_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = put(tmp_path / "gold.jsonl", note("a") | {"text": "Quillfeather\f", "spans": []})
    assert main(["i2b2", "export", str(gold), "--out", str(tmp_path / "xml")]) == 78
    said = capsys.readouterr().err
    assert said == "deidstream: 001-01.xml: the character at 12 is one that XML cannot hold\n"
    assert not (tmp_path / "xml").exists()
