from pathlib import Path
from typing import Any

import pytest

from deidstream.schemas.errors import Refused
from deidstream.study.corpus.prose.read_prose import read_prose
from deidstream.study.corpus.sources import read_sources
from support.filling import show_sentences, transcription, write_prose

WORDS = "the patient was seen with a clear chest and came to clinic in good spirits she feels well"
VISIT = {
    "note": "Orla Venn was seen in clinic with Dr. Dorr.",
    "dialogue": "she was seen with orla venn\nshe was seen with tobias",
    "meta": {"first": "Orla", "last": "Venn", "doctor": "Dr. Dorr"},
}


def read(folder: Path, **changes: Any) -> list[str]:
    notes = [transcription(n, WORDS) for n in (1, 2)]
    splits = {"m-1": "train", "m-2": "train"}
    file = write_prose(folder, notes, splits, visits=[VISIT | changes])
    return show_sentences(read_prose(read_sources(file))["visits"])


def test_speakers_are_known_by_name_also_in_lower_case(tmp_path: Path) -> None:
    assert read(tmp_path) == [
        "[PATIENT] was seen in clinic with Dr. [DOCTOR].",
        "she was seen with [PATIENT]",
    ]


def test_a_visit_of_someone_named_like_a_word_is_left_out(tmp_path: Path) -> None:
    meta = {"first": "Orla", "last": "Spirits", "doctor": ""}
    assert read(tmp_path, note="Orla was seen.", dialogue="", meta=meta) == []


def test_a_doctor_may_be_unknown(tmp_path: Path) -> None:
    meta = {"first": "Orla", "last": "Venn", "doctor": ""}
    said = read(tmp_path, note="Orla was seen. Venn feels well.", dialogue="", meta=meta)
    assert said == ["[PATIENT] was seen.", "[PATIENT] feels well."]


def test_a_line_without_its_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"visits\.jsonl: line 1: the field meta\.last must be"):
        read(tmp_path, meta={"first": "Orla"})
