"""CnR, and the concepts that it knows."""

import random
from pathlib import Path

import pytest

from deidstream.schemas.errors import MissingArtefact
from deidstream.study.techniques.concepts import read_own_concepts, read_umls
from deidstream.study.techniques.replace_concepts import ReplaceConcepts, replace_concepts
from support.study_notes import study_note

CONCEPTS = {
    "pain": ("ache",),
    "chest pain": ("angina",),
    "lasix": ("furosemide",),
    "low-grade fever": ("mild pyrexia",),
}


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Chest  pain, no other pain.", "Angina, no other ache."),
        ("On LASIX; low-grade fever", "On FUROSEMIDE; mild pyrexia"),
        ("painful chest", "painful chest"),
        ("", ""),
    ],
)
def test_the_longest_name_becomes_another(text: str, replaced: str) -> None:
    assert replace_concepts(text, CONCEPTS, 2, random.Random(1)) == replaced


def test_the_old_name_may_be_drawn_again() -> None:
    concepts = {"fever": ("fever", "pyrexia")}
    drawn = {replace_concepts("fever", concepts, 1, random.Random(seed)) for seed in range(20)}
    assert drawn == {"fever", "pyrexia"}


def test_our_own_table_can_be_read() -> None:
    concepts = read_own_concepts()
    assert concepts["heart attack"] == ("myocardial infarction", "heart attack", "mi")
    (output,) = ReplaceConcepts(4, concepts).anonymize([study_note("No dyspnea.")])
    assert output.text == "No difficulty breathing."


def _row(concept: str, language: str, name: str) -> str:
    cells = [concept, language, "P", "L1", "PF", "S1", "Y", "A1", "", "", "", "MSH", "PT", "D1"]
    return "|".join([*cells, name, "0", "N", "256", ""])


def test_english_names_of_umls_are_read(tmp_path: Path) -> None:
    file = tmp_path / "MRCONSO.RRF"
    rows = [
        _row("C0013404", "ENG", "Dyspnea"),
        _row("C0013404", "ENG", "Shortness of Breath"),
        _row("C0013404", "SPA", "Disnea"),
        _row("C0000001", "ENG", "a name of far more than six words indeed"),
    ]
    file.write_text("\n".join(rows) + "\n")
    names = ("dyspnea", "shortness of breath")
    assert read_umls(file) == {"dyspnea": names, "shortness of breath": names}


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no table\n")
    for name in ("notes.txt", "absent"):
        with pytest.raises(MissingArtefact, match=r"no MRCONSO\.RRF"):
            read_umls(tmp_path / name)
