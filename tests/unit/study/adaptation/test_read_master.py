"""Master files: what is read of HL7, FHIR and tables."""

from pathlib import Path

import orjson
import pytest

from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.schemas.label import PhiLabel
from deidstream.study.adaptation.master_data import Person, write_forms
from deidstream.study.adaptation.read_master import read_master_files

STAFF = (
    r"MSH|^~\&|HR|TOR|HUB|TOR|20250101||MFN^M02|1|P|2.5.1",
    "MFE|MAD|||b1|CWE",
    r"STF|b1|qk4410|Orrin\T\Vale^Tamsyn^Ruth^^Dr|P|||||||3 Quay Row^^Selmouth",
    "PRA|b1|||||LN-88211^LN",
    "LOC|Heron^^^Torside Infirmary|Heron ward|N",
    r"PID|1||TO/44-118^^^TOR^MR||Passed^Over|||||||||||||ACC-7712",
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_hl7_master_files(tmp_path: Path) -> None:
    found = read_master_files([write(tmp_path / "staff.hl7", "\r".join(STAFF))])
    assert found.people == [Person("Tamsyn", "Orrin&Vale", "Ruth")]
    assert found.terms[PhiLabel.HOSPITAL] == {"Heron", "Torside Infirmary", "Heron ward"}
    assert found.terms[PhiLabel.CITY] == {"Selmouth"}
    assert found.terms[PhiLabel.STREET] == {"3 Quay Row"}
    assert found.samples == {
        PhiLabel.IDNUM: {"qk4410"},
        PhiLabel.LICENSE: {"LN-88211"},
        PhiLabel.MEDICALRECORD: {"TO/44-118"},
        PhiLabel.ACCOUNT: {"ACC-7712"},
    }


def test_fhir_resources_by_line_and_in_bundles(tmp_path: Path) -> None:
    practitioner = {
        "resourceType": "Practitioner",
        "name": [{"family": "Vale", "given": ["Tamsyn", "Ruth"]}],
        "identifier": [{"value": "qk4410"}, {"value": "L1", "type": {"coding": [{"code": "MD"}]}}],
    }
    location = {"resourceType": "Location", "name": "Heron", "address": {"city": "Selmouth"}}
    patient = {
        "resourceType": "Patient",
        "name": [{"family": "Passed"}],
        "identifier": [{"value": "TO/44-118"}],
    }
    lines = b"\n".join(map(orjson.dumps, (practitioner, location, patient))).decode()
    bundle = {"resourceType": "Bundle", "entry": [{"resource": one} for one in (location, patient)]}
    by_line = read_master_files([write(tmp_path / "all.ndjson", lines)])
    bundled = read_master_files([write(tmp_path / "b.json", orjson.dumps(bundle).decode())])
    assert by_line.people == [Person("Tamsyn", "Vale", "Ruth")]
    assert by_line.samples[PhiLabel.IDNUM] == {"qk4410"}
    assert by_line.samples[PhiLabel.LICENSE] == {"L1"}
    assert by_line.terms[PhiLabel.HOSPITAL] == {"Heron"}
    assert bundled.samples == {PhiLabel.MEDICALRECORD: {"TO/44-118"}}
    assert not bundled.people


def test_a_table_says_by_its_header_what_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Surname;First name;Ward;MRN;Hired\nVale;Tamsyn;Heron;TO/1;2019\n;;Tern;TO/2;\n"
    names = "Clinician\nRuan Keel\n"
    found = read_master_files(
        [write(tmp_path / "t.csv", text), write(tmp_path / "names.csv", names)]
    )
    assert found.people == [Person("Tamsyn", "Vale"), Person("Ruan", "Keel")]
    assert found.terms[PhiLabel.HOSPITAL] == {"Heron", "Tern"}
    assert found.samples[PhiLabel.MEDICALRECORD] == {"TO/1", "TO/2"}
    said = capsys.readouterr().err
    assert "1 columns are not read" in said
    assert "Hired" not in said


@pytest.mark.parametrize("text", ["Colour,Size\nred,3\n", '{"resourceType": "Location"\nnope'])
def test_what_has_no_known_form_is_refused_without_its_text(tmp_path: Path, text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_master_files([write(tmp_path / "odd", text)])
    assert "odd" in str(refused.value)
    assert "red" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match=r"gone\.hl7"):
        read_master_files([tmp_path / "gone.hl7"])


def test_how_notes_name_somebody() -> None:
    forms = set(write_forms(Person("Tamsyn", "Vale", "Ruth")))
    assert {"Tamsyn Vale", "Vale, Tamsyn", "T. Vale", "Vale T", "Tamsyn R. Vale"} <= forms
    assert "Vale" not in forms
    assert not list(write_forms(Person("", "Vale")))
