"""Policies of deidstream as techniques, on a note of two identifiers."""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.agents.settings import Settings
from deidstream.schemas.label import PhiLabel
from deidstream.study.survival.planted_misses import plant_misses
from deidstream.study.survival.survivors import Fate
from deidstream.study.techniques.apply_policy import ApplyPolicy
from deidstream.study.techniques.registry import Materials, list_techniques
from support.study_notes import study_note

NOTE = study_note("Patient: John Smith\nMRN: 4471998\nHe was seen on 03/04/2024 for knee pain.\n")
PATIENT, DOCTOR = PhiLabel.PATIENT, PhiLabel.DOCTOR
MODELS = Materials([NOTE], Settings(), seed=1).models
POLICIES = Path(str(files("deidstream.study.techniques"))) / "data"


@pytest.mark.slow
def test_what_was_found_becomes_a_mask() -> None:
    technique = ApplyPolicy("DeI", "redact", MODELS, masked=True)
    (output,) = technique.anonymize([NOTE])
    assert output.text == "Patient: XXXX\nMRN: XXXX\nHe was seen on XXXX for knee pain.\n"


@pytest.mark.slow
def test_deidclinic_redacts_by_type() -> None:
    technique = ApplyPolicy("redact", POLICIES / "deidclinic-redact.toml", MODELS)
    (output,) = technique.anonymize([NOTE])
    expected = "Patient: XXX-Name\nMRN: XXX-ID\nHe was seen on XXX-Date for knee pain.\n"
    assert output.text == expected


@pytest.mark.slow
def test_deidclinic_replaces_by_others_of_the_kind() -> None:
    technique = ApplyPolicy("replace", POLICIES / "deidclinic-replace.toml", MODELS)
    (output,) = technique.anonymize([NOTE])
    assert "XXX" not in output.text
    assert not any(old in output.text for old in ("John", "Smith", "4471998", "03/04/2024"))
    (again,) = technique.anonymize([NOTE])
    assert again.text == output.text


@pytest.mark.slow
def test_an_overlooked_identifier_survives_where_words_are_kept() -> None:
    text = "Mrs. Quillfeather was seen by Dr. Oyelaran for pain of the left knee."
    note = study_note(text, ("Quillfeather", PATIENT), ("Oyelaran", DOCTOR))
    misses = plant_misses([note.labelled], 10, 0)
    fates = {
        policy: [one.fate for one in ApplyPolicy(policy, policy, MODELS).find_fates(misses)]
        for policy in ("redact", "kneo-words")
    }
    assert fates == {"redact": [Fate.WHOLE] * 2, "kneo-words": [Fate.GONE] * 2}


def test_names_of_techniques_are_different() -> None:
    names = [one.name for one in list_techniques(Materials([NOTE], Settings(), seed=1, epochs=1))]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_what_is_shared_changes_no_output() -> None:
    key = sha256(b"study 1").digest()
    notes = [NOTE, study_note("Dr. Oyelaran saw Mr. Quillfeather of Boston on 05/06/2024.\n")]
    for policy in ("redact", "surrogate", "kneo", "kneo-words"):
        outputs = [one.text for one in ApplyPolicy(policy, policy, MODELS).anonymize(notes)]
        with Deidentifier.load(policy, key=key) as alone:
            results = alone.deidentify([note.labelled.note for note in notes])
        assert outputs == [one.text for one in results if isinstance(one, DeidentifiedNote)]
        assert len(outputs) == len(notes)
